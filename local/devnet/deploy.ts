import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import {
  encodeAbiParameters,
  encodeFunctionData,
  numberToHex,
  parseAbi,
  parseAbiParameters,
  parseGwei,
  parseUnits,
} from "viem/utils";
import * as z from "zod";
import { type Address, HashInput, type Hex, HexInput } from "../../core/chain/hex.ts";
import { beaconSlot } from "../../core/market/sources.ts";
import {
  devnetContracts as at,
  devnetStocks,
  getPlatformAccount,
  getTestAccount,
  platformIndexes,
  testAccountCount,
} from "./accounts.ts";
import { type Artifacts, findArtifact } from "./compile.ts";
import { callRpc, callRpcs, type RpcCall } from "./node.ts";

const stockAbi = parseAbi(["function initialize(string name, string symbol, address issuer)"]);
const usdgAbi = parseAbi(["function initialize(address issuer, address facet, bytes4[] selectors)"]);
const identityAbi = parseAbi(["function initialize()"]);
const reputationAbi = parseAbi(["function initialize(address identity)"]);

/** A contract's creation code, followed by its encoded arguments. */
function makeCreationCode(artifacts: Artifacts, name: string, args: Hex = "0x"): Hex {
  return `${findArtifact(artifacts, name).bytecode}${HexInput.parse(args).slice(2)}`;
}

/** Encodes addresses as constructor arguments. */
function encodeAddresses(...values: readonly Address[]): Hex {
  return encodeAbiParameters(
    values.map(() => ({ type: "address" as const })),
    values,
  );
}

/** Creation code of an ERC-1967 proxy of an implementation. The proxy's constructor calls the implementation with the calldata `call`. */
function makeProxyCode(artifacts: Artifacts, implementation: Address, call: Hex): Hex {
  const args = encodeAbiParameters(parseAbiParameters("address, bytes"), [implementation, call]);
  return makeCreationCode(artifacts, "ERC1967Proxy", args);
}

/** A stock's token and price feed. `price` is in US dollars with 8 decimals. */
export type StockContract = { readonly symbol: string; readonly name: string; readonly price: bigint };

/** Creation codes of USDG, the stock tokens' parts and their price feeds. `issuer` will own these contracts. */
export function makeOwnCodes(artifacts: Artifacts, issuer: Address) {
  const makeCode = (name: string, args?: Hex) => makeCreationCode(artifacts, name, args);
  return {
    usdgFacet: makeCode("GlobalDollarSignatures"),
    usdgImplementation: makeCode("GlobalDollar"),
    makeUsdgCode(implementation: Address, facet: Address) {
      const own = findArtifact(artifacts, "GlobalDollar").methods;
      const selectors = Object.entries(findArtifact(artifacts, "GlobalDollarSignatures").methods)
        .filter(([signature]) => own[signature] === undefined)
        .map(([, selector]) => selector);
      const args = [issuer, facet, selectors] as const;
      const initialize = encodeFunctionData({ abi: usdgAbi, functionName: "initialize", args });
      return makeProxyCode(artifacts, implementation, initialize);
    },
    stockImplementation: makeCode("StockToken"),
    makeBeaconCode: (implementation: Address) =>
      makeCode("UpgradeableBeacon", encodeAddresses(implementation, issuer)),
    makeTokenCode(beacon: Address, { symbol, name }: StockContract) {
      const args = [name, symbol, issuer] as const;
      const initialize = encodeFunctionData({ abi: stockAbi, functionName: "initialize", args });
      const parameters = parseAbiParameters("address, bytes");
      return makeCode("BeaconProxy", encodeAbiParameters(parameters, [beacon, initialize]));
    },
    makeFeedCode({ symbol, price }: StockContract) {
      const parameters = parseAbiParameters("string, int256, address");
      return makeCode("PriceFeed", encodeAbiParameters(parameters, [`${symbol} / USD`, price, issuer]));
    },
  };
}

const script = "@uniswap/v4-periphery/lib/permit2/test/utils/DeployPermit2.sol";

/**
 * The runtime code of Uniswap's Permit2, from the deploy script of Permit2's own tests. This code of Permit2 is the same as the deployed
 * code. On the devnet, the code computes a new domain separator for the devnet's chain id. Compiling Permit2 from its source would give
 * other bytes.
 */
