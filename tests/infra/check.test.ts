import { parseAbi } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mainnet } from "../../infra/chains.ts";
import { checkChain, checkFunds } from "../../infra/check/chain.ts";
import { testAccount } from "../../local/devnet/accounts.ts";
import { devnetClient, startTestDevnet, type TestDevnet } from "../support/devnet.ts";

let devnet: TestDevnet;

beforeAll(async () => {
  devnet = await startTestDevnet();
});
afterAll(() => devnet.stop());

const stranger = "0x00000000000000000000000000000000deadbeef";
const faults = async (chain: Parameters<typeof checkChain>[0]) =>
  (await checkChain(chain, [devnet.rpcUrl]))
    .filter(({ fault }) => fault !== undefined)
    .map(({ what }) => what);

test("a chain with every contract in place has no fault", async () => {
  const found = await checkChain(mainnet, [devnet.rpcUrl]);
  expect(found.filter(({ fault }) => fault !== undefined)).toEqual([]);
  expect(found).toHaveLength(21);
});

test("each missing or different contract is named", async () => {
  const { contracts } = mainnet;
  expect(await faults({ ...mainnet, contracts: { ...contracts, usdg: stranger } })).toEqual([
    `usdg ${stranger} has code`,
    "USDG has six decimals",
    "USDG takes signatures for this chain",
    "USDG says which authorizations are spent",
    "USDG transfers by authorization (EIP-3009)",
  ]);
  const swapped = { ...contracts, identityRegistry: contracts.usdg };
  expect(await faults({ ...mainnet, contracts: swapped })).toEqual([
    "the identity registry hands out ERC-721 tokens",
    "the reputation registry judges those identities",
  ]);
  expect(await faults({ ...mainnet, contracts: { ...contracts, exactProxy: contracts.permit2 } })).toEqual([
    "the exact proxy settles through Permit2",
  ]);
});

test("a USDG without transfers by authorization is a fault, and an older version is named", async () => {
  const { contracts } = mainnet;
  // A stock token has transfers and decimals, but neither authorizations nor a domain.
  const other = "0xaF3D76f1834A1d425780943C99Ea8A608f8a93f9";
  expect(await faults({ ...mainnet, contracts: { ...contracts, usdg: other } })).toContain(
    "USDG transfers by authorization (EIP-3009)",
  );
  await devnetClient(devnet.rpcUrl).writeContractSync({
    account: testAccount(0),
    address: contracts.usdg,
    abi: parseAbi(["function setOlderForm(bool older)"]),
    functionName: "setOlderForm",
    args: [true],
  });
  const found = await checkChain(mainnet, [devnet.rpcUrl]);
  expect(found).toContainEqual({
    what: "USDG takes authorizations with signatures of 65 bytes only",
    fault: undefined,
  });
});

test("a beacon or a feed of the stocks that is another contract is named", async () => {
  const { stocks, contracts } = mainnet;
  const token = stocks.feeds[0]?.token ?? contracts.usdg;
  const swapped = { beacon: contracts.usdg, feeds: [{ token, feed: contracts.usdg }] };
  expect(await faults({ ...mainnet, stocks: swapped })).toEqual([
    "the stocks' beacon has an implementation with code",
    `the feed of ${token} answers with eight decimals`,
  ]);
});

test("a node of another chain than the configured one is a fault, and Permit2 reveals it too", async () => {
  expect(await faults({ ...mainnet, id: 1 })).toEqual([
    "the nodes serve chain 1",
    "USDG takes signatures for this chain",
    "Permit2 takes signatures for this chain",
  ]);
});

test("a node that does not answer is a fault and no crash", async () => {
  const found = await checkChain(mainnet, ["http://127.0.0.1:1"]);
  expect(found.every(({ fault }) => fault !== undefined)).toBe(true);
});

test("a relayer without gas is named", async () => {
  expect(await checkFunds("relayer 3", stranger, [devnet.rpcUrl])).toEqual({
    what: `relayer 3 is the wallet ${stranger} with 0 ETH`,
    fault: "it cannot pay for gas",
  });
});
