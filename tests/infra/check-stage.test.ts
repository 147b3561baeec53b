import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { testnetWith } from "../../infra/chains.ts";
import { checkSettings, checkStage } from "../../infra/check/stage.ts";
import { type StageSettings, settingsOf } from "../../infra/stages.ts";
import { startBedrock } from "../../local/bedrock/index.ts";
import { platformAccount } from "../../local/devnet/accounts.ts";
import { startKms } from "../../local/kms/index.ts";
import { startMarket } from "../../local/market/index.ts";
import { listen } from "../../local/wire/listen.ts";
import { startTestDevnet } from "../support/devnet.ts";
import { startTestTable } from "../support/table.ts";

/** A stage whose owner has filled everything in. */
let settings: StageSettings = {
  ...settingsOf("prod"),
  treasury: "0x00000000000000000000000000000000000000fe",
  domain: { name: "press.test", zoneName: "press.test", zoneId: "Z1" },
  alarms: { email: "somebody@press.test", budgetUsd: 10, modelUsdPerHour: 1 },
};
const secretName = "press-market/prod/chain-rpc-urls";
const keyOf = (index: number) =>
  Buffer.from(platformAccount(index).getHdKey().privateKey ?? []).toString("hex");
const [relayer, auditor, poor] = [0, 8, 9].map((index) => platformAccount(index).address);

/** What the account holds, as a test sets it. */
let outputs: Readonly<Record<string, string>> | undefined;
let secret: string | undefined;
const stack = new AsyncDisposableStack();
let nodes: string;

beforeAll(async () => {
  const part = async <P extends { stop(): Promise<void> }>(starting: Promise<P>): Promise<P> => {
    const started = await starting;
    stack.defer(() => started.stop());
    return started;
  };
  const devnet = await part(startTestDevnet());
  const stored = await part(startTestTable());
  const bedrock = await part(startBedrock({ port: 0 }));
  const kms = await part(
    startKms({
      port: 0,
      keys: [
        { id: "key-0", privateKey: keyOf(0) },
        { id: "key-a", privateKey: keyOf(8) },
        { id: "key-poor", privateKey: keyOf(9) },
        { id: "key-rsa", keySpec: "SYMMETRIC_DEFAULT" },
      ],
    }),
  );
  const account = await part(startAccount());
  const market = await part(startMarket({ port: 0 }));
  settings = { ...settings, stockApiUrl: market.endpoint };
  nodes = devnet.rpcUrl;
  for (const [name, value] of Object.entries({
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_ENDPOINT_URL: account.endpoint,
    AWS_ENDPOINT_URL_KMS: kms.endpoint,
    AWS_ENDPOINT_URL_DYNAMODB: stored.database.endpoint,
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: bedrock.endpoint,
  })) {
    vi.stubEnv(name, value);
  }
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await stack.disposeAsync();
});

/** CloudFormation and Secrets Manager, as far as they are asked. */
function startAccount() {
  const Asked = z.object({ SecretId: z.string() });
  return listen(
    createServer(async (request, response) => {
      const body = await text(request);
      const isSecret = request.headers["x-amz-target"] === "secretsmanager.GetSecretValue";
      const { status, type, answer } = isSecret
        ? secretAnswer(Asked.parse(JSON.parse(body)).SecretId)
        : stackAnswer(new URLSearchParams(body).get("StackName") ?? "");
      response.writeHead(status, { "content-type": type }).end(answer);
    }),
    0,
  );
}

function secretAnswer(id: string) {
  const found = id === secretName && secret !== undefined;
  const answer = found
    ? { Name: id, SecretString: secret }
    : { __type: "ResourceNotFoundException", Message: `Secrets Manager can't find ${id}` };
  return {
    status: found ? 200 : 400,
    type: "application/x-amz-json-1.1",
    answer: JSON.stringify(answer),
  };
}

