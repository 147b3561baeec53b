/**
 * The AWS actions that a deployment's commands request with the rights of the user who runs them. The stand-in of AWS records the actions
 * under the names in this list. The rehearsal fails if the commands request an action that is neither in this list nor in
 * `administratorAsks`; `tests/infra/deployer.test.ts` shows that the pipeline's role allows every action of this list.
 */
export const deployerAsks = [
  "sts:GetCallerIdentity ",
  "cloudformation:DescribeStacks ",
  "cloudformation:DescribeStacks stage",
  "cloudformation:DescribeStacks bootstrap",
  "cloudformation:DescribeStackEvents stage",
  "cloudformation:DescribeStackResources stage",
  "cloudformation:ListStackResources stage",
  "cloudformation:ListImports ",
  "cloudformation:GetTemplate stage",
  "cloudformation:CreateStack stage",
  "cloudformation:UpdateStack stage",
  "cloudformation:UpdateTerminationProtection stage",
  "ssm:GetParameter ",
  "sts:AssumeRole file-publishing",
  "sts:AssumeRole lookup",
  "kms:DescribeKey ",
  "dynamodb:DescribeTable ",
  "s3:GET object",
  "s3:PUT object",
  "s3:GET bucket",
] as const;

/**
 * The actions that only an administrator may take: to prepare an account, delete a stack whose first creation failed, remove a stage, or
 * create the nodes' secret.
 */
export const administratorAsks: readonly string[] = [
  "cloudformation:CreateStack bootstrap",
  "cloudformation:CreateChangeSet bootstrap",
  "cloudformation:DescribeChangeSet bootstrap",
  "cloudformation:ExecuteChangeSet bootstrap",
  "cloudformation:DescribeStackEvents bootstrap",
  "cloudformation:DescribeStackResources bootstrap",
  "cloudformation:DeleteStack stage",
  "secretsmanager:CreateSecret ",
  "secretsmanager:GetSecretValue ",
  "sts:AssumeRole deploy",
  "s3:DELETE object",
];
