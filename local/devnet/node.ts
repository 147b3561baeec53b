import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { Agent, type IncomingMessage, request } from "node:http";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { numberToHex } from "viem/utils";
import * as z from "zod";
import { Quantity } from "../../core/chain/call.ts";
import { HashInput, type Hex, HexInput } from "../../core/chain/hex.ts";
import { spawnChild } from "../child.ts";

export const RpcRequest = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string(),
  params: z.array(z.unknown()).default([]),
});
export type RpcRequest = z.infer<typeof RpcRequest>;

const RpcErrorBody = z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() });
const RpcReply = z.union([z.object({ error: RpcErrorBody }), z.object({ result: z.unknown() })]);
const RpcReplies = z.array(z.intersection(z.object({ id: z.int() }), RpcReply));

/** A node's refusal of a call, with the answer's code and data. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Calls one method of the node at `url`. Throws `RpcError` if the node refuses the call, and another Error if the node does not answer. */
export async function callRpc(
  url: string,
  method: string,
  params: readonly unknown[] = [],
): Promise<unknown> {
  const answer = await postRpc(url, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
  return getRpcResult(RpcReply.parse(JSON.parse(answer)));
}

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] };

/**
 * Sends several calls in one request and returns their outcomes in order. Throws if the node does not answer.
 */
export async function callRpcs(
  url: string,
  calls: readonly RpcCall[],
): Promise<readonly PromiseSettledResult<unknown>[]> {
  const body = calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }));
  const answer = await postRpc(url, JSON.stringify(body));
  const replies = new Map(RpcReplies.parse(JSON.parse(answer)).map((reply) => [reply.id, reply]));
  return Promise.allSettled(
    calls.map(async ({ method }, id) => {
      const reply = replies.get(id);
      if (reply === undefined) throw new Error(`The node left out its answer to ${method}.`);
      return getRpcResult(reply);
    }),
  );
}

function getRpcResult(reply: z.infer<typeof RpcReply>): unknown {
  if ("error" in reply) throw new RpcError(reply.error.code, reply.error.message, reply.error.data);
  return reply.result;
}

/** This agent closes idle connections before the devnet's gateway closes them. */
const agent = new Agent({ keepAlive: true, timeout: 500 });

/**
 * Posts a request's text to the node and returns the answer's text. A plain request with `node:http` takes only a third of the time that a
 * request with `fetch` takes.
 */
export async function postRpc(url: string, body: string): Promise<string> {
  const outgoing = request(url, { method: "POST", agent, headers: { "content-type": "application/json" } });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  // A broken connection may emit the same error twice.
  outgoing.once("response", resolve).on("error", reject).end(body);
  return text(await promise);
}

/**
 * A running anvil. `pid` is the process id of anvil itself, and the promise `ended` settles when anvil has ended for any reason. `kill`
 * ends anvil without saving its state, and waits until anvil has ended.
 */
export type Anvil = Awaited<ReturnType<typeof startAnvil>>;

const readyTimeout = 60_000;

/**
 * Starts anvil on a free port of 127.0.0.1. anvil mines on command, with transactions in the order of arrival, or mines each transaction at
 * once. anvil allows the impersonation of accounts. If `statePath` is given, anvil continues the chain whose state is stored at this path.
 * Throws Error with anvil's output if anvil does not start.
 */
export async function startAnvil(options: {
  readonly chainId: number;
  readonly statePath?: string | undefined;
  readonly mining?: "when told" | "at once";
}) {
  // A node that continues a chain replays past blocks, so its clock must start before these blocks.
  const load = options.statePath === undefined ? [] : ["--load-state", options.statePath, "--timestamp", "1"];
  const args = ["--host", "127.0.0.1", "--port", "0", "--chain-id", String(options.chainId)];
  const mining = options.mining === "at once" ? [] : ["--no-mining"];
  // Nitro orders transactions by arrival, so a tip has no effect and no tip is required.
  const order = ["--order", "fifo", "--auto-impersonate", "--disable-min-priority-fee"];
  const anvil = spawnChild(findAnvil(), [...args, ...mining, ...order, ...load], { signal: "KILL" });
  const host = await Promise.race([
    anvil.awaitLine(/^Listening on (127\.0\.0\.1:\d+)$/m),
    sleep(readyTimeout, undefined, { ref: false }),
  ]);
  if (host === undefined) {
    await anvil.stop();
    throw new Error(`anvil did not start within ${readyTimeout / 1000} s:\n${anvil.output().trim()}`);
  }
  return { url: `http://${host}`, pid: await anvil.pid, ended: anvil.exited, kill: anvil.stop };
}

