import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { erc20Abi, parseUnits } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lower } from "../../core/chain/hex.ts";
import { StockList } from "../../core/market/schema.ts";
import { makeChainVariables, makeMarketVariables } from "../../infra/access.ts";
import { makeTestnetSettings, type Testnet, Testnets, testnet } from "../../infra/chains.ts";
import { findSettings } from "../../infra/stages.ts";
import { playDemo } from "../../local/demo/index.ts";
import {
  devnetContracts,
  getPlatformAccount,
  getTestAccount,
  platformIndexes,
} from "../../local/devnet/accounts.ts";
import { compileContracts } from "../../local/devnet/compile.ts";
import { placeSharedCode, readPermit2Code } from "../../local/devnet/deploy.ts";
import { type Anvil, startAnvil } from "../../local/devnet/node.ts";
import { runTestnet as testnetScript } from "../../local/testnet/index.ts";
import { makeDevnetDirectory, openDevnetClient } from "../support/devnet.ts";
import { startTestService } from "../support/service.ts";

/** Tests `npm run testnet` with a node that has the test chain's id and the contracts of third parties. */
const npm = promisify(execFile);
const key = generatePrivateKey();
const issuer = privateKeyToAccount(key).address;
const reader = getTestAccount(9).address;
const treasury = getPlatformAccount(platformIndexes.treasury).address;

let directory: string;
let keyFile: string;
let file: string;
let chain: Anvil;
let client: ReturnType<typeof openDevnetClient>;

beforeAll(async () => {
  directory = await makeDevnetDirectory();
  keyFile = join(directory, "key");
  file = join(directory, "testnets.json");
  await writeFile(keyFile, `${key}\n`);
  chain = await startAnvil({ chainId: testnet.id, mining: "at once" });
  client = openDevnetClient(chain.url);
  const artifacts = await compileContracts(join(directory, "contracts.json"));
  const { multicall3 } = devnetContracts;
  await placeSharedCode(
    chain.url,
    { artifacts, permit2Code: await readPermit2Code() },
    { ...testnet.contracts, multicall3 },
  );
  await client.setBalance({ address: issuer, value: parseUnits("1", 18) });
});
afterAll(async () => {
  await chain.kill();
  await rm(directory, { recursive: true });
});

/** Runs the testnet script in this process, with the deployer's key in a file. */
async function runScript(flags: readonly string[] = [], environment: Record<string, string> = {}) {
  const lines: string[] = [];
  const code = await testnetScript(
    ["--stage", "dev", "--file", file, ...flags],
    { ...makeVariables(), ...environment },
    (line) => lines.push(line),
  );
  return { code, output: lines.join("\n") };
}

const makeVariables = () => ({
  LOCAL_DIR: directory,
  CHAIN_RPC_URL: chain.url,
  TESTNET_KEY_FILE: keyFile,
});

const countSent = () => client.getTransactionCount({ address: issuer });

async function readTestnet(): Promise<Testnet> {
  const found = Testnets.parse(JSON.parse(await readFile(file, "utf8")))[testnet.id];
  if (found === undefined) throw new Error("The file has no entry of the test chain.");
  return found;
}

