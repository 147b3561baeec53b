import { numberToHex } from "viem/utils";
import * as z from "zod";
import type { Chain, RpcCall } from "../port/chain.ts";
import { Block, latestBlock, Quantity, result, unavailable } from "./call.ts";
import { type Address, HashInput, HexInput, lower } from "./hex.ts";
import { windowsOf } from "./receipt.ts";

type Ports = { readonly chain: Chain };

/** The blocks from one to another, both included. */
export type Blocks = { readonly from: bigint; readonly to: bigint };

/** The blocks made since a time (milliseconds). Throws `upstream` when the chain cannot say. */
export async function blocksSince({ chain }: Ports, since: number): Promise<Blocks> {
  const [latest] = await chain.batch([latestBlock]);
  const to = result(latest, Block).number;
  const seconds = BigInt(Math.floor(since / 1000));
  let [from, high] = [0n, to];
  while (from < high) {
    const middle = (from + high) / 2n;
    const [answer] = await chain.batch([
      { method: "eth_getBlockByNumber", params: [numberToHex(middle), false] },
    ]);
    if (result(answer, Block).timestamp < seconds) from = middle + 1n;
    else high = middle;
  }
  return { from, to };
}

const Log = z.object({
  transactionHash: HashInput.transform(lower),
  topics: z.tuple([HexInput], HexInput),
  data: HexInput,
});
type Log = z.infer<typeof Log>;

/** Calls of one batch that ask for logs: providers refuse more than 20. */
const callsAtOnce = 12;

/**
 * What contracts tell by some events in these blocks, window by window. A contract is asked by its address, so another
 * one that makes the same event is not heard. Throws `upstream` when the chain cannot say.
 */
export async function eventsIn(
  { chain }: Ports,
  { from, to }: Blocks,
  filters: readonly { readonly address: Address; readonly topics: readonly unknown[] }[],
): Promise<readonly Log[]> {
  const found: Log[] = [];
  let start = from;
  while (start <= to) {
    const windows = windowsOf(start, to, Math.floor(callsAtOnce / filters.length));
    const calls = windows.flatMap((window): readonly RpcCall[] =>
      filters.map((filter) => ({ method: "eth_getLogs", params: [{ ...filter, ...window }] })),
    );
    const [height, ...answers] = await chain.batch([{ method: "eth_blockNumber", params: [] }, ...calls]);
    if (result(height, Quantity) < to) throw unavailable("a node that is behind what was seen of the chain");
    found.push(...answers.flatMap((answer) => result(answer, z.array(Log))));
    const [last] = windows.slice(-1);
    start = last === undefined ? to + 1n : BigInt(last.toBlock) + 1n;
  }
  return found;
}
