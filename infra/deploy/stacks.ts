import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import {
  type CloudFormationClient,
  DeleteStackCommand,
  ListImportsCommand,
  type Output,
  paginateDescribeStacks,
  paginateListStackResources,
  type RollbackConfiguration,
  type Stack,
} from "@aws-sdk/client-cloudformation";
import * as z from "zod";
import { appName } from "../stages.ts";

/** If the first creation of a stack fails, CloudFormation keeps an unused stack, which can only be deleted. */
const neverFinished = ["CREATE_FAILED", "ROLLBACK_COMPLETE", "ROLLBACK_FAILED"];
const complete = ["CREATE_COMPLETE", "UPDATE_COMPLETE"];
const pollIntervalMs = 2_000;

/** Waits until no operation on the stage's stacks is under way, and returns the stacks. */
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
 * Returns the stage's stacks that can be updated. Deletes stacks whose first creation has failed, and throws if an operator must repair a
 * stack before the update. After a failed creation, SST itself would need two more attempts. The first attempt would delete the stack and
 * then fail at the update of the deleted stack, and only the second attempt would create the stack.
 */
export async function checkStacks(client: CloudFormationClient, stage: string): Promise<readonly Stack[]> {
  for (const { StackName, StackId, StackStatus = "" } of await readStacks(client, stage)) {
    if (StackStatus === "DELETE_FAILED")
      throw makeRefusal(StackName, StackStatus, "end its removal by npm run remove");
    if (StackStatus === "UPDATE_ROLLBACK_FAILED") {
      const command = `aws cloudformation continue-update-rollback --stack-name ${StackName}`;
      throw makeRefusal(StackName, StackStatus, `heal what its events name, then run ${command}`);
    }
    if (!neverFinished.includes(StackStatus)) continue;
    console.log(`${StackName} was never finished (${StackStatus}): deleting what is left of it.`);
    await client.send(new DeleteStackCommand({ StackName }));
    const left = (await readStacks(client, stage)).find((stack) => stack.StackId === StackId);
    if (left !== undefined)
      throw makeRefusal(StackName, left.StackStatus, "heal what its events name, and repeat");
  }
  return (await readStacks(client, stage)).filter(({ StackStatus }) => StackStatus !== "REVIEW_IN_PROGRESS");
}

function makeRefusal(name: string | undefined, status: string | undefined, what: string): Error {
  return new Error(`${name} is in ${status}: ${what}. Nothing was deployed.`);
}

const Manifest = z.object({ artifacts: z.record(z.string(), z.object({ type: z.string() })) });

/** The names of the stacks that were built. */
function listBuiltStacks(folder: string): readonly string[] {
  const { artifacts } = Manifest.parse(JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")));
  return Object.entries(artifacts).flatMap(([name, { type }]) =>
    type === "aws:cloudformation:stack" ? name : [],
  );
}

/**
 * Throws an Error if a stack was not deployed. SST's exit code does not prove a success, because it has been 0 after failures of every
 * kind.
 */
export function checkDeployment(folder: string, before: readonly Stack[], after: readonly Stack[]): void {
  for (const name of listBuiltStacks(folder)) {
    const [was, is] = [before, after].map((stacks) => stacks.find(({ StackName }) => StackName === name));
    // A stack that this deployment did not change counts as deployed, even if an earlier update of the stack failed and was rolled back.
    const isUntouched =
      was !== undefined && was.LastUpdatedTime?.getTime() === is?.LastUpdatedTime?.getTime();
    const right = isUntouched ? [...complete, "UPDATE_ROLLBACK_COMPLETE"] : complete;
    if (right.includes(is?.StackStatus ?? "")) continue;
    const how = is === undefined ? "is not there" : `is in ${is.StackStatus}`;
    throw new Error(`${name} ${how}: it was not deployed.`);
  }
}

export function checkAllRemoved([left]: readonly Stack[]): void {
  if (left !== undefined) throw new Error(`${left.StackName} is in ${left.StackStatus}: it was not removed.`);
}

const Template = z.looseObject({
  Outputs: z
    .record(z.string(), z.looseObject({ Export: z.looseObject({ Name: z.string() }).optional() }))
    .default({}),
});
const Assets = z.object({
  files: z.record(z.string(), z.object({ source: z.object({ path: z.string() }) })),
});

/**
 * Keeps an export in the built template of a stack if the new version drops this export although another stack still uses it.
 * CloudFormation refuses to delete an export while another stack uses it, and the other stack is updated only later. The next deployment
 * deletes the exports that are no longer used.
 *
 * SST itself also keeps exports that are in use, but it uploads the changed template under the hash of the unchanged template. SST skips
 * the upload if a file with this hash already exists. If SST skipped the upload, a later rollback that removes a resource would fail.
 */
export async function keepExportsInUse(
  client: CloudFormationClient,
  folder: string,
  stacks: readonly Stack[],
): Promise<void> {
  const built = listBuiltStacks(folder);
  for (const { StackName = "", Outputs = [] } of stacks) {
    if (!built.includes(StackName)) continue;
    const file = join(folder, `${StackName}.template.json`);
    const template = Template.parse(JSON.parse(readFileSync(file, "utf8")));
    const exported = new Set(Object.values(template.Outputs).map(({ Export }) => Export?.Name));
    const missing = Outputs.filter(({ ExportName }) => ExportName !== undefined && !exported.has(ExportName));
    const used: Output[] = [];
    for (const output of missing) {
      if (await isExportUsed(client, output.ExportName)) used.push(output);
    }
    if (used.length === 0) continue;
    const kept = used.map(({ OutputKey = "", OutputValue, ExportName }) => [
      OutputKey,
      { Value: OutputValue, Export: { Name: ExportName } },
    ]);
    const text = JSON.stringify({
      ...template,
      Outputs: { ...template.Outputs, ...Object.fromEntries(kept) },
    });
    writeFileSync(file, text);
    renameTemplate(folder, StackName, createHash("sha256").update(text).digest("hex"));
  }
}

async function isExportUsed(client: CloudFormationClient, name: string | undefined): Promise<boolean> {
  try {
    const { Imports = [] } = await client.send(new ListImportsCommand({ ExportName: name }));
    return Imports.length > 0;
  } catch (error) {
    if (error instanceof Error && /is not imported by any stack/.test(error.message)) return false;
    throw error;
  }
}

/** Replaces a template's former hash by the new hash everywhere in the assembly. */
function renameTemplate(folder: string, stackName: string, hash: string): void {
  const list = join(folder, `${stackName}.assets.json`);
  const { files } = Assets.parse(JSON.parse(readFileSync(list, "utf8")));
  const [former] =
    Object.entries(files).find(([, { source }]) => source.path === `${stackName}.template.json`) ?? [];
  if (former === undefined) throw new Error(`${list} does not name the template`);
  for (const file of [list, join(folder, "manifest.json")]) {
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(former, hash));
  }
}

