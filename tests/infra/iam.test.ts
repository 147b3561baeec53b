import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { type Job, jobs } from "../../functions/jobs.ts";
import { type Access, type Route, routes } from "../../functions/routes.ts";
import {
  isRecordKind,
  type RecordKind,
  searchIndexFile,
  splitReads,
  storage,
} from "../../functions/storage.ts";
import { findSettings } from "../../infra/stages.ts";
import { synthesize } from "./assembly.ts";
import { account, administrator, type Call, findUnneededRights, readAuthority } from "./authority.ts";
import { makeReader, type StackResource } from "./reading.ts";

/**
 * Checks the decision of AWS about each call. The evaluator `@cloud-copilot/iam-simulate` is independent of our code. The checked calls are
 * the calls that functions made in tests/functions/request-budget.test.ts, the calls that their rows declare, and the calls that AWS makes
 * in a function's role.
 */
const rows: readonly (Route | Job)[] = [...routes, ...jobs];
const seen = z
  .array(z.string())
  .parse(JSON.parse(readFileSync(new URL("calls.json", import.meta.url), "utf8")));
const wallet = `0x${"ab".repeat(20)}`;
const uuid = "0f0e0d0c-0b0a-4908-8706-050403020100";
/** Partition keys of each kind of records (`functions/storage.ts`), as ElectroDB writes them. */
const examples: Readonly<Record<RecordKind, readonly string[]>> = {
  press: ["id_000000000001"],
  text: ["textOf_000000000001"],
  identity: ["pressId_1"],
  run: ["hash_0a1b2c"],
  byline: [`looks_0x${"cd".repeat(32)}`],
  publisher: [`publisher_${wallet}`],
  session: [`tokenHash_${"ef".repeat(32)}`],
  nonce: ["nonce_c0ffee"],
  wallet: [`wallet_${wallet}`],
  follow: [`follower_${wallet}`],
  followed: [`followed_author:${wallet}`, "followed_stock:AAPL"],
  pushEndpoint: [`pushEndpoint_${"ef".repeat(32)}`],
  feedToken: [`feedToken_${"ef".repeat(32)}`],
  errand: [`sender_${wallet}`],
  settlement: [`wallet_${wallet}#pressId_1`],
  authorization: [
    `wallet_${wallet}#method_permit2#nonce_1`,
    `wallet_${wallet}#identifier_pay_0123456789abcdef`,
  ],
  transfer: [`txHash_0x${"cd".repeat(32)}`],
  receipt: [`receiptOf_0x${"cd".repeat(32)}`],
  key: [`address_${wallet}`, `transaction_${uuid}`],
  keyring: ["name_relayers"],
  gas: ["subject_service:fresh"],
  holder: [`holder_${wallet}`],
  relayUse: ["address_127.0.0.1#window_1"],
  market: ["name_quote:AAPL", "name_stocks", "name_marks", "name_overview"],
  series: ["symbol_AAPL"],
  budget: [`owner_${wallet}`],
  views: [`viewsOf_${wallet}`, "viewFilesOf_2026-11-26"],
  counter: ["name_press", "name_generation"],
};
const allKinds = Object.keys(examples).filter(isRecordKind);

const tableActions = {
  read: ["GetItem", "BatchGetItem", "Query"],
  write: ["PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"],
} as const;

