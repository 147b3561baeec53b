import { gunzipSync } from "node:zlib";
import * as z from "zod";
import { HashInput, type Hex, HexInput } from "../../core/chain/hex.ts";
import { type Anvil, startAnvil } from "./anvil.ts";
import type { Entry, Journal } from "./journal.ts";
import { callRpc, RpcError } from "./rpc.ts";

/** What the node made of an entry: its answer to a call, or the hashes of the transactions in the new block. */
type Performed = { readonly answer: unknown } | { readonly mined: readonly Hex[] };

/** anvil with what it does not tell: the latest block's time, and the transactions that it has yet to mine. */
type ChainNode = Pick<Anvil, "url" | "pid" | "ended" | "kill"> & {
  /** Unix seconds of the latest block. */
  head(): number;
  /** The transactions handed over and not mined yet, by hash. */
  readonly pool: ReadonlyMap<string, Entry>;
  /** Does what the entry says. Throws `RpcError` where the node refuses. One at a time. */
  perform(entry: Entry): Promise<Performed>;
};

const Head = z.object({ timestamp: HexInput, transactions: z.array(HashInput) });

/** Starts a node from the journal's state and repeats the journal's entries on it. */
export async function startNode(chainId: number, journal: Journal): Promise<ChainNode> {
  const anvil = await startAnvil({ chainId, statePath: journal.statePath() });
  try {
    await callRpc(anvil.url, "anvil_setLoggingEnabled", [false]);
    const node = await observe(anvil);
    for (const entry of journal.entries()) await repeat(node, entry);
    return node;
  } catch (error) {
    await anvil.kill();
    throw error;
  }
}

async function repeat(node: ChainNode, entry: Entry): Promise<void> {
  try {
    await node.perform(entry);
  } catch (error) {
    // A call that was refused is refused again; a block never was.
    if (!(error instanceof RpcError) || "mine" in entry) throw error;
  }
}

async function observe(anvil: Anvil): Promise<ChainNode> {
  const pool = new Map<string, Entry>();
  const readBlock = async () =>
    Head.parse(await callRpc(anvil.url, "eth_getBlockByNumber", ["latest", false]));
  let head = await readBlock();

  return {
    ...anvil,
    pool,
    head: () => Number(head.timestamp),
    async perform(entry) {
      if ("mine" in entry) {
        await callRpc(anvil.url, "evm_mine", [{ timestamp: entry.mine }]);
        head = await readBlock();
        for (const hash of head.transactions) pool.delete(hash);
        return { mined: head.transactions };
      }
      const answer = await callRpc(anvil.url, entry.call, entry.params);
      if (entry.call.startsWith("eth_send")) pool.set(HashInput.parse(answer), entry);
      return { answer };
    },
  };
}

/** The node's whole state (accounts, blocks, transactions and receipts) in the form that it loads. */
export async function dumpState(url: string): Promise<Uint8Array> {
  const zipped = HexInput.parse(await callRpc(url, "anvil_dumpState"));
  return gunzipSync(Buffer.from(zipped.slice(2), "hex"));
}
