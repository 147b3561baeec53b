/**
 * The AWS actions that a deployment's commands request with their user's rights, as the stand-in names them. The rehearsal fails if they
 * request others; `tests/infra/deployer.test.ts` shows that the pipeline's role allows all of them.
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
 * The actions of an administrator only: prepare an account, delete a stack that was never complete, remove a stage, create the nodes'
 * secret.
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
