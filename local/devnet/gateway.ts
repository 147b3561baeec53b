import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { numberToHex } from "viem/utils";
import * as z from "zod";
import { HashInput, type Hex, HexInput } from "../../core/chain/hex.ts";
import { bind, makeExclusiveRunner } from "../stand-in.ts";
import {
  type ChainJournal,
  callRpc,
  callRpcs,
  dumpState,
  type JournalEntry,
  type RpcCall,
  RpcError,
  RpcRequest,
  startNode,
} from "./node.ts";

type SequencerOptions = {
  readonly chainId: number;
  readonly journal: ChainJournal;
  readonly blockTime: number;
  /** The number of changes after which the node's state is saved, so that a restart repeats only a few changes. */
  readonly checkpointEvery: number;
  /** The gas price in wei per gas unit. */
  readonly gasPrice: bigint;
  readonly log: (message: string) => void;
};

export type Sequencer = Awaited<ReturnType<typeof startSequencer>>;

/** Methods whose answers depend on the latest block's time or number. */
const presentReads = new Set([
  "eth_blockNumber",
  "eth_call",
  "eth_createAccessList",
  "eth_estimateGas",
  "eth_feeHistory",
  "eth_getBlockByNumber",
  "eth_simulateV1",
]);

/** Seconds for which the latest block counts as current. Block times are whole seconds. */
const presentFor = 1;

/**
 * Makes all changes to the chain one after the other: each change is first written to the journal and then made.
 *
 * The journal also contains each block with its time. If the journal is replayed on the saved state, the same transactions are therefore
 * mined in the same blocks with the same outcomes. After a replay of the journal, only the block hashes differ, because anvil uses new
 * random values. As long as transactions wait, a block is mined every `blockTime` milliseconds. Empty blocks slow anvil down and make its
 * state larger. An empty block is therefore mined only if the answer to a call depends on the current time or block. A node that dies is
 * restarted from the journal.
 */