describe("a stage's test chain gets all contracts that the stage needs", () => {
  test("a stage's test chain gets USDG, five stocks with their beacon, and price feeds, and the stage's file lists all addresses", async () => {
    const args = ["run", "--silent", "testnet", "--", "--stage", "dev", "--file", file];
    const { stdout: output } = await npm("npm", args, { env: { ...process.env, ...makeVariables() } });
    expect(output).toContain("checks of the chain passed.");
    expect(output.match(/^deployed /gm)).toHaveLength(15);
    expect(await countSent()).toBe(15);
    const own = await readTestnet();
    expect(own.issuer).toBe(issuer);
    expect(own.stocks.map(({ symbol }) => symbol)).toEqual(["AAPL", "NVDA", "TSLA", "MSFT", "GOOGL"]);
  });

  test("a stage's test chain stays unchanged in a second run, which needs no key", async () => {
    const before = await readFile(file, "utf8");
    const { code, output } = await runScript([], { TESTNET_KEY_FILE: "" });
    expect(output).toMatch(/stays as it is\.\n.*checks of the chain passed\./);
    expect(code).toBe(0);
    expect(output.match(/^there /gm)).toHaveLength(15);
    expect([await countSent(), await readFile(file, "utf8")]).toEqual([15, before]);
  });

  test("if a contract on the test chain differs from the expected contract, the script names the contract and sends nothing", async () => {
    const { usdg } = await readTestnet();
    const code = await client.getCode({ address: usdg });
    await client.setCode({ address: usdg, bytecode: `0x${code?.slice(2, -2)}00` });
    expect(await runScript()).toMatchObject({
      code: 1,
      output: expect.stringContaining(`USDG ${usdg} has other code than local/contracts compiles to today`),
    });
    await client.setCode({ address: usdg, bytecode: code ?? "0x" });
    expect(await countSent()).toBe(15);
  });

  test("if a run stops because there is too little ETH, the next run deploys the missing contracts on the stage's test chain", async () => {
    const other = await startAnvil({ chainId: testnet.id, mining: "at once" });
    try {
      const purse = openDevnetClient(other.url);
      const unwritten = join(directory, "unwritten.json");
      const runOnOther = () => runScript(["--file", unwritten], { CHAIN_RPC_URL: other.url });
      await purse.setBalance({ address: issuer, value: parseUnits("0.004", 18) });
      const half = await runOnOther();
      const count = await purse.getTransactionCount({ address: issuer });
      expect(half).toMatchObject({ code: 1, output: expect.stringContaining("exceeds the balance") });
      expect(count).toBeGreaterThan(0);
      expect(count).toBeLessThan(15);
      await expect(readFile(unwritten)).rejects.toThrow("ENOENT");

      await purse.setBalance({ address: issuer, value: parseUnits("1", 18) });
      const { output } = await runOnOther();
      expect(output.match(/^there /gm)).toHaveLength(count);
      expect(output.match(/^deployed /gm)).toHaveLength(15 - count);
      expect(await readFile(unwritten, "utf8")).toBe(await readFile(file, "utf8"));
    } finally {
      await other.kill();
    }
  });

  test("on a stage's test chain, the script mints USDG and stock tokens for a wallet only once", async () => {
    expect(await runScript(["--fund", reader])).toMatchObject({ code: 0 });
    expect(await countSent()).toBe(21);
    const { usdg, stocks } = await readTestnet();
    const balances = [usdg, ...stocks.map(({ token }) => token)].map((address) =>
      client.readContract({ address, abi: erc20Abi, functionName: "balanceOf", args: [reader] }),
    );
    const tokens = stocks.map(() => parseUnits("10", 18));
    expect(await Promise.all(balances)).toEqual([parseUnits("1000", 6), ...tokens]);
    expect(await runScript(["--fund", reader])).toMatchObject({ code: 0 });
    expect(await countSent()).toBe(21);
    const stranger = { TESTNET_KEY: generatePrivateKey() };
    expect(await runScript(["--fund", reader], stranger)).toMatchObject({
      code: 1,
      output: expect.stringContaining(`Only the issuer ${issuer} can mint`),
    });
  });
});