function stackAnswer(name: string) {
  const type = "text/xml";
  if (outputs === undefined || name !== "prod-press-market-storage") {
    const error = `<Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id ${name} does not exist</Message>`;
    return { status: 400, type, answer: `<ErrorResponse><Error>${error}</Error></ErrorResponse>` };
  }
  const members = Object.entries(outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  const one = `<member><StackName>${name}</StackName><Outputs>${members.join("")}</Outputs></member>`;
  const result = `<DescribeStacksResult><Stacks>${one}</Stacks></DescribeStacksResult>`;
  return { status: 200, type, answer: `<DescribeStacksResponse>${result}</DescribeStacksResponse>` };
}

const complete = { TableName: "market", RelayerKeyIds: "key-0,key-0", AuditorKeyId: "key-a" };
const faultsOf = async (changed = settings) =>
  (await checkStage("prod", changed)).filter(({ fault }) => fault !== undefined);

describe("a stage", () => {
  test("that is deployed and in order has no fault, and each of its wallets is told", async () => {
    [outputs, secret] = [complete, `${nodes}, ${nodes}`];
    const found = await checkStage("prod", settings);
    expect(found.filter(({ fault }) => fault !== undefined)).toEqual([]);
    const told = found.map(({ what }) => what);
    expect(told).toContain("the table market is active");
    expect(told).toContainEqual(
      expect.stringMatching(new RegExp(`^relayer 1, key key-0, is the wallet ${relayer} with \\d+`)),
    );
    expect(told).toContainEqual(
      expect.stringMatching(new RegExp(`^auditor, key key-a, is the wallet ${auditor} with \\d+`)),
    );
  });

  test("whose keys are dry is deployed all the same: its settings are in order", async () => {
    [outputs, secret] = [{ ...complete, RelayerKeyIds: "key-poor" }, nodes];
    expect((await checkSettings(settings)).filter(({ fault }) => fault !== undefined)).toEqual([]);
    expect(await faultsOf()).toHaveLength(1);
  });

  test("that is not deployed yet has no fault for that", async () => {
    [outputs, secret] = [undefined, nodes];
    expect(await faultsOf()).toEqual([]);
  });

  test("whose settings are not filled in is told which", async () => {
    [outputs, secret] = [undefined, nodes];
    const { stockApiUrl } = settings;
    expect(await faultsOf({ ...settingsOf("prod"), stockApiUrl })).toEqual([
      { what: "the settings are filled in", fault: "treasury, domain, alarms.email" },
    ]);
  });

  test("on a test chain without stocks of ours is told so", async () => {
    outputs = undefined;
    const chain = { ...testnetWith(undefined), rpc: { urls: [nodes] } } as const;
    const found = await faultsOf({ ...settings, chain });
    expect(found).toContainEqual({
      what: "the settings are filled in",
      fault: "chain.contracts.usdg, chain.stocks.beacon, chain.stocks.tokens",
    });
    expect(found).toContainEqual({
      what: "the stage has stocks on chain 46630",
      fault: "there are none: run npm run testnet for the stage",
    });
  });

  test("without its nodes' secret, or with something else in it, is told so, for each wallet too", async () => {
    [outputs, secret] = [complete, undefined];
    expect((await faultsOf()).map(({ what }) => what)).toEqual([
      `the secret ${secretName} tells the nodes`,
      "relayer 0, key key-0,",
      "relayer 1, key key-0,",
      "auditor, key key-a,",
    ]);
    [outputs, secret] = [undefined, "a password"];
    expect(await faultsOf()).toEqual([
      {
        what: `the secret ${secretName} tells the nodes`,
        fault: `The secret ${secretName} does not hold addresses, separated by commas`,
      },
    ]);
  });

  test("whose keys are gone, of another kind or without gas is told which", async () => {
    outputs = { ...complete, RelayerKeyIds: "key-0,key-none,key-rsa,key-poor" };
    secret = nodes;
    const found = await faultsOf();
    expect(found.map(({ what }) => what)).toEqual([
      "relayer 1, key key-none,",
      "relayer 2, key key-rsa,",
      `relayer 3, key key-poor, is the wallet ${poor} with 0 ETH`,
    ]);
    expect(found[2]?.fault).toBe("it cannot pay for gas");
  });

  test("that works on a restored table is asked for that one", async () => {
    [outputs, secret] = [complete, nodes];
    const found = await faultsOf({ ...settings, restoredTable: "market-restored" });
    expect(found.map(({ what }) => what)).toEqual(["the table market-restored is active"]);
  });
});
