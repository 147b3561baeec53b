import { decodeFunctionResult, encodeFunctionData, numberToHex } from "viem/utils";
import { multicall3Abi } from "../chain/abi.ts";
import { answered, Bytes, Quantity, result } from "../chain/call.ts";
import { multicall3 } from "../chain/deployment.ts";
import type { Address, Hex } from "../chain/hex.ts";
import type { Call } from "../chain/order.ts";
import { feeCap, gasLimit, gasLimitsOf } from "../gas/index.ts";
import type { Load, OutboxPorts } from "./intent.ts";
import { type FreeKey, nonceOf, type Relayer, relayerCalls, relayerIn } from "./key.ts";

/** Intents that one transaction carries at most: about 25 kB of calldata, of the 95 kB that a node takes. */
export const mostInBatch = 40;

/** Gas units that those which share a transaction may take in all: about half of what a block has. */
const mostGas = 16_000_000n;

/** The call that makes all of these: the only one itself, else one that lets each fail by itself. Anybody may send it. */
export function callOfAll(calls: readonly Call[]): Call {
  const [only] = calls;
  return only !== undefined && calls.length === 1 ? only : batchOf(calls);
}

function batchOf(calls: readonly Call[]): { readonly to: Address; readonly data: Hex } {
  const args = calls.map(({ to: target, data: callData }) => ({ target, allowFailure: true, callData }));
  const data = encodeFunctionData({ abi: multicall3Abi, functionName: "aggregate3", args: [args] });
  return { to: multicall3, data };
}

function succeededIn(returned: Hex): readonly boolean[] {
  const results = decodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", data: returned });
  return results.map(({ success }) => success);
}

/** What of a load goes along. */
type Loaded<Item> = {
  readonly fit: readonly Item[];
  /** What would fail, and what has gained code since it was judged (EIP-7702). */
  readonly unfit: readonly Item[];
  /** Wei a gas unit, and the key's next nonce. */
  readonly gasPrice: bigint;
  readonly nonce: number;
};

/** What the chain says of a key and of a load, as of one round trip. */
type Seen<Item> = {
  readonly relayer: Relayer;
  /** Wei a gas unit. */
  readonly gasPrice: bigint;
  /** What would go through in this order. */
  readonly succeeding: ReadonlySet<Item>;
  /** Those that run no code of their payers. */
  readonly plain: readonly Item[];
};

async function look<Item extends Load>(
  { chain }: Pick<OutboxPorts, "chain">,
  { address }: FreeKey,
  items: readonly Item[],
): Promise<Seen<Item>> {
  const batch = batchOf(items.map(({ call }) => call));
  const gas = numberToHex(gasLimit(items.reduce((sum, item) => sum + item.gas, 0n)));
  const [count, balance, price, simulated, ...codes] = await chain.batch([
    ...relayerCalls(address),
    { method: "eth_gasPrice", params: [] },
    { method: "eth_call", params: [{ from: address, ...batch, gas }, "latest"] },
    ...items.flatMap(({ payer }) =>
      payer === undefined ? [] : [{ method: "eth_getCode", params: [payer, "latest"] }],
    ),
  ]);
  const asked = items.filter(({ payer }) => payer !== undefined);
  const withCode = new Set(asked.filter((_, index) => result(codes[index], Bytes) !== "0x"));
  const succeeded = answered(simulated).status === "ok" ? succeededIn(result(simulated, Bytes)) : [];
  return {
    relayer: relayerIn(address, [count, balance]),
    gasPrice: result(price, Quantity),
    succeeding: new Set(items.filter((_, index) => succeeded[index] === true)),
    plain: items.filter((item) => !withCode.has(item)),
  };
}

/**
 * What the chain says of a key and of all that it would carry, right before that is signed for. The first leads: where the
 * key has no gas for it, nothing is fit.
 */
export async function fill<Item extends Load>(
  ports: Pick<OutboxPorts, "chain" | "settings">,
  relayer: FreeKey,
  items: readonly Item[],
): Promise<Loaded<Item>> {
  const first = await look(ports, relayer, items);
  const { plain } = first;
  // Code may have burned the gas of those behind it: without it they are looked at once more (invariant 9).
  const isMixed = plain.length > 0 && plain.length < items.length;
  const seen = isMixed ? await look(ports, relayer, plain) : first;
  const { gasPrice, relayer: known } = seen;
  const { maxPrice } = gasLimitsOf(ports.settings);
  const fitting = new Set(seen.plain.filter((item) => seen.succeeding.has(item)));
  let cost = 0n;
  let gas = 0n;
  const fit = [...fitting].filter((item, index) => {
    cost += feeCap({ gas: item.gas, gasPrice, maxPrice });
    gas += item.gas;
    return cost <= known.balance && (index === 0 || gas <= mostGas);
  });
  const unfit = items.filter((item) => !fitting.has(item));
  return { fit, unfit, gasPrice, nonce: nonceOf(relayer, known.nonce) };
}
