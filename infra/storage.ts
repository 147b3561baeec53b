import {
  BackupPlan,
  BackupPlanRule,
  BackupResource,
  BackupVault,
  CfnBackupVault,
} from "aws-cdk-lib/aws-backup";
import { AttributeType, BillingMode, ProjectionType, Table } from "aws-cdk-lib/aws-dynamodb";
import { Schedule } from "aws-cdk-lib/aws-events";
import { AccountRootPrincipal, PolicyDocument, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Key, KeySpec, KeyUsage } from "aws-cdk-lib/aws-kms";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { CfnWaitConditionHandle, Duration, Fn, RemovalPolicy } from "aws-cdk-lib/core";
import { storage } from "../functions/storage.ts";
import type { Stack } from "./constructs.ts";
import { makeSignerPath, type SignerKind, type StageSettings } from "./stages.ts";

const transactions = "transactions on the chain";
const signed: Readonly<Record<SignerKind, string>> = {
  relayer: transactions,
  auditor: transactions,
  receipt: "receipts of payments",
  push: "notifications for browsers",
};

/** A key of the stage, either new or adopted from a removed stage. */
export type SigningKey = Pick<Key, "keyId" | "keyArn">;

/**
 * Makes a signing key, or adopts the key of a removed stage. Signing keys never leave KMS. All signing keys are on the chain's curve,
 * except the key for notifications to browsers. If a signing key is lost, everything that the key's address owns is lost.
 */
function makeSigningKey(stack: Stack, kind: SignerKind, index: number, settings: StageSettings): SigningKey {
  const { relayers = [], auditor, receipts, pushes } = settings.kept ?? {};
  const keyId = { relayer: relayers, auditor: [auditor], receipt: [receipts], push: [pushes] }[kind][index];
  if (keyId !== undefined)
    return { keyId, keyArn: stack.formatArn({ service: "kms", resource: "key", resourceName: keyId }) };
  return new Key(stack, `${kind}-${index}`, {
    description: `${stack.stage}: ${kind} ${index}, signs ${signed[kind]}`,
    keySpec: kind === "push" ? KeySpec.ECC_NIST_P256 : KeySpec.ECC_SECG_P256K1,
    keyUsage: KeyUsage.SIGN_VERIFY,
    policy: makeKeyPolicy(stack, kind),
    removalPolicy: findRemovalPolicy(settings),
  });
}

/**
 * Only roles under the path of the key's kind may sign, and only if their own policy also allows it. Administrators of the account have all
 * rights to a key except signing: an administrator can change the key's policy, disable the key and delete the key. If an administrator
 * changes a key's policy, disables a key or deletes a key, an alarm is raised (`infra/watch`).
 */
function makeKeyPolicy(stack: Stack, kind: SignerKind): PolicyDocument {
  const principals = [new AccountRootPrincipal()];
  // A function that settles payments also signs the payments' receipts.
  const kinds = kind === "receipt" ? (["receipt", "relayer"] as const) : [kind];
  const roles = kinds.map(
    (one) => `arn:${stack.partition}:iam::${stack.account}:role${makeSignerPath(stack.stage, one)}*`,
  );
  return new PolicyDocument({
    statements: [
      new PolicyStatement({ principals, actions: administration, resources: ["*"] }),
      new PolicyStatement({
        principals,
        actions: ["kms:Sign"],
        resources: ["*"],
        conditions: { ArnLike: { "aws:PrincipalArn": roles } },
      }),
    ],
  });
}

/** All KMS actions except two: `Sign`, and `CreateGrant`, which could give others the right to sign. */
const administration = [
  "kms:Describe*",
  "kms:List*",
  "kms:Get*",
  "kms:Verify",
  "kms:Enable*",
  "kms:Disable*",
  "kms:Put*",
  "kms:Update*",
  "kms:RevokeGrant",
  "kms:RetireGrant",
  "kms:TagResource",
  "kms:UntagResource",
  "kms:ScheduleKeyDeletion",
  "kms:CancelKeyDeletion",
];

/** The stage's own table, or a restored table; CDK knows only the name of a restored table. */
type AnyTable = Pick<
  Table,
  "tableName" | "tableArn" | "metricConsumedReadCapacityUnits" | "metricConsumedWriteCapacityUnits" | "metric"
>;

export type StorageParts = {
  readonly table: AnyTable;
  /** The keys of the relayers in use. */
  readonly relayers: readonly SigningKey[];
  /** The keys of retired relayers. Only a sweep still uses the keys of retired relayers. */
  readonly retired: readonly SigningKey[];
  /** The key that signs the transactions with verdicts. */
  readonly auditor: SigningKey;
  /** The key that signs receipts. The key owns no ETH. */
  readonly receipts: SigningKey;
  /**
   * The key that identifies the service to browsers' push services. With another key for notifications, readers would have to subscribe
   * again.
   */
  readonly pushes: SigningKey;
};

/**
 * The resources that outlive every deployment: the one table and the signing keys. The stage's own table stays in the stack even if a
 * restored table replaces it, because no deployment may remove the stage's own table.
 */