/** The table calls that a row's function is allowed to make, and the table calls that only functions of other rows are allowed to make. */
function listTableCalls({ access, reads, writes = [] }: Route | Job) {
  const makeCall = (action: string, key: string) => `dynamodb:${action} table $market#${key}`;
  const makeIndexCall = (name: string) => `dynamodb:Query table/index/${name}`;
  const indexes = storage.indexes.map(({ name }) => name);
  const opened = !access.includes("table:read")
    ? { kinds: [], indexes: [] }
    : reads === undefined
      ? { kinds: allKinds, indexes }
      : splitReads(reads);
  const listPartitionKeys = (kinds: readonly RecordKind[]) => kinds.flatMap((kind) => examples[kind]);
  const listAllCalls = (way: keyof typeof tableActions, kinds: readonly RecordKind[]) =>
    listPartitionKeys(kinds).flatMap((key) => tableActions[way].map((action) => makeCall(action, key)));
  /**
   * One call for each partition key of those record kinds that are not in `kinds`. The call for the first key uses the first action, the
   * call for the second key uses the second action, and so on. The evaluator would need a minute to check every action with every key.
   */
  const listOtherCalls = (way: keyof typeof tableActions, kinds: readonly RecordKind[]) =>
    listPartitionKeys(allKinds.filter((kind) => !kinds.includes(kind))).map((key, index) =>
      makeCall(tableActions[way][index % tableActions[way].length] ?? "", key),
    );
  return {
    own: [
      ...listAllCalls("read", opened.kinds),
      ...opened.indexes.map(makeIndexCall),
      ...listAllCalls("write", writes),
    ],
    foreign: [
      ...listOtherCalls("read", opened.kinds),
      ...indexes.filter((name) => !opened.indexes.includes(name)).map(makeIndexCall),
      ...listOtherCalls("write", writes),
    ],
  };
}

