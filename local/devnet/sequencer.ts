import type { Hex } from "../../core/chain/hex.ts";
import { dumpState, type Entry, type Journal, startNode } from "./node.ts";
import { callRpc, callRpcs, type RpcCall } from "./rpc.ts";

type SequencerOptions = {
  readonly chainId: number;
  readonly journal: Journal;
  /** Milliseconds between blocks that hold transactions. */
  readonly blockTime: number;
  /** Changes after which the node's state is saved, so that a restart has few to repeat. */
  readonly checkpointEvery: number;
  readonly log: (message: string) => void;
};

export type Sequencer = {
  /** The process id of the node. */
  pid(): number;
  /** Asks the node; a question about the present gets a block of the present. */
  read(method: string, params: readonly unknown[]): Promise<unknown>;
  /** Asks the node several questions in one request. */
  readAll(calls: readonly RpcCall[]): Promise<readonly PromiseSettledResult<unknown>[]>;
  /** Hands a change to the node, on record. For a transaction the answer is its hash, and a block follows. */
  change(method: string, params: readonly unknown[]): Promise<unknown>;
  /** Waits until the transaction is in a block. False when `timeout` milliseconds pass before. */
  mined(hash: Hex, timeout: number): Promise<boolean>;
  /** Mines so many blocks now. */
  mine(blocks: number): Promise<void>;
  /** Moves the clock of later blocks forward by `seconds`. */
  travel(seconds: number): void;
  /** Saves the chain and ends the node. */
  stop(): Promise<void>;
};

/** Methods that answer by the latest block's time or number. */
const presentReads = new Set([
  "eth_blockNumber",
  "eth_call",
  "eth_createAccessList",
  "eth_estimateGas",
  "eth_feeHistory",
  "eth_getBlockByNumber",
  "eth_simulateV1",
]);

/** Seconds after which the latest block is no longer the present. Block times count in seconds. */
const presentFor = 1;

/**
 * Orders everything that changes the chain: one change at a time, first written to the journal, then done. Blocks are
 * changes too, each with its time, so that repeating the journal on the state it belongs to gives the same
 * transactions in the same blocks with the same outcomes. (Block hashes differ: anvil draws their randomness anew.)
 *
 * Blocks with transactions come every `blockTime`; an empty one only when somebody asks about the present, as every
 * block makes anvil slower and its state larger. A node that dies is started again from the record.
 */
export async function startSequencer(options: SequencerOptions): Promise<Sequencer> {
  const { chainId, journal, log } = options;
  const waiting = new Map<string, ((mined: boolean) => void)[]>();
  let clockOffset = 0;
  let stopping = false;
  let tick: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let node = await startNode(chainId, journal);
  let living: Promise<unknown> = Promise.resolve();
  welcome();

  function alone<Value>(task: () => Promise<Value>): Promise<Value> {
    const result = last.then(task);
    // Whoever asked for the task hears of its failure; the next one is not concerned.
    last = result.catch(() => undefined);
    return result;
  }

  function now(): number {
    return Math.max(node.head(), Math.floor(Date.now() / 1000) + clockOffset);
  }

  function welcome(): void {
    // A chain whose clock was moved ahead stays ahead.
    clockOffset = Math.max(0, node.head() - Math.floor(Date.now() / 1000));
    if (node.pool.size > 0) schedule();
    void node.ended.then(() => {
      if (stopping) return;
      log("The chain's node ended unexpectedly: starting it again from its record.");
      living = alone(async () => {
        node = await startNode(chainId, journal);
        welcome();
      });
      living.catch((error) => log(`The chain's node did not start again: ${error}`));
    });
  }

  function record(entry: Entry) {
    journal.append(entry);
    return node.perform(entry);
  }

  async function mineOne(): Promise<void> {
    clearTimeout(tick);
    tick = undefined;
    const done = await record({ mine: now() });
    const mined = "mined" in done ? done.mined : [];
    for (const hash of mined) settle(hash, true);
    // What a full block left over; a transaction that waits for an earlier nonce gets no blocks of its own.
    if (mined.length > 0 && node.pool.size > 0) schedule();
    if (journal.length() >= options.checkpointEvery) await checkpoint();
  }

  /** Waits for a node whose latest block is of the present, where one of the calls asks about it. */
  async function present(calls: readonly RpcCall[]): Promise<void> {
    await living;
    const isStale = () => now() - node.head() >= presentFor;
    if (tick === undefined && isStale() && calls.some(({ method }) => presentReads.has(method))) {
      await alone(async () => (isStale() ? mineOne() : undefined));
    }
  }

  function schedule(): void {
    tick ??= setTimeout(
      () => void alone(mineOne).catch((error) => log(`A block could not be mined: ${error}`)),
      options.blockTime - (Date.now() % options.blockTime),
    );
  }

  function settle(hash: string, mined: boolean): void {
    for (const wake of waiting.get(hash) ?? []) wake(mined);
    waiting.delete(hash);
  }

  async function checkpoint(): Promise<void> {
    if (journal.length() > 0) await journal.checkpoint(await dumpState(node.url), [...node.pool.values()]);
  }

  return {
    pid: () => node.pid,
    async read(method, params) {
      await present([{ method, params }]);
      return callRpc(node.url, method, params);
    },
    async readAll(calls) {
      await present(calls);
      return callRpcs(node.url, calls);
    },
    async change(method, params) {
      await living;
      return alone(async () => {
        const done = await record({ call: method, params: [...params] });
        if (node.pool.size > 0) schedule();
        return "answer" in done ? done.answer : undefined;
      });
    },
    async mined(hash, timeout) {
      if (!node.pool.has(hash)) return true;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const timer = setTimeout(resolve, timeout, false);
      waiting.set(hash, [...(waiting.get(hash) ?? []), resolve]);
      return promise.finally(() => clearTimeout(timer));
    },
    async mine(blocks) {
      for (let block = 0; block < blocks; block += 1) await alone(mineOne);
    },
    travel(seconds) {
      clockOffset += seconds;
    },
    async stop() {
      stopping = true;
      clearTimeout(tick);
      for (const hash of waiting.keys()) settle(hash, false);
      // Without this checkpoint the next start has a journal to repeat, and nothing else is lost.
      await alone(checkpoint).catch((error) => log(`The chain was not saved whole: ${error}`));
      await node.kill();
      journal.close();
    },
  };
}
