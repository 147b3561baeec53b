import { Quantity, Unsent, unavailable } from "../../chain/call.ts";
import { AppError } from "../../error.ts";
import type { Chain, RpcCall, RpcOutcome } from "../../port/chain.ts";
import type { Clock } from "../../port/clock.ts";
import type { Log } from "../../port/cloud.ts";
import { systemClock } from "../system.ts";
import { type Node, NodeFailure, openHealth, openNode, sends } from "./node.ts";

/** A round trip to a node, as it ended. */
export type Trip = { readonly host: string; readonly milliseconds: number; readonly answered: boolean };

export type ChainOptions = {
  /** Each node is asked once which chain it belongs to, and is not believed when it is another one. */
  readonly chainId?: number;
  readonly clock?: Pick<Clock, "now">;
  /** Hears of every node that gives no answer or lags behind. */
  readonly log?: Log;
  readonly tripEnded?: (trip: Trip) => void;
  readonly times?: Partial<Times>;
};

type Times = {
  /** Milliseconds for the whole of one batch, with all nodes that are asked. */
  readonly batch: number;
  /** For one round trip: to the last node that is left or to send; to one of several; to one that failed lately. */
  readonly trip: number;
  readonly oneOfSeveral: number;
  readonly trial: number;
  /** Between looks at who lags behind, and for one such look. */
  readonly lookEvery: number;
  readonly look: number;
  /** For which a node of another chain is left alone. */
  readonly foreign: number;
  /** For which a node that refused to send and wait is only sent to. */
  readonly sendOnly: number;
};

const usual: Times = {
  batch: 20_000,
  trip: 10_000,
  oneOfSeveral: 5_000,
  trial: 1_500,
  lookEvery: 10_000,
  look: 2_000,
  foreign: 30_000,
  sendOnly: 5 * 60_000,
};

type Limits = { readonly until: number; readonly elsewhere: boolean };

/** Calls of one batch: providers refuse more. */
const batchSize = 20;

const unanswered: RpcOutcome = { status: "failed", code: -32603, message: "The node gave no answer." };

const headCall = { method: "eth_blockNumber", params: [] } as const;
const chainIdCall = { method: "eth_chainId", params: [] } as const;

const sendAndWait = "eth_sendRawTransactionSync";
const sendOnly = "eth_sendRawTransaction";

/**
 * The chain through one or several nodes, the earlier preferred. Up to 20 calls made together travel as one batch to
 * one node, more in several. Another node is asked only when that gave no answer, and for calls that send only when
 * the first cannot have got them.
 */