/**
 * The path of the anvil program for this platform. The launcher in anvil's package would be one more process, which could continue to run
 * after the service has ended.
 */
function findAnvil(): string {
  const arch = process.arch === "x64" ? "amd64" : process.arch;
  const name = `@foundry-rs/anvil-${process.platform}-${arch}`;
  const { resolve } = createRequire(import.meta.url);
  try {
    return join(dirname(resolve(`${name}/package.json`)), "bin", "anvil");
  } catch (cause) {
    throw new Error(`${name} is not installed: run npm install on this machine.`, { cause });
  }
}

/** The result of performing a journal entry: the answer to a call, or the hashes of the new block's transactions. */
type EntryResult = { readonly answer: unknown } | { readonly mined: readonly Hex[] };

/** A running anvil, together with two facts that anvil itself does not report: the latest block's time and the pending transactions. */
type ChainNode = Pick<Anvil, "url" | "pid" | "ended" | "kill"> & {
  head(): number;
  /** Pending transactions by hash. */
  readonly pool: ReadonlyMap<string, JournalEntry>;
  /**
   * Makes the change to the chain that one journal entry describes. Throws `RpcError` if the node refuses the call. Two entries of the
   * journal must not be applied at the same time.
   */
  applyEntry(entry: JournalEntry): Promise<EntryResult>;
};

const Head = z.object({ timestamp: Quantity, transactions: z.array(HashInput) });

/**
 * Starts a node from the state file to which the journal belongs, and replays the journal's entries. `gasPrice` is the gas price of every
 * new block, in wei per gas unit.
 */
export async function startNode(
  chainId: number,
  journal: ChainJournal,
  gasPrice: bigint,
): Promise<ChainNode> {
  const anvil = await startAnvil({ chainId, statePath: journal.findStatePath() });
  try {
    await callRpc(anvil.url, "anvil_setLoggingEnabled", [false]);
    const node = await wrapAnvil(anvil, gasPrice);
    for (const entry of journal.listEntries()) await replayEntry(node, entry);
    return node;
  } catch (error) {
    await anvil.kill();
    throw error;
  }
}

async function replayEntry(node: ChainNode, entry: JournalEntry): Promise<void> {
  try {
    await node.applyEntry(entry);
  } catch (error) {
    // A call that the node refused is refused again when the journal is replayed. A block is never refused.
    if (!(error instanceof RpcError) || "mine" in entry) throw error;
  }
}

async function wrapAnvil(anvil: Anvil, gasPrice: bigint): Promise<ChainNode> {
  const pool = new Map<string, JournalEntry>();
  // anvil lowers its own gas price after every block that is not full. If a gas price is set, it applies only to the next block.
  let next: bigint | undefined;
  const setPrice = async (price: bigint) => {
    if (next !== price) await callRpc(anvil.url, "anvil_setNextBlockBaseFeePerGas", [numberToHex(price)]);
    next = price;
  };
  await setPrice(gasPrice);
  const readBlock = async () =>
    Head.parse(await callRpc(anvil.url, "eth_getBlockByNumber", ["latest", false]));
  let head = await readBlock();

  return {
    ...anvil,
    pool,
    head: () => Number(head.timestamp),
    async applyEntry(entry) {
      // A repeated entry needs its original gas price, because at another price it could be refused or left out of its block.
      await setPrice(entry.gasPrice === undefined ? gasPrice : BigInt(entry.gasPrice));
      if ("mine" in entry) {
        await callRpc(anvil.url, "evm_mine", [{ timestamp: entry.mine }]);
        next = undefined;
        [head] = await Promise.all([readBlock(), setPrice(gasPrice)]);
        for (const hash of head.transactions) pool.delete(hash);
        return { mined: head.transactions };
      }
      try {
        const answer = await callRpc(anvil.url, entry.call, entry.params);
        if (entry.call.startsWith("eth_send")) pool.set(HashInput.parse(answer), entry);
        return { answer };
      } finally {
        await setPrice(gasPrice);
      }
    },
  };
}

/** The node's whole state (accounts, blocks, transactions and receipts) in the format that the node can load. */
export async function dumpState(url: string): Promise<Uint8Array> {
  const zipped = HexInput.parse(await callRpc(url, "anvil_dumpState"));
  return gunzipSync(Buffer.from(zipped.slice(2), "hex"));
}

const GasPrice = z.string().regex(/^\d+$/).optional();

