import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { numberToHex } from "viem/utils";
import * as z from "zod";
import type { Address } from "../../core/chain/hex.ts";
import { callRpc, callRpcs, postRpc, type RpcCall } from "../../local/devnet/rpc.ts";
import { type Listening, listen } from "../../local/stand-in.ts";
import { grant } from "../../tests/support/crowd.ts";

export type CountingNode = Listening & {
  /** Milliseconds by which every answer is late, as if the node stood so far away. */
  delay: number;
  /** HTTP requests so far, however many calls travelled in each. */
  trips: number;
};

/** A proxy before the node, between it and one of the servers. */
export async function countingNode(rpcUrl: string): Promise<CountingNode> {
  const server = createServer((request, response) => {
    const answer = async () => {
      node.trips += 1;
      const said = await postRpc(rpcUrl, await text(request));
      if (node.delay > 0) await sleep(node.delay);
      response.writeHead(200, { "content-type": "application/json" });
      response.end(said);
    };
    // A busy machine may break a connection to the devnet; the server sees it as a node's trouble.
    answer().catch(() => response.destroy());
  });
  const node: CountingNode = { ...(await listen(server, 0)), delay: 0, trips: 0 };
  return node;
}

/** Calls that the devnet takes in one request. */
const callsAtOnce = 20;

async function callAll(rpcUrl: string, calls: readonly RpcCall[]): Promise<void> {
  for (let first = 0; first < calls.length; first += callsAtOnce) {
    const some = calls.slice(first, first + callsAtOnce);
    for (const outcome of await again(() => callRpcs(rpcUrl, some))) {
      if (outcome.status === "rejected") throw outcome.reason;
    }
  }
}

/** Gives wallets so many base units of USDG, all of which Permit2 may move. */
export async function grantAll(rpcUrl: string, wallets: readonly Address[], units: bigint): Promise<void> {
  await callAll(
    rpcUrl,
    wallets.flatMap((wallet) => grant(wallet, units)),
  );
}

/** Once more where the devnet has closed an idle connection in that moment. None of the calls does harm twice. */
function again<Value>(call: () => Promise<Value>): Promise<Value> {
  return call().catch(call);
}

/** As many wei as no bench uses up. */
const wealth = 10n ** 20n;

export async function fund(rpcUrl: string, wallets: readonly Address[]): Promise<void> {
  await callAll(
    rpcUrl,
    wallets.map((wallet) => ({ method: "anvil_setBalance", params: [wallet, numberToHex(wealth)] })),
  );
}

const Receipt = z.object({ gasUsed: z.string().transform(Number) });

/** Gas units that a transaction used. */
export async function gasOf(rpcUrl: string, hash: string): Promise<number> {
  return Receipt.parse(await again(() => callRpc(rpcUrl, "eth_getTransactionReceipt", [hash]))).gasUsed;
}