export async function readPermit2Code(): Promise<Hex> {
  const path = createRequire(import.meta.url).resolve(script);
  const literal = /hex"([0-9a-f]+)"/.exec(await readFile(path, "utf8"));
  if (literal === null)
    throw new Error(`${script} holds no runtime code: expected @uniswap/v4-periphery 1.0.3.`);
  return HexInput.parse(`0x${literal[1]}`);
}

/** Creation code of a smart-contract wallet (ERC-1271) that `owner`'s key controls. */
export function makeWallet1271Code(artifacts: Artifacts, owner: Address): Hex {
  return makeCreationCode(artifacts, "Wallet1271", encodeAddresses(owner));
}

export const adminAbi = parseAbi(["function mint(address to, uint256 amount)"]);

/** The first balance of USDG of every test account, in base units. */
const startingUsdg = parseUnits("10000", 6);

/** The first balance, in wei, of each of the platform's relayers and of the auditor. */
const startingGas = parseUnits("100", 18);

/** The stock tokens that test accounts get at the start. With these tokens, some publishers own the stock that they write about. */
const holdings = [
  { account: 1, symbol: "AAPL", amount: "25" },
  { account: 1, symbol: "NVDA", amount: "10.5" },
  { account: 2, symbol: "TSLA", amount: "12" },
  { account: 2, symbol: "MSFT", amount: "0.75" },
  { account: 3, symbol: "GOOGL", amount: "40" },
  { account: 3, symbol: "AAPL", amount: "1" },
];

type SharedAddresses = Pick<
  typeof at,
  "permit2" | "multicall3" | "exactProxy" | "identityRegistry" | "reputationRegistry"
>;

/**
 * Places third parties' contracts on the fresh node at `url`: Permit2, Multicall3, the exact proxy and the
 * ERC-8004 registries. The node must allow impersonation.
 */
export async function placeSharedCode(
  url: string,
  { artifacts, permit2Code }: { readonly artifacts: Artifacts; readonly permit2Code: Hex },
  addresses: SharedAddresses,
): Promise<void> {
  const place = (address: Address, name: string, ...args: readonly Address[]) =>
    runConstructor(url, address, makeCreationCode(artifacts, name, encodeAddresses(...args)));
  await callRpc(url, "anvil_setCode", [addresses.permit2, permit2Code]);
  await place(addresses.multicall3, "Multicall3");
  await place(addresses.exactProxy, "X402ExactPermit2Proxy", addresses.permit2);
  const placeProxy = (address: Address, implementation: Address, call: Hex) =>
    runConstructor(url, address, makeProxyCode(artifacts, implementation, call));
  await place(at.identityImplementation, "IdentityRegistry");
  await placeProxy(
    addresses.identityRegistry,
    at.identityImplementation,
    encodeFunctionData({ abi: identityAbi, functionName: "initialize" }),
  );
  await place(at.reputationImplementation, "ReputationRegistry");
  const args = [addresses.identityRegistry] as const;
  await placeProxy(
    addresses.reputationRegistry,
    at.reputationImplementation,
    encodeFunctionData({ abi: reputationAbi, functionName: "initialize", args }),
  );
}

/**
 * Places every contract at its mainnet address on the fresh node at `url`, and gives the accounts their first balances. Test account 0 owns
 * all ownable contracts. The node must mine on command and allow impersonation.
 */
export async function deployContracts(url: string, artifacts: Artifacts, permit2Code: Hex): Promise<void> {
  const admin = getTestAccount(0).address;
  const own = makeOwnCodes(artifacts, admin);
  const place = (address: Address, code: Hex) => runConstructor(url, address, code);
  await placeSharedCode(url, { artifacts, permit2Code }, at);
  await place(at.usdgFacet, own.usdgFacet);
  await place(at.usdgImplementation, own.usdgImplementation);
  await place(at.usdg, own.makeUsdgCode(at.usdgImplementation, at.usdgFacet));
  await place(at.stockImplementation, own.stockImplementation);
  await place(at.stockBeacon, own.makeBeaconCode(at.stockImplementation));
  for (const stock of devnetStocks) {
    await place(stock.token, own.makeTokenCode(at.stockBeacon, stock));
    await place(stock.feed, own.makeFeedCode(stock));
  }
  await fundAccounts(url, admin);
}

/**
 * Places stock tokens at additional addresses, as proxies of the first stock's beacon. Existing contracts are not changed. `url` can be the
 * address of the devnet; the devnet keeps these tokens after a restart.
 */
