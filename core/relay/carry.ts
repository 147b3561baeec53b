import { AppError } from "../error.ts";
import type { Chain, RpcCall } from "../port/chain.ts";
import type { Blocks } from "./blocks.ts";
import { costOf, excess, withBoundedGas } from "./bounds.ts";
import { failure, type Outcome, toOutcome } from "./outcome.ts";
import { relayedMethods } from "./schema.ts";
import { send } from "./send.ts";
import { readTransaction } from "./transaction.ts";

export type CarryPorts = {
  readonly chain: Chain;
  readonly chainId: number;
  readonly blocks: Blocks;
  /** Takes a cost from the caller's allowance. Answers the seconds to wait where there is not so much left. */
  readonly spend: (cost: number) => Promise<number | undefined>;
};

/** A call as it came in. What has no effect and no one to hear of it, a notification that reads, is not made. */
export type Asked = { readonly method: string; readonly params: unknown; readonly answered: boolean };

/** What is to be done about a call. */
type Plan =
  | { readonly kind: "done"; readonly outcome: Outcome }
  | { readonly kind: "read"; readonly call: RpcCall; readonly key: string }
  | { readonly kind: "send"; readonly transaction: Parameters<typeof send>[1] };

const allowed: ReadonlySet<string> = new Set(relayedMethods);
const nothing = { kind: "done", outcome: { result: null } } as const;

/**
 * Carries calls out and gives their outcomes in the same order: all reads together, transactions one after the
 * other in the order given, and what is certain without the chain not at all. `until`: milliseconds since the Unix epoch.
 * Throws `limit` `relay_limit` when the caller's allowance is used up: then nothing was asked of the chain.
 */
export async function carry(
  ports: CarryPorts,
  asked: readonly Asked[],
  until: number,
): Promise<readonly Outcome[]> {
  const plans = asked.map((call) => plan(ports, call));
  const cost = totalCost(plans);
  const retryAfter = cost === 0 ? undefined : await ports.spend(cost);
  if (retryAfter !== undefined) {
    const message = `Too many calls from your address. Try again in ${retryAfter} s.`;
    throw new AppError("limit", "relay_limit", message, { retryAfter });
  }
  const [read, sent] = await Promise.all([readAll(ports, plans, until), sendAll(ports, plans, until)]);
  return plans.map((each) => {
    if (each.kind === "done") return each.outcome;
    return (each.kind === "read" ? read.get(each.key) : sent.get(each)) ?? toOutcome(undefined);
  });
}

/** The sum of what goes to the chain: a question that stands twice in a batch is asked, and paid for, once. */
function totalCost(plans: readonly Plan[]): number {
  const reads = new Map(plans.flatMap((each) => (each.kind === "read" ? [[each.key, each.call]] : [])));
  const sends = plans.flatMap((each) => (each.kind === "send" ? [each.transaction.call] : []));
  return [...reads.values(), ...sends].reduce((sum, call) => sum + costOf(call), 0);
}

function plan({ chainId, blocks }: CarryPorts, { method, params, answered }: Asked): Plan {
  if (!allowed.has(method)) return refused(-32601, "Method not available through this endpoint.");
  if (!Array.isArray(params)) return refused(-32602, "Parameters go by position, in an array.");
  const reason = excess({ method, params });
  if (reason !== undefined) return refused(-32602, reason);
  const call = withBoundedGas({ method, params });
  if (method === "eth_sendRawTransaction") {
    const signed = readTransaction(call.params, chainId);
    if (signed.refusal !== undefined) return refused(-32602, signed.refusal);
    return { kind: "send", transaction: { call, hash: signed.hash } };
  }
  if (!answered) return nothing;
  if (method === "eth_chainId") return certain(`0x${chainId.toString(16)}`);
  if (method === "net_version") return certain(String(chainId));
  const block = blocks.find(call);
  return block === undefined ? { kind: "read", call, key: JSON.stringify(call) } : certain(block);
}

function refused(code: number, message: string): Plan {
  return { kind: "done", outcome: failure(code, message) };
}

function certain(result: unknown): Plan {
  return { kind: "done", outcome: { result } };
}

/** The same question twice in one batch is asked once: its answers are of one moment. */
async function readAll(
  { chain, blocks }: CarryPorts,
  plans: readonly Plan[],
  until: number,
): Promise<ReadonlyMap<string, Outcome>> {
  const calls = new Map(plans.flatMap((each) => (each.kind === "read" ? [[each.key, each.call]] : [])));
  const answers = await answersOf(chain, [...calls.values()], until);
  return new Map(
    [...calls].map(([key, call], index) => {
      const outcome = answers[index] ?? toOutcome(undefined);
      if ("result" in outcome) blocks.keep(call, outcome.result);
      return [key, outcome];
    }),
  );
}

/** Silence of the chain is an answer to each call, under its own id. */
async function answersOf(
  chain: Chain,
  calls: readonly RpcCall[],
  until: number,
): Promise<readonly Outcome[]> {
  if (calls.length === 0) return [];
  try {
    return (await chain.batch(calls, { until })).map(toOutcome);
  } catch (error) {
    if (!(error instanceof AppError && error.kind === "upstream")) throw error;
    return calls.map(() => failure(-32603, error.message));
  }
}

async function sendAll({ chain }: CarryPorts, plans: readonly Plan[], until: number) {
  const outcomes = new Map<Plan, Outcome>();
  for (const each of plans) {
    // A later nonce should not come before an earlier one.
    if (each.kind === "send") outcomes.set(each, await send(chain, each.transaction, until));
  }
  return outcomes;
}
