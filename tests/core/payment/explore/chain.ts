import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionResult,
  keccak256,
  numberToHex,
} from "viem/utils";
import * as z from "zod";
import {
  authorizationAbi,
  erc20Abi,
  erc1271Abi,
  exactProxyAbi,
  identityAbi,
  multicall3Abi,
  permit2Abi,
} from "../../../../core/chain/abi.ts";
import { mainnet, multicall3 } from "../../../../core/chain/deployment.ts";
import { type Address, AddressInput, type Hex, HexInput, lower } from "../../../../core/chain/hex.ts";
import type { RpcCall, RpcOutcome } from "../../../../core/port/chain.ts";
import { relayer, signedByUs } from "./program.ts";

const { contracts } = mainnet;
const abi = [
  ...permit2Abi,
  ...erc20Abi,
  ...erc1271Abi,
  ...identityAbi,
  ...multicall3Abi,
  ...authorizationAbi,
];

/** A signed payment, and the call with which any account can settle the payment. */
export type SignedPayment = {
  readonly name: string;
  readonly method: "permit2" | "eip3009";
  readonly wallet: Address;
  readonly payee: Address;
  readonly amount: bigint;
  readonly nonce: bigint;
  /** The last time at which the payment can be settled, in seconds since the epoch. */
  readonly deadline: number;
  readonly header: string;
  readonly to: Address;
  readonly call: Hex;
};

/** All signed payments. The map's keys are the calls that settle the payments. */
export const purse = new Map<Hex, SignedPayment>();
/** The wallet that owns every press of the simulation. */
export const owner: Address = lower("0x00000000000000000000000000000000000000aa");
const stranger: Address = lower("0x00000000000000000000000000000000000000bb");

type Log = { readonly address: Address; readonly topics: readonly unknown[]; readonly data: Hex };
export type MinedCall = {
  readonly hash: Hex;
  readonly from: Address;
  readonly to: Address;
  readonly input: Hex;
  readonly block: number;
  readonly ok: boolean;
  /** The names of the payments that the transaction has settled, in order. */
  readonly settled: readonly string[];
  readonly logs: readonly Log[];
};

/** The state of the simulated chain. Every second of simulated time adds a block, and every transaction adds a block of its own. */
export type Chain = {
  readonly blocks: number;
  /** The number of transactions that our relayer key has sent so far. */
  readonly count: number;
  readonly mined: readonly MinedCall[];
  /** The transactions that the node has accepted but not mined yet. */
  readonly pool: readonly Hex[];
  /** The wallets that cannot pay now (`broke`), and the wallets whose code burns all gas (`burning`, EIP-7702). */
  readonly broke: readonly Address[];
  readonly burning: readonly Address[];
  /** Wallets that can make the payment of the fee, but not the payment to the publisher. */
  readonly short: readonly Address[];
  /** Whether the token has frozen the press's owner (`frozen`), and whether gas costs more than the price ceiling (`dear`). */
  readonly frozen: boolean;
  readonly dear: boolean;
};
export const genesis: Chain = {
  blocks: 1_000_000,
  count: 0,
  mined: [],
  pool: [],
  broke: [],
  burning: [],
  short: [],
  frozen: false,
  dear: false,
};

/** The chain as a node shows it at a given time, in milliseconds since the epoch. */
export type View = { readonly chain: Chain; readonly now: number };
export const beginning = 2_000_000_000_000;

function computeHead({ chain, now }: View): number {
  return chain.blocks + Math.floor((now - beginning) / 1000);
}

/** Returns the transaction that settled a signed payment in this block or earlier, if any. */
export function findSettlement(
  { mined }: Chain,
  { name }: SignedPayment,
  upTo = Number.POSITIVE_INFINITY,
): MinedCall | undefined {
  return mined.find(({ settled, block }) => block <= upTo && settled.includes(name));
}

const encodeError = (errorName: "InvalidNonce" | "InvalidContractSignature") =>
  encodeErrorResult({ abi: permit2Abi, errorName });
const expired = encodeErrorResult({ abi: permit2Abi, errorName: "SignatureExpired", args: [0n] });
const tooPoor: Hex = "0x";

