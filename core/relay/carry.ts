import { keccak256, parseTransaction } from "viem/utils";
import * as z from "zod";
import { Unsent } from "../chain/call.ts";
import { HashInput, type Hex, HexInput, lower } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import type { Chain, RpcCall, RpcOutcome } from "../port/chain.ts";
import type { Blocks } from "./blocks.ts";
import { costs, gasLimit, type RpcError, relayedMethods } from "./schema.ts";

export type CarryPorts = {
  readonly chain: Chain;
  readonly chainId: number;
  readonly blocks: Blocks;
  /** Takes a cost from the caller's allowance. Answers the seconds to wait where there is not so much left. */
  readonly spend: (cost: number) => Promise<number | undefined>;
};

/** A call as it came in. What has no effect and no one to hear of it, a notification that reads, is not made. */
type Asked = { readonly method: string; readonly params: unknown; readonly answered: boolean };

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

type Transaction = { readonly call: RpcCall; readonly hash: Hex };

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

/** Blocks of one `eth_feeHistory`, as go-ethereum has it, and percentiles of each. */
const feeHistoryBlocks = 1024;
const feeHistoryPercentiles = 100;

/** Levels of arrays and objects in parameters; a call with state overrides and an access list has five. */
const levels = 16;

/** Nodes take the number of blocks as a number, and as text in decimal or hex. */
const Count = z
  .union([z.number(), z.string().regex(/^(?:0x[0-9a-fA-F]+|\d+)$/)])
  .transform(Number)
  .pipe(z.int().min(1).max(feeHistoryBlocks));

const FeeHistory = z.tuple(
  [Count, z.unknown()],
  z.union([z.array(z.unknown()).max(feeHistoryPercentiles), z.null()]),
);

/** Why a call asks for more than is relayed, if it does. All else about parameters is for the node to say. */
function excess({ method, params }: RpcCall): string | undefined {
  if (nests(params, levels)) return "The parameters are nested too deeply.";
  if (method !== "eth_feeHistory" || FeeHistory.safeParse(params).success) return undefined;
  return `Ask for 1 to ${feeHistoryBlocks} blocks, and for up to ${feeHistoryPercentiles} percentiles.`;
}

const Transaction = z.record(z.string(), z.unknown());
const Gas = z.string().regex(/^0x[0-9a-fA-F]{1,16}$/);

/** The call with no more gas than is relayed. It gets the limit where it names none, or none that is a quantity. */
function withBoundedGas({ method, params }: RpcCall): RpcCall {
  const transaction = Transaction.safeParse(params[0]);
  if ((method !== "eth_call" && method !== "eth_estimateGas") || !transaction.success)
    return { method, params };
  const { gas: asked, ...rest } = transaction.data;
  const given = Gas.safeParse(asked);
  const gas = given.success && BigInt(given.data) < gasLimit ? given.data : `0x${gasLimit.toString(16)}`;
  // At the end: nodes that read names in any casing take the last one, so that a "GAS" before it does not count.
  return { method, params: [{ ...rest, gas }, ...params.slice(1)] };
}

const costOfMethod: ReadonlyMap<string, number> = new Map(Object.entries(costs));

/** What a call costs of an address's allowance. */
function costOf({ method }: RpcCall): number {
  return costOfMethod.get(method) ?? 1;
}

function nests(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => nests(inner, depth - 1));
}

/** A signed transaction for our chain with its hash, or what keeps it from being one. */
type Signed = { readonly hash: Hex; readonly refusal?: undefined } | { readonly refusal: string };

/**
 * Reads the parameters of `eth_sendRawTransaction`: one transaction, signed for this chain and no other (EIP-155, which
 * types 1, 2 and 4 include). A legacy one without a chain could be replayed anywhere, and a blob has no place on an
 * Arbitrum chain: both are refused.
 */
function readTransaction(params: readonly unknown[], chainId: number): Signed {
  const given = HexInput.safeParse(params[0]);
  if (params.length !== 1 || !given.success || given.data === "0x") {
    return { refusal: "Give one signed transaction, as 0x-prefixed hex." };
  }
  const transaction = parsed(lower(given.data));
  if (transaction === undefined) return { refusal: "This is not a transaction." };
  if (transaction.type === "eip4844") return { refusal: "This chain takes no blobs." };
  if (transaction.r === undefined || transaction.s === undefined) {
    return { refusal: "The transaction is not signed." };
  }
  if (transaction.chainId === undefined) {
    return { refusal: "The transaction is signed for no chain in particular (EIP-155)." };
  }
  if (transaction.chainId !== chainId) {
    return {
      refusal: `The transaction is signed for chain ${transaction.chainId}, and this one is ${chainId}.`,
    };
  }
  return { hash: keccak256(given.data) };
}

function parsed(raw: Hex) {
  try {
    return parseTransaction(raw);
  } catch {
    // Its errors quote the transaction; that it is none says enough.
    return undefined;
  }
}

/** How one call ended, in JSON-RPC's words. */
export type Outcome = { readonly result: unknown } | { readonly error: RpcError };

export function failure(code: number, message: string, data?: unknown): Outcome {
  return { error: data === undefined ? { code, message } : { code, message, data } };
}

/** What a node said, passed on as it is. */
function toOutcome(outcome: RpcOutcome | undefined): Outcome {
  if (outcome === undefined) return failure(-32603, "The chain gave no answer.");
  if (outcome.status === "ok") return { result: outcome.result ?? null };
  return failure(outcome.code, outcome.message, outcome.data);
}
