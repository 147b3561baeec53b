import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Account } from "./aws/account.ts";
import { createStack, type Stack } from "./aws/stacks.ts";
import { readTemplate, resolveParameters } from "./aws/template.ts";

/** What SST looks for: its own stack has besides a function that notes metadata, which nothing here reads. */
const sstBootstrap = JSON.stringify({
  Resources: { bucket: { Type: "AWS::S3::Bucket" } },
  Outputs: { Version: { Value: "7.4" }, BucketName: { Value: { Ref: "bucket" } } },
});

/** Makes what `sst bootstrap` would, CDK's stack from its own template, without the half minute that it takes. */
export async function bootstrapByHand(account: Account): Promise<string> {
  const path = fileURLToPath(import.meta.resolve("aws-cdk/lib/api/bootstrap/bootstrap-template.yaml"));
  const stacks = [
    stackFrom(account, "CDKToolkit", readFileSync(path, "utf8")),
    stackFrom(account, "SSTBootstrap", sstBootstrap),
  ];
  while (stacks.some(({ status }) => status.endsWith("_IN_PROGRESS"))) await setTimeout(account.operationMs);
  const failed = stacks.find(({ status }) => status !== "CREATE_COMPLETE");
  if (failed !== undefined) throw new Error(`${failed.name} is ${failed.status}`);
  account.history.splice(0);
  return "from CDK's template";
}

function stackFrom(account: Account, name: string, text: string): Stack {
  const template = readTemplate(text);
  const parameters = resolveParameters(account, template, new Map());
  return createStack(account, name, { text, template, parameters, tags: {} });
}
