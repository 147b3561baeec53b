import { describe, expect, test } from "vitest";
import { type Job, jobs } from "../../functions/jobs.ts";
import { type Access, type Route, routes } from "../../functions/routes.ts";
import { keysLike, searchIndexFile, splitReads, storage } from "../../functions/storage.ts";
import { findSettings } from "../../infra/stages.ts";
import { synthesize } from "./assembly.ts";
import { listRights, mapRolesToRights } from "./policies.ts";
import { makeReader } from "./reading.ts";

const rows: readonly (Route | Job)[] = [...routes, ...jobs];
const settings = findSettings("prod");
const stage = makeReader(await synthesize("prod"));

/**
 * The rights that design §9 gives a function for each word of `access` in its row, written here again without the use of infra's own table.
 */
/** The secret of prod. AWS adds six characters to the secret's name; six question marks match those characters but no longer name. */
const nodesSecret =
  "arn:aws:secretsmanager:us-east-1:123456789012:secret:press-market/prod/chain-rpc-urls-??????";

function listExpectedRights(access: Access, row: Route | Job): readonly string[] {
  const table = stage.name(stage.only("AWS::DynamoDB::Table"), "Arn");
  const rights: Readonly<Record<Access, readonly string[]>> = {
    "table:read": listReadRights(row, table),
    "table:write": ["PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"].map(
      (action) => `dynamodb:${action} ${table}${formatKeyCondition(row.writes ?? [])}`,
    ),
    chain: [`secretsmanager:GetSecretValue ${nodesSecret}`],
    "chain:relay": [`secretsmanager:GetSecretValue ${nodesSecret}`],
    market: [],
    typefaces: [],
    news: [],
    "relayers:sign": listKeyRights("relayer", ["kms:Sign", "kms:GetPublicKey"]),
    "relayers:read": listKeyRights("relayer", ["kms:GetPublicKey"]),
    // Prod has no retired relayer.
    "sweep:sign": [],
    "auditor:sign": listKeyRights("auditor", ["kms:Sign", "kms:GetPublicKey"]),
    "auditor:read": listKeyRights("auditor", ["kms:GetPublicKey"]),
    "receipts:sign": listKeyRights("receipt", ["kms:Sign", "kms:GetPublicKey"]),
    "receipts:read": listKeyRights("receipt", ["kms:GetPublicKey"]),
    "push:sign": listKeyRights("push", ["kms:Sign", "kms:GetPublicKey"]),
    "push:read": listKeyRights("push", ["kms:GetPublicKey"]),
    "pushes:send": [`sqs:SendMessage ${findQueue("pushes")}`],
    "mints:send": [`sqs:SendMessage ${findQueue("mints")}`],
    "verdicts:send": [`sqs:SendMessage ${findQueue("verdicts")}`],
    "template:read": [`s3:GetObject ${findBucket("site")}/index.html`],
    "search:read": [`s3:GetObject ${findBucket("searchindex")}/${searchIndexFile}`],
    "search:write": ["Get", "Put"].map(
      (verb) => `s3:${verb}Object ${findBucket("searchindex")}/${searchIndexFile}`,
    ),
    "edge-logs:read": [
      `s3:GetObject ${findBucket("accesslogs")}/edge/*`,
      `s3:ListBucket ${findBucket("accesslogs")} if s3:prefix is like edge/*`,
    ],
    "audit:run": [
      `states:StartSyncExecution ${stage.name(stage.only("AWS::StepFunctions::StateMachine"), "Ref")}`,
    ],
    model: [settings.model, settings.fallbackModel].flatMap(({ inferenceProfile, foundationModel }) => {
      const profile = `arn:aws:bedrock:us-east-1:123456789012:inference-profile/${inferenceProfile}`;
      return [
        `bedrock:InvokeModel ${profile}`,
        `bedrock:InvokeModel arn:aws:bedrock:*::foundation-model/${foundationModel} if bedrock:InferenceProfileArn is ${profile}`,
      ];
    }),
  };
  return rights[access];
}

function listReadRights({ reads }: Route | Job, table: string): readonly string[] {
  const { kinds, indexes } = splitReads(reads ?? storage.indexes.map(({ name }) => name));
  const keys = reads === undefined ? "" : formatKeyCondition(kinds);
  const isByIndexAlone = reads !== undefined && kinds.length === 0;
  return [
    ...(isByIndexAlone ? [] : ["GetItem", "BatchGetItem", "Query"]).map(
      (action) => `dynamodb:${action} ${table}${keys}`,
    ),
    ...indexes.map((name) => `dynamodb:Query ${table}/index/${name}`),
  ];
}

