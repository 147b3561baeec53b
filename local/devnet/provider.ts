import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { encodeAbiParameters, numberToHex, parseAbiParameters } from "viem/utils";
import * as z from "zod";
import { Quantity } from "../../core/chain/call.ts";
import type { Hex } from "../../core/chain/hex.ts";
import { parseJson } from "../../core/error.ts";
import { type Dice, type LocalServer, listen } from "../stand-in.ts";
import { Height, maxBatch } from "./gateway.ts";
import { callRpc, postRpc, RpcError, RpcRequest } from "./node.ts";

/** The limits and faults of a provider of nodes, as its callers see them. */
export type NodeFaults = {
  /**
   * The number of calls that the provider accepts in a second; each member of a batch counts. If a request exceeds this limit, the provider
   * refuses the request with status 429 and plain text.
   */
  readonly callsPerSecond: number;
  /** The provider's error for one call of a batch in which the other calls are answered. */
  readonly refusal: () => RpcError | undefined;
  /**
   * How many milliseconds the state, blocks and logs of the backend that answers the given calls are behind its receipts; 0 for a backend
   * without a lag.
   */
  readonly lag: (calls: readonly RpcRequest[]) => number;
  /**
   * The gas units with which each transaction pays for L1. A Nitro node adds these gas units to its estimates. The default is no gas for
   * L1.
   */
  readonly l1Gas?: () => bigint;
};

/** The maximum lag of a backend, in milliseconds. */
const longestLag = 3_000;
const longestLagBlocks = 30;

/**
 * The maximum gas for L1, in gas units. The maximum gas for L1 plus the gas of a contract wallet's payment exceeds the service's gas limit
 * for such a payment.
 */
const dearestL1 = 500_000;

const refusals: readonly [RpcError, RpcError] = [
  new RpcError(-32005, "limit exceeded"),
  new RpcError(-32603, "internal error"),
];

/** Makes the faults of a provider that behaves randomly: half of the requests go to a backend whose lag changes every few seconds. */
export function makeRandomFaults(dice: Dice): NodeFaults {
  let currentLag = 0;
  let until = 0;
  let l1Gas = 0;
  return {
    // One payment makes about 25 calls to the provider.
    callsPerSecond: 1_000,
    refusal: () => (dice.chance(0.01) ? dice.pickOne(refusals) : undefined),
    lag() {
      if (performance.now() > until) {
        currentLag = dice.pickBetween(0, longestLag);
        l1Gas = dice.pickBetween(0, dearestL1);
        until = performance.now() + longestLag;
      }
      return dice.chance(0.5) ? currentLag : 0;
    },
    l1Gas: () => BigInt(l1Gas),
  };
}

/**
 * Starts a provider with realistic behaviour in front of the node at `url`. The provider limits the number of calls per second. The
 * provider has two backends at one address, and one of the backends shows a transaction's receipt before the transaction's effects. The
 * provider listens on 127.0.0.1.
 */
export async function startProvider(url: string, faults: NodeFaults): Promise<LocalServer> {
  const limit = makeRateLimit(faults.callsPerSecond);
  const lateHeight = await makeLaggingHead(url);

  async function answer(body: string): Promise<{ readonly status: number; readonly text: string }> {
    const asked = parseJson(body);
    const isBatch = Array.isArray(asked);
    const calls = z.array(RpcRequest).safeParse(isBatch ? asked : [asked]).data ?? [];
    // The node itself refuses an invalid call, and a batch of too many calls.
    if (calls.length === 0 || calls.length > maxBatch) return { status: 200, text: await postRpc(url, body) };
    if (!limit(calls.length)) return { status: 429, text: "Too Many Requests" };
    const lag = faults.lag(calls);
    const height = lag === 0 ? undefined : await lateHeight(lag);
    const l1Gas = faults.l1Gas?.() ?? 0n;
    const replies = await Promise.all(
      calls.map((call) => {
        const refusal = isBatch ? faults.refusal() : undefined;
        return refusal === undefined ? forwardCall(call, height, l1Gas) : makeFailure(call, refusal);
      }),
    );
    return { status: 200, text: JSON.stringify(isBatch ? replies : replies[0]) };
  }

  async function forwardCall(call: RpcRequest, height: number | undefined, l1Gas: bigint): Promise<unknown> {
    const seen = height === undefined ? { call } : applyLagToCall(call, height);
    if ("result" in seen) return { jsonrpc: "2.0", id: call.id, result: seen.result };
    if ("error" in seen) return makeFailure(call, seen.error);
    const reply: unknown = JSON.parse(await postRpc(url, JSON.stringify(seen.call)));
    const gas = l1Gas === 0n ? undefined : addL1Gas(call, Result.safeParse(reply).data?.result, l1Gas);
    return gas === undefined ? reply : { jsonrpc: "2.0", id: call.id, result: gas };
  }

  const server = createServer((request, response) => {
    text(request)
      .then(answer)
      .then(
        ({ status, text: said }) => {
          response.writeHead(status, { "content-type": status === 429 ? "text/plain" : "application/json" });
          response.end(said);
        },
        () => response.destroy(),
      );
  });
  return listen(server);
}

const Result = z.object({ result: z.string() });
const Called = z.tuple([z.looseObject({ to: z.string() })], z.unknown());
const nodeInterface = "0x00000000000000000000000000000000000000c8";