export async function startSequencer(options: SequencerOptions) {
  const { chainId, journal, gasPrice, log } = options;
  const waiting = new Map<string, ((mined: boolean) => void)[]>();
  let clockOffset = 0;
  let stopping = false;
  let tick: NodeJS.Timeout | undefined;
  const runExclusively = makeExclusiveRunner();
  let node = await startNode(chainId, journal, gasPrice);
  let living: Promise<unknown> = Promise.resolve();
  watchNode();

  function readChainClock(): number {
    return Math.max(node.head(), Math.floor(Date.now() / 1000) + clockOffset);
  }

  function watchNode(): void {
    // If the latest block's time is ahead of real time, because the clock was moved forward, later blocks keep this difference.
    clockOffset = Math.max(0, node.head() - Math.floor(Date.now() / 1000));
    if (node.pool.size > 0) scheduleBlock();
    void node.ended.then(() => {
      if (stopping) return;
      log("The chain's node ended unexpectedly and is restarted from the journal.");
      living = runExclusively(async () => {
        node = await startNode(chainId, journal, gasPrice);
        watchNode();
      });
      living.catch((error) => log(`The chain's node did not start again: ${error}`));
    });
  }

  function recordChange(entry: JournalEntry) {
    const priced = { ...entry, gasPrice: String(gasPrice) };
    journal.appendEntry(priced);
    return node.applyEntry(priced);
  }

  async function mineBlock(): Promise<void> {
    clearTimeout(tick);
    tick = undefined;
    const done = await recordChange({ mine: readChainClock() });
    const mined = "mined" in done ? done.mined : [];
    for (const hash of mined) wakeWaiters(hash, true);
    // Mines the transactions that did not fit into a full block. No block is mined for a transaction that waits for an earlier nonce.
    if (mined.length > 0 && node.pool.size > 0) scheduleBlock();
    if (journal.countEntries() >= options.checkpointEvery) await saveState();
  }

  /** Makes sure that the latest block is current if one of the calls depends on the latest block. */
  async function refreshLatestBlock(calls: readonly RpcCall[]): Promise<void> {
    await living;
    const isStale = () => readChainClock() - node.head() >= presentFor;
    if (tick === undefined && isStale() && calls.some(({ method }) => presentReads.has(method))) {
      await runExclusively(async () => (isStale() ? mineBlock() : undefined));
    }
  }

  function scheduleBlock(): void {
    tick ??= setTimeout(
      () => void runExclusively(mineBlock).catch((error) => log(`A block could not be mined: ${error}`)),
      options.blockTime - (Date.now() % options.blockTime),
    );
  }

  function wakeWaiters(hash: string, mined: boolean): void {
    for (const wake of waiting.get(hash) ?? []) wake(mined);
    waiting.delete(hash);
  }

  async function saveState(): Promise<void> {
    if (journal.countEntries() > 0)
      await journal.saveCheckpoint(await dumpState(node.url), [...node.pool.values()]);
  }

  return {
    gasPrice,
    pid: () => node.pid,
    /**
     * Sends one read-only call to the node and returns the answer. If the answer depends on the current time or block, a current block is
     * mined first.
     */
    async read(method: string, params: readonly unknown[]): Promise<unknown> {
      await refreshLatestBlock([{ method, params }]);
      return callRpc(node.url, method, params);
    },
    /** Sends several read-only calls to the node in one request. */
    async readCalls(calls: readonly RpcCall[]): Promise<readonly PromiseSettledResult<unknown>[]> {
      await refreshLatestBlock(calls);
      return callRpcs(node.url, calls);
    },
    /**
     * Writes a change to the journal and sends the change to the node. A transaction's hash is returned at once, and the transaction's
     * block is mined afterwards.
     */
    async applyChange(method: string, params: readonly unknown[]): Promise<unknown> {
      await living;
      return runExclusively(async () => {
        const done = await recordChange({ call: method, params: [...params] });
        if (node.pool.size > 0) scheduleBlock();
        return "answer" in done ? done.answer : undefined;
      });
    },
    /** Waits until the transaction is in a block. Returns false if the transaction is still not in a block after `timeout` milliseconds. */
    async waitUntilMined(hash: Hex, timeout: number): Promise<boolean> {
      if (!node.pool.has(hash)) return true;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const timer = setTimeout(resolve, timeout, false);
      waiting.set(hash, [...(waiting.get(hash) ?? []), resolve]);
      return promise.finally(() => clearTimeout(timer));
    },
    async mineBlocks(blocks: number): Promise<void> {
      for (let block = 0; block < blocks; block += 1) await runExclusively(mineBlock);
    },
    /** Moves the clock of later blocks forward by `seconds`. */
    advanceClock(seconds: number): void {
      clockOffset += seconds;
    },
    async stop(): Promise<void> {
      stopping = true;
      clearTimeout(tick);
      for (const hash of waiting.keys()) wakeWaiters(hash, false);
      // If this checkpoint fails, the next start must repeat the journal, but no change is lost.
      await runExclusively(saveState).catch((error) => log(`The chain was not saved completely: ${error}`));
      await node.kill();
      journal.close();
    },
  };
}

/** An error that the user of the devnet can fix. The value of `code` stays the same in later versions, so that programs can rely on it. */
export class DevnetError extends Error {
  override readonly name = "DevnetError";
  readonly code = "port_taken";
}

/** Binds the devnet's port on 127.0.0.1; 0 takes any free port. Throws `DevnetError` with the code `port_taken`. */
export async function bindGateway(port: number): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer();
  try {
    return { server, port: await bind(server, port) };
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE")) throw cause;
    const advice = "Set ANVIL_PORT to a free port, or stop the other process.";
    throw new DevnetError(`Port ${port} is taken by another process. ${advice}`, { cause });
  }
}

/** Milliseconds after which the devnet closes an idle connection without notice, as providers do. */
const idleTime = 1_000;

/**
 * Answers single calls and batches of JSON-RPC 2.0 over HTTP. As with anvil, pages of any origin are allowed to send calls. Calls that
 * arrive before the sequencer has started wait until it has started.
 */
export function serveRpc(server: Server, sequencer: Promise<Sequencer>): void {
  // If Node.js had its own time limit for idle connections, every answer would announce this limit, and clients would obey it.
  server.keepAliveTimeout = 0;
  closeIdleConnections(server);
  server.on("request", (request, response) => {
    void answer(request, sequencer).then(({ status, body }) => {
      response.writeHead(status, {
        "content-type": "application/json",
        "access-control-allow-origin": "*",
        "access-control-allow-headers": "*",
      });
      response.end(body);
    });
  });
}