/**
 * A change to the chain: a call that was given to the node, or a block with its time in Unix seconds. The entry for a change also stores
 * the gas price, in wei, that was valid when the change was made.
 */
const JournalEntry = z.union([
  z.object({ call: z.string(), params: z.array(z.unknown()), gasPrice: GasPrice }),
  z.object({ mine: z.number().int(), gasPrice: GasPrice }),
]);
export type JournalEntry = z.infer<typeof JournalEntry>;

/**
 * A chain on disk consists of a dump of the node's state and a journal of later changes.
 *
 * A state and its journal form a pair; both file names begin with the pair's number. A pair of state and journal counts only if its state
 * file exists; of these pairs, the pair with the highest number is valid. A new pair of state and journal therefore becomes valid when its
 * state file is renamed. An entry is written to the journal before the node gets the entry. A written entry is not lost when a process
 * dies. A power failure may lose the entry, because the journal's file is synced only at checkpoints.
 */
export type ChainJournal = Awaited<ReturnType<typeof openJournal>>;

const stateName = /^(\d+)\.state\.json$/;

/** Opens the chain in `directory`, which is created if it is missing. Removes the files of an interrupted checkpoint. */
export async function openJournal(directory: string) {
  await mkdir(directory, { recursive: true });
  const files = await readdir(directory);
  let current = Math.max(-1, ...files.flatMap((file) => stateName.exec(file)?.[1] ?? []).map(Number));

  const makeStatePath = (number: number) => join(directory, `${number}.state.json`);
  const makeJournalPath = (number: number) => join(directory, `${number}.journal.jsonl`);
  const kept = [makeStatePath(current), makeJournalPath(current)];
  const stale = files.map((file) => join(directory, file)).filter((path) => !kept.includes(path));
  await Promise.all(stale.map((path) => rm(path)));

  let log = current < 0 ? undefined : openJournalFile(makeJournalPath(current));
  const requireLog = () => {
    if (log === undefined) throw new Error("The chain has not begun: it needs a first checkpoint.");
    return log;
  };

  return {
    /** The state file to start from; `undefined` for a chain that has not begun. */
    findStatePath: () => (current < 0 ? undefined : makeStatePath(current)),
    /** The journal's entries: the changes that the state file does not contain, oldest first. */
    listEntries: () => requireLog().listEntries(),
    countEntries: () => requireLog().length(),
    appendEntry: (entry: JournalEntry) => requireLog().appendEntry(entry),
    /**
     * Replaces the stored state and its journal with a new state and a new journal. `state` is the node's dump, and `entries` are changes
     * that were given to the node and are not in the dump.
     */
    async saveCheckpoint(state: Uint8Array, entries: readonly JournalEntry[]): Promise<void> {
      const next = openJournalFile(makeJournalPath(current + 1));
      for (const entry of entries) next.appendEntry(entry);
      next.sync();
      await replaceFile(makeStatePath(current + 1), state);
      log?.close();
      const old = [makeStatePath(current), makeJournalPath(current)];
      log = next;
      current += 1;
      await Promise.all(old.map((path) => rm(path, { force: true })));
    },
    close: () => log?.close(),
  };
}

function openJournalFile(path: string) {
  const file = openSync(path, "a+");
  const text = readFileSync(path, "utf8");
  // If the last journal line has no line end, the process died before it wrote the whole line. An incomplete line may be dropped, because
  // the caller that requested this line's change has not been answered yet.
  let size = Buffer.byteLength(text.slice(0, text.lastIndexOf("\n") + 1));
  ftruncateSync(file, size);
  let length = text.split("\n").length - 1;

  return {
    appendEntry(entry: JournalEntry): void {
      const line = Buffer.from(`${JSON.stringify(entry)}\n`);
      try {
        const written = writeSync(file, line);
        if (written < line.length)
          throw new Error(`Only ${written} of ${line.length} bytes fit into ${path}.`);
      } catch (error) {
        ftruncateSync(file, size);
        throw error;
      }
      size += line.length;
      length += 1;
    },
    length: () => length,
    listEntries(): readonly JournalEntry[] {
      const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
      return lines.map((line) => JournalEntry.parse(JSON.parse(line)));
    },
    sync: () => fsyncSync(file),
    close: () => closeSync(file),
  };
}

async function replaceFile(path: string, content: Uint8Array): Promise<void> {
  const draft = `${path}.part`;
  await writeFile(draft, content, { flush: true });
  await rename(draft, path);
}
