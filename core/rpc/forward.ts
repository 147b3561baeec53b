import * as z from "zod";
import { Unsent } from "../chain/call.ts";
import { HashInput, type Hex, lower } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import type { Chain, RpcCall, RpcOutcome } from "../port/chain.ts";
import type { Blocks } from "./plan.ts";
import { type Call, costOf, failure, type Outcome, type Plan, plan, type Transaction } from "./plan.ts";

export type ForwardPorts = {
  readonly chain: Chain;
  readonly chainId: number;
  readonly blocks: Blocks;
  /** Takes a cost from the caller's allowance. Answers the seconds to wait where there is not so much left. */
  readonly spend: (cost: number) => Promise<number | undefined>;
};

/**
 * Forwards calls to the chain and gives their outcomes in the same order: all reads together, transactions one after the
 * other in the order given, and what is certain without the chain not at all. `until`: milliseconds since the Unix epoch.
 * Throws `limit` `relay_limit` when the caller's allowance is used up: then nothing was asked of the chain.
 */
export async function forward(
  ports: ForwardPorts,
  calls: readonly Call[],
  until: number,
): Promise<readonly Outcome[]> {
  const plans = calls.map((call) => plan(ports, call));
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

/** The same question twice in one batch is asked once: its answers are of one moment. */
async function readAll(
  { chain, blocks }: ForwardPorts,
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

async function sendAll({ chain }: ForwardPorts, plans: readonly Plan[], until: number) {
  const outcomes = new Map<Plan, Outcome>();
  for (const each of plans) {
    // A later nonce should not come before an earlier one.
    if (each.kind === "send") outcomes.set(each, await send(chain, each.transaction, until));
  }
  return outcomes;
}

/** What came of handing a transaction over once. `unsent`: no node has it. `unclear`: a node may have it. */
type Handed = RpcOutcome | { readonly status: "unsent" } | { readonly status: "unclear" };

/**
 * Hands a signed transaction to the chain, as it is. A node's refusal is the answer; where it stayed silent, the same
 * bytes go once more to whichever node is best then. What that one says is about a transaction that may be known
 * already ("already known", "nonce too low"), so it is no answer: the hash is, once a node took or shows the transaction.
 */
async function send(chain: Chain, { call, hash }: Transaction, until: number): Promise<Outcome> {
  const first = await handOver(chain, call, hash, until);
  if (first.status === "unsent") {
    return failure(-32603, "The transaction was not sent: the chain cannot be reached right now.");
  }
  if (first.status !== "unclear") return toOutcome(first);
  const second = await handOver(chain, call, hash, until);
  if (second.status === "ok" || (await isKnown(chain, hash, until))) return { result: hash };
  return failure(
    -32603,
    "It is not known whether the transaction was sent. Look for its hash before you sign another.",
    { transactionHash: hash, ...("message" in second && { node: second.message }) },
  );
}

async function handOver(chain: Chain, call: RpcCall, hash: Hex, until: number): Promise<Handed> {
  try {
    const [outcome] = await chain.batch([call], { until });
    if (outcome === undefined) return { status: "unclear" };
    // A node that answers with another hash speaks of something else.
    return outcome.status !== "ok" || isHash(outcome.result, hash) ? outcome : { status: "unclear" };
  } catch (error) {
    if (error instanceof AppError && error.kind === "upstream") {
      return { status: error.cause instanceof Unsent ? "unsent" : "unclear" };
    }
    throw error;
  }
}

const Found = z.object({ hash: HashInput });

async function isKnown(chain: Chain, hash: Hex, until: number): Promise<boolean> {
  try {
    const [outcome] = await chain.batch([{ method: "eth_getTransactionByHash", params: [hash] }], { until });
    const found = Found.safeParse(outcome?.status === "ok" ? outcome.result : undefined);
    return found.success && isHash(found.data.hash, hash);
  } catch (error) {
    // A chain that cannot be asked has not shown it.
    if (error instanceof AppError && error.kind === "upstream") return false;
    throw error;
  }
}

function isHash(value: unknown, hash: Hex): boolean {
  const parsed = HashInput.safeParse(value);
  return parsed.success && lower(parsed.data) === hash;
}

/** What a node said, passed on as it is. */
function toOutcome(outcome: RpcOutcome | undefined): Outcome {
  if (outcome === undefined) return failure(-32603, "The chain gave no answer.");
  if (outcome.status === "ok") return { result: outcome.result ?? null };
  return failure(outcome.code, outcome.message, outcome.data);
}