/**
 * The alarms on payments and on errors. If one of these alarms goes off during an update, the update is reverted. CloudFormation allows at
 * most five rollback triggers.
 */
export const rollbackAlarms = [
  "settled-not-delivered",
  "settlements-failing",
  "payments-errors",
  "api-failures",
  "defects-many",
] as const;

/**
 * The number of minutes for which CloudFormation watches a stack with functions after the stack's update. Stacks without functions are
 * watched only during their update.
 */
const watchedMinutes: Readonly<Record<string, number>> = { audit: 5, jobs: 5, reading: 5, api: 5 };

/** The alarms that CloudFormation watches for each stack, by the stack's name. */
export type RollbackAlarms = Readonly<Record<string, RollbackConfiguration>>;

/**
 * The rollback triggers for an update of the stage's stacks. Only existing alarms are named, because an update that names a missing alarm
 * fails. The alarms' own stack gets no rollback triggers, because its update changes no function and may change the alarms themselves. If
 * `despite` is set, no alarm is watched, and the triggers that CloudFormation saved from the last update are removed.
 */
export async function planRollbackAlarms(
  client: CloudFormationClient,
  stage: string,
  stacks: readonly Stack[],
  { despite }: { readonly despite: boolean },
): Promise<RollbackAlarms> {
  const [prefix, watch] = [`${stage}-${appName}-`, `${stage}-${appName}-watch`];
  const alarms = despite ? [] : await listExistingAlarms(client, watch, stacks);
  const order = stacks.flatMap(({ StackName = "" }) => {
    if (StackName === watch) return [];
    const minutes = alarms.length === 0 ? 0 : (watchedMinutes[StackName.slice(prefix.length)] ?? 0);
    const RollbackTriggers = alarms.map((Arn) => ({ Arn, Type: "AWS::CloudWatch::Alarm" }));
    return [[StackName, { RollbackTriggers, MonitoringTimeInMinutes: minutes }] as const];
  });
  return Object.fromEntries(order);
}

async function listExistingAlarms(
  client: CloudFormationClient,
  watch: string,
  stacks: readonly Stack[],
): Promise<readonly string[]> {
  const id = stacks.find(({ StackName }) => StackName === watch)?.StackId;
  const [, , , region, account] = id?.split(":") ?? [];
  if (region === undefined || account === undefined) return [];
  const wanted = new Set(rollbackAlarms.map((name) => `${watch}-${name}`));
  const found: string[] = [];
  for await (const page of paginateListStackResources({ client }, { StackName: watch })) {
    for (const { ResourceType, PhysicalResourceId = "" } of page.StackResourceSummaries ?? []) {
      if (ResourceType !== "AWS::CloudWatch::Alarm" || !wanted.has(PhysicalResourceId)) continue;
      found.push(`arn:aws:cloudwatch:${region}:${account}:alarm:${PhysicalResourceId}`);
    }
  }
  return found;
}

/**
 * Throws an Error if a stack was updated without its rollback triggers, for example because a new version of SST sends other requests to
 * AWS.
 */
export function checkTriggers(
  rollbackAlarms: RollbackAlarms,
  before: readonly Stack[],
  after: readonly Stack[],
): void {
  for (const { StackName = "", LastUpdatedTime, RollbackConfiguration } of after) {
    const was = before.find((stack) => stack.StackName === StackName);
    if (was === undefined || was.LastUpdatedTime?.getTime() === LastUpdatedTime?.getTime()) continue;
    const [wanted, has] = [rollbackAlarms[StackName], RollbackConfiguration].map((one) =>
      (one?.RollbackTriggers ?? [])
        .map(({ Arn }) => Arn)
        .toSorted()
        .join(", "),
    );
    if (wanted !== has)
      throw new Error(`${StackName} was updated with the rollback triggers "${has}", not "${wanted}".`);
  }
}
