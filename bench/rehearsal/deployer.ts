/**
 * The actions that a deployment's commands ask of AWS with the rights of their user, as the stand-in words them. The rehearsal fails where
 * they ask more; `tests/infra/deployer.test.ts` shows that the pipeline's role may do all of it.
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

/** The actions of an administrator alone: prepare an account, delete what has never stood, remove a stage, make the nodes' secret. */
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