/**
 * Changes the devnet's `result` to the answer of a Nitro node; the gas in this answer includes the gas that pays for L1. Returns
 * `undefined` if both nodes give the same answer.
 */
function addL1Gas({ method, params }: RpcRequest, result: string | undefined, l1Gas: bigint) {
  if (result === undefined) return undefined;
  if (method === "eth_estimateGas") return numberToHex(Quantity.parse(result) + l1Gas);
  const to = method === "eth_call" ? Called.safeParse(params).data?.[0].to.toLowerCase() : undefined;
  if (to !== nodeInterface) return undefined;
  const words = parseAbiParameters("uint64, uint256, uint256");
  return encodeAbiParameters(words, [l1Gas, 10_000_000n, 30_000_000_000n]);
}

function makeFailure({ id }: RpcRequest, { code, message }: RpcError): unknown {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

/**
 * Limits the number of calls in each second. If the provider gets fewer calls in one second than the limit allows, the limit for later
 * seconds does not rise.
 */
function makeRateLimit(callsPerSecond: number): (calls: number) => boolean {
  let left = callsPerSecond;
  let filledAt = performance.now();
  return (calls) => {
    const now = performance.now();
    left = Math.min(callsPerSecond, left + ((now - filledAt) / 1000) * callsPerSecond);
    filledAt = now;
    if (calls > left) return false;
    left -= calls;
    return true;
  };
}

const Head = z.object({ number: Quantity, timestamp: Quantity });

/** The newest block of a backend that shows blocks late. The block number never decreases. */
async function makeLaggingHead(url: string): Promise<(lag: number) => Promise<number>> {
  const read = async (block: "latest" | Hex) => {
    const { number, timestamp } = Head.parse(await callRpc(url, "eth_getBlockByNumber", [block, false]));
    return { height: Number(number), madeAt: Number(timestamp) * 1000 };
  };
  const first = await read("latest");
  let seen = [{ height: first.height, at: Number.NEGATIVE_INFINITY }];
  let shown = 0;

  /**
   * When the provider first sees a block, a newer block may already exist. Then the provider computes the older block's age from the
   * timestamps of the latest block and of the older block.
   */
  async function listNewBlocks(knownHeight: number): Promise<typeof seen> {
    const now = performance.now();
    const head = await read("latest");
    const blocks = head.height > knownHeight ? [{ height: head.height, at: now }] : [];
    const oldest = Math.max(knownHeight, head.height - longestLagBlocks);
    for (let height = head.height - 1; height > oldest; height -= 1) {
      const age = head.madeAt - (await read(numberToHex(height))).madeAt;
      blocks.unshift({ height, at: now - age });
      if (age > longestLag) break;
    }
    return blocks;
  }

  let updated = Promise.resolve();
  return async (lag) => {
    // Updates run one after the other: each update starts only when the update before it has ended.
    updated = updated.then(async () => {
      seen = [...seen, ...(await listNewBlocks(seen.at(-1)?.height ?? 0))].slice(-2 * longestLagBlocks);
    });
    await updated;
    const newest = seen.at(-1)?.height ?? 0;
    const old = seen.findLast(({ at }) => at <= performance.now() - lag)?.height ?? newest;
    shown = Math.max(shown, old, newest - longestLagBlocks);
    return shown;
  };
}

/** What a lagging backend does with a call: it sends a changed call to the node, or answers the call itself with a result or an error. */
type LaggedCall = { readonly call: RpcRequest } | { readonly result: unknown } | { readonly error: RpcError };

/** The position of the block parameter among the parameters of each method. */
const blockAt: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_createAccessList: 1,
  eth_estimateGas: 1,
  eth_feeHistory: 1,
  eth_getBalance: 1,
  eth_getBlockByNumber: 0,
  eth_getCode: 1,
  eth_getStorageAt: 2,
  eth_getTransactionCount: 1,
};

const newest = new Set<unknown>([undefined, "latest", "pending", "safe", "finalized"]);
const Range = z.tuple([z.looseObject({ fromBlock: Height, toBlock: Height })]);

/** Receipts and transactions are visible at once, even if the backend's blocks are behind. */
function applyLagToCall(call: RpcRequest, height: number): LaggedCall {
  const { method, params } = call;
  if (method === "eth_blockNumber") return { result: numberToHex(height) };
  if (method === "eth_getLogs") return applyLagToLogs(call, height);
  const at = blockAt[method];
  if (at === undefined) return { call };
  if (newest.has(params[at])) {
    return { call: { ...call, params: Object.assign([...params], { [at]: numberToHex(height) }) } };
  }
  const named = Height.safeParse(params[at]);
  if (!named.success || named.data <= height) return { call };
  return method === "eth_getBlockByNumber"
    ? { result: null }
    : { error: new RpcError(-32000, "header not found") };
}

/** For a range of blocks, the backend returns the logs of the blocks that it has, and does not report missing blocks. */
function applyLagToLogs(call: RpcRequest, height: number): LaggedCall {
  const range = Range.safeParse(call.params);
  if (!range.success) return { call };
  const [{ fromBlock, toBlock, ...filter }] = range.data;
  if (toBlock <= height) return { call };
  if (fromBlock > height) return { result: [] };
  const shown = { ...filter, fromBlock: numberToHex(fromBlock), toBlock: numberToHex(height) };
  return { call: { ...call, params: [shown] } };
}