function closeIdleConnections(server: Server): void {
  const timers = new Map<Socket, NodeJS.Timeout>();
  const stopWaiting = (socket: Socket) => {
    clearTimeout(timers.get(socket));
    timers.delete(socket);
  };
  /**
   * Node.js runs due timers before it reads from its connections. An idle connection is therefore closed in `setImmediate`, after Node.js
   * has read any request that arrived while the process was blocked.
   */
  const closeIfIdle = (socket: Socket) => setImmediate(() => timers.has(socket) && socket.end());
  const wait = (socket: Socket) => {
    if (!socket.destroyed) timers.set(socket, setTimeout(closeIfIdle, idleTime, socket));
  };
  server.on("connection", (socket) => {
    wait(socket);
    socket.once("close", () => stopWaiting(socket));
  });
  server.on("request", ({ socket }, response) => {
    stopWaiting(socket);
    response.once("close", () => wait(socket));
  });
}

/**
 * The maximum number of calls in a batch. A larger batch is refused in the same way as by go-ethereum and Nitro: the answer is a single
 * error with the id of the first call.
 */
export const maxBatch = 20;

const Named = z.object({ id: z.union([z.string(), z.number()]) });

async function answer(request: IncomingMessage, sequencer: Promise<Sequencer>) {
  if (request.method === "OPTIONS") return { status: 204, body: "" };
  if (request.method !== "POST") return { status: 405, body: JSON.stringify({ error: "Only POST." }) };
  let body: unknown;
  try {
    body = JSON.parse(await text(request));
  } catch (error) {
    return {
      status: 200,
      body: JSON.stringify(makeErrorReply(null, new RpcError(-32700, `Not JSON: ${error}`))),
    };
  }
  const replies = !Array.isArray(body)
    ? await replyToCall(body, sequencer)
    : body.length > maxBatch
      ? [makeErrorReply(Named.safeParse(body[0]).data?.id ?? null, new RpcError(-32600, "batch too large"))]
      : await replyAll(body, await sequencer);
  return { status: 200, body: JSON.stringify(replies) };
}

async function replyToCall(body: unknown, sequencer: Promise<Sequencer>): Promise<unknown> {
  const call = RpcRequest.safeParse(body);
  if (!call.success) return makeErrorReply(null, new RpcError(-32600, "Not a JSON-RPC 2.0 request."));
  return makeReply(call.data, async () => runRpcMethod(await sequencer, call.data));
}

/** Forwards all read-only calls of a batch to the node in one request. */
async function replyAll(batch: readonly unknown[], sequencer: Sequencer): Promise<readonly unknown[]> {
  const calls = batch.map((call) => RpcRequest.safeParse(call).data);
  const together = calls.filter((call) => call !== undefined).filter(isForwardedRead);
  const read = together.length > 0 ? sequencer.readCalls(together) : Promise.resolve([]);
  return Promise.all(
    calls.map((call, index) => {
      if (call === undefined || !isForwardedRead(call))
        return replyToCall(batch[index], Promise.resolve(sequencer));
      return makeReply(call, async () => {
        const outcome = (await read)[together.indexOf(call)];
        if (outcome?.status !== "fulfilled") throw outcome?.reason;
        return outcome.value;
      });
    }),
  );
}

const answeredApart = new Set(["eth_getLogs", "eth_fillTransaction", "eth_maxPriorityFeePerGas"]);
const isForwardedRead = ({ method }: RpcRequest) => reads.test(method) && !answeredApart.has(method);

async function makeReply({ id = null }: RpcRequest, result: () => Promise<unknown>): Promise<unknown> {
  try {
    return { jsonrpc: "2.0", id, result: (await result()) ?? null };
  } catch (error) {
    return makeErrorReply(id, error);
  }
}

function makeErrorReply(id: string | number | null, error: unknown): unknown {
  const known =
    error instanceof RpcError ? error : new RpcError(-32603, `The chain did not answer: ${error}`);
  return { jsonrpc: "2.0", id, error: { code: known.code, message: known.message, data: known.data } };
}

