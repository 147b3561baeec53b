import { createServer } from "node:http";
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { checkSettings, checkStage } from "../../infra/check/index.ts";
import { findSettings, type StageSettings } from "../../infra/stages.ts";
import { type BedrockFault, startBedrock } from "../../local/bedrock/index.ts";
import { getPlatformAccount } from "../../local/devnet/accounts.ts";
import { startKms } from "../../local/kms.ts";
import { type MarketFault, startMarket } from "../../local/market/index.ts";
import { listen } from "../../local/stand-in.ts";
import { startTestDevnet } from "../support/devnet.ts";
import { startPart } from "../support/provide.ts";
import { startTestTable } from "../support/table.ts";
import { type AccountState, startAccount } from "./account.ts";
import { startLimitedNode } from "./limited-node.ts";

/** A stage whose owner has filled in every setting. */
let settings: StageSettings = {
  ...findSettings("prod"),
  treasury: "0x00000000000000000000000000000000000000fe",
  domain: { name: "press.test", zoneName: "press.test", zoneId: "Z1" },
  contact: "hello@press.test",
  operator: "Press Test Ltd, 1 Test Street, Testville",
  walletConnectProjectId: "0123456789abcdef0123456789abcdef",
  backup: undefined,
  alarms: {
    email: "somebody@press.test",
    onCallUrl: "https://on-call.test/sns",
    budgetUsd: 10,
    modelUsdPerHour: 1,
  },
};
const secretName = "press-market/prod/chain-rpc-urls";
const encodeKey = (index: number) =>
  Buffer.from(getPlatformAccount(index).getHdKey().privateKey ?? []).toString("hex");
const [relayer, auditor, poor] = [0, 8, 9].map((index) => getPlatformAccount(index).address);

const email = "somebody@press.test";
const onCall = "https://on-call.test/sns";
const topic = "arn:aws:sns:us-east-1:123456789012:alarms";
const urgentTopic = "arn:aws:sns:us-east-1:123456789012:urgent";

/** What a test sets: the stage's outputs, the secret with the nodes' addresses, and other changes to the account. */
let outputs: Readonly<Record<string, string>> | undefined;
let secret: string | undefined;
let planted: Partial<AccountState> = {};
/** The fault of the models (an error, a delay or a spoiled answer), and for each path the fault of the stock API or of a news feed. */
let spoiled: BedrockFault | undefined;
let broken: ReadonlyMap<string, MarketFault> = new Map();

const bedrockQuotas = [
  ["L-1", "On-demand model inference tokens per minute for Amazon Nova Pro", 0],
  ["L-2", "Cross-region model inference tokens per minute for Amazon Nova Pro Max", 0],
  ["L-3", "Cross-region model inference requests per minute for Amazon Nova Pro", 500],
  ["L-4", "Cross-region model inference tokens per minute for Amazon Nova Pro", 2_000_000],
  ["L-5", "Model invocation max tokens per day for Amazon Nova Pro", 2_880_000_000],
  ["L-6", "Cross-Region InvokeModel tokens per minute for Anthropic Claude Haiku 5.5 V1", 1_000_000],
] as const;
const quotas = { lambda: [["L-B99A9384", "Concurrent executions", 1_000]], bedrock: bedrockQuotas } as const;

const models = { "amazon.nova-pro-v1:0": "ACTIVE", "anthropic.claude-haiku-5-5": "ACTIVE" };

/** An AWS account without faults, except the faults that a test adds. */
const makeAccount = (): AccountState => ({
  stacks:
    outputs === undefined
      ? {}
      : {
          "prod-press-market-storage": outputs,
          "prod-press-market-watch": { AlarmTopic: topic, UrgentTopic: urgentTopic },
        },
  secrets: secret === undefined ? {} : { [secretName]: secret },
  zones: { Z1: { name: "press.test.", isPrivate: false } },
  quotas,
  models,
  subscriptions: {
    "other@press.test": "PendingConfirmation",
    [email]: `${topic}:1`,
    [onCall]: `${urgentTopic}:1`,
  },
  refused: [],
  ...planted,
});
let nodes: string;