/** The condition that limits a row's function to certain partition keys, as ElectroDB writes them. */
function formatKeyCondition(kinds: Parameters<typeof keysLike>[0]): string {
  return ` if every dynamodb:LeadingKeys is like ${keysLike(kinds).join(" or ")}`;
}

function findBucket(name: string): string {
  const id = new RegExp(`^${name}[0-9A-F]{8}$`);
  const found = stage.ofType("AWS::S3::Bucket").find((one) => id.test(one.id));
  if (found === undefined) throw new TypeError(`No bucket ${name}`);
  return stage.name(found, "Arn");
}

function listKeyRights(name: string, actions: readonly string[]): readonly string[] {
  const keys = stage.ofType("AWS::KMS::Key").filter(({ id }) => id.startsWith(name));
  return keys.flatMap((key) => actions.map((action) => `${action} ${stage.name(key, "Arn")}`));
}

function findOriginSecret(): string {
  return stage.name(stage.only("AWS::SecretsManager::Secret"), "Ref");
}

function findQueue(name: string): string {
  const id = new RegExp(`^${name.replaceAll("-", "")}[0-9A-F]{8}$`);
  const found = stage.ofType("AWS::SQS::Queue").find((one) => id.test(one.id));
  if (found === undefined) throw new TypeError(`No queue ${name}`);
  return stage.name(found, "Arn");
}

/** The rights that a row need not name: for its function's log and traces, a worker's queue, and the queue of the clock's failed runs. */
function listFixedRights(row: Route | Job): readonly string[] {
  const { stack, resource } = stage.lambda(row.id);
  const { LogGroup } = Object(resource.Properties.LoggingConfig);
  const log = stage.text(LogGroup, stack).replace(".Ref}", ".Arn}");
  const consumed =
    "trigger" in row && row.trigger.kind === "queue"
      ? ["ReceiveMessage", "DeleteMessage", "GetQueueAttributes"].map(
          (action) => `sqs:${action} ${row.trigger.kind === "queue" && findQueue(row.trigger.queue)}`,
        )
      : [];
  const clocked = "trigger" in row && row.trigger.kind === "schedule";
  return [
    `logs:CreateLogStream ${log}`,
    `logs:PutLogEvents ${log}`,
    "xray:PutTelemetryRecords *",
    "xray:PutTraceSegments *",
    ...consumed,
    ...("method" in row ? [`secretsmanager:GetSecretValue ${findOriginSecret()}`] : []),
    ...(clocked ? [`sqs:SendMessage ${findQueue("clock-dead")}`] : []),
  ];
}

describe("a function may do only what its row in the tables says", () => {
  test.each(rows.map((row) => [row.id, row] as const))("%s", (_, row) => {
    const expected = [
      ...row.access.flatMap((access) => listExpectedRights(access, row)),
      ...listFixedRights(row),
    ].sort();
    expect(listRights(stage, stage.lambda(row.id))).toEqual(expected);
  });

  test("no two functions share a role, and no function's role has a managed policy", () => {
    const roles = rows.map(({ id }) => {
      const { stack, resource } = stage.lambda(id);
      return stage.text(resource.Properties.Role, stack);
    });
    expect(new Set(roles).size).toBe(rows.length);
    for (const { stack, id, resource } of stage.ofType("AWS::IAM::Role")) {
      if (roles.includes(`{${stack}/${id}.Arn}`)) {
        expect(resource.Properties.ManagedPolicyArns).toBeUndefined();
        expect(resource.Properties.Policies).toBeUndefined();
      }
    }
  });
});

/** The rights that cover all resources because AWS offers no narrower form of these rights, with the reasons. */
const unavoidable: Readonly<Record<string, string>> = {
  "xray:PutTraceSegments": "Traces are no resources.",
  "xray:PutTelemetryRecords": "Traces are no resources.",
  "xray:GetSamplingRules": "Sampling is set for the account.",
  "xray:GetSamplingTargets": "Sampling is set for the account.",
  "logs:CreateLogDelivery": "Step Functions: log deliveries are no resources.",
  "logs:GetLogDelivery": "Step Functions: log deliveries are no resources.",
  "logs:UpdateLogDelivery": "Step Functions: log deliveries are no resources.",
  "logs:DeleteLogDelivery": "Step Functions: log deliveries are no resources.",
  "logs:ListLogDeliveries": "Step Functions: log deliveries are no resources.",
  "logs:PutResourcePolicy": "Step Functions: the policy for deliveries is the account's.",
  "logs:DescribeResourcePolicies": "Step Functions: the policy for deliveries is the account's.",
  "logs:DescribeLogGroups": "Step Functions: the list is the account's.",
};

