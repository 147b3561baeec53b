import {
  type CloudFormationClient,
  paginateListStackResources,
  type RollbackConfiguration,
  type Stack,
} from "@aws-sdk/client-cloudformation";
import { appName } from "../stages.ts";

/** The alarms that take an update back while it is under way: of payments, and of errors. CloudFormation takes five at most. */
export const rollbackAlarms = [
  "settled-not-delivered",
  "settlements-failing",
  "payments-errors",
  "api-failures",
  "defects",
] as const;

/** Stacks with functions are watched for so many minutes after their update, the others while it lasts. */
const watchedMinutes: Readonly<Record<string, number>> = { audit: 5, jobs: 5, api: 5 };

/** What CloudFormation is to watch, by the names of stacks. */
export type RollbackOrder = Readonly<Record<string, RollbackConfiguration>>;

/**
 * The triggers for an update of the stage's stacks: those alarms that stand, because an update that names a missing one fails.
 * The stack of the alarms has none, for it changes no function and may change the alarms. `despite`: watches nothing, and
 * takes away what CloudFormation has saved from the update before.
 */
export async function rollbackOrder(
  client: CloudFormationClient,
  stage: string,
  stacks: readonly Stack[],
  { despite }: { readonly despite: boolean },
): Promise<RollbackOrder> {
  const [prefix, watch] = [`${stage}-${appName}-`, `${stage}-${appName}-watch`];
  const alarms = despite ? [] : await standingAlarms(client, watch, stacks);
  const order = stacks.flatMap(({ StackName = "" }) => {
    if (StackName === watch) return [];
    const minutes = alarms.length === 0 ? 0 : (watchedMinutes[StackName.slice(prefix.length)] ?? 0);
    const RollbackTriggers = alarms.map((Arn) => ({ Arn, Type: "AWS::CloudWatch::Alarm" }));
    return [[StackName, { RollbackTriggers, MonitoringTimeInMinutes: minutes }] as const];
  });
  return Object.fromEntries(order);
}

async function standingAlarms(
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

/** Throws an Error where a stack was updated without the triggers that it was to have, as when SST calls AWS another way. */
export function checkTriggers(order: RollbackOrder, before: readonly Stack[], after: readonly Stack[]): void {
  for (const { StackName = "", LastUpdatedTime, RollbackConfiguration } of after) {
    const was = before.find((stack) => stack.StackName === StackName);
    if (was === undefined || was.LastUpdatedTime?.getTime() === LastUpdatedTime?.getTime()) continue;
    const [wanted, has] = [order[StackName], RollbackConfiguration].map((one) =>
      (one?.RollbackTriggers ?? [])
        .map(({ Arn }) => Arn)
        .toSorted()
        .join(", "),
    );
    if (wanted !== has)
      throw new Error(`${StackName} was updated with the rollback triggers "${has}", not "${wanted}".`);
  }
}
