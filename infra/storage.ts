import { AttributeType, BillingMode, ProjectionType, Table } from "aws-cdk-lib/aws-dynamodb";
import { Key, KeySpec, KeyUsage } from "aws-cdk-lib/aws-kms";
import type { Stack } from "sst/constructs";
import { jobs } from "../functions/jobs.ts";
import { type Access, routes } from "../functions/routes.ts";
import { storage } from "../functions/storage.ts";
import { removalOf } from "./removal.ts";
import type { StageSettings } from "./stages.ts";

/** Keys of the chain's curve that sign and never leave KMS. Whoever loses one loses what its address owns. */
function signingKeys(stack: Stack, name: string, count: number, settings: StageSettings): readonly Key[] {
  return Array.from(
    { length: count },
    (_, index) =>
      new Key(stack, `${name}-${index}`, {
        description: `${stack.stage}: ${name} ${index}, signs transactions on the chain`,
        keySpec: KeySpec.ECC_SECG_P256K1,
        keyUsage: KeyUsage.SIGN_VERIFY,
        removalPolicy: removalOf(settings),
      }),
  );
}

/** The stage's own table or a restored one, of which CDK knows only what it is called. */
export type AnyTable = Pick<
  Table,
  | "tableName"
  | "tableArn"
  | "metricConsumedReadCapacityUnits"
  | "metricConsumedWriteCapacityUnits"
  | "metricThrottledRequestsForOperations"
  | "metricSystemErrorsForOperations"
>;

export type Stored = {
  readonly table: AnyTable;
  /** Those in use. */
  readonly relayers: readonly Key[];
  /** The key that posts verdicts. Made once a row asks for it. */
  readonly auditor: Key | undefined;
};

/**
 * What outlives every deployment: the one table and the signing keys. The stage's own table is made even where a restored
 * one takes its place, for nothing that a deployment does may remove it.
 */
export function storageStack(stack: Stack, settings: StageSettings): Stored {
  const used = new Set<Access>([...routes, ...jobs].flatMap(({ access }) => access));
  const [auditor] = signingKeys(stack, "auditor", used.has("auditor:sign") ? 1 : 0, settings);
  const own = makeTable(stack, settings);
  const table = settings.restoredTable === undefined ? own : restored(stack, settings.restoredTable);
  const keys = signingKeys(stack, "relayer", settings.relayers, settings);
  // Last: a protected table could not be deleted again where a key fails in the stage's first deployment.
  for (const key of [...keys, ...(auditor === undefined ? [] : [auditor])]) own.node.addDependency(key);
  const relayers = keys.filter((_, index) => !settings.retiredRelayers.includes(index));
  // For whoever funds the relayers and looks after the table.
  stack.addOutputs({
    TableName: table.tableName,
    RelayerKeyIds: relayers.map(({ keyId }) => keyId).join(","),
    ...(auditor !== undefined && { AuditorKeyId: auditor.keyId }),
  });
  return { table, relayers, auditor };
}

function restored(stack: Stack, tableName: string): AnyTable {
  return Table.fromTableAttributes(stack, "restored-table", {
    tableName,
    globalIndexes: storage.indexes.map(({ name }) => name),
  });
}

function makeTable(stack: Stack, settings: StageSettings): Table {
  const table = new Table(stack, "table", {
    partitionKey: text(storage.partitionKey),
    sortKey: text(storage.sortKey),
    billingMode: BillingMode.PAY_PER_REQUEST,
    timeToLiveAttribute: storage.ttlAttribute,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: settings.removal === "retain",
    removalPolicy: removalOf(settings),
  });
  for (const { name, partitionKey, sortKey } of storage.indexes) {
    table.addGlobalSecondaryIndex({
      indexName: name,
      partitionKey: text(partitionKey),
      sortKey: text(sortKey),
      projectionType: ProjectionType.ALL,
    });
  }
  return table;
}

function text(name: string) {
  return { name, type: AttributeType.STRING };
}
