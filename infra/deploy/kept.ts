import {
  type CloudFormationClient,
  paginateListStackResources,
  type Stack,
  type StackResourceSummary,
  UpdateTerminationProtectionCommand,
} from "@aws-sdk/client-cloudformation";
import { DescribeTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DescribeKeyCommand, KMSClient } from "@aws-sdk/client-kms";
import { appName, listAdoptedKeys, type StageSettings } from "../stages.ts";

/**
 * What a removed stage leaves behind: the settings with which another stage adopts the removed stage's table and keys, and the number of
 * the log groups.
 */
export type StageRemains = { readonly kept: NonNullable<StageSettings["kept"]>; readonly logGroups: number };

/** Turns the deletion protection of the stage's stacks on or off. */
export async function setStackProtection(
  client: CloudFormationClient,
  stacks: readonly Stack[],
  EnableTerminationProtection: boolean,
): Promise<void> {
  for (const { StackName, EnableTerminationProtection: is = false } of stacks) {
    if (is === EnableTerminationProtection) continue;
    await client.send(new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection }));
  }
}

/** Before a removal, reads which resources the removal will leave behind. Returns `undefined` if the stage has no storage stack. */
export async function readRemains(
  client: CloudFormationClient,
  stage: string,
  stacks: readonly Stack[],
  { kept, restoredTable }: Pick<StageSettings, "kept" | "restoredTable">,
): Promise<StageRemains | undefined> {
  const found: (StackResourceSummary & { readonly StackName: string })[] = [];
  for (const { StackName = "" } of stacks) {
    for await (const page of paginateListStackResources({ client }, { StackName }))
      found.push(...(page.StackResourceSummaries ?? []).map((one) => ({ ...one, StackName })));
  }
  const stored = found.filter(({ StackName }) => StackName === `${stage}-${appName}-storage`);
  if (stored.length === 0) return undefined;
  const keys = stored.filter(({ ResourceType }) => ResourceType === "AWS::KMS::Key");
  // A resource's logical id ends in a digest. A resource whose creation failed may have no physical id.
  const findKey = (name: string) => {
    const one = keys.find(({ LogicalResourceId }) => LogicalResourceId?.slice(0, -8) === name);
    return one && (one.PhysicalResourceId ?? "");
  };
  const relayers: string[] = [];
  for (let index = 0; ; index += 1) {
    const is = kept?.relayers[index] ?? findKey(`relayer${index}`);
    if (is === undefined) break;
    relayers.push(is);
  }
  const made = stored.find(({ ResourceType }) => ResourceType === "AWS::DynamoDB::Table");
  // A stage that was restored works on the restored table. Its earlier table is out of date, and may be deleted.
  const table = restoredTable ?? kept?.table ?? made?.PhysicalResourceId ?? "";
  const auditor = kept?.auditor ?? findKey("auditor0") ?? "";
  const receipts = kept?.receipts ?? findKey("receipt0") ?? "";
  const pushes = kept?.pushes ?? findKey("push0");
  const logGroups = found.filter(({ ResourceType }) => ResourceType === "AWS::Logs::LogGroup").length;
  return { kept: { table, relayers, auditor, receipts, pushes }, logGroups };
}

/** Throws an Error if a resource that the stage should adopt is missing or unusable. */
export async function checkKept({
  kept,
  restoredTable,
  region,
}: Pick<StageSettings, "kept" | "restoredTable" | "region">): Promise<void> {
  if (kept === undefined) return;
  const [kms, dynamodb] = [new KMSClient({ region }), new DynamoDBClient({ region })];
  const refuse = (what: string) => new Error(`infra/stages.ts takes back ${what}. Nothing was deployed.`);
  for (const KeyId of listAdoptedKeys(kept)) {
    const { KeyMetadata } = await kms.send(new DescribeKeyCommand({ KeyId })).catch((error: unknown) => {
      throw refuse(`the key ${KeyId}, which this account does not show: ${String(error)}`);
    });
    if (KeyMetadata?.KeyState !== "Enabled")
      throw refuse(`the key ${KeyId}, which is ${KeyMetadata?.KeyState}`);
  }
  const TableName = restoredTable ?? kept.table;
  const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName })).catch((error: unknown) => {
    throw refuse(`the table ${TableName}, which this account does not show: ${String(error)}`);
  });
  if (Table?.TableStatus !== "ACTIVE") throw refuse(`the table ${TableName}, which is ${Table?.TableStatus}`);
}

/**
 * Throws an Error if a deployment without `--new-table` would create an empty table for a stage with lasting data (`removal`) and a public
 * domain. The empty table would lack the stage's earlier sessions, presses and purchases.
 */
export function checkNewTable(
  stage: string,
  { removal, domain, kept, restoredTable }: StageSettings,
  stacks: readonly Stack[],
  isFlagSet: boolean,
): void {
  const stands = stacks.some(({ StackName }) => StackName === `${stage}-${appName}-storage`);
  if (stands || isFlagSet || removal !== "retain" || domain === undefined) return;
  if (kept !== undefined || restoredTable !== undefined) return;
  throw new Error(
    `${stage} has no storage stack: this would make a new, empty table and new keys under ${domain.name}. Nothing was deployed. ` +
      'If this is the first deployment, add --new-table. Otherwise enter the kept table and keys as `kept` in infra/stages.ts (docs/operations.md, "Removing a stage").',
  );
}