type Effect =
  | { readonly ok: true; readonly settles?: SignedPayment; readonly logs: readonly Log[] }
  | { readonly ok: false; readonly data: Hex };

/**
 * Finds the effect that a settlement of the payment would have now. The contracts and the token may revert; a call with a spent EIP-3009
 * nonce succeeds, but moves nothing.
 */
function findEffect({ chain, now }: View, payment: SignedPayment, settledNames: readonly string[]): Effect {
  const spent = settledNames.includes(payment.name) || findSettlement(chain, payment) !== undefined;
  if (Math.floor(now / 1000) > payment.deadline) return { ok: false, data: expired };
  if (payment.method === "eip3009") {
    const used = spent ? "AuthorizationAlreadyUsed" : "AuthorizationUsed";
    const nonce = numberToHex(payment.nonce, { size: 32 });
    const topics = encodeEventTopics({
      abi: authorizationAbi,
      eventName: used,
      args: { authorizer: payment.wallet, nonce },
    });
    const told = { address: contracts.usdg, topics, data: "0x" as const };
    if (spent) return { ok: true, logs: [told] };
    if (chain.broke.includes(payment.wallet)) return { ok: false, data: tooPoor };
    return { ok: true, settles: payment, logs: [told, makeTransferLog(payment)] };
  }
  if (chain.burning.includes(payment.wallet))
    return { ok: false, data: encodeError("InvalidContractSignature") };
  if (spent) return { ok: false, data: encodeError("InvalidNonce") };
  if (chain.broke.includes(payment.wallet)) return { ok: false, data: tooPoor };
  const topics = encodeEventTopics({ abi: exactProxyAbi, eventName: "Settled" });
  const told = { address: contracts.exactProxy, topics, data: "0x" as const };
  return { ok: true, settles: payment, logs: [makeTransferLog(payment), told] };
}

function makeTransferLog({ wallet, payee, amount }: SignedPayment): Log {
  const args = { from: wallet, to: payee };
  const topics = encodeEventTopics({ abi: erc20Abi, eventName: "Transfer", args });
  return { address: contracts.usdg, topics, data: encodeAbiParameters([{ type: "uint256" }], [amount]) };
}

/** The payment that a call settles. Extra bytes after the call are ignored, because contracts also ignore extra bytes. */
function findSigned(data: Hex): SignedPayment | undefined {
  return [...purse.values()].find(({ call }) => data.startsWith(call));
}

/** Decoded calls, keyed by their data. The calls are cached because the same calls are made in many states. */
const decode = memoize((data: Hex) => decodeFunctionData({ abi, data }));
const decodeBatch = memoize((data: Hex) => decodeFunctionData({ abi: multicall3Abi, data }));

function memoize<Value>(make: (data: Hex) => Value): (data: Hex) => Value {
  const made = new Map<Hex, Value>();
  return (data) => {
    const value = made.get(data) ?? make(data);
    made.set(data, value);
    return value;
  };
}

/** The settlements that a call makes: a single settlement, or all settlements of a batch. */
export function findCalls(data: Hex): readonly SignedPayment[] {
  const one = findSigned(data);
  if (one !== undefined) return [one];
  return decodeBatch(data).args[0].map(({ callData }) => {
    const inner = findSigned(callData);
    if (inner === undefined) throw new Error("Something is settled that nobody has signed");
    return inner;
  });
}

function computeEffects(view: View, data: Hex): readonly Effect[] {
  const settled: string[] = [];
  return findCalls(data).map((one) => {
    const effect = findEffect(view, one, settled);
    if (effect.ok && effect.settles !== undefined) settled.push(effect.settles.name);
    return effect;
  });
}

const isBatch = (to: Address) => to === multicall3;

/** Puts a transaction into its own block. Code that burns all gas makes the whole transaction fail. */
function includeTransaction(
  view: View,
  { hash, from, to, input }: Pick<MinedCall, "hash" | "from" | "to" | "input">,
): Chain {
  const { chain } = view;
  const burns = findCalls(input).some(
    ({ method, wallet }) => method === "permit2" && chain.burning.includes(wallet),
  );
  const all = burns ? [] : computeEffects(view, input);
  const ok = !burns && (isBatch(to) || all.every((effect) => effect.ok));
  const done = ok ? all.flatMap((effect) => (effect.ok ? [effect] : [])) : [];
  const blocks = chain.blocks + 1;
  const mined: MinedCall = {
    hash,
    from,
    to,
    input,
    block: computeHead({ chain: { ...chain, blocks }, now: view.now }),
    ok,
    settled: done.flatMap(({ settles }) => settles?.name ?? []),
    logs: done.flatMap(({ logs }) => logs),
  };
  return { ...chain, blocks, mined: [...chain.mined, mined] };
}