const devnet = startPart(startTestDevnet);
const stored = startPart(startTestTable);
const bedrock = startPart(() => startBedrock({ fault: () => spoiled }));
const kms = startPart(() =>
  startKms({
    keys: [
      { id: "key-0", privateKey: encodeKey(0) },
      { id: "key-a", privateKey: encodeKey(8) },
      { id: "key-poor", privateKey: encodeKey(9) },
      { id: "key-push", keySpec: "ECC_NIST_P256" },
      { id: "key-rsa", keySpec: "SYMMETRIC_DEFAULT" },
    ],
  }),
);
const services = startPart(() => startAccount(makeAccount));
const market = startPart(() => startMarket({ fault: (path) => broken.get(path) }));
beforeAll(() => {
  settings = {
    ...settings,
    stockApiUrl: market.endpoint,
    newsFeeds: [`${market.endpoint}/news/{symbol}`, `AAPL=${market.endpoint}/news/NVDA`],
  };
  nodes = devnet.rpcUrl;
  for (const [name, value] of Object.entries({
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_ENDPOINT_URL: services.endpoint,
    AWS_ENDPOINT_URL_KMS: kms.endpoint,
    AWS_ENDPOINT_URL_DYNAMODB: stored.database.endpoint,
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: bedrock.endpoint,
  })) {
    vi.stubEnv(name, value);
  }
});
afterEach(() => {
  planted = {};
  spoiled = undefined;
  broken = new Map();
});

const complete = {
  TableName: "market",
  RelayerKeyIds: "key-0,key-0",
  AuditorKeyId: "key-a",
  PushKeyId: "key-push",
};
const listFaults = async (changed = settings) =>
  (await checkStage("prod", changed)).filter(({ fault }) => fault !== undefined);

test("an emergency check asks no nodes, models or sources, and still checks the account when the nodes and the models are down", async () => {
  outputs = { TableName: "market", RelayerKeyIds: "key-0", AuditorKeyId: "key-a" };
  secret = "http://127.0.0.1:1";
  spoiled = { type: "ThrottlingException", message: "Too many", status: 429 };
  const found = await checkStage("prod", settings, "own");
  expect(found.filter(({ what }) => /node|model (answers|is)|price|feed|wallet|key/i.test(what))).toEqual([]);
  expect(found.map(({ what }) => what)).toContain("the settings are filled in");
  expect(found.some(({ what }) => what.startsWith("the zone Z1"))).toBe(true);
  const settled = await checkSettings(settings, "own");
  expect(settled.length).toBeGreaterThan(2);
  [outputs, secret] = [undefined, undefined];
});

