import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { StateMachine } from "aws-cdk-lib/aws-stepfunctions";
import { ArnFormat, type Stack } from "aws-cdk-lib/core";
import { parseGwei } from "viem/utils";
import type { QueueName } from "../functions/jobs.ts";
import type { Access, Route } from "../functions/routes.ts";
import {
  edgeLog,
  listKeys,
  type RecordKind,
  searchIndexFile,
  splitReads,
  storage,
} from "../functions/storage.ts";
import type { Nodes } from "./chains.ts";
import type { Model, StageSettings } from "./stages.ts";
import type { SigningKey, StorageParts } from "./storage.ts";

/** The resources to which a function can get access. */
export type Resources = StorageParts & {
  readonly settings: StageSettings;
  /** The site's files. */
  readonly files: Bucket;
  /** The prepared search index. */
  readonly searchIndex: Bucket;
  /** The bucket that stores the edge's log and the logs of the other buckets. */
  readonly logs: Bucket;
  readonly queues?: ReadonlyMap<QueueName, Queue>;
  readonly audit?: StateMachine;
};

/** The things that a function needs to use a resource: rights, and environment variables with the resource's name. */
type Grant = {
  readonly statements: readonly PolicyStatement[];
  /** Environment variables by their names in `functions/lib/environment.ts`. */
  readonly environment: Readonly<Record<string, string>>;
};

/**
 * The rights that each word in a row's `access` stands for (design §9): certain actions on certain resources, and nothing more. Chain,
 * market and news are public, so a function needs only their addresses and no rights. Throws an Error when a row needs a resource that is
 * created later than the row's function.
 */
