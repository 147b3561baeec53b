import { decodeFunctionResult, encodeFunctionData } from "viem/utils";
import { multicall3Abi } from "../chain/abi.ts";
import { answered, Bytes, Quantity, result } from "../chain/call.ts";
import { multicall3 } from "../chain/deployment.ts";
import type { Address, Hex } from "../chain/hex.ts";
import { feeCap, gasLimitsOf } from "./fee.ts";
import { type FreeRelayer, nonceOf, relayerCalls, relayerIn } from "./key.ts";
import type { Carried, OutboxPorts } from "./outbox.ts";

/** Intents that one transaction carries at most: about 25 kB of calldata, of the 95 kB that a node takes. */
export const mostInBatch = 40;

/** Gas units that those which share a transaction may take in all: about half of what a block has. */
const mostGas = 16_000_000n;

export type Call = Pick<Carried, "to" | "data">;

/** What could go into one transaction with others. */
export type Load = {
  readonly call: Call;
  /** Gas units that it is estimated to take by itself. */
  readonly gas: bigint;
  /** Who must be a plain account: its code would decide on the gas of all. */
  readonly payer: string;
};

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

/**
 * What the chain says of a key and of all that it would carry, right before that is signed for. The first leads: where the
 * key has no gas for it, nothing is fit.
 */
export async function fill<Item extends Load>(
  ports: Pick<OutboxPorts, "chain" | "settings">,
  relayer: FreeRelayer,
  items: readonly Item[],
): Promise<Loaded<Item>> {
  const batch = batchOf(items.map(({ call }) => call));
  const [count, balance, price, simulated, ...codes] = await ports.chain.batch([
    ...relayerCalls(relayer.address),
    { method: "eth_gasPrice", params: [] },
    { method: "eth_call", params: [{ from: relayer.address, ...batch }, "latest"] },
    ...items.map(({ payer }) => ({ method: "eth_getCode", params: [payer, "latest"] })),
  ]);
  const { maxPrice } = gasLimitsOf(ports.settings);
  const gasPrice = result(price, Quantity);
  const succeeded = answered(simulated).status === "ok" ? succeededIn(result(simulated, Bytes)) : [];
  const isFit = (index: number) => succeeded[index] === true && result(codes[index], Bytes) === "0x";
  const known = relayerIn(relayer.address, [count, balance]);
  let cost = 0n;
  let gas = 0n;
  const fit = items
    .filter((_, index) => isFit(index))
    .filter((item, index) => {
      cost += feeCap({ gas: item.gas, gasPrice, maxPrice });
      gas += item.gas;
      return cost <= known.balance && (index === 0 || gas <= mostGas);
    });
  const unfit = items.filter((_, index) => !isFit(index));
  return { fit, unfit, gasPrice, nonce: nonceOf(relayer, known.nonce) };
}