describe("the check finds the faults of a stage", () => {
  test("a deployed stage that is in order has no fault, and its wallets, models, nodes, sources, quotas, zone and alarms are listed", async () => {
    [outputs, secret] = [complete, `${nodes}, ${nodes}`];
    const found = await checkStage("prod", settings);
    expect(found.filter(({ fault }) => fault !== undefined)).toEqual([]);
    const told = found.map(({ what }) => what);
    const host = new URL(settings.stockApiUrl).host;
    for (const what of [
      "the table market is active",
      ...[settings.model, settings.fallbackModel].map(
        ({ inferenceProfile }) => `the model ${inferenceProfile} reviews an article`,
      ),
      "node 0 serves chain 4663",
      "node 0 answers 20 calls at once",
      "node 0 tells the logs of 5000 blocks",
      "node 0 knows eth_sendRawTransactionSync",
      "the stock API prices AAPL",
      expect.stringMatching(new RegExp(`^the feed ${host} tells of AAPL, [1-9]\\d* reports$`)),
      "a news feed answers",
      "the zone Z1 is the public one of press.test, and press.test is in it",
      "Lambda's quota L-B99A9384 for concurrent executions is at least 1000",
      'Bedrock\'s quota "Cross-region model inference requests per minute for Amazon Nova Pro" is at least 30',
      'Bedrock\'s quota "Cross-region model inference tokens per minute for Amazon Nova Pro" is at least 200000',
      'Bedrock\'s quota "Model invocation max tokens per day for Amazon Nova Pro" is at least 5000000',
      'Bedrock\'s quota "Cross-Region InvokeModel tokens per minute for Anthropic Claude Haiku 5.5 V1" is at least 200000',
      `${email} hears of alarms`,
    ])
      expect(told).toContainEqual(what);
    expect(told).toContainEqual(
      expect.stringMatching(new RegExp(`^relayer 1, key key-0, is the wallet ${relayer} with \\d+`)),
    );
    expect(told).toContainEqual(
      expect.stringMatching(new RegExp(`^auditor, key key-a, is the wallet ${auditor} with \\d+`)),
    );
  });

  test("the check of a stage asks each of the RPC relay's own nodes", async () => {
    [outputs, secret] = [complete, nodes];
    const listRelayFaults = (relayRpc: StageSettings["chain"]["relayRpc"]) =>
      listFaults({ ...settings, chain: { ...settings.chain, ...(relayRpc && { relayRpc }) } });
    expect(await listRelayFaults({ urls: [nodes] })).toEqual([]);
    expect(await listRelayFaults({ urls: [nodes, "http://127.0.0.1:9"] })).toEqual([
      { what: "the relay's node 1 serves chain 4663", fault: expect.any(String) },
    ]);
    expect(await listRelayFaults({ secretName: "nowhere" })).toEqual([
      { what: "the relay's nodes are told", fault: expect.stringContaining("can't find") },
    ]);
  });

  test("the check says that the RPC relay uses the nodes of payments if the stage names no nodes for the RPC relay", async () => {
    [outputs, secret] = [undefined, nodes];
    const listRelayFindings = async (changed: StageSettings) =>
      (await checkSettings(changed)).filter(({ what }) => what.includes("chain.relayRpc"));
    expect(await listRelayFindings(settings)).toEqual([
      {
        what: "the RPC relay uses the nodes of payments, because chain.relayRpc is not set",
        fault: undefined,
      },
    ]);
    const chain = { ...settings.chain, relayRpc: { urls: [nodes] as const } };
    expect(await listRelayFindings({ ...settings, chain })).toEqual([]);
  });

  test("each wallet is printed with its number in infra/stages.ts, also if a relayer before it is retired", async () => {
    [outputs, secret] = [{ ...complete, RelayerNumbers: "0,2" }, nodes];
    const told = (await checkStage("prod", settings)).map(({ what }) =>
      what.replace(/, is the wallet .*/, ""),
    );
    expect(told.filter((what) => what.startsWith("relayer "))).toEqual([
      "relayer 0, key key-0",
      "relayer 2, key key-0",
    ]);
  });

  test("a stage whose settings are in order may be deployed even if its keys have no gas", async () => {
    [outputs, secret] = [{ ...complete, RelayerKeyIds: "key-poor" }, nodes];
    expect((await checkSettings(settings)).filter(({ fault }) => fault !== undefined)).toEqual([]);
    expect(await listFaults()).toHaveLength(1);
  });

  test("the check names the notification key as a fault if the key is missing or has the curve of a chain key", async () => {
    const what = "the key for notifications is there, so that followers hear of new articles";
    const { PushKeyId: _, ...without } = complete;
    [outputs, secret] = [without, nodes];
    expect(await listFaults()).toEqual([{ what, fault: expect.stringContaining("nobody is told") }]);
    outputs = { ...complete, PushKeyId: "key-0" };
    expect(await listFaults()).toEqual([{ what, fault: expect.stringContaining("ECC_SECG_P256K1") }]);
  });

  test("the check of a stage names each missing setting", async () => {
    [outputs, secret] = [undefined, nodes];
    const { stockApiUrl, newsFeeds } = settings;
    expect(await listFaults({ ...findSettings("prod"), stockApiUrl, newsFeeds })).toEqual([
      {
        what: "the settings are filled in",
        fault:
          "treasury, domain, contact, operator, walletConnectProjectId, alarms.email, alarms.onCallUrl, backup.copyTo",
      },
    ]);
  });

  test("if the secret with the nodes' addresses is missing or contains no addresses, the check names the secret, and each wallet that cannot be read without addresses", async () => {
    [outputs, secret] = [complete, undefined];
    expect((await listFaults()).map(({ what }) => what)).toEqual([
      `the secret ${secretName} tells the nodes`,
      "relayer 0, key key-0,",
      "relayer 1, key key-0,",
      "auditor, key key-a,",
    ]);
    [outputs, secret] = [undefined, "a password"];
    expect(await listFaults()).toEqual([
      {
        what: `the secret ${secretName} tells the nodes`,
        fault: `The secret ${secretName} does not contain a list of addresses, separated by commas`,
      },
    ]);
  });

  test("the check names keys that are missing, that are of the wrong kind or that have no gas", async () => {
    outputs = { ...complete, RelayerKeyIds: "key-0,key-none,key-rsa,key-poor" };
    secret = nodes;
    const found = await listFaults();
    expect(found.map(({ what }) => what)).toEqual([
      "relayer 1, key key-none,",
      "relayer 2, key key-rsa,",
      `relayer 3, key key-poor, is the wallet ${poor} with 0 ETH`,
    ]);
    expect(found[2]?.fault).toBe("it cannot pay for gas");
  });

  test("the check of a stage that uses a restored table checks this table", async () => {
    [outputs, secret] = [complete, nodes];
    const found = await listFaults({ ...settings, restoredTable: "market-restored" });
    expect(found.map(({ what }) => what)).toEqual(["the table market-restored is active"]);
  });

  test("a table without protection from deletion is a fault, because a restored table starts without this protection", async () => {
    const table = { TableStatus: "ACTIVE", DeletionProtectionEnabled: false };
    const restored = await listen(
      createServer((_, response) => {
        response
          .setHeader("content-type", "application/x-amz-json-1.0")
          .end(JSON.stringify({ Table: table }));
      }),
    );
    vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", restored.endpoint);
    [outputs, secret] = [complete, nodes];
    const found = await listFaults();
    vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", stored.database.endpoint);
    await restored.stop();
    expect(found).toEqual([
      { what: "the table market is active", fault: "nothing protects it from deletion" },
    ]);
  });
});