/** Lets a stranger who has seen a payment settle this payment. */
export function settleAsStranger(view: View, { name, to, call }: SignedPayment): Chain {
  const hash = keccak256(`0x${Buffer.from(`stranger ${name} ${view.chain.blocks}`).toString("hex")}`);
  return includeTransaction(view, { hash, from: stranger, to, input: call });
}

/** The node's refusal of our transaction; `undefined` if the node accepts the transaction. */
export function findRefusal({ chain }: View, raw: Hex): RpcOutcome | undefined {
  const { nonce = 0 } = signedByUs.get(raw) ?? {};
  if (chain.count > nonce) return { status: "failed", code: -32003, message: "nonce too low" };
  return undefined;
}

/**
 * Adds a transaction to the node's pool. In this model, a transaction stays in the pool even if a transaction with the same nonce and a
 * higher fee joins the pool.
 */
export function addToPool(chain: Chain, raw: Hex): Chain {
  return chain.pool.includes(raw) ? chain : { ...chain, pool: [...chain.pool, raw] };
}

export function dropFromPool(chain: Chain, raw: Hex): Chain {
  return { ...chain, pool: chain.pool.filter((held) => held !== raw) };
}

/** Mines our transaction if its nonce is the relayer key's next nonce. */
export function mineOwnTransaction(view: View, raw: Hex): Chain {
  const transaction = signedByUs.get(raw);
  if (transaction === undefined) throw new Error("A transaction that we have not signed");
  const { to, data: input, nonce } = transaction;
  if (nonce !== view.chain.count) return view.chain;
  const included = includeTransaction(view, { hash: keccak256(raw), from: relayer, to, input });
  const pool = included.pool.filter((held) => (signedByUs.get(held)?.nonce ?? 0) > nonce);
  return { ...included, pool, count: nonce + 1 };
}

/** The gas price in wei per gas unit. */
const usualPrice = 100_000_000n;

const makeOutcome = (result: unknown): RpcOutcome => ({ status: "ok", result });
const makeRevert = (data: Hex): RpcOutcome => ({
  status: "reverted",
  code: 3,
  message: "execution reverted",
  data,
});
const encodeWord = (value: bigint) => makeOutcome(numberToHex(value, { size: 32 }));

const Call = z.object({ to: AddressInput.transform(lower), data: HexInput });
const Filter = z.object({
  address: AddressInput.transform(lower),
  topics: z.array(HexInput.nullable()),
  fromBlock: z.string(),
  toBlock: z.string(),
});