export const grants = {
  "table:read": ({ table }, _, { reads }) => {
    const { kinds, indexes } = splitReads(reads ?? storage.indexes.map(({ name }) => name));
    const byIndex = indexes.map((name) => `${table.tableArn}/index/${name}`);
    // A transactional read needs no action of its own, because IAM checks `GetItem` on each of its items. The right to make condition
    // checks is part of `table:write`.
    const actions = ["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"];
    const narrow = reads === undefined ? {} : makeKeyCondition(kinds);
    const isByIndexAlone = reads !== undefined && kinds.length === 0;
    return {
      statements: [
        ...(isByIndexAlone ? [] : [allow(actions, [table.tableArn], narrow)]),
        ...(byIndex.length === 0 ? [] : [allow(["dynamodb:Query"], byIndex)]),
      ],
      environment: { TABLE_NAME: table.tableName },
    };
  },
  "table:write": ({ table }, _, { writes }) => ({
    statements: [
      allow(
        ["PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"].map((action) => `dynamodb:${action}`),
        [table.tableArn],
        makeKeyCondition(requireMade("table:write", writes)),
      ),
    ],
    environment: { TABLE_NAME: table.tableName },
  }),
  chain: ({ settings }, stack) => makeNodeGrant(stack, "CHAIN_RPC", settings.chain.rpc),
  "chain:relay": ({ settings: { chain } }, stack) =>
    makeNodeGrant(stack, "RELAY_RPC", chain.relayRpc ?? chain.rpc),
  market: ({ settings }) => ({ statements: [], environment: makeMarketVariables(settings) }),
  news: ({ settings: { newsFeeds, alarms } }) => ({
    statements: [],
    environment: { NEWS_URL: newsFeeds.join(","), ...(alarms && { NEWS_CONTACT: alarms.email }) },
  }),
  "relayers:sign": ({ relayers }) => makeKeyGrant("relayers:sign", relayers, "RELAYER_KEY_IDS"),
  "relayers:read": ({ relayers }) => makeKeyGrant("relayers:read", relayers, "RELAYER_KEY_IDS"),
  /** In a stage without a sweep or without a retired key, a function gets no right to sign with retired keys. */
  "sweep:sign": ({ retired, settings: { sweep } }) => {
    if (sweep === undefined || retired.length === 0) return { statements: [], environment: {} };
    const grant = makeKeyGrant("sweep:sign", retired, "SWEEP_KEY_IDS");
    return {
      ...grant,
      environment: {
        ...grant.environment,
        SWEEP_TO: sweep.to,
        ...(sweep.approvers.length > 0 && { SWEEP_APPROVERS: sweep.approvers.join(",") }),
        SWEEP_APPROVALS: String(sweep.needed),
      },
    };
  },
  "auditor:sign": ({ auditor }) => makeKeyGrant("auditor:sign", [auditor], "AUDITOR_KEY_ID"),
  "auditor:read": ({ auditor }) => makeKeyGrant("auditor:read", [auditor], "AUDITOR_KEY_ID"),
  "receipts:sign": ({ receipts }) => makeKeyGrant("receipts:sign", [receipts], "RECEIPT_KEY_ID"),
  "receipts:read": ({ receipts }) => makeKeyGrant("receipts:read", [receipts], "RECEIPT_KEY_ID"),
  "push:sign": ({ pushes }) => makeKeyGrant("push:sign", [pushes], "PUSH_KEY_ID"),
  "push:read": ({ pushes }) => makeKeyGrant("push:read", [pushes], "PUSH_KEY_ID"),
  "mints:send": (resources) => makeQueueGrant("mints", "MINT_QUEUE_URL", resources),
  "verdicts:send": (resources) => makeQueueGrant("verdicts", "VERDICT_QUEUE_URL", resources),
  "pushes:send": (resources) => makeQueueGrant("pushes", "PUSH_QUEUE_URL", resources),
  "template:read": ({ files }) => ({
    statements: [allow(["s3:GetObject"], [files.arnForObjects("index.html")])],
    environment: { SITE_BUCKET: files.bucketName },
  }),
  "search:read": ({ searchIndex }) => makeIndexFileGrant(searchIndex, ["s3:GetObject"]),
  "search:write": ({ searchIndex }) => makeIndexFileGrant(searchIndex, ["s3:GetObject", "s3:PutObject"]),
  "edge-logs:read": ({ logs }) => ({
    statements: [
      allow(["s3:GetObject"], [logs.arnForObjects(`${edgeLog.prefix}/*`)]),
      allow(["s3:ListBucket"], [logs.bucketArn], { StringLike: { "s3:prefix": `${edgeLog.prefix}/*` } }),
    ],
    environment: { LOG_BUCKET: logs.bucketName },
  }),
  /** Typefaces need no rights, because their files are packed with the function (infra/function.ts). */
  typefaces: () => ({ statements: [], environment: {} }),
  "audit:run": ({ audit }) => {
    const machine = requireMade("audit:run", audit);
    return {
      statements: [allow(["states:StartSyncExecution"], [machine.stateMachineArn])],
      environment: { AUDIT_MACHINE_ARN: machine.stateMachineArn },
    };
  },
  model: ({ settings: { model, fallbackModel, limits } }, stack) => {
    const { service, newWallets, wallet, newWallet } = limits.modelUsdPerDay;
    return {
      statements: [model, fallbackModel].flatMap((one) => makeModelGrant(stack, one)),
      environment: {
        MODEL_ID: model.inferenceProfile,
        MODEL_PRICES: `${model.prices.input},${model.prices.output}`,
        FALLBACK_MODEL_ID: fallbackModel.inferenceProfile,
        FALLBACK_MODEL_PRICES: `${fallbackModel.prices.input},${fallbackModel.prices.output}`,
        MODEL_DAILY_USD: [service, newWallets, wallet, newWallet].join(","),
      },
    };
  },
} as const satisfies Readonly<
  Record<Access, (resources: Resources, stack: Stack, row: Pick<Route, "reads" | "writes">) => Grant>
>;