export function buildStorage(stack: Stack, settings: StageSettings): StorageParts {
  const auditor = makeSigningKey(stack, "auditor", 0, settings);
  const receipts = makeSigningKey(stack, "receipt", 0, settings);
  const pushes = makeSigningKey(stack, "push", 0, settings);
  const keys = Array.from({ length: settings.relayers }, (_, index) =>
    makeSigningKey(stack, "relayer", index, settings),
  );
  const table = chooseTable(stack, settings, [...keys, auditor, receipts, pushes]);
  const isRetired = (index: number) => settings.retiredRelayers.includes(index);
  const relayers = keys.filter((_, index) => !isRetired(index));
  const retired = keys.filter((_, index) => isRetired(index));
  addBackups(stack, table, settings);
  // Outputs for the operator who funds the relayers and maintains the table.
  stack.addOutputs({
    TableName: table.tableName,
    RelayerKeyIds: relayers.map(({ keyId }) => keyId).join(","),
    // The relayers' numbers in infra/stages.ts, in the order of the keys above.
    RelayerNumbers: [...keys.keys()].filter((index) => !isRetired(index)).join(","),
    AuditorKeyId: auditor.keyId,
    ReceiptKeyId: receipts.keyId,
    PushKeyId: pushes.keyId,
  });
  return { table, relayers, retired, auditor, receipts, pushes };
}

/** The table that functions work on: the stage's own table, a restored table beside it, or an adopted table of a removed stage. */
function chooseTable(stack: Stack, settings: StageSettings, keys: readonly SigningKey[]): AnyTable {
  const { restoredTable, kept } = settings;
  if (kept !== undefined) {
    // A stack needs at least one resource, and if the table and all keys are adopted, this stack would have no resource.
    new CfnWaitConditionHandle(stack, "nothing");
    return importTable(stack, restoredTable ?? kept.table);
  }
  const own = makeTable(stack, settings);
  // The table is created last. If the creation of a key failed after the creation of the table, the table could not be deleted again,
  // because it is protected.
  for (const key of keys) if (key instanceof Key) own.node.addDependency(key);
  return restoredTable === undefined ? own : importTable(stack, restoredTable);
}

function importTable(stack: Stack, tableName: string): AnyTable {
  return Table.fromTableAttributes(stack, "restored-table", {
    tableName,
    globalIndexes: storage.indexes.map(({ name }) => name),
  });
}

function makeTable(stack: Stack, settings: StageSettings): Table {
  const table = new Table(stack, "table", {
    partitionKey: makeTextAttribute(storage.partitionKey),
    sortKey: makeTextAttribute(storage.sortKey),
    billingMode: BillingMode.PAY_PER_REQUEST,
    timeToLiveAttribute: storage.ttlAttribute,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: settings.removal === "retain",
    removalPolicy: findRemovalPolicy(settings),
  });
  for (const { name, partitionKey, sortKey } of storage.indexes) {
    table.addGlobalSecondaryIndex({
      indexName: name,
      partitionKey: makeTextAttribute(partitionKey),
      sortKey: makeTextAttribute(sortKey),
      projectionType: ProjectionType.ALL,
    });
  }
  return table;
}

function makeTextAttribute(name: string) {
  return { name, type: AttributeType.STRING };
}

/**
 * The time for which the stage's account and the backup account store copies of the table. The table can be restored to its state at any
 * second within this period.
 */
const kept = Duration.days(35);

/**
 * Copies the table into a vault of another account six times a day, in case this account is lost. A table can be restored to a given second
 * only within this account.
 */
function addBackups(stack: Stack, table: { readonly tableArn: string }, settings: StageSettings): void {
  const { backup } = settings;
  if (backup === undefined) return;
  const vault = makeVault(stack, settings);
  const destinationBackupVault = BackupVault.fromBackupVaultArn(stack, "other-account", backup.copyTo);
  const plan = new BackupPlan(stack, "backups");
  plan.addRule(
    new BackupPlanRule({
      ruleName: "every-four-hours",
      backupVault: vault,
      scheduleExpression: Schedule.cron({ minute: "0", hour: "*/4" }),
      startWindow: Duration.hours(1),
      completionWindow: Duration.hours(3),
      deleteAfter: kept,
      copyActions: [{ destinationBackupVault, deleteAfter: kept }],
    }),
  );
  plan.addSelection("table", { resources: [BackupResource.fromArn(table.tableArn)] });
}

/** The vault's name ends in the stack's own id, because a kept vault must not block a new deployment of the stage. */
function makeVault(stack: Stack, settings: StageSettings) {
  const id = Fn.select(4, Fn.split("-", Fn.select(2, Fn.split("/", stack.stackId))));
  const vault = new CfnBackupVault(stack, "backup-vault", { backupVaultName: `${stack.stackName}-${id}` });
  vault.applyRemovalPolicy(findRemovalPolicy(settings));
  return BackupVault.fromBackupVaultName(stack, "backup-vault-by-name", vault.ref);
}

/**
 * Whether a resource with data is kept or deleted when its stage is removed. If a resource was created in a failed deployment, it is
 * deleted even if data is kept, because the resource is empty and no later deployment would find it again.
 */
function findRemovalPolicy({ removal }: StageSettings): RemovalPolicy {
  return removal === "retain" ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}

/**
 * A log group that stores its lines for the time that the stage's settings give. Some services write only to log groups whose names begin
 * with a certain `prefix`. The name of a log group with a `prefix` ends in the stack's own id, because a kept group must not block a new
 * deployment of the stage.
 */
export function makeLogs(stack: Stack, id: string, settings: StageSettings, prefix?: string): LogGroup {
  // The last part of a stack's ARN is new whenever CloudFormation creates the stack again.
  const creationId = Fn.select(2, Fn.split("/", stack.stackId));
  return new LogGroup(stack, id, {
    ...(prefix !== undefined && { logGroupName: `${prefix}${stack.stackName}-${creationId}` }),
    retention: settings.logDays,
    removalPolicy: findRemovalPolicy(settings),
  });
}
