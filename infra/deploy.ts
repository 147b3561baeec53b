import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import {
  CloudFormationClient,
  DeleteStackCommand,
  paginateDescribeStacks,
  type Stack,
} from "@aws-sdk/client-cloudformation";
import * as z from "zod";
import { appName, settingsOf } from "./stages.ts";

/**
 * `npm run deploy -- --stage prod` and `npm run remove -- --stage dev`: SST's command, between a look at the account before
 * and one after it. Both may be repeated at any time. Ends with 0 only when all stacks are as they should be.
 *
 * `--from` takes what `sst build` has made, instead of building.
 */
const options = { stage: { type: "string" }, from: { type: "string" } } as const;
const Order = z.object({
  command: z.enum(["deploy", "remove"]),
  // SST would take a stage of the machine's user where none is named.
  stage: z
    .string("--stage is missing: say which one")
    .regex(/^[A-Za-z][A-Za-z0-9-]*$/, "--stage takes letters, digits and hyphens"),
  from: z.string().optional(),
});
const Manifest = z.object({ artifacts: z.record(z.string(), z.object({ type: z.string() })) });

/** A first creation that failed leaves a stack that can only be deleted. It has never served anybody. */
const neverFinished = ["CREATE_FAILED", "ROLLBACK_COMPLETE", "ROLLBACK_FAILED"];
const complete = ["CREATE_COMPLETE", "UPDATE_COMPLETE"];
const pollIntervalMs = 2_000;

try {
  await run();
} catch (error) {
  console.error(wordsOf(error));
  process.exitCode = 1;
}

function wordsOf(error: unknown): string {
  if (error instanceof z.ZodError) return error.issues.map(({ message }) => message).join("\n");
  if (!(error instanceof Error)) return String(error);
  const isSignIn = /credential|token/i.test(error.name);
  return isSignIn
    ? `AWS: ${error.message}. Nothing was changed: sign in, and repeat the command.`
    : error.message;
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const { command, stage, from } = Order.parse({ ...values, command: positionals[0] });
  const client = new CloudFormationClient({ region: settingsOf(stage).region });
  const before = await readStacks(client, stage);
  if (command === "deploy") {
    for (const stack of before) await makeDeployable(client, stage, stack);
  }
  const program = fileURLToPath(import.meta.resolve("sst/cli/sst.js"));
  const built = from === undefined ? [] : ["--from", from];
  const { status } = spawnSync(process.execPath, [program, command, "--stage", stage, ...built], {
    stdio: "inherit",
  });
  if (status !== 0)
    throw new Error(`sst ${command} failed, the reason stands above. The command may be repeated.`);
  // SST's exit code alone is not believed: it has been 0 for failures of every kind.
  const after = await readStacks(client, stage);
  if (command === "remove") checkRemoved(after);
  else checkDeployed(before, after, from ?? ".sst/dist");
}

/** The stage's stacks, once no operation on one of them is under way. */
async function readStacks(client: CloudFormationClient, stage: string): Promise<readonly Stack[]> {
  let said = "";
  for (;;) {
    const stacks: Stack[] = [];
    for await (const { Stacks = [] } of paginateDescribeStacks({ client }, {})) {
      stacks.push(...Stacks.filter(({ StackName }) => StackName?.startsWith(`${stage}-${appName}-`)));
    }
    const busy = stacks.find(({ StackStatus = "" }) => /(?<!REVIEW)_IN_PROGRESS$/.test(StackStatus));
    if (busy === undefined) return stacks;
    const line = `${busy.StackName} is in ${busy.StackStatus}: waiting for its end.`;
    if (line !== said) console.log(line);
    said = line;
    await setTimeout(pollIntervalMs);
  }
}

/**
 * Clears what a failed first creation left, and refuses where somebody has to look first. SST would delete such a stack and
 * then update the one that is gone, so that the creation had to be repeated twice.
 */
async function makeDeployable(client: CloudFormationClient, stage: string, stack: Stack): Promise<void> {
  const { StackName, StackId, StackStatus } = stack;
  const refuse = (status: string | undefined, what: string) =>
    new Error(`${StackName} is in ${status}: ${what}. Nothing was deployed.`);
  if (StackStatus === "DELETE_FAILED") throw refuse(StackStatus, "end its removal first, by npm run remove");
  if (StackStatus === "UPDATE_ROLLBACK_FAILED") {
    const command = `aws cloudformation continue-update-rollback --stack-name ${StackName}`;
    throw refuse(StackStatus, `heal what its events name, then run ${command}`);
  }
  if (!neverFinished.includes(StackStatus ?? "")) return;
  console.log(`${StackName} was never finished (${StackStatus}): deleting what is left of it.`);
  await client.send(new DeleteStackCommand({ StackName }));
  const left = (await readStacks(client, stage)).find((other) => other.StackId === StackId);
  if (left !== undefined) throw refuse(left.StackStatus, "heal what its events name, and repeat");
}

function checkRemoved([left]: readonly Stack[]): void {
  if (left !== undefined) throw new Error(`${left.StackName} is in ${left.StackStatus}: it was not removed.`);
}

function checkDeployed(before: readonly Stack[], after: readonly Stack[], folder: string): void {
  const { artifacts } = Manifest.parse(JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")));
  for (const [name, { type }] of Object.entries(artifacts)) {
    if (type !== "aws:cloudformation:stack") continue;
    const [was, is] = [before, after].map((stacks) => stacks.find(({ StackName }) => StackName === name));
    // A change that failed some time ago is no fault of a deployment that had nothing to change.
    const isUntouched =
      was !== undefined && was.LastUpdatedTime?.getTime() === is?.LastUpdatedTime?.getTime();
    const right = isUntouched ? [...complete, "UPDATE_ROLLBACK_COMPLETE"] : complete;
    if (!right.includes(is?.StackStatus ?? "")) {
      throw new Error(
        `${name} ${is === undefined ? "is not there" : `is in ${is.StackStatus}`}: it was not deployed.`,
      );
    }
  }
}