/** Answers a call with the result of a node that sees the chain in this state. Throws an Error for an unsupported call. */
export function answerCall(view: View, { method, params }: RpcCall): RpcOutcome {
  const head = computeHead(view);
  const [first, second] = params;
  switch (method) {
    case "eth_blockNumber":
      return makeOutcome(numberToHex(head));
    case "eth_getBlockByNumber": {
      const number = first === "latest" ? head : Number(first);
      if (number > head) return makeOutcome(null);
      const timestamp = Math.floor(view.now / 1000) - (head - number);
      return makeOutcome({ number: numberToHex(number), timestamp: numberToHex(timestamp) });
    }
    case "eth_gasPrice":
      return makeOutcome(numberToHex(view.chain.dear ? 1_000n * usualPrice : usualPrice));
    case "eth_getTransactionCount":
      return makeOutcome(numberToHex(view.chain.count));
    case "eth_getBalance":
      return makeOutcome(numberToHex(10n ** 18n));
    case "eth_getStorageAt":
      return encodeWord(0n);
    case "eth_getCode":
      return makeOutcome(view.chain.burning.includes(lower(AddressInput.parse(first))) ? "0x5b600056" : "0x");
    case "eth_estimateGas": {
      const [effect] = computeEffects(view, Call.parse(first).data);
      return effect?.ok === true ? makeOutcome("0x186a0") : makeRevert(effect?.data ?? "0x");
    }
    case "eth_call":
      return runCall(view, Call.parse(first), second);
    case "eth_getTransactionByHash": {
      const found = view.chain.mined.find(({ hash }) => hash === first);
      if (found === undefined) return makeOutcome(null);
      return makeOutcome({ hash: found.hash, from: found.from, to: found.to, input: found.input });
    }
    case "eth_getTransactionReceipt": {
      const found = view.chain.mined.find(({ hash }) => hash === first);
      return makeOutcome(found === undefined ? null : makeReceipt(found));
    }
    case "eth_getLogs": {
      const { address, topics, fromBlock, toBlock } = Filter.parse(first);
      const logs = view.chain.mined
        .filter(({ block }) => block >= Number(fromBlock) && block <= Number(toBlock))
        .flatMap((one) => makeReceipt(one).logs);
      return makeOutcome(
        logs.filter(
          (log) =>
            log.address === address &&
            topics.every((topic, index) => topic === null || topic === log.topics[index]),
        ),
      );
    }
    default:
      throw new Error(`${method} is not modelled`);
  }
}

export function makeReceipt({ hash, from, block, ok: success, logs }: MinedCall) {
  const about = { transactionHash: hash, blockNumber: numberToHex(block) };
  return {
    ...about,
    status: success ? "0x1" : "0x0",
    from,
    gasUsed: "0x186a0",
    effectiveGasPrice: "0x989680",
    logs: logs.map((log, index) => ({ ...log, ...about, logIndex: numberToHex(index) })),
  };
}

function runCall(view: View, { to, data }: z.infer<typeof Call>, at: unknown): RpcOutcome {
  const head = computeHead(view);
  const upTo = typeof at === "string" && at.startsWith("0x") ? Number(at) : head;
  if (upTo > head) return { status: "failed", code: -32000, message: "header not found" };
  // The simulated chain is not an Arbitrum Nitro chain, so there is no contract at the address of Nitro's precompile.
  if (/^0x0+c8$/i.test(to)) return makeOutcome("0x");
  if (findSigned(data) !== undefined) {
    const [effect] = computeEffects(view, data);
    return effect?.ok === true ? makeOutcome("0x") : makeRevert(effect?.data ?? "0x");
  }
  const { functionName, args } = decode(data);
  switch (functionName) {
    case "aggregate3": {
      const result = computeEffects(view, data).map((effect) => ({
        success: effect.ok,
        returnData: effect.ok ? ("0x" as const) : effect.data,
      }));
      return makeOutcome(encodeFunctionResult({ abi: multicall3Abi, functionName, result }));
    }
    case "ownerOf":
      return encodeWord(BigInt(owner));
    case "isValidSignature":
      return makeOutcome("0x");
    case "balanceOf": {
      const wallet = lower(args[0]);
      if (view.chain.broke.includes(wallet)) return encodeWord(0n);
      return encodeWord(view.chain.short.includes(wallet) ? 30_000n : 10_000_000n);
    }
    case "allowance":
      return encodeWord(2n ** 200n);
    case "transfer":
    case "transferFrom":
      return view.chain.frozen ? makeRevert("0x") : encodeWord(1n);
    case "nonceBitmap": {
      const [wallet, index] = [lower(args[0]), args[1]];
      const spent = [...purse.values()].filter(
        (one) =>
          one.method === "permit2" &&
          one.wallet === wallet &&
          one.nonce >> 8n === index &&
          findSettlement(view.chain, one, upTo) !== undefined,
      );
      return encodeWord(spent.reduce((bits, { nonce }) => bits | (1n << (nonce & 0xffn)), 0n));
    }
    case "authorizationState": {
      const [wallet, nonce] = [lower(args[0]), BigInt(args[1])];
      const one = [...purse.values()].find((signed) => signed.wallet === wallet && signed.nonce === nonce);
      return encodeWord(one !== undefined && findSettlement(view.chain, one, upTo) !== undefined ? 1n : 0n);
    }
    default:
      throw new Error(`${functionName} of ${to} is not modelled`);
  }
}
