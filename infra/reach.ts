import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Key } from "aws-cdk-lib/aws-kms";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { StateMachine } from "aws-cdk-lib/aws-stepfunctions";
import { SecretValue, type Stack } from "aws-cdk-lib/core";
import type { QueueName } from "../functions/jobs.ts";
import type { Resource } from "../functions/routes.ts";
import { storage } from "../functions/storage.ts";
import type { Nodes } from "./chains.ts";
import type { Model, StageSettings } from "./stages.ts";
import type { Stored } from "./storage.ts";
import { marketVariables } from "./variables.ts";

/** What stands already and may be reached by a function. */
export type Reachable = Stored & {
  readonly stack: Stack;
  readonly settings: StageSettings;
  /** The site's files. */
  readonly files: Bucket;
  readonly queues?: ReadonlyMap<QueueName, Queue>;
  readonly audit?: StateMachine;
};

/** What a function must have to reach something: rights, and the names under which it finds it. */
export type Reach = {
  readonly statements: readonly PolicyStatement[];
  /** By the names of `functions/lib/environment.ts`. */
  readonly environment: Readonly<Record<string, string>>;
};

/**
 * The meaning of each word in a row's `touches` (design §9): exactly these actions on exactly these resources. Chain,
 * market and news are public, so for them a function only needs to know where they are. Throws an Error when a
 * row touches what is made after it.
 */
export const reach = {
  "table:read": ({ table }) => ({
    statements: [
      new PolicyStatement({
        // Condition checks and transactional reads come under these too.
        actions: ["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"],
        resources: [table.tableArn, ...storage.indexes.map(({ name }) => `${table.tableArn}/index/${name}`)],
      }),
    ],
    environment: { TABLE_NAME: table.tableName },
  }),
  "table:write": ({ table }) => ({
    statements: [
      new PolicyStatement({
        actions: [
          "dynamodb:PutItem",
          "dynamodb:UpdateItem",
          "dynamodb:DeleteItem",
          "dynamodb:ConditionCheckItem",
        ],
        resources: [table.tableArn],
      }),
    ],
    environment: { TABLE_NAME: table.tableName },
  }),
  chain: ({ settings }) => ({ statements: [], environment: { CHAIN_RPC_URL: rpcUrls(settings.chain.rpc) } }),
  "chain:relay": ({ settings: { chain } }) => ({
    statements: [],
    environment: { RELAY_RPC_URL: rpcUrls(chain.relayRpc ?? chain.rpc) },
  }),
  market: ({ settings }) => ({ statements: [], environment: marketVariables(settings) }),
  news: ({ settings: { newsFeeds, alarms } }) => ({
    statements: [],
    environment: { NEWS_URL: newsFeeds.join(","), ...(alarms && { NEWS_CONTACT: alarms.email }) },
  }),
  "relayers:sign": ({ relayers }) => ({
    statements: [signing(relayers)],
    environment: { RELAYER_KEY_IDS: relayers.map(({ keyId }) => keyId).join(",") },
  }),
  "relayers:read": ({ relayers }) => ({
    statements: [
      new PolicyStatement({ actions: ["kms:GetPublicKey"], resources: relayers.map(({ keyArn }) => keyArn) }),
    ],
    environment: { RELAYER_KEY_IDS: relayers.map(({ keyId }) => keyId).join(",") },
  }),
  "auditor:sign": ({ auditor }) => {
    const key = made("auditor:sign", auditor);
    return { statements: [signing([key])], environment: { AUDITOR_KEY_ID: key.keyId } };
  },
  "auditor:read": ({ auditor }) => {
    const { keyArn, keyId } = made("auditor:read", auditor);
    return {
      statements: [new PolicyStatement({ actions: ["kms:GetPublicKey"], resources: [keyArn] })],
      environment: { AUDITOR_KEY_ID: keyId },
    };
  },
  "mints:send": (reachable) => sending("mints", "MINT_QUEUE_URL", reachable),
  "verdicts:send": (reachable) => sending("verdicts", "VERDICT_QUEUE_URL", reachable),
  "template:read": ({ files }) => ({
    statements: [
      new PolicyStatement({ actions: ["s3:GetObject"], resources: [files.arnForObjects("index.html")] }),
    ],
    environment: { SITE_BUCKET: files.bucketName },
  }),
  "audit:run": ({ audit }) => {
    const machine = made("audit:run", audit);
    return {
      statements: [
        new PolicyStatement({
          actions: ["states:StartSyncExecution"],
          resources: [machine.stateMachineArn],
        }),
      ],
      environment: { AUDIT_MACHINE_ARN: machine.stateMachineArn },
    };
  },
  model: ({ stack, settings: { model, fallbackModel, limits } }) => ({
    statements: [model, fallbackModel].flatMap((one) => asking(stack, one)),
    environment: {
      MODEL_ID: model.inferenceProfile,
      MODEL_PRICES: `${model.prices.input},${model.prices.output}`,
      FALLBACK_MODEL_ID: fallbackModel.inferenceProfile,
      FALLBACK_MODEL_PRICES: `${fallbackModel.prices.input},${fallbackModel.prices.output}`,
      MODEL_DAILY_USD: dailyUsd(limits.modelUsdPerDay),
    },
  }),
} as const satisfies Readonly<Record<Resource, (reachable: Reachable) => Reach>>;

function sending(name: QueueName, variable: string, { queues }: Reachable): Reach {
  const queue = made(`${name}:send`, queues?.get(name));
  return {
    statements: [new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [queue.queueArn] })],
    environment: { [variable]: queue.queueUrl },
  };
}

function dailyUsd({ service, newWallets, wallet, newWallet }: StageSettings["limits"]["modelUsdPerDay"]) {
  return [service, newWallets, wallet, newWallet].join(",");
}

/** Converse has no action of its own. Which regions a profile sends to is Bedrock's to change, so they are not named. */
function asking(stack: Stack, { inferenceProfile, foundationModel }: Model): readonly PolicyStatement[] {
  const actions = ["bedrock:InvokeModel"];
  const service = "bedrock";
  const profile = stack.formatArn({
    service,
    resource: "inference-profile",
    resourceName: inferenceProfile,
  });
  const model = stack.formatArn({
    service,
    region: "*",
    account: "",
    resource: "foundation-model",
    resourceName: foundationModel,
  });
  return [
    new PolicyStatement({ actions, resources: [profile] }),
    new PolicyStatement({
      actions,
      resources: [model],
      conditions: { StringEquals: { "bedrock:InferenceProfileArn": profile } },
    }),
  ];
}

function signing(keys: readonly Key[]): PolicyStatement {
  return new PolicyStatement({
    actions: ["kms:Sign", "kms:GetPublicKey"],
    resources: keys.map(({ keyArn }) => keyArn),
  });
}

function rpcUrls(nodes: Nodes): string {
  if ("urls" in nodes) return nodes.urls.join(",");
  const { secretName, versionId } = nodes;
  return SecretValue.secretsManager(secretName, versionId === undefined ? {} : { versionId }).unsafeUnwrap();
}

function made<Thing>(touch: Resource, thing: Thing | undefined): Thing {
  if (thing === undefined) throw new Error(`Something touches ${touch} before it is made: order the stacks`);
  return thing;
}