export function openChain(urls: readonly string[], options: ChainOptions = {}): Chain {
  const { chainId, clock = systemClock, log, tripEnded } = options;
  const times = { ...usual, ...options.times };
  const nodes = urls.map(openNode);
  const health = openHealth(nodes, () => clock.now());
  const ours = new Set<Node>();
  /** What each node refused last to send and wait for, and until when those are only sent to that lack the method. */
  const refused = new Map<Node, unknown>();
  const withoutWait = new Map<Node, number>();
  let nextLook = 0;

  async function batch(
    calls: readonly RpcCall[],
    { until, elsewhere }: Limits,
  ): Promise<readonly RpcOutcome[]> {
    const sending = calls.some(({ method }) => sends.test(method));
    const failures: NodeFailure[] = [];
    const best = health.order(sending);
    const order = elsewhere ? [...best.slice(1), ...best.slice(0, 1)] : best;
    for (const node of order) {
      const time = Math.min(until - clock.now(), timeFor(node, sending || node === order.at(-1)));
      if (time <= 0) break;
      try {
        const outcomes = await ask(node, asTakenBy(node, calls), time);
        health.answered(node);
        learn(node, calls, outcomes);
        return outcomes;
      } catch (error) {
        if (!(error instanceof NodeFailure)) throw error;
        learn(node, calls, []);
        failures.push(error);
        note(node, error);
        if (sending && mayHaveSent(error)) break;
      }
    }
    // A node that refused some calls has answered the others: that is more than nothing.
    return failures.at(-1)?.said.outcomes ?? giveUp(sending, failures);
  }

  /** A node without `eth_sendRawTransactionSync` gets the same bytes by the other method, whose answer is their hash. */
  function asTakenBy(node: Node, calls: readonly RpcCall[]): readonly RpcCall[] {
    if ((withoutWait.get(node) ?? 0) <= clock.now()) return calls;
    return calls.map((call) => (call.method === sendAndWait ? { ...call, method: sendOnly } : call));
  }

  /** A node that refused to send and wait lacks the method where the same bytes are then taken, be it by another node. */
  function learn(node: Node, [call]: readonly RpcCall[], [outcome]: readonly RpcOutcome[]): void {
    const isTaken = outcome?.status === "ok";
    if (call?.method === sendAndWait && !isTaken) refused.set(node, call.params[0]);
    if (call?.method !== sendOnly || !isTaken) return;
    for (const [refusing, bytes] of refused) {
      if (bytes === call.params[0]) withoutWait.set(refusing, clock.now() + times.sendOnly);
    }
  }

  /** One part after the other. Reads of a part without an answer have failed, unless that is true of all parts. */
  async function inParts(calls: readonly RpcCall[], limits: Limits): Promise<readonly RpcOutcome[]> {
    const outcomes: RpcOutcome[] = [];
    const errors: unknown[] = [];
    for (let first = 0; first < calls.length; first += batchSize) {
      const part = calls.slice(first, first + batchSize);
      try {
        outcomes.push(...(await batch(part, limits)));
      } catch (error) {
        if (!(error instanceof AppError) || calls.some(({ method }) => sends.test(method))) throw error;
        errors.push(error);
        outcomes.push(...part.map(() => unanswered));
      }
    }
    if (errors.length === Math.ceil(calls.length / batchSize)) throw errors[0];
    return outcomes;
  }

  function giveUp(sending: boolean, failures: readonly NodeFailure[]): never {
    const reasons = failures.length === 0 ? "no node can be asked now" : failures.map(String).join("; ");
    const Cause = sending && !failures.some(mayHaveSent) ? Unsent : AggregateError;
    throw unavailable("no answer", new Cause(failures, reasons));
  }

  function timeFor(node: Node, patient: boolean): number {
    if (patient) return times.trip;
    return health.onTrial(node) ? times.trial : times.oneOfSeveral;
  }

  async function ask(node: Node, calls: readonly RpcCall[], time: number) {
    const identity = chainId === undefined || ours.has(node) ? undefined : numberOf(node, chainIdCall, time);
    const outcomes = await trip(node, calls, time);
    const found = await identity;
    if (found === undefined) return outcomes;
    if (found !== chainId) throw new NodeFailure("foreign", `The node is of chain ${found}`);
    ours.add(node);
    return outcomes;
  }

  async function trip(node: Node, calls: readonly RpcCall[], time: number) {
    const begun = clock.now();
    const ended = (answered: boolean) =>
      tripEnded?.({ host: node.host, milliseconds: clock.now() - begun, answered });
    try {
      const outcomes = await node.ask(calls, time);
      ended(true);
      return outcomes;
    } catch (error) {
      ended(false);
      throw error;
    }
  }

  /** `undefined` when the node does not say: what it is for goes on without, and requests will meet its trouble. */
  async function numberOf(node: Node, call: RpcCall, time: number): Promise<number | undefined> {
    try {
      const [outcome] = await trip(node, [call], time);
      return outcome?.status === "ok" ? Number(Quantity.parse(outcome.result)) : undefined;
    } catch {
      return undefined;
    }
  }

  function note(node: Node, { trouble, said, message }: NodeFailure): void {
    health.failed(node);
    const leave = trouble === "foreign" ? times.foreign : said.retryAfter;
    if (leave !== undefined) health.leave(node, leave);
    log?.warn("chain_node_failed", { host: node.host, trouble, reason: message, leave });
  }

  /** Finds out who lags behind, beside the requests and without holding them up. */
  async function look(): Promise<void> {
    const begun = clock.now();
    if (nodes.length < 2 || begun < nextLook) return;
    nextLook = begun + times.lookEvery;
    const seen = new Map<Node, number>();
    await Promise.all(
      health.order(false).map(async (node) => {
        const height = await numberOf(node, headCall, times.look);
        if (height !== undefined) seen.set(node, height);
      }),
    );
    // A process that was stopped meanwhile, as functions are, has heights of different times.
    if (clock.now() - begun > 2 * times.look) return;
    for (const [{ host }, blocks] of health.heights(seen)) log?.warn("chain_node_behind", { host, blocks });
  }

  return {
    async batch(calls, given) {
      if (calls.length === 0) return [];
      void look();
      const until = Math.min(given?.until ?? Number.POSITIVE_INFINITY, clock.now() + times.batch);
      const limits = { until, elsewhere: given?.elsewhere === true };
      return calls.length > batchSize ? inParts(calls, limits) : batch(calls, limits);
    },
  };
}

/** A node that was limited at one call of several may have carried out the others. */
function mayHaveSent({ trouble, said }: NodeFailure): boolean {
  return trouble === "silent" || (said.outcomes !== undefined && said.outcomes.length > 1);
}
