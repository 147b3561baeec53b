import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import {
  type CloudFormationClient,
  DeleteStackCommand,
  paginateDescribeStacks,
  type Stack,
} from "@aws-sdk/client-cloudformation";
import * as z from "zod";
import { appName } from "../stages.ts";

/** A first creation that failed leaves a stack that can only be deleted. It has never served anybody. */
const neverFinished = ["CREATE_FAILED", "ROLLBACK_COMPLETE", "ROLLBACK_FAILED"];
const complete = ["CREATE_COMPLETE", "UPDATE_COMPLETE"];
const pollIntervalMs = 2_000;

/** The stage's stacks, once no operation on one of them is under way. */
export async function readStacks(client: CloudFormationClient, stage: string): Promise<readonly Stack[]> {
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
 * The stage's stacks that can be updated. Deletes what failed first creations have left, and refuses where somebody has to
 * look first. SST would delete such a stack and then update the one that is gone: each creation had to be repeated twice.
 */
export async function readyStacks(client: CloudFormationClient, stage: string): Promise<readonly Stack[]> {
  for (const { StackName, StackId, StackStatus = "" } of await readStacks(client, stage)) {
    if (StackStatus === "DELETE_FAILED")
      throw refusal(StackName, StackStatus, "end its removal by npm run remove");
    if (StackStatus === "UPDATE_ROLLBACK_FAILED") {
      const command = `aws cloudformation continue-update-rollback --stack-name ${StackName}`;
      throw refusal(StackName, StackStatus, `heal what its events name, then run ${command}`);
    }
    if (!neverFinished.includes(StackStatus)) continue;
    console.log(`${StackName} was never finished (${StackStatus}): deleting what is left of it.`);
    await client.send(new DeleteStackCommand({ StackName }));
    const left = (await readStacks(client, stage)).find((stack) => stack.StackId === StackId);
    if (left !== undefined)
      throw refusal(StackName, left.StackStatus, "heal what its events name, and repeat");
  }
  return (await readStacks(client, stage)).filter(({ StackStatus }) => StackStatus !== "REVIEW_IN_PROGRESS");
}

function refusal(name: string | undefined, status: string | undefined, what: string): Error {
  return new Error(`${name} is in ${status}: ${what}. Nothing was deployed.`);
}

const Manifest = z.object({ artifacts: z.record(z.string(), z.object({ type: z.string() })) });

/** The names of the stacks that were built. */
export function builtStacks(folder: string): readonly string[] {
  const { artifacts } = Manifest.parse(JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")));
  return Object.entries(artifacts).flatMap(([name, { type }]) =>
    type === "aws:cloudformation:stack" ? name : [],
  );
}

/** SST's exit code alone is not believed: it has been 0 for failures of every kind. */
export function checkDeployed(folder: string, before: readonly Stack[], after: readonly Stack[]): void {
  for (const name of builtStacks(folder)) {
    const [was, is] = [before, after].map((stacks) => stacks.find(({ StackName }) => StackName === name));
    // A change that failed some time ago is no fault of a deployment that had nothing to change.
    const isUntouched =
      was !== undefined && was.LastUpdatedTime?.getTime() === is?.LastUpdatedTime?.getTime();
    const right = isUntouched ? [...complete, "UPDATE_ROLLBACK_COMPLETE"] : complete;
    if (right.includes(is?.StackStatus ?? "")) continue;
    const how = is === undefined ? "is not there" : `is in ${is.StackStatus}`;
    throw new Error(`${name} ${how}: it was not deployed.`);
  }
}

export function checkRemoved([left]: readonly Stack[]): void {
  if (left !== undefined) throw new Error(`${left.StackName} is in ${left.StackStatus}: it was not removed.`);
}