describe("no right of any role is wider than necessary", () => {
  test("no right of a role names an action with a wildcard", () => {
    const wide = [...mapRolesToRights(stage)].flatMap(([role, rights]) =>
      rights.filter(({ action }) => action.includes("*")).map(({ action }) => `${role} ${action}`),
    );
    expect(wide).toEqual([]);
  });

  test("every right on all resources is a right that AWS offers in no narrower form, and each right on the list of exceptions is used", () => {
    const rights = [...mapRolesToRights(stage).values()].flat();
    const onEverything = rights.filter(({ resource }) => resource === "*").map(({ action }) => action);
    expect(new Set(onEverything)).toEqual(new Set(Object.keys(unavoidable)));
  });

  test("a model may be called in every region of its inference profile, and only through that profile", () => {
    const { model, fallbackModel } = settings;
    const inAnyRegion = [...mapRolesToRights(stage).values()]
      .flat()
      .filter(({ resource }) => resource.includes(":bedrock:*:"));
    expect(new Set(inAnyRegion.map(({ resource, condition }) => `${resource}${condition}`))).toEqual(
      new Set(
        [model, fallbackModel].map(
          ({ inferenceProfile, foundationModel }) =>
            `arn:aws:bedrock:*::foundation-model/${foundationModel} if bedrock:InferenceProfileArn is arn:aws:bedrock:us-east-1:123456789012:inference-profile/${inferenceProfile}`,
        ),
      ),
    );
  });

  test("all other wildcards stand for objects in one of our buckets, and serve only to publish the site and to read the edge's log", () => {
    const some = [...mapRolesToRights(stage)].flatMap(([role, rights]) =>
      rights
        .filter(({ resource }) => /[^:]\*|^\*./.test(resource))
        .map(({ action, resource }) => `${role.replace(/[0-9A-F]{8}\.Ref/, "")} ${action} ${resource}`),
    );
    expect(some).toEqual([
      "{web/publisherrole} s3:GetObject arn:aws:s3:::cdk-hnb659fds-assets-123456789012-us-east-1/*",
      `{web/publisherrole} s3:GetObject ${findBucket("site")}/*`,
      `{web/publisherrole} s3:PutObject ${findBucket("site")}/*`,
      `{jobs/viewscountrole} s3:GetObject ${findBucket("accesslogs")}/edge/*`,
    ]);
  });
});

describe("records", () => {
  test("a row names records to write exactly if it has access to write the table", () => {
    for (const { id, access, writes = [] } of rows)
      expect([id, writes.length > 0]).toEqual([id, access.includes("table:write")]);
  });

  test("rows of public requests, except the two payments, name the records that they read, and of these rows only the press reads paid texts and sessions", () => {
    const open = routes.filter(
      ({ caller, access }) => ["anyone", "payer"].includes(caller) && access.includes("table:read"),
    );
    expect(open.filter(({ reads }) => reads === undefined).map(({ id }) => id)).toEqual([
      "pay-treasury",
      "pay-publisher",
    ]);
    const closed = ["text", "session", "publisher", "wallet"] as const;
    const found = open.flatMap(({ id, reads = [] }) =>
      closed.filter((kind) => reads.includes(kind)).map((kind) => `${id} ${kind}`),
    );
    expect(found).toEqual(["press text", "press session"]);
  });

  test("only payments, their reconciler and the repair write records of payments, and only payments, the reconciler, moves and gas for votes sign as relayers", () => {
    const paying = ["pay-treasury", "pay-publisher", "payment-reconcile"];
    const ids = (is: (row: Route | Job) => boolean) =>
      rows
        .filter(is)
        .map(({ id }) => id)
        .toSorted();
    for (const kind of ["settlement", "authorization"] as const)
      expect([kind, ids(({ writes = [] }) => writes.includes(kind))]).toEqual([
        kind,
        [...paying, "repair"].toSorted(),
      ]);
    expect(ids(({ access }) => access.includes("relayers:sign"))).toEqual(
      [...paying, "move", "votes-gas"].toSorted(),
    );
  });
});