const reads = /^(?:eth|net|web3|txpool|debug|trace)_(?!send)/;
const changes = new Set([
  "eth_sendRawTransaction",
  "anvil_setBalance",
  "anvil_setCode",
  "anvil_setNonce",
  "anvil_setStorageAt",
]);
/** The node allows impersonation of every sender, so calls that turn impersonation on or off have no effect. */
const idle = new Set(["anvil_impersonateAccount", "anvil_stopImpersonatingAccount"]);

const Quantity = z.union([z.number(), z.string()]).transform(Number).pipe(z.int().min(0).max(1_000_000_000));
const maxBlocks = 1000;

/** The maximum number of blocks in one log query. */
const maxRange = 10_000;

/** A block's number as hexadecimal text. Block names, such as "latest", do not match this schema. */
export const Height = z
  .string()
  .regex(/^0x[0-9a-fA-F]+$/)
  .transform(Number);
const LogRange = z
  .object({ fromBlock: Height, toBlock: Height })
  .refine(({ fromBlock, toBlock }) => toBlock - fromBlock < maxRange);
const LogFilter = z.tuple([z.union([z.object({ blockHash: HashInput }), LogRange])]);

async function runRpcMethod(sequencer: Sequencer, { method, params }: RpcRequest): Promise<unknown> {
  // The providers' limit on log queries, with the error code and message of QuickNode. A range without a numeric end counts as too wide,
  // because such a range grows with the chain.
  if (method === "eth_getLogs" && !LogFilter.safeParse(params).success)
    throw new RpcError(-32614, "eth_getLogs is limited to a 10,000 range");
  // Nitro orders transactions by arrival, so a tip has no effect. anvil would suggest a tip of one gwei.
  if (method === "eth_maxPriorityFeePerGas") return "0x0";
  if (method === "eth_fillTransaction") return sequencer.read(method, addPrice(sequencer, params));
  if (method === "eth_sendTransaction") return sequencer.applyChange(method, addPrice(sequencer, params));
  if (reads.test(method)) return sequencer.read(method, params);
  if (changes.has(method)) return sequencer.applyChange(method, params);
  if (idle.has(method)) return null;
  switch (method) {
    case "eth_sendRawTransactionSync":
      return sendSync(sequencer, params);
    case "evm_mine":
      await sequencer.mineBlocks(1);
      return "0x0";
    case "anvil_mine":
      await sequencer.mineBlocks(parseQuantity(params[0] ?? 1, maxBlocks));
      return null;
    case "evm_increaseTime": {
      const seconds = parseQuantity(params[0]);
      sequencer.advanceClock(seconds);
      return seconds;
    }
    default:
      throw new RpcError(-32601, `${method} is not available here: a restart could not repeat it.`);
  }
}

/** Adds a gas price to a transaction without a gas price, because anvil's own price includes a tip. */
function addPrice({ gasPrice }: Sequencer, [first, ...rest]: readonly unknown[]): readonly unknown[] {
  const { data: transaction } = z.looseObject({}).safeParse(first);
  if (transaction === undefined || "gasPrice" in transaction || "maxFeePerGas" in transaction) {
    return [first, ...rest];
  }
  const price = { maxFeePerGas: numberToHex(2n * gasPrice), maxPriorityFeePerGas: "0x0" };
  return [{ ...transaction, ...price }, ...rest];
}

function parseQuantity(value: unknown, max = Number.MAX_SAFE_INTEGER): number {
  const parsed = Quantity.safeParse(value);
  if (!parsed.success || parsed.data > max) throw new RpcError(-32602, `Not a number up to ${max}.`);
  return parsed.data;
}

const defaultSyncWait = 20_000;
const maxSyncWait = 60_000;

/** EIP-7966: sends a transaction and returns its receipt. Throws error 4 with the hash if the transaction is not mined in time. */
async function sendSync(sequencer: Sequencer, params: readonly unknown[]): Promise<unknown> {
  const raw = HexInput.safeParse(params[0]);
  if (!raw.success) throw new RpcError(-32602, "Not a raw transaction in hex.");
  const wait = Math.min(parseQuantity(params[1] ?? defaultSyncWait), maxSyncWait);
  const hash = HashInput.parse(await sequencer.applyChange("eth_sendRawTransaction", [raw.data]));
  if (await sequencer.waitUntilMined(hash, wait)) return sequencer.read("eth_getTransactionReceipt", [hash]);
  throw new RpcError(4, `The transaction was accepted but not mined within ${wait} ms.`, hash);
}