async function loadStage(name: string) {
  const stage = makeReader(await synthesize(name));
  const authority = readAuthority(stage);
  const settings = findSettings(name);
  const findOnlyArn = (type: string, attribute: string) =>
    authority.readAttribute(stage.findOnly(type), attribute);
  const listKmsKeys = (kind: string) => stage.ofType("AWS::KMS::Key").filter(({ id }) => id.startsWith(kind));
  const findQueue = (id: string) => stage.findResource("AWS::SQS::Queue", id);
  const findBucket = (id: string) => stage.findResource("AWS::S3::Bucket", id);
  const findSiteBucket = () => findBucket("site");
  const findLogBucket = () => findBucket("accesslogs");
  const makeResourceCall = (found: StackResource, action: string, suffix = ""): CheckedCall => ({
    action,
    resource: `${authority.readAttribute(found, "Arn")}${suffix}`,
    on: found,
  });
  const listModelCalls = (): readonly CheckedCall[] =>
    [settings.model, settings.fallbackModel].flatMap(({ inferenceProfile, foundationModel }) => {
      const action = "bedrock:InvokeModel";
      const profile = `arn:aws:bedrock:us-east-1:${account}:inference-profile/${inferenceProfile}`;
      // Bedrock requires rights on the inference profile, and on the model in each region that can answer.
      return [
        { action, resource: profile },
        ...["us-east-1", "us-west-2"].map((region) => ({
          action,
          resource: `arn:aws:bedrock:${region}::foundation-model/${foundationModel}`,
          context: { "bedrock:InferenceProfileArn": profile },
        })),
      ];
    });

  /** A call in the form of `calls.json`. */
  function parseCall(call: string): readonly CheckedCall[] {
    const [action = "", on = "", key] = call.split(" ");
    const [kind, name = ""] = on.split("/");
    const table = findOnlyArn("AWS::DynamoDB::Table", "Arn");
    if (kind === "table") {
      const whole = key?.replace(/(?<=#(?:id|textOf)_)1$/, "000000000001").replace("uuid", uuid);
      const context = whole === undefined ? {} : { "dynamodb:LeadingKeys": [whole] };
      return [{ action, resource: on.replace("table", table), context }];
    }
    if (kind === "queue") return [makeResourceCall(findQueue(name), action)];
    if (kind === "site") return [makeResourceCall(findSiteBucket(), action, `/${name}`)];
    if (kind === "search") return [makeResourceCall(findBucket("searchindex"), action, `/${name}`)];
    if (kind === "logs" && action === "s3:ListBucket")
      return [
        { ...makeResourceCall(findLogBucket(), action), context: { "s3:prefix": `${name}/2026/11/26/` } },
      ];
    if (kind === "logs") return [makeResourceCall(findLogBucket(), action, `/${on.slice("logs/".length)}`)];
    if (kind === "machine")
      return [{ action, resource: findOnlyArn("AWS::StepFunctions::StateMachine", "Ref") }];
    if (kind === "model") return listModelCalls();
    throw new TypeError(`Nothing is known of ${call}`);
  }

  const listSignCalls = (kind: string) =>
    listKmsKeys(kind).flatMap((key) => [
      makeResourceCall(key, "kms:Sign"),
      makeResourceCall(key, "kms:GetPublicKey"),
    ]);
  const listReadCalls = (kind: string) =>
    listKmsKeys(kind).map((key) => makeResourceCall(key, "kms:GetPublicKey"));
  const listNodeCalls = (rpc: typeof settings.chain.rpc): readonly CheckedCall[] =>
    "urls" in rpc
      ? []
      : [makeSecretCall(`arn:aws:secretsmanager:us-east-1:${account}:secret:${rpc.secretName}-Zz09aB`)];
  /**
   * For each word of `access` that does not begin with `table:`, the AWS commands that the word allows. `core/adapter` sends only these AWS
   * commands.
   */
  const declared: Readonly<Record<Exclude<Access, `table:${string}`>, () => readonly CheckedCall[]>> = {
    chain: () => listNodeCalls(settings.chain.rpc),
    "chain:relay": () => listNodeCalls(settings.chain.relayRpc ?? settings.chain.rpc),
    market: () => [],
    news: () => [],
    typefaces: () => [],
    "relayers:sign": () => listSignCalls("relayer"),
    "relayers:read": () => listReadCalls("relayer"),
    "sweep:sign": () => [],
    "auditor:sign": () => listSignCalls("auditor"),
    "auditor:read": () => listReadCalls("auditor"),
    "receipts:sign": () => listSignCalls("receipt"),
    "receipts:read": () => listReadCalls("receipt"),
    "push:sign": () => listSignCalls("push"),
    "push:read": () => listReadCalls("push"),
    "pushes:send": () => parseCall("sqs:SendMessage queue/pushes"),
    "mints:send": () => parseCall("sqs:SendMessage queue/mints"),
    "verdicts:send": () => parseCall("sqs:SendMessage queue/verdicts"),
    "template:read": () => parseCall("s3:GetObject site/index.html"),
    "search:read": () => parseCall(`s3:GetObject search/${searchIndexFile}`),
    "search:write": () =>
      ["GetObject", "PutObject"].flatMap((call) => parseCall(`s3:${call} search/${searchIndexFile}`)),
    "edge-logs:read": () => [
      makeResourceCall(findLogBucket(), "s3:GetObject", "/edge/2026/11/26/E1.2026-11-26-14.0a1b2c3d.gz"),
      { ...makeResourceCall(findLogBucket(), "s3:ListBucket"), context: { "s3:prefix": "edge/2026/11/26/" } },
    ],
    "audit:run": () => parseCall("states:StartSyncExecution machine"),
    model: listModelCalls,
  };

  /** The calls that Lambda, X-Ray and the queues' pollers make in a function's role, and the secret that each route reads. */
  function listFixedCalls(row: Route | Job): readonly CheckedCall[] {
    const { stack, resource } = stage.lambda(row.id);
    const { LogGroup } = z.object({ LogGroup: z.unknown() }).parse(resource.Properties.LoggingConfig);
    const group = `arn:aws:logs:us-east-1:${account}:log-group:${stage.text(LogGroup, stack).replace(/^\{[\w-]+\/|\.Ref\}$/g, "")}`;
    const trigger = "trigger" in row ? row.trigger : undefined;
    return [
      { action: "logs:CreateLogStream", resource: `${group}:log-stream:one` },
      { action: "logs:PutLogEvents", resource: `${group}:log-stream:one` },
      { action: "xray:PutTraceSegments", resource: "*" },
      { action: "xray:PutTelemetryRecords", resource: "*" },
      ...(trigger?.kind === "queue"
        ? ["ReceiveMessage", "DeleteMessage", "GetQueueAttributes"].map((action) =>
            makeResourceCall(findQueue(trigger.queue), `sqs:${action}`),
          )
        : []),
      ...(trigger?.kind === "schedule" ? [makeResourceCall(findQueue("clock-dead"), "sqs:SendMessage")] : []),
      ...("method" in row ? [makeSecretCall(findOnlyArn("AWS::SecretsManager::Secret", "Ref"))] : []),
    ];
  }

  /** Lists a Lambda function's AWS calls for which IAM's decision is not the expected one. */
  function listWrongCalls(mustAllow: boolean, { id }: Route | Job, calls: readonly CheckedCall[]) {
    const caller = authority.findCaller(stage.lambda(id));
    return authority.listUnexpectedCalls(calls.map(({ on, ...call }) => [mustAllow, caller, call, on]));
  }
  const listDeclaredCalls = ({ access }: Pick<Route, "access">): readonly CheckedCall[] =>
    access.flatMap((word) => (word === "table:read" || word === "table:write" ? [] : declared[word]()));
  return {
    stage,
    authority,
    listKmsKeys,
    findQueue,
    findSite: findSiteBucket,
    findLogBucket,
    makeResourceCall,
    parseCall,
    declared,
    listDeclaredCalls,
    listFixedCalls,
    listWrongCalls,
  };
}

/** A call, and the resource whose own policy affects the decision. */
type CheckedCall = Call & { readonly on?: StackResource };

function formatCall({ action, resource, context }: Call): string {
  return `${action} ${resource} ${JSON.stringify(context)}`;
}

function makeSecretCall(resource: string): CheckedCall {
  return { action: "secretsmanager:GetSecretValue", resource };
}

test("the stage dev gives its functions and keys the same rights as a personal stage, whose rights other tests check", async () => {
  const readRights = async (name: string) => {
    const { all } = makeReader(await synthesize(name));
    const found = all.filter(({ resource }) => /^AWS::(?:IAM::Policy|KMS::Key)$/.test(resource.Type));
    return JSON.parse(JSON.stringify(found).replaceAll(name, "stage"));
  };
  const rights = await readRights("jane");
  expect(rights.length).toBeGreaterThan(rows.length / 2);
  expect(await readRights("dev")).toEqual(rights);
});

describe.each(["jane", "prod"])(
  "in the stage %s, AWS allows functions exactly the calls that they need",
  async (name) => {
    const {
      authority,
      stage,
      makeResourceCall,
      declared,
      listDeclaredCalls,
      listFixedCalls,
      parseCall,
      listWrongCalls,
      findQueue,
      findSite: findSiteBucket,
      findLogBucket,
    } = await loadStage(name);

    test("each function has exactly the rights for the calls recorded in the tests, the calls that its row declares, and the calls that AWS makes in the function's role", async () => {
      const refused: string[] = [];
      const unneeded: string[] = [];
      for (const row of rows) {
        const own = seen.filter((call) => call.startsWith(`${row.id} `));
        const calls = [
          ...own.flatMap((call) => parseCall(call.slice(row.id.length + 1))),
          ...listTableCalls(row).own.flatMap(parseCall),
          ...listDeclaredCalls(row),
          ...listFixedCalls(row),
        ];
        refused.push(...(await listWrongCalls(true, row, calls)));
        const rights = findUnneededRights(authority.findCaller(stage.lambda(row.id)), calls);
        unneeded.push(...rights.map((right) => `${row.id} ${right}`));
      }
      expect({ refused, unneeded }).toEqual({ refused: [], unneeded: [] });
    });

    test("no function may make calls that the rows of other functions declare but its own row does not declare", async () => {
      const allowed: string[] = [];
      for (const row of rows) {
        const own = new Set(listDeclaredCalls(row).map(formatCall));
        const foreign = Object.values(declared).flatMap((calls) =>
          calls()
            .filter((call) => !own.has(formatCall(call)))
            .slice(0, 4),
        );
        const table = authority.readAttribute(stage.findOnly("AWS::DynamoDB::Table"), "Arn");
        const never: readonly CheckedCall[] = [
          ...["Scan", "DeleteTable", "UpdateTable", "BatchWriteItem"].map((action) => ({
            action: `dynamodb:${action}`,
            resource: table,
          })),
          {
            action: "dynamodb:PutItem",
            resource: `${table}-of-another-stage`,
            context: { "dynamodb:LeadingKeys": ["$market#name_a"] },
          },
          makeResourceCall(findSiteBucket(), "s3:PutObject", "/index.html"),
          { ...makeResourceCall(findLogBucket(), "s3:ListBucket"), context: { "s3:prefix": "site/" } },
          makeResourceCall(findQueue("mints"), "sqs:PurgeQueue"),
          makeSecretCall(
            `arn:aws:secretsmanager:us-east-1:${account}:secret:press-market/other/chain-rpc-urls-Zz09aB`,
          ),
          { action: "iam:PassRole", resource: authority.findCaller(stage.lambda("pay-treasury")).role },
          ...["repair", "relayer-sweep"].map((id) => ({
            action: "lambda:InvokeFunction",
            resource: authority.readAttribute(stage.lambda(id), "Arn"),
          })),
          ...stage
            .ofType("AWS::KMS::Key")
            .slice(0, 1)
            .flatMap((key) =>
              ["kms:CreateGrant", "kms:PutKeyPolicy", "kms:ScheduleKeyDeletion"].map((action) =>
                makeResourceCall(key, action),
              ),
            ),
        ];
        allowed.push(
          ...(await listWrongCalls(false, row, [
            ...foreign,
            ...listTableCalls(row).foreign.flatMap(parseCall),
            ...never,
          ])),
        );
      }
      expect(allowed).toEqual([]);
    });
  },
);

describe("the stage prod limits who may use its keys, queues and topics", async () => {
  const { authority, stage, listKmsKeys, findQueue, makeResourceCall } = await loadStage("prod");
  const everything = administrator.policies;
  const isCallAllowed = ({ on, ...call }: CheckedCall, caller = administrator) =>
    authority.allows(caller, call, on);

  test("a key signs only for roles of its own kind and stage, whatever the policies of other roles allow", async () => {
    const makeCaller = (path: string) => ({
      role: `arn:aws:iam::${account}:role${path}`,
      policies: everything,
    });
    for (const kind of ["relayer", "auditor", "receipt", "push"]) {
      const [key] = listKmsKeys(kind);
      if (key === undefined) throw new TypeError(`No key of the kind ${kind}`);
      const sign = makeResourceCall(key, "kms:Sign");
      const asks = [
        [`/press-market/prod/${kind}/some-role`, true],
        [`/press-market/dev/${kind}/some-role`, false],
        [`/press-market/prod/${kind === "auditor" ? "relayer" : "auditor"}/some-role`, false],
        [`/elsewhere/press-market/prod/${kind}/some-role`, false],
        ["/Administrator", false],
      ] as const;
      for (const [path, may] of asks)
        expect([kind, path, await isCallAllowed(sign, makeCaller(path))]).toEqual([kind, path, may]);
      expect(await isCallAllowed(makeResourceCall(key, "kms:CreateGrant"))).toBe(false);
    }
  });

  test("no caller reaches a queue or a topic without TLS", async () => {
    for (const found of [...stage.ofType("AWS::SQS::Queue"), ...stage.ofType("AWS::SNS::Topic")]) {
      const isQueue = found.resource.Type === "AWS::SQS::Queue";
      const call = isQueue
        ? makeResourceCall(found, "sqs:SendMessage")
        : { action: "sns:Publish", resource: authority.readAttribute(found, "Ref"), on: found };
      expect([found.id, await isCallAllowed(call)]).toEqual([found.id, true]);
      const context = { "aws:SecureTransport": "false" };
      expect([found.id, await isCallAllowed({ ...call, context })]).toEqual([found.id, false]);
    }
  });

  test("if EventBridge cannot start a run, EventBridge may put the run into the queue clock-dead, but only for this stage's own rules", async () => {
    const clock = { role: "events.amazonaws.com", policies: [] };
    const call = makeResourceCall(findQueue("clock-dead"), "sqs:SendMessage");
    const rules = stage.ofType("AWS::Events::Rule").filter(({ stack }) => stack === "jobs");
    expect(rules.length).toBeGreaterThan(1);
    for (const rule of rules) {
      const context = { "aws:SourceArn": authority.text({ "Fn::GetAtt": [rule.id, "Arn"] }, rule.stack) };
      expect([rule.id, await isCallAllowed({ ...call, context }, clock)]).toEqual([rule.id, true]);
    }
    const context = { "aws:SourceArn": `arn:aws:events:us-east-1:${account}:rule/somebody-elses` };
    expect(await isCallAllowed({ ...call, context }, clock)).toBe(false);
  });

  const operated = ["repair", "relayer-sweep", "payment-reconcile", "pay-treasury"].map(stage.lambda);
  /**
   * Services whose resources in the stage have no policy of their own (`iam-services.test.ts`). An administrator is allowed to do
   * everything with these resources.
   */
  const ofIamAlone = [
    "backup",
    "cloudformation",
    "cloudtrail",
    "deploy",
    "dynamodb",
    "events",
    "logs",
    "route53",
    "secretsmanager",
  ];
  /** Calls of an operator to resources that have their own policy. */
  const procedures: Readonly<Record<string, () => readonly CheckedCall[]>> = {
    "aws kms disable-key": () =>
      stage.ofType("AWS::KMS::Key").map((key) => makeResourceCall(key, "kms:DisableKey")),
    "aws kms cancel-key-deletion": () =>
      stage.ofType("AWS::KMS::Key").map((key) => makeResourceCall(key, "kms:CancelKeyDeletion")),
    "aws kms put-key-policy": () =>
      stage.ofType("AWS::KMS::Key").map((key) => makeResourceCall(key, "kms:PutKeyPolicy")),
    "aws kms list-keys": () => [],
    "aws kms describe-key": () =>
      stage.ofType("AWS::KMS::Key").map((key) => makeResourceCall(key, "kms:DescribeKey")),
    "aws sqs receive-message": () => [makeResourceCall(findQueue("mints-dead"), "sqs:ReceiveMessage")],
    "aws sqs start-message-move-task": () => [
      makeResourceCall(findQueue("mints-dead"), "sqs:StartMessageMoveTask"),
    ],
    "aws sqs get-queue-attributes": () => [
      makeResourceCall(findQueue("mints-dead"), "sqs:GetQueueAttributes"),
    ],
    "aws sqs purge-queue": () => [makeResourceCall(findQueue("clock-dead"), "sqs:PurgeQueue")],
    "aws sqs list-queues": () => [],
    "aws lambda invoke": () => operated.map((found) => makeResourceCall(found, "lambda:InvokeFunction")),
    "aws lambda put-function-concurrency": () =>
      operated.map((found) => makeResourceCall(found, "lambda:PutFunctionConcurrency")),
    "aws lambda list-functions": () => [],
    "aws lambda get-account-settings": () => [],
    "aws lambda list-event-source-mappings": () => [],
    "aws lambda update-event-source-mapping": () => [],
    "cast send --aws": () => stage.ofType("AWS::KMS::Key").map((key) => makeResourceCall(key, "kms:Sign")),
  };
  /** The commands that are refused for everybody (docs/operations.md). */
  const refused = ["cast send --aws"];

  test("an administrator may do everything that docs/operations.md tells operators to do, except for the one command that is refused according to the page", async () => {
    const page = readFileSync("docs/operations.md", "utf8");
    const told = new Set(page.match(/\baws [a-z][a-z0-9]+ [a-z][a-z-]+|cast send --aws/g));
    const plain = [...told].filter((one) => ofIamAlone.includes(one.split(" ")[1] ?? ""));
    expect([...new Set(plain.map((one) => one.split(" ")[1]))].sort()).toEqual(ofIamAlone);
    expect([...told].filter((one) => !plain.includes(one)).sort()).toEqual(Object.keys(procedures).sort());
    for (const [procedure, calls] of Object.entries(procedures)) {
      for (const call of calls()) {
        expect([procedure, call.resource, await isCallAllowed(call)]).toEqual([
          procedure,
          call.resource,
          !refused.includes(procedure),
        ]);
      }
    }
    expect(page).toMatch(/`cast send --aws`[^.]* is refused/);
  });
});