/** The condition on the partition keys also applies to each item of a transactional request or a batch request. */
function makeKeyCondition(kinds: readonly RecordKind[]) {
  return { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": listKeys(kinds) } };
}

function makeIndexFileGrant(bucket: Bucket, actions: string[]): Grant {
  return {
    statements: [allow(actions, [bucket.arnForObjects(searchIndexFile)])],
    environment: { SEARCH_BUCKET: bucket.bucketName },
  };
}

function makeQueueGrant(name: QueueName, variable: string, { queues }: Resources): Grant {
  const queue = requireMade(`${name}:send`, queues?.get(name));
  return {
    statements: [allow(["sqs:SendMessage"], [queue.queueArn])],
    environment: { [variable]: queue.queueUrl },
  };
}

/**
 * IAM has no action for Bedrock's `Converse`, so a function gets the right to `InvokeModel`. The regions of the inference profile are not
 * named, because Bedrock may change these regions.
 */
function makeModelGrant(
  stack: Stack,
  { inferenceProfile, foundationModel }: Model,
): readonly PolicyStatement[] {
  const actions = ["bedrock:InvokeModel"];
  const service = "bedrock";
  const [profile, model] = [
    stack.formatArn({ service, resource: "inference-profile", resourceName: inferenceProfile }),
    stack.formatArn({
      service,
      region: "*",
      account: "",
      resource: "foundation-model",
      resourceName: foundationModel,
    }),
  ];
  const byProfile = { StringEquals: { "bedrock:InferenceProfileArn": profile } };
  return [allow(actions, [profile]), allow(actions, [model], byProfile)];
}

/** Lets a function sign with the given keys, or only read the public keys. The environment variable contains the ids of the keys. */
function makeKeyGrant(access: Access, keys: readonly SigningKey[], variable: string): Grant {
  const actions = [...(access.endsWith(":sign") ? ["kms:Sign"] : []), "kms:GetPublicKey"];
  const keyArns = keys.map(({ keyArn }) => keyArn);
  return {
    statements: [allow(actions, keyArns)],
    environment: { [variable]: keys.map(({ keyId }) => keyId).join(",") },
  };
}

/**
 * Public addresses of nodes go into the environment, and all other addresses of nodes are in a secret. The secret is read only at run time,
 * and only by functions with access to the chain.
 */
function makeNodeGrant(stack: Stack, name: "CHAIN_RPC" | "RELAY_RPC", nodes: Nodes): Grant {
  if ("urls" in nodes) return { statements: [], environment: { [`${name}_URL`]: nodes.urls.join(",") } };
  // AWS ends a secret's ARN with six random characters, which are unknown before the secret exists.
  const arn = stack.formatArn({
    service: "secretsmanager",
    resource: "secret",
    resourceName: `${nodes.secretName}-??????`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  return { statements: [allowSecretRead([arn])], environment: { [`${name}_SECRET`]: nodes.secretName } };
}

/** The right to take exactly the given actions on exactly the given resources, under the given conditions. */
export function allow(
  actions: readonly string[],
  resources: readonly string[],
  conditions: Readonly<Record<string, unknown>> = {},
): PolicyStatement {
  return new PolicyStatement({ actions: [...actions], resources: [...resources], conditions });
}

/** The right to read the given secrets. */
export function allowSecretRead(secrets: readonly string[]): PolicyStatement {
  return allow(["secretsmanager:GetSecretValue"], secrets);
}

function requireMade<Thing>(access: Access, thing: Thing | undefined): Thing {
  if (thing === undefined)
    throw new Error(
      `A row has the access ${access} to a resource that is not made yet: change the order of the stacks`,
    );
  return thing;
}

/** A stage's settings as environment variables, with the names in `functions/lib/environment.ts`. */
type Variables = Readonly<Record<string, string>>;

/** The environment variables of every function: the chain, its contracts, the treasury, and the limits of gas costs. */
export function makeChainVariables({
  chain,
  treasury,
  siblingRelayers,
  gas,
  minPriceUsdg,
}: Pick<StageSettings, "chain" | "treasury" | "siblingRelayers" | "gas" | "minPriceUsdg">): Variables {
  return {
    CHAIN_ID: String(chain.id),
    CHAIN_NAME: chain.name,
    USDG_ADDRESS: chain.contracts.usdg,
    PERMIT2_ADDRESS: chain.contracts.permit2,
    EXACT_PROXY_ADDRESS: chain.contracts.exactProxy,
    IDENTITY_REGISTRY_ADDRESS: chain.contracts.identityRegistry,
    REPUTATION_REGISTRY_ADDRESS: chain.contracts.reputationRegistry,
    TREASURY_ADDRESS: treasury,
    ...(siblingRelayers.length > 0 && { SIBLING_RELAYERS: siblingRelayers.join(",") }),
    MAX_GAS_PRICE_WEI: String(parseGwei(String(gas.maxPriceGwei))),
    FAILED_GAS_USDG_PER_DAY: String(gas.failuresUsdgPerDay),
    GAS_ALLOWANCE_USDG: String(gas.allowanceUsdg),
    ETH_PRICE_USDG: String(gas.ethPriceUsdg),
    ...(gas.ethFeed !== undefined && { ETH_FEED_ADDRESS: gas.ethFeed }),
    MIN_PRICE_USDG: String(minPriceUsdg),
  };
}

/** The sources of stocks and their prices. If the settings name no stock tokens, functions use the stock API's list. */
export function makeMarketVariables({
  chain: { stocks },
  stockApiUrl,
}: Pick<StageSettings, "chain" | "stockApiUrl">): Variables {
  const { tokens = [] } = stocks;
  return {
    STOCK_API_URL: stockApiUrl,
    STOCK_BEACON_ADDRESS: stocks.beacon,
    ...(stocks.feeds.length > 0 && {
      STOCK_FEEDS: stocks.feeds.map(({ token, feed }) => `${token}=${feed}`).join(","),
    }),
    ...(tokens.length > 0 && { STOCK_TOKENS: tokens.join(",") }),
  };
}
