import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { appName } from "../../infra/stages.ts";
import { type Account, findStack, type Stack } from "./aws/account.ts";
import { createStack } from "./aws/cloudformation.ts";
import { readTemplate, resolveParameters } from "./aws/template.ts";
import type { Checkout, Ended, Running, Shell, Version } from "./checkout.ts";

export type StackId = "storage" | "web" | "audit" | "jobs" | "api" | "watch";
export const stackIds: readonly StackId[] = ["storage", "web", "audit", "jobs", "api", "watch"];

/** Which type of resource cannot be created in a stack, and why. */
export type Failures = { readonly [id in StackId]?: { readonly type: string; readonly reason: string } };

type Variables = Readonly<Record<string, string>>;

/** Who runs the commands, once the account knows the access key. */
export const signer = { AWS_ACCESS_KEY_ID: "AKIAREHEARSAL", AWS_SECRET_ACCESS_KEY: "rehearsal" } as const;

type Options = {
  /** The signer's unless told. */
  readonly variables?: Variables;
  /** Builds the version again, although it was built before. A build takes a minute. */
  readonly isRebuilt?: boolean;
};

/** A stage in the stand-ins' account: the documented commands on it, and what became of its stacks. */
export type Stage = {
  /** Starts `npm run deploy` or `npm run remove` on a version of the checkout. */
  readonly begin: (command: "deploy" | "remove", version: Version, options?: Options) => Promise<Running>;
  readonly run: (command: "deploy" | "remove", version: Version, options?: Options) => Promise<Ended>;
  readonly sst: (command: string, variables?: Variables) => Promise<Ended>;
  /** Runs a command while resources cannot be created. */
  readonly whileFailing: (failures: Failures, run: () => Promise<Ended>) => Promise<Ended>;
  readonly statusOf: (id: StackId) => string;
  readonly resourcesOf: (id: StackId) => readonly { readonly type: string }[];
  /** What has become of stacks since this was asked last, such as `web UPDATE_COMPLETE`. */
  readonly takeHistory: () => readonly string[];
};

export function openStage(account: Account, checkout: Checkout, shell: Shell, stage: string): Stage {
  const nameOf = (id: StackId) => `${stage}-${appName}-${id}`;
  const begin: Stage["begin"] = async (command, version, { variables = signer, isRebuilt = false } = {}) => {
    checkout.switchTo(version);
    const built = isRebuilt ? undefined : await checkout.builtFor(version);
    const from = built === undefined ? [] : ["--from", built];
    const running = shell.start(["npm", "run", command, "--", "--stage", stage, ...from], variables);
    if (built !== undefined || command === "remove") return running;
    const ended = running.ended.then((end) => {
      checkout.keepBuilt(version);
      return end;
    });
    return { ...running, ended };
  };
  return {
    begin,
    run: async (...what) => (await begin(...what)).ended,
    sst: (command, variables = signer) =>
      shell.start(["npx", "sst", command, "--stage", stage], variables).ended,
    async whileFailing(failures, run) {
      const { operationMs } = account;
      // SST shows the reasons that come after its first look at a stack, and looks every second.
      account.operationMs = 1_500;
      account.failureOf = (stackName, _, type) => {
        const id = stackIds.find((one) => nameOf(one) === stackName);
        const failure = id === undefined ? undefined : failures[id];
        return failure?.type === type ? failure.reason : undefined;
      };
      const ended = await run();
      Object.assign(account, { operationMs, failureOf: () => undefined });
      return ended;
    },
    statusOf: (id) => findStack(account, nameOf(id))?.status ?? "nowhere",
    resourcesOf: (id) => [...(findStack(account, nameOf(id))?.resources.values() ?? [])],
    takeHistory: () => account.history.splice(0).map((line) => line.replace(`${stage}-${appName}-`, "")),
  };
}

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
  const parameters = resolveParameters(account.parameters, template, new Map());
  return createStack(account, name, { text, template, parameters, tags: {} });
}
