import { makeChainError, Quantity, Unsent } from "../../chain/call.ts";
import { AppError } from "../../error.ts";
import type { Chain, RpcCall, RpcOutcome } from "../../port/chain.ts";
import type { Clock } from "../../port/clock.ts";
import type { Log } from "../../port/cloud.ts";
import { openTurns } from "../../turn.ts";
import { systemClock } from "../system.ts";
import { type Node, NodeFailure, openNode, openNodeHealth, sends } from "./node.ts";

/** The result of one round trip to a node. */
export type RoundTrip = { readonly host: string; readonly milliseconds: number; readonly answered: boolean };

export type ChainOptions = {
  /** The chain's id. Each node is asked once for its chain id, and a node of another chain is not used. */
  readonly chainId?: number;
  readonly clock?: Pick<Clock, "now">;
  /** Logs every node that fails or lags behind. */
  readonly log?: Log;
  readonly tripEnded?: (trip: RoundTrip) => void;
  readonly times?: Readonly<Partial<typeof usual>>;
};

/** Time limits in milliseconds. */
const usual = {
  /** The time limit for a whole batch of calls, including the calls to all nodes that are tried. */
  batch: 20_000,
  /**
   * The time limits for one round trip to a node. The limit `trip` applies to a broadcast, and to a read from the last node that can be
   * asked. The limit `oneOfSeveral` applies to a read from a node if other nodes can still be asked after this node. The limit `trial`
   * applies to a node that has failed lately.
   */
  trip: 10_000,
  oneOfSeveral: 5_000,
  trial: 1_500,
  /** The milliseconds between two checks for lagging nodes, and the time limit for one check. */
  lookEvery: 10_000,
  look: 2_000,
  /** The milliseconds for which a node that belongs to another chain is not asked again. */
  foreign: 30_000,
  /** The milliseconds for which a node that refused eth_sendRawTransactionSync gets eth_sendRawTransaction instead. */
  sendOnly: 5 * 60_000,
};

type BatchLimits = { readonly until: number; readonly elsewhere: boolean };

/** The maximum number of calls in one batch. Providers refuse a batch that has more calls than this maximum. */
const batchSize = 20;

function splitIntoBatches(calls: readonly RpcCall[]): readonly (readonly RpcCall[])[] {
  return Array.from({ length: Math.ceil(calls.length / batchSize) }, (_, part) =>
    calls.slice(part * batchSize, (part + 1) * batchSize),
  );
}

/** An RPC call and its `name`: the name is the call as JSON text, so equal calls have the same name. */
type NamedCall = { readonly name: string; readonly call: RpcCall };

const countNames = (calls: readonly NamedCall[]) => new Set(calls.map(({ name }) => name)).size;

const unanswered: RpcOutcome = { status: "failed", code: -32603, message: "The node gave no answer." };

const headCall = { method: "eth_blockNumber", params: [] } as const;
const chainIdCall = { method: "eth_chainId", params: [] } as const;

const sendAndWait = "eth_sendRawTransactionSync";
const sendOnly = "eth_sendRawTransaction";

/**
 * Gives access to the chain through a list of nodes, and prefers the nodes that come first in the list. Up to 20 calls are sent to one node
 * as one batch, and more calls are sent in several batches. The next node is asked only when the node before it gives no answer. A
 * broadcast is sent to the next node only when no earlier node can have received the broadcast.
 */
