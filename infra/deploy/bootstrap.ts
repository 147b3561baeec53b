import {
  type CloudFormationClient,
  CreateStackCommand,
  DescribeStacksCommand,
  waitUntilStackCreateComplete,
} from "@aws-sdk/client-cloudformation";

/**
 * The stack by which SST knows that an account is prepared, with what SST looks up in it: a version, and a bucket, for which CDK's
 * serves. SST's own stack has a function besides, for a console that nobody here uses, on a runtime that AWS retires in 2027.
 */
const bootstrapTemplate = {
  Description: "Tells SST that this account is prepared. Nothing runs in it.",
  // A stack has to hold something. This holds nothing and costs nothing.
  Resources: { Nothing: { Type: "AWS::CloudFormation::WaitConditionHandle" } },
  Outputs: {
    Version: { Value: "7.4" },
    BucketName: { Value: { "Fn::Sub": `cdk-hnb659fds-assets-$\{AWS::AccountId}-$\{AWS::Region}` } },
  },
} as const;

const StackName = "SSTBootstrap";

/** Makes the account's stack where there is none. SST makes CDK's own at its start, where that is missing. */
export async function prepareAccount(client: CloudFormationClient): Promise<void> {
  if (await isThere(client)) return;
  console.log(`${StackName} is missing: this account was never deployed to. Making it.`);
  await client.send(new CreateStackCommand({ StackName, TemplateBody: JSON.stringify(bootstrapTemplate) }));
  await waitUntilStackCreateComplete({ client, maxWaitTime: 300, minDelay: 1 }, { StackName });
}

async function isThere(client: CloudFormationClient): Promise<boolean> {
  try {
    await client.send(new DescribeStacksCommand({ StackName }));
    return true;
  } catch (error) {
    if (error instanceof Error && /does not exist/.test(error.message)) return false;
    throw error;
  }
}
