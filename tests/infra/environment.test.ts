import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { type Job, jobs } from "../../functions/jobs.ts";
import { environment } from "../../functions/lib/environment.ts";
import { type Route, routes } from "../../functions/routes.ts";
import { makeAddress, makeTestChainSettings, relayNodes, synthesize } from "./assembly.ts";
import { makeReader, type Reader } from "./reading.ts";

const rows: readonly (Route | Job)[] = [...routes, ...jobs];
const source = readFileSync(new URL("../../functions/lib/environment.ts", import.meta.url), "utf8");
const read = [...source.matchAll(/read\("([A-Z0-9_]+)"/g)].map(([, name = ""]) => name);

/**
 * Variables that only a local start sets. For example, the local keys are derived from a seed phrase, and the single local node shows new
 * state at once.
 */
const localOnly = ["RELAYER_MNEMONIC", "RELAYER_COUNT", "SDK_TIMEOUT_MS", "STATE_LAG_MS", "PUSH_SERVICES"];

/** Variables for the libraries that our code uses: the logger, SST and the AWS SDK. */
const platform = [
  "POWERTOOLS_LOG_LEVEL",
  "POWERTOOLS_SERVICE_NAME",
  "AWS_NODEJS_CONNECTION_REUSE_ENABLED",
  "SST_APP",
  "SST_STAGE",
  "SST_SSM_PREFIX",
];

const stage = makeReader(await synthesize("prod"));
const testStage = makeReader(await synthesize("dev", makeTestChainSettings));

test("functions get exactly the variables that environment.ts reads", () => {
  const given = new Set(
    [stage, testStage].flatMap((of) => rows.flatMap(({ id }) => Object.keys(of.readVariables(id)))),
  );
  expect(read.length).toBeGreaterThan(10);
  expect([...given].filter((name) => !platform.includes(name)).sort()).toEqual(
    read.filter((name) => !localOnly.includes(name)).sort(),
  );
});

const secretName = "press-market/prod/chain-rpc-urls";
const publicNode = "https://rpc.testnet.chain.robinhood.com";

test("functions get their nodes from a secret or from public addresses in the settings, and the RPC relay gets its own nodes if the stage has them", () => {
  const readNodes = (id: string, of: Reader) => {
    const { CHAIN_RPC_URL, CHAIN_RPC_SECRET, RELAY_RPC_URL, RELAY_RPC_SECRET } = of.readVariables(id);
    return [CHAIN_RPC_URL, CHAIN_RPC_SECRET, RELAY_RPC_URL, RELAY_RPC_SECRET];
  };
  for (const { id, access } of rows) {
    const words: readonly string[] = access;
    const [asks, relays] = [words.includes("chain"), words.includes("chain:relay")];
    expect([id, readNodes(id, stage)]).toEqual([
      id,
      [undefined, asks ? secretName : undefined, undefined, relays ? secretName : undefined],
    ]);
    expect([id, readNodes(id, testStage)]).toEqual([
      id,
      [asks ? publicNode : undefined, undefined, relays ? relayNodes.join(",") : undefined, undefined],
    ]);
  }
});

test("no variable of a function holds a secret, and no deployment reads a secret's value", () => {
  for (const of of [stage, testStage]) {
    for (const { id } of rows) {
      for (const [name, value] of Object.entries(of.readVariables(id)))
        expect([id, name, value]).not.toEqual([id, name, expect.stringContaining("{{resolve:")]);
    }
  }
  const values = rows.flatMap(({ id }) => Object.values(stage.readVariables(id)));
  expect(values.filter((value) => /^https:\/\/(rpc|node)/.test(value))).toEqual([]);
});

test("a stage on a test chain gets its tokens from a variable, and a stage on mainnet uses the stock API's list", () => {
  const readTokens = (of: Reader) => {
    for (const [name, value] of Object.entries(of.readVariables("stocks"))) vi.stubEnv(name, value);
    const tokens = environment.stockTokens();
    vi.unstubAllEnvs();
    return tokens;
  };
  expect(readTokens(testStage)).toEqual([makeAddress("5"), makeAddress("7")]);
  expect(readTokens(stage)).toBeUndefined();
});