export function openChain(urls: readonly string[], options: ChainOptions = {}): Chain {
  const { chainId, clock = systemClock, log, tripEnded } = options;
  const times = { ...usual, ...options.times };
  const nodes = urls.map(openNode);
  const health = openNodeHealth(nodes, () => clock.now());
  const ours = new Set<Node>();
  /**
   * Two facts about each node: the last synchronous broadcast that the node did not accept, and the time until which no
   * eth_sendRawTransactionSync is sent to the node.
   */
  const refused = new Map<Node, unknown>();
  const withoutWait = new Map<Node, number>();
  let nextLook = 0;

  async function sendBatch(
    calls: readonly RpcCall[],
    { until, elsewhere }: BatchLimits,
  ): Promise<readonly RpcOutcome[]> {
    const sending = calls.some(({ method }) => sends.test(method));
    const failures: NodeFailure[] = [];
    const best = health.rankNodes(sending);
    const order = elsewhere ? [...best.slice(1), ...best.slice(0, 1)] : best;
    for (const node of order) {
      const time = Math.min(until - clock.now(), chooseTimeout(node, sending || node === order.at(-1)));
      if (time <= 0) break;
      try {
        const outcomes = await askNode(node, adaptCallsToNode(node, calls), time);
        health.markHealthy(node);
        learnSyncSupport(node, calls, outcomes);
        return outcomes;
      } catch (error) {
        if (!(error instanceof NodeFailure)) throw error;
        learnSyncSupport(node, calls, []);
        failures.push(error);
        recordFailure(node, error);
        if (sending && mayHaveExecuted(error)) break;
      }
    }
    // A node that refused only some of the calls has answered the other calls, so these answers are used.
    return failures.at(-1)?.said.outcomes ?? throwBatchError(sending, failures);
  }

  /** A node without `eth_sendRawTransactionSync` gets the transaction by `eth_sendRawTransaction`, which returns the transaction's hash. */
  function adaptCallsToNode(node: Node, calls: readonly RpcCall[]): readonly RpcCall[] {
    if ((withoutWait.get(node) ?? 0) <= clock.now()) return calls;
    return calls.map((call) => (call.method === sendAndWait ? { ...call, method: sendOnly } : call));
  }

  /**
   * If a node refuses a synchronous broadcast but accepts the same bytes by eth_sendRawTransaction, the node does not support the
   * synchronous method.
   */
  function learnSyncSupport(node: Node, [call]: readonly RpcCall[], [outcome]: readonly RpcOutcome[]): void {
    const isTaken = outcome?.status === "ok";
    if (call?.method === sendAndWait && !isTaken) refused.set(node, call.params[0]);
    if (call?.method !== sendOnly || !isTaken) return;
    for (const [refusing, bytes] of refused) {
      if (bytes === call.params[0]) withoutWait.set(refusing, clock.now() + times.sendOnly);
    }
  }

  /** Splits calls into batches and sends all batches at once. If only some batches get no answer, only the calls in these batches fail. */
  async function askInParts(calls: readonly RpcCall[], limits: BatchLimits): Promise<readonly RpcOutcome[]> {
    const parts = splitIntoBatches(calls);
    const ended = await Promise.allSettled(parts.map((part) => sendBatch(part, limits)));
    const refused = ended.filter((part) => part.status === "rejected");
    const isSending = calls.some(({ method }) => sends.test(method));
    const fault =
      refused.find(({ reason }) => isSending || !(reason instanceof AppError)) ??
      (refused.length === parts.length ? refused[0] : undefined);
    if (fault !== undefined) throw fault.reason;
    return ended.flatMap((part, index) =>
      part.status === "fulfilled" ? part.value : (parts[index] ?? []).map(() => unanswered),
    );
  }

  /**
   * Sends all calls of one turn of the event loop in full batches, and sends equal calls only once. Returns a function that waits for the
   * outcome of the given call.
   */
  const join = openTurns(async (asked: readonly NamedCall[]) => {
    const calls = new Map(asked.map(({ name, call }) => [name, call]));
    const limits = { until: clock.now() + times.batch, elsewhere: false };
    const batches = splitIntoBatches([...calls.values()]).map((part) => sendBatch(part, limits));
    const places = new Map([...calls.keys()].map((name, place) => [name, place]));
    return async ({ name }: NamedCall) => {
      const place = places.get(name) ?? 0;
      return (await batches[Math.floor(place / batchSize)])?.[place % batchSize] ?? unanswered;
    };
  });

  /**
   * Collects the calls that several callers make in the same turn of the event loop, and sends all these calls together in full batches. A
   * caller that gets no answer sends only its own calls again, because another caller's call may have caused the failure.
   */
  async function askTogether(calls: readonly RpcCall[], limits: BatchLimits): Promise<readonly RpcOutcome[]> {
    const own = calls.map((call) => ({ name: JSON.stringify(call), call }));
    const { asked, answer } = join(own);
    const readOutcome = await answer;
    const isAlone = countNames(asked) === countNames(own);
    try {
      const outcomes = await Promise.all(own.map(readOutcome));
      if (isAlone || outcomes.every(({ status }) => status !== "failed")) return outcomes;
    } catch (error) {
      if (isAlone || !(error instanceof AppError)) throw error;
    }
    return sendCalls(calls, limits);
  }

  function sendCalls(calls: readonly RpcCall[], limits: BatchLimits): Promise<readonly RpcOutcome[]> {
    return calls.length > batchSize ? askInParts(calls, limits) : sendBatch(calls, limits);
  }

  function throwBatchError(sending: boolean, failures: readonly NodeFailure[]): never {
    const reasons = failures.length === 0 ? "no node can be asked now" : failures.map(String).join("; ");
    const Cause = sending && !failures.some(mayHaveExecuted) ? Unsent : AggregateError;
    throw makeChainError("no answer", new Cause(failures, reasons));
  }

  function chooseTimeout(node: Node, patient: boolean): number {
    if (patient) return times.trip;
    return health.onTrial(node) ? times.trial : times.oneOfSeveral;
  }

  async function askNode(node: Node, calls: readonly RpcCall[], time: number) {
    const identity =
      chainId === undefined || ours.has(node) ? undefined : readNumber(node, chainIdCall, time);
    const outcomes = await runTrip(node, calls, time);
    const found = await identity;
    if (found === undefined) return outcomes;
    if (found !== chainId) throw new NodeFailure("foreign", `The node belongs to chain ${found}`);
    ours.add(node);
    return outcomes;
  }

  async function runTrip(node: Node, calls: readonly RpcCall[], time: number) {
    const begun = clock.now();
    const reportEnd = (answered: boolean) =>
      tripEnded?.({ host: node.host, milliseconds: clock.now() - begun, answered });
    try {
      const outcomes = await node.ask(calls, time);
      reportEnd(true);
      return outcomes;
    } catch (error) {
      reportEnd(false);
      throw error;
    }
  }

  /**
   * Reads a number from a node, or returns `undefined` when the node does not answer. If a node does not give its chain id or block height,
   * the check that needs this number is skipped for the node. A failure of the node is ignored here, because the next requests to this node
   * will show it.
   */
  async function readNumber(node: Node, call: RpcCall, time: number): Promise<number | undefined> {
    try {
      const [outcome] = await runTrip(node, [call], time);
      return outcome?.status === "ok" ? Number(Quantity.parse(outcome.result)) : undefined;
    } catch {
      return undefined;
    }
  }

  function recordFailure(node: Node, { trouble, said, message }: NodeFailure): void {
    health.markFailed(node);
    const leave = trouble === "foreign" ? times.foreign : said.retryAfter;
    if (leave !== undefined) health.excludeNode(node, leave);
    log?.warn("chain_node_failed", { host: node.host, trouble, reason: message, leave });
  }

  /** Checks in the background which nodes lag, without delaying requests. */
  async function checkNodeLag(): Promise<void> {
    const begun = clock.now();
    if (nodes.length < 2 || begun < nextLook) return;
    nextLook = begun + times.lookEvery;
    const seen = new Map<Node, number>();
    await Promise.all(
      health.rankNodes(false).map(async (node) => {
        const height = await readNumber(node, headCall, times.look);
        if (height !== undefined) seen.set(node, height);
      }),
    );
    // The Lambda function may have been frozen between the answers of two nodes, so the block heights in these answers cannot be compared.
    if (clock.now() - begun > 2 * times.look) return;
    for (const [{ host }, blocks] of health.findLaggingNodes(seen))
      log?.warn("chain_node_behind", { host, blocks });
  }

  return {
    async batch(calls, options) {
      if (calls.length === 0) return [];
      void checkNodeLag();
      const until = Math.min(options?.until ?? Number.POSITIVE_INFINITY, clock.now() + times.batch);
      const limits = { until, elsewhere: options?.elsewhere === true };
      // All calls in one batch share one time limit.
      const joins = options?.joined === true && options.until === undefined && !limits.elsewhere;
      return joins ? askTogether(calls, limits) : sendCalls(calls, limits);
    },
  };
}

/** If a node's rate limit refused one call of a batch, the node may have carried out the other calls. */
function mayHaveExecuted({ trouble, said }: NodeFailure): boolean {
  return trouble === "silent" || (said.outcomes !== undefined && said.outcomes.length > 1);
}