export async function placeStockTokens(url: string, addresses: readonly Address[]): Promise<void> {
  const [pattern] = devnetStocks;
  const last = addresses.at(-1);
  if (pattern === undefined || last === undefined || (await readCode(url, last)) !== "0x") return;
  const code = await readCode(url, pattern.token);
  const beacon = await callRpc(url, "eth_getStorageAt", [pattern.token, beaconSlot, "latest"]);
  const calls = addresses.flatMap((address) => [
    { method: "anvil_setStorageAt", params: [address, beaconSlot, beacon] },
    { method: "anvil_setCode", params: [address, code] },
  ]);
  await callAll(url, calls);
}

/** The number of calls that the devnet accepts in one request. */
const callsAtOnce = 20;

/**
 * Sends calls in batches. Each batch has as many calls as the devnet accepts; only the last batch can have fewer. Throws the error of the
 * first failed call.
 */
export async function callAll(url: string, calls: readonly RpcCall[]): Promise<void> {
  for (let first = 0; first < calls.length; first += callsAtOnce) {
    for (const outcome of await callRpcs(url, calls.slice(first, first + callsAtOnce))) {
      if (outcome.status === "rejected") throw outcome.reason;
    }
  }
}

async function readCode(url: string, address: Address): Promise<Hex> {
  return HexInput.parse(await callRpc(url, "eth_getCode", [address, "latest"]));
}

async function fundAccounts(url: string, admin: Address): Promise<void> {
  const accounts = Array.from({ length: testAccountCount }, (_, index) => getTestAccount(index).address);
  const gifts = [
    ...accounts.map((to) => ({ token: at.usdg, to, amount: startingUsdg })),
    ...holdings.map(({ account, symbol, amount }) => ({
      token: findToken(symbol),
      to: getTestAccount(account).address,
      amount: parseUnits(amount, 18),
    })),
  ];
  const mints = gifts.map(({ token, to, amount }) => ({
    from: admin,
    to: token,
    data: encodeFunctionData({ abi: adminAbi, functionName: "mint", args: [to, amount] }),
    gas: "0x30d40",
  }));
  await sendAll(url, mints);
  for (const index of [...platformIndexes.relayers, platformIndexes.auditor]) {
    await callRpc(url, "anvil_setBalance", [getPlatformAccount(index).address, numberToHex(startingGas)]);
  }
}

function findToken(symbol: string): Address {
  const stock = devnetStocks.find((known) => known.symbol === symbol);
  if (stock === undefined) throw new Error(`No stock of the devnet is called ${symbol}.`);
  return stock.token;
}

/**
 * Runs a constructor at the contract's final address: during one transaction, the creation code is the code of this address. Storage,
 * events and immutables are therefore the same as after a deployment. After the constructor has run, the address gets the code that the
 * constructor returned.
 */
async function runConstructor(url: string, address: Address, initCode: Hex): Promise<void> {
  const call = { from: getTestAccount(0).address, to: address, gas: "0x989680" };
  await callRpc(url, "anvil_setCode", [address, initCode]);
  const runtime = HexInput.parse(await callRpc(url, "eth_call", [call, "latest"]));
  await sendAll(url, [call]);
  await callRpc(url, "anvil_setCode", [address, runtime]);
}

type DeployTransaction = {
  readonly from: Address;
  readonly to: Address;
  readonly gas: string;
  readonly data?: Hex;
};

/** Sends the transactions and mines them into one block. Throws if a transaction fails. */
async function sendAll(url: string, transactions: readonly DeployTransaction[]): Promise<void> {
  const hashes: Hex[] = [];
  for (const transaction of transactions) {
    const priced = {
      maxFeePerGas: numberToHex(parseGwei("10")),
      maxPriorityFeePerGas: "0x0",
      ...transaction,
    };
    hashes.push(HashInput.parse(await callRpc(url, "eth_sendTransaction", [priced])));
  }
  await callRpc(url, "evm_mine");
  for (const hash of hashes) {
    const receipt = Receipt.parse(await callRpc(url, "eth_getTransactionReceipt", [hash]));
    if (receipt.status !== "0x1") throw new Error(`Setting up ${receipt.to} failed in ${hash}.`);
  }
}

const Receipt = z.object({ status: z.string(), to: z.string() });