describe("the script refuses wrong chains, keys and files", () => {
  const expectRefusal = async (flags: readonly string[], environment: Record<string, string> = {}) => {
    const { code, output } = await runScript(flags, environment);
    expect(code).toBe(1);
    return output;
  };

  test("the script refuses the stage that uses mainnet, and a node of mainnet", async () => {
    const real = "Chain 4663 has real money, so this command deploys nothing there.";
    // The refusal comes before the script looks up the nodes, because a look-up needs an AWS account.
    expect(await expectRefusal(["--stage", "prod"], { CHAIN_RPC_URL: "" })).toContain(real);
    const other = await startAnvil({ chainId: 4663 });
    try {
      expect(await expectRefusal([], { CHAIN_RPC_URL: other.url })).toContain(real);
    } finally {
      await other.kill();
    }
  });

  test("the script refuses a node of the wrong chain", async () => {
    const other = await startAnvil({ chainId: 1 });
    try {
      const said = await expectRefusal([], { CHAIN_RPC_URL: other.url });
      expect(said).toContain("The nodes serve chain 1, but the stage's chain is 46630.");
    } finally {
      await other.kill();
    }
  });

  test("the script refuses to deploy without a valid key, and prints no part of the key", async () => {
    const elsewhere = ["--file", join(directory, "none.json")];
    expect(await expectRefusal(elsewhere, { TESTNET_KEY_FILE: "" })).toContain("set TESTNET_KEY");
    const secret = "0xdeadbeef0123";
    const said = await expectRefusal(elsewhere, { TESTNET_KEY: secret });
    expect(said).toContain("This is not a key");
    expect(said).not.toContain("deadbeef");
    const onTheLine = await expectRefusal([`--key=${secret}`]);
    expect(onTheLine).toContain("never from the command line");
    expect(onTheLine).not.toContain("deadbeef");
    const missing = { TESTNET_KEY_FILE: join(directory, "no-key") };
    expect(await expectRefusal(elsewhere, missing)).toContain("no-key cannot be read");
    const poor = generatePrivateKey();
    const { address } = privateKeyToAccount(poor);
    expect(await expectRefusal(elsewhere, { TESTNET_KEY: poor })).toContain(`${address} has no ETH`);
  });

  test("the script refuses a file of the wrong form, and leaves the file unchanged", async () => {
    const wrong = join(directory, "wrong.json");
    await writeFile(wrong, '{ "46630": {} }');
    expect(await expectRefusal(["--file", wrong])).toContain("is not a file of test chains");
    expect(await readFile(wrong, "utf8")).toBe('{ "46630": {} }');
  });
});

test("a service with the stage's settings publishes a press about a stock of the test chain, and a reader makes both payments and reads the text", async () => {
  const settings = { ...findSettings("dev"), chain: makeTestnetSettings(await readTestnet()), treasury };
  for (const index of [...platformIndexes.relayers, platformIndexes.auditor]) {
    await client.setBalance({ address: getPlatformAccount(index).address, value: parseUnits("1", 18) });
  }
  const { STOCK_API_URL: _, ...market } = makeMarketVariables(settings);
  await using service = await startTestService({
    startChain: async () => ({ rpcUrl: chain.url, stop: async () => undefined }),
    environment: { ...makeChainVariables(settings), ...market },
    // The stock API does not know a test chain, so the stock list and the prices must come from the stage's own tables.
    detours: { market: () => "http://127.0.0.1:1" },
  });

  const read = async (path: string): Promise<unknown> => (await fetch(service.origin + path)).json();
  const { stocks } = StockList.parse(await read("/api/stocks"));
  expect(stocks.map(({ address }) => address).toSorted()).toEqual(
    settings.chain.stocks.tokens?.map(lower).toSorted(),
  );
  expect(stocks[0]).toMatchObject({ symbol: "AAPL", name: "Apple • Test Token" });
  expect(await read("/api/quotes/MSFT")).toMatchObject({ symbol: "MSFT", mid: 512.35 });

  const done: string[] = [];
  const { purchase } = await playDemo(
    { origin: service.origin, signal: new AbortController().signal },
    { part: () => undefined, step: (what) => done.push(what), text: () => undefined },
  );
  expect(done).toEqual(
    expect.arrayContaining(["Live", "Paid the platform fee", "Paid the publisher", "Read again"]),
  );
  expect(await read("/api/presses")).toMatchObject({ presses: [{ stock: "MSFT", priceAtPublish: 512.35 }] });
  const usdg = { address: settings.chain.contracts.usdg, abi: erc20Abi, functionName: "balanceOf" } as const;
  // The demo has two readers, and one of the readers has no ETH.
  expect(await client.readContract({ ...usdg, args: [treasury] })).toBe(50_000n);
  expect(purchase.transactions).toHaveLength(2);
});