describe("the check reports each failing outside service of a stage", () => {
  const listReportLines = async (changed = settings) =>
    (await checkStage("prod", changed)).map(({ what, fault }) =>
      fault === undefined ? what : `FAULT ${what}: ${fault}`,
    );
  const [main, second] = [settings.model, settings.fallbackModel].map(
    ({ inferenceProfile }) => `the model ${inferenceProfile} reviews an article`,
  );
  beforeEach(() => {
    [outputs, secret] = [undefined, nodes];
  });

  test.each<[string, BedrockFault, RegExp]>([
    [
      "refuse",
      { status: 403, type: "AccessDeniedException", message: "No access" },
      /AccessDenied.*No access/,
    ],
    [
      "answer without the call",
      { spoil: "no_call" },
      /cannot be used: The tool review_press was called 0 times/,
    ],
  ])("if a stage's models %s, the check names each model as a fault", async (_what, fault, reason) => {
    spoiled = fault;
    const faults = await listFaults();
    expect(faults.map(({ what }) => what)).toEqual([main, second]);
    for (const { fault: said } of faults) expect(said).toMatch(reason);
  });

  test("the check names each node that takes too few calls at once, loses calls, returns the logs of too few blocks or does not know eth_sendRawTransactionSync", async () => {
    const polls = "does not know eth_sendRawTransactionSync: payments poll for receipts";
    const kinds: readonly (readonly [limits: Parameters<typeof startLimitedNode>[1], line: string])[] = [
      [{ batch: 10 }, "FAULT node 0 answers 20 calls at once: -32600 at most 10 calls"],
      [{ kept: 12 }, "FAULT node 1 answers 20 calls at once: it answers 12 of them"],
      [{ range: 2_000 }, "FAULT node 2 tells the logs of 5000 blocks: -32005 at most 2000 blocks"],
      [{ unknown: /Sync$/ }, `node 3 ${polls}`],
      [{ unknown: /Sync$/, refusal: 403 }, `node 4 ${polls}`],
      // A node may refuse an unknown method in the same way as it refuses wrong bytes.
      [
        { unknown: /Sync$|NobodyHas$/, refusal: { code: -32602, message: "not in your plan" } },
        `node 5 ${polls}`,
      ],
    ];
    const limited = await Promise.all(kinds.map(([limits]) => startLimitedNode(nodes, limits)));
    onTestFinished(async () => void (await Promise.all(limited.map((node) => node.stop()))));
    secret = limited.map(({ endpoint }) => endpoint).join();
    const said = await listReportLines();
    const expected = kinds.map(([, line]) => line);
    expect(said).toEqual(expect.arrayContaining(expected));
    expect(said.filter((line) => line.startsWith("FAULT") || line.endsWith(polls))).toEqual(expected);
  });

  test("a source of prices that refuses a request is a fault of the stage", async () => {
    broken = new Map([["/rhj/prices/AAPL", { kind: "failure" }]]);
    expect(await listFaults()).toEqual([{ what: "the stock API prices AAPL", fault: "Status 500" }]);
  });

  test("the check names each source of news that fails or is slow, and reports a fault only if no source works", async () => {
    const host = new URL(settings.stockApiUrl).host;
    broken = new Map([["/news/AAPL", { kind: "delay", milliseconds: 60_000 }]]);
    const said = await listReportLines();
    expect(said).toContainEqual(
      expect.stringMatching(`^the feed ${host} tells of AAPL: no, drafts go without it .*timeout`),
    );
    expect(said.filter((line) => line.startsWith("FAULT"))).toEqual([]);
    broken = new Map(["AAPL", "NVDA"].map((symbol) => [`/news/${symbol}`, { kind: "failure" }]));
    expect(await listFaults()).toEqual([
      { what: "a news feed answers", fault: "none does: drafts have no headlines" },
    ]);
  });
});

