import { parseAbi } from "viem";
import { expect, test } from "vitest";
import { mainnet } from "../../infra/chains.ts";
import { checkChain } from "../../infra/check/chain.ts";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { openDevnetClient, startTestDevnet } from "../support/devnet.ts";
import { startPart } from "../support/provide.ts";

const devnet = startPart(startTestDevnet);

const stranger = "0x00000000000000000000000000000000deadbeef";
const listFaults = async (chain: Parameters<typeof checkChain>[0]) =>
  (await checkChain(chain, [devnet.rpcUrl]))
    .filter(({ fault }) => fault !== undefined)
    .map(({ what }) => what);

test("a chain with every contract in place has no fault", async () => {
  const found = await checkChain(mainnet, [devnet.rpcUrl]);
  expect(found.filter(({ fault }) => fault !== undefined)).toEqual([]);
  expect(found).toHaveLength(21);
});

test("the check of a chain names each contract that is missing or different", async () => {
  const { contracts } = mainnet;
  expect(await listFaults({ ...mainnet, contracts: { ...contracts, usdg: stranger } })).toEqual([
    `usdg ${stranger} has code`,
    "USDG has six decimals",
    "USDG takes signatures for this chain",
    "USDG tells which authorizations are used",
    "USDG transfers by authorization (EIP-3009)",
  ]);
  const swapped = { ...contracts, identityRegistry: contracts.usdg };
  expect(await listFaults({ ...mainnet, contracts: swapped })).toEqual([
    "the identity registry hands out ERC-721 tokens",
    "the reputation registry judges those identities",
  ]);
  expect(
    await listFaults({ ...mainnet, contracts: { ...contracts, exactProxy: contracts.permit2 } }),
  ).toEqual(["the exact proxy settles through Permit2"]);
});

test("a USDG contract without transfers by authorization is a fault, and the check also reports a USDG that accepts only signatures of 65 bytes", async () => {
  const { contracts } = mainnet;
  // A stock token has transfers and decimals, but neither transfers by authorization nor a domain for signatures.
  const other = "0xaF3D76f1834A1d425780943C99Ea8A608f8a93f9";
  expect(await listFaults({ ...mainnet, contracts: { ...contracts, usdg: other } })).toContain(
    "USDG transfers by authorization (EIP-3009)",
  );
  await openDevnetClient(devnet.rpcUrl).writeContractSync({
    account: getTestAccount(0),
    address: contracts.usdg,
    abi: parseAbi(["function setOlderForm(bool older)"]),
    functionName: "setOlderForm",
    args: [true],
  });
  const found = await checkChain(mainnet, [devnet.rpcUrl]);
  expect(found).toContainEqual({
    what: "USDG accepts only authorizations with signatures of 65 bytes",
    fault: undefined,
  });
});

test("the check of a chain names a stock's beacon or price feed if a different contract is at its address", async () => {
  const { stocks, contracts } = mainnet;
  const token = stocks.feeds[0]?.token ?? contracts.usdg;
  const swapped = { beacon: contracts.usdg, feeds: [{ token, feed: contracts.usdg }] };
  expect(await listFaults({ ...mainnet, stocks: swapped })).toEqual([
    "the stocks' beacon has an implementation with code",
    `the feed of ${token} answers with eight decimals`,
  ]);
});

test("the check names a node of the wrong chain, and also reports that USDG and Permit2 accept no signatures for the configured chain", async () => {
  expect(await listFaults({ ...mainnet, id: 1 })).toEqual([
    "the nodes serve chain 1",
    "USDG takes signatures for this chain",
    "Permit2 takes signatures for this chain",
  ]);
});

test("a node that does not answer is reported as a fault, and the check does not crash", async () => {
  const found = await checkChain(mainnet, ["http://127.0.0.1:1"]);
  expect(found.every(({ fault }) => fault !== undefined)).toBe(true);
});
