import {
  type CloudFormationClient,
  CreateStackCommand,
  DescribeStacksCommand,
  waitUntilStackCreateComplete,
} from "@aws-sdk/client-cloudformation";

/**
 * The stack by which SST recognizes a prepared AWS account. The stack has the two outputs that SST reads: a version, and the name of CDK's
 * bucket. SST's original stack also has a function for SST's console. We leave the console's function out, because this project does not
 * use the console, and because AWS retires the function's runtime in 2027.
 */
const bootstrapTemplate = {
  Description: "Tells SST that this account is prepared. Nothing runs in this stack.",
  // A stack needs at least one resource. The stack's only resource does nothing and costs nothing.
  Resources: { Nothing: { Type: "AWS::CloudFormation::WaitConditionHandle" } },
  Outputs: {
    Version: { Value: "7.4" },
    BucketName: { Value: { "Fn::Sub": `cdk-hnb659fds-assets-$\{AWS::AccountId}-$\{AWS::Region}` } },
  },
} as const;

const StackName = "SSTBootstrap";

/** Creates SST's stack in the AWS account if the stack is missing. When SST starts, it creates CDK's stack itself. */
export async function prepareAccount(client: CloudFormationClient): Promise<void> {
  if (await isAccountPrepared(client)) return;
  console.log(`${StackName} is missing: this account was never deployed to. Making it.`);
  await client.send(new CreateStackCommand({ StackName, TemplateBody: JSON.stringify(bootstrapTemplate) }));
  await waitUntilStackCreateComplete({ client, maxWaitTime: 300, minDelay: 1 }, { StackName });
}

async function isAccountPrepared(client: CloudFormationClient): Promise<boolean> {
  try {
    await client.send(new DescribeStacksCommand({ StackName }));
    return true;
  } catch (error) {
    if (error instanceof Error && /does not exist/.test(error.message)) return false;
    throw error;
  }
}