describe("the check finds the faults of an AWS account", () => {
  /** Finds the faults of the AWS account itself, without requests to nodes, models, or sources of prices and news. */
  const listAccountFaults = async (changed = settings) =>
    (await checkStage("prod", changed, "own")).flatMap(({ what, fault }) =>
      fault === undefined ? [] : [`${what}: ${fault}`],
    );
  const isPublic = "the zone Z1 is the public one of press.test, and press.test is in it";

  test("before anything is deployed, the check names a DNS zone that is missing, is private or belongs to another account", async () => {
    [outputs, secret] = [undefined, nodes];
    planted = { zones: {} };
    expect(await listAccountFaults()).toEqual([`${isPublic}: No hosted zone found with ID: Z1`]);
    planted = { zones: { Z1: { name: "press.test.", isPrivate: true } } };
    expect(await listAccountFaults()).toEqual([`${isPublic}: it is private`]);
    planted = { zones: { Z1: { name: "other.test.", isPrivate: false } } };
    expect(await listAccountFaults()).toEqual([`${isPublic}: is other.test., not press.test.`]);
    planted = {};
    const elsewhere = { name: "mypress.test", zoneName: "press.test", zoneId: "Z1" };
    expect(await listAccountFaults({ ...settings, domain: elsewhere })).toEqual([
      "the zone Z1 is the public one of press.test, and mypress.test is in it: mypress.test is outside of press.test",
    ]);
    expect(await listAccountFaults({ ...settings, domain: undefined })).toEqual([]);
  });

  test("the check names each quota of a new account that is too small, even if the quota is on a later page of the list", async () => {
    [outputs, secret] = [undefined, nodes];
    const little = bedrockQuotas.map(([code, name]) => [code, name, 4] as const);
    planted = { quotas: { lambda: [["L-B99A9384", "Concurrent executions", 10]], bedrock: little } };
    const it = "it is 4: ask AWS for more";
    expect(await listAccountFaults()).toEqual([
      "Lambda's quota L-B99A9384 for concurrent executions is at least 1000: it is 10: ask AWS for more",
      "the quota has room for the reserved runs: 606 runs are reserved, and AWS keeps 100 of 10 for other functions",
      `Bedrock's quota "Cross-region model inference requests per minute for Amazon Nova Pro" is at least 30: ${it}`,
      `Bedrock's quota "Cross-region model inference tokens per minute for Amazon Nova Pro" is at least 200000: ${it}`,
      `Bedrock's quota "Model invocation max tokens per day for Amazon Nova Pro" is at least 5000000: ${it}`,
      `Bedrock's quota "Cross-Region InvokeModel tokens per minute for Anthropic Claude Haiku 5.5 V1" is at least 200000: ${it}`,
    ]);
  });

  test("a model for which no quota is found causes a warning, not a fault", async () => {
    [outputs, secret] = [undefined, nodes];
    planted = { quotas: { ...quotas, bedrock: bedrockQuotas.slice(0, 2) } };
    expect(await listAccountFaults()).toEqual([]);
    const told = (await checkSettings(settings)).map(({ what }) => what);
    expect(told).toContain(
      "Service Quotas lists no quota of Amazon Nova Pro: look at Bedrock's quotas in the console",
    );
    expect(told).toContain(
      "Service Quotas lists no quota of Anthropic Claude Haiku 5.5: look at Bedrock's quotas in the console",
    );
  });

  test("before anything is deployed, the check names each model that AWS retires or does not know", async () => {
    [outputs, secret] = [undefined, nodes];
    const goesOn = (id: string) => `AWS still supports the model ${id}`;
    planted = { models: { ...models, "amazon.nova-pro-v1:0": "LEGACY" } };
    expect(await listFaults()).toEqual([
      {
        what: goesOn("amazon.nova-pro-v1:0"),
        fault: "its lifecycle is LEGACY: choose a newer model than Amazon Nova Pro in infra/stages.ts",
      },
    ]);
    planted = { models: { "amazon.nova-pro-v1:0": "ACTIVE" } };
    expect(await listFaults()).toEqual([
      {
        what: goesOn("anthropic.claude-haiku-5-5"),
        fault: "Could not resolve the foundation model from this id",
      },
    ]);
    planted = {};
    const told = (await checkSettings(settings)).map(({ what }) => what);
    expect(told).toEqual(expect.arrayContaining(Object.keys(models).map(goesOn)));
  });

  test("the check names each alarm address that has no confirmed subscription", async () => {
    [outputs, secret] = [complete, nodes];
    planted = { subscriptions: { "other@press.test": `${topic}:2`, [email]: "PendingConfirmation" } };
    expect(await listAccountFaults()).toEqual([
      `${email} hears of alarms: SNS waits until somebody opens the link in the mail from SNS`,
      `${email} hears of urgent alarms: SNS waits until somebody opens the link in the mail from SNS`,
      `${onCall} hears of urgent alarms: nobody of that address is subscribed to ${urgentTopic}`,
    ]);
    planted = { subscriptions: { [email]: `${topic}:1`, [onCall]: "PendingConfirmation" } };
    expect(await listAccountFaults()).toEqual([
      `${onCall} hears of urgent alarms: SNS waits until the service confirms its subscription`,
    ]);
    planted = { subscriptions: { "other@press.test": `${topic}:2` } };
    expect(await listAccountFaults()).toEqual([
      `${email} hears of alarms: nobody of that address is subscribed to ${topic}`,
      `${email} hears of urgent alarms: nobody of that address is subscribed to ${urgentTopic}`,
      `${onCall} hears of urgent alarms: nobody of that address is subscribed to ${urgentTopic}`,
    ]);
    planted = { stacks: { "prod-press-market-storage": complete } };
    expect(await listAccountFaults()).toEqual([
      `${email} hears of alarms: the stack of the alarms is not deployed`,
    ]);
    expect(await listAccountFaults({ ...settings, alarms: undefined })).toEqual([]);
  });

  test("the check names everything that it could not read because it lacks a right", async () => {
    [outputs, secret] = [complete, nodes];
    planted = { refused: ["route53", "servicequotas", "sns"] };
    const refusal = "You have no right to do this";
    expect(await listAccountFaults()).toEqual([
      `${isPublic}: ${refusal}`,
      `Lambda's quota L-B99A9384 for concurrent executions is at least 1000: ${refusal}`,
      `the account tells Bedrock's quotas: ${refusal}`,
      `${email} hears of alarms: ${refusal}`,
      `${email} hears of urgent alarms: ${refusal}`,
      `${onCall} hears of urgent alarms: ${refusal}`,
    ]);
  });
});
