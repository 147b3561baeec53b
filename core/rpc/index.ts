import * as z from "zod";
import { Unsent } from "../chain/call.ts";
import { HashInput, type Hex, lower } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import type { Chain, RpcCall, RpcOutcome } from "../port/chain.ts";
import type { Clock } from "../port/clock.ts";
import type { AllPorts } from "../ports.ts";
import {
  type BlockCache,
  type CallOutcome,
  findCost,
  makeFailure,
  type PlannedCall,
  planCall,
  type RpcPlan,
  type Transaction,
} from "./plan.ts";
import { allowance, batchLimit, RpcId, RpcRequest } from "./schema.ts";

export { openBlockCache } from "./plan.ts";

type Ports = ForwardPorts & { readonly clock: Pick<Clock, "now"> };

declare global {
  interface JSON {
    /** Makes a value that JSON.stringify writes as exactly this text (ECMAScript, JSON.parse source text access). */
    rawJSON(text: string): RawNumber;
    isRawJSON(value: unknown): boolean;
  }
}

/**
 * A number exactly as its sender has written it. The type is used for numbers that JavaScript would spell differently, such as `1.0` or a
 * number with more digits than a double can hold.
 */
type RawNumber = { readonly rawJSON: string };
const RawNumber = z.custom<RawNumber>((value) => JSON.isRawJSON(value));

/** A JSON-RPC id, exactly as its sender wrote it. */
const ExactId = z.union([RpcId, RawNumber]);
type ExactId = z.infer<typeof ExactId>;
const Request = RpcRequest.extend({ id: ExactId.optional() });

type CallAnswer = { readonly jsonrpc: "2.0"; readonly id: ExactId } & CallOutcome;

/**
 * The RPC relay's answer. `refused`: the request's body is neither a JSON-RPC request nor a batch, and the answer's `body` is one error
 * object. `nothing`: the request contained only notifications, so there is no answer to send.
 */
type RelayReply =
  | { readonly kind: "refused" | "answered"; readonly body: CallAnswer | readonly CallAnswer[] }
  | { readonly kind: "nothing" };

/** The time limit in milliseconds for all chain calls of one request, well below the function's limit of 29 s. */
const deadline = 20_000;

/**
 * The maximum number of bytes of all answers in one reply. A function's reply can have at most 6 MB, and escaping makes the reply larger.
 */
const replyLimit = 4 * 1024 * 1024;

/**
 * Relays one JSON-RPC 2.0 call, or a batch of up to 25, to the chain (specification §4.5). The errors are those of JSON-RPC: -32700 for
 * invalid JSON, -32600 for an invalid request, -32601 for a method that is not relayed, -32602 for invalid parameters, -32603 for an
 * unreachable chain, and -32005 for answers beyond 4 MB. A node's own errors are passed on unchanged. Throws `relay_limit` (`limit`) if the
 * caller's allowance is used up: an HTTP error has the header Retry-After, which JSON-RPC clients obey.
 */
export async function relayRpcBody(ports: Ports, text: string): Promise<RelayReply> {
  const body = parseBody(text);
  if (body === undefined) return refuseBody(makeFailure(-32700, "The body is not valid JSON."));
  if (!Array.isArray(body)) {
    const [answer] = await answerCalls(ports, [body]);
    if (answer === undefined) return { kind: "nothing" };
    return { kind: Request.safeParse(body).success ? "answered" : "refused", body: answer };
  }
  if (body.length === 0) return refuseBody(makeFailure(-32600, "A batch needs at least one call."));
  if (body.length > batchLimit) {
    return refuseBody(makeFailure(-32600, `A batch may hold up to ${batchLimit} calls.`));
  }
  const answers = await answerCalls(ports, body);
  return answers.length === 0 ? { kind: "nothing" } : { kind: "answered", body: answers };
}

/** Returns `undefined` for invalid JSON, because no JSON value is `undefined`. */
function parseBody(text: string): unknown {
  try {
    return parseJsonExactly(text);
  } catch (error) {
    // The JSON parser throws a RangeError for a text with thousands of nested levels.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

async function answerCalls(ports: Ports, calls: readonly unknown[]): Promise<readonly CallAnswer[]> {
  const requests = calls.map((call) => Request.safeParse(call).data);
  const sound = requests.flatMap((request) => request ?? []);
  const asked = sound.map(({ method, params, id }) => ({ method, params, answered: id !== undefined }));
  const outcomes = await forwardCalls(ports, asked, ports.clock.now() + deadline);
  const outcomeOf = new Map(sound.map((request, index) => [request, outcomes[index]]));
  const answers = requests.map((request, index) =>
    request === undefined
      ? makeAnswer(parseId(calls[index]), makeFailure(-32600, "Not a JSON-RPC 2.0 request."))
      : makeAnswer(request.id, outcomeOf.get(request)),
  );
  return limitAnswers(
    replyLimit,
    answers.flatMap((given) => given ?? []),
  );
}

/** Returns the answers to the calls. After the size limit is reached, each remaining call gets an error instead of its answer. */
function limitAnswers(limit: number, answers: readonly CallAnswer[]): readonly CallAnswer[] {
  let room = limit;
  return answers.map((given) => {
    room -= Buffer.byteLength(JSON.stringify(given));
    if (room >= 0) return given;
    return {
      jsonrpc: "2.0",
      id: given.id,
      ...makeFailure(-32005, "The answer is too large. Ask for less in one request."),
    };
  });
}

function refuseBody(outcome: CallOutcome): RelayReply {
  return { kind: "refused", body: { jsonrpc: "2.0", id: null, ...outcome } };
}

/** A notification is a call without an id and gets no answer. */
function makeAnswer(id: ExactId | undefined, outcome: CallOutcome | undefined): CallAnswer | undefined {
  return id === undefined || outcome === undefined ? undefined : { jsonrpc: "2.0", id, ...outcome };
}

/** Reads the id of an invalid request, if the request has an id (JSON-RPC 2.0 §5). */
function parseId(call: unknown): ExactId {
  const parsed = z.object({ id: ExactId }).safeParse(call);
  return parsed.success ? parsed.data.id : null;
}

const Source = z.object({ source: z.string() });

/** Parses JSON so that `JSON.stringify` writes every number with the same digits as the parsed text. Throws for invalid JSON. */
function parseJsonExactly(text: string): unknown {
  return JSON.parse(text, (_key: string, value: unknown, context?: unknown) => {
    if (typeof value !== "number") return value;
    const { source } = Source.parse(context);
    return String(value) === source ? value : JSON.rawJSON(source);
  });
}

type RpcAllowancePorts = Pick<AllPorts, "table" | "log"> & { readonly clock: Pick<Clock, "now"> };

/** Seconds for which the table stores how much of its allowance an IP address has used. */
const lifetime = 10 * 60;

/** In one window of time, a process remembers at most this number of IP addresses whose allowance is used up. */
type AllowanceWindow = { window: number; readonly usedUp: Set<string> };

/**
 * The allowance of each IP address limits the cost of its calls, in addition to the firewall's limit on the number of its requests. The
 * table counts the used part of an allowance for all processes together. If the allowance of an IP address is used up, the process refuses
 * the address until the window ends, without another write to the table. If the table does not answer, no IP address is limited. If the RPC
 * relay has nodes of its own, a missing limit cannot harm payments.
 */
export function openAllowance({ table, clock, log }: RpcAllowancePorts) {
  const known: AllowanceWindow = { window: 0, usedUp: new Set() };

  /** Takes a cost from the allowance of an IP address. Returns the seconds to wait if too little of the allowance is left. */
  return async function spend(address: string, cost: number): Promise<number | undefined> {
    const now = clock.now() / 1000;
    const window = Math.floor(now / allowance.windowSeconds) * allowance.windowSeconds;
    const wait = Math.max(1, Math.ceil(window + allowance.windowSeconds - now));
    const caller = findNetwork(address);
    if (known.window !== window) {
      known.window = window;
      known.usedUp.clear();
    }
    if (known.usedUp.has(caller)) return wait;
    const used = await countUse(caller, window, cost);
    if (used <= allowance.cost) return undefined;
    known.usedUp.add(caller);
    return wait;
  };

  async function countUse(address: string, window: number, cost: number): Promise<number> {
    try {
      const { data } = await table.entities.relayUse
        .upsert({ address, window, expiresAt: window + lifetime })
        .add({ used: cost })
        .go({ response: "all_new" });
      return data.used;
    } catch (error) {
      log.warn("relay_use_uncounted", { error });
      return 0;
    }
  }
}

/**
 * The name under which an IP address is counted. All addresses of an IPv6 network of 64 bits count as one address, because one internet
 * connection gets the whole network.
 */
function findNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(":")) return mapped ?? address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const splitGroups = (part: string) => part.split(":").filter((group) => group !== "");
  const after = tail === undefined ? 0 : splitGroups(tail).length;
  const zeros = Array.from({ length: Math.max(0, 8 - splitGroups(head).length - after) }, () => "0");
  return `${[...splitGroups(head), ...zeros, ...splitGroups(tail ?? "")].slice(0, 4).join(":")}::/64`;
}

export type ForwardPorts = {
  readonly chain: Chain;
  readonly chainId: number;
  readonly blocks: BlockCache;
  /** This function gets the receipts that the chain's answers contain, before the caller gets the answers. */
  readonly recordReceipts?: (receipts: readonly unknown[]) => Promise<void>;
  /** Takes a cost from the caller's allowance. Returns the seconds to wait if too little of the allowance is left. */
  readonly spend: (cost: number) => Promise<number | undefined>;
};

/**
 * Forwards calls to the chain and returns their outcomes in the same order. Calls that only read are sent together, and transactions are
 * sent one after the other. Calls whose answer is already known are not sent. The time limit `until` is in milliseconds since the Unix
 * epoch. Throws `relay_limit` (`limit`) without asking the chain if the caller's allowance is used up.
 */
async function forwardCalls(
  ports: ForwardPorts,
  calls: readonly PlannedCall[],
  until: number,
): Promise<readonly CallOutcome[]> {
  const plans = calls.map((call) => planCall(ports, call));
  const cost = sumCosts(plans);
  const retryAfter = cost === 0 ? undefined : await ports.spend(cost);
  if (retryAfter !== undefined) {
    const message = `Too many calls from your address. Try again in ${retryAfter} s.`;
    throw new AppError("limit", "relay_limit", message, { retryAfter });
  }
  const [read, sent] = await Promise.all([
    readCalls(ports, plans, until),
    sendTransactions(ports, plans, until),
  ]);
  return plans.map((each) => {
    if (each.kind === "done") return each.outcome;
    return (each.kind === "read" ? read.get(each.key) : sent.get(each)) ?? toOutcome(undefined);
  });
}

/** The total cost of the calls to the chain. A repeated call in a batch counts once. */
function sumCosts(plans: readonly RpcPlan[]): number {
  const reads = new Map(plans.flatMap((each) => (each.kind === "read" ? [[each.key, each.call]] : [])));
  const sends = plans.flatMap((each) => (each.kind === "send" ? [each.transaction.call] : []));
  return [...reads.values(), ...sends].reduce((sum, call) => sum + findCost(call), 0);
}

/** A repeated call in a batch is sent to the chain only once, so that all its answers agree. */
async function readCalls(
  { chain, blocks, recordReceipts }: ForwardPorts,
  plans: readonly RpcPlan[],
  until: number,
): Promise<ReadonlyMap<string, CallOutcome>> {
  const calls = new Map(plans.flatMap((each) => (each.kind === "read" ? [[each.key, each.call]] : [])));
  const answers = await askChain(chain, [...calls.values()], until);
  const receipts = [...calls.values()].flatMap(({ method }, index) => {
    const answer = answers[index];
    return method === "eth_getTransactionReceipt" && answer !== undefined && "result" in answer
      ? (answer.result ?? [])
      : [];
  });
  if (receipts.length > 0) await recordReceipts?.(receipts);
  return new Map(
    [...calls].map(([key, call], index) => {
      const outcome = answers[index] ?? toOutcome(undefined);
      if ("result" in outcome) blocks.storeResult(call, outcome.result);
      return [key, outcome];
    }),
  );
}

/** If the chain does not answer a batch, each call of the batch gets an error under the call's own id. */
async function askChain(
  chain: Chain,
  calls: readonly RpcCall[],
  until: number,
): Promise<readonly CallOutcome[]> {
  if (calls.length === 0) return [];
  try {
    return (await chain.batch(calls, { until })).map(toOutcome);
  } catch (error) {
    if (!(error instanceof AppError && error.kind === "upstream")) throw error;
    return calls.map(() => makeFailure(-32603, error.message));
  }
}

async function sendTransactions({ chain }: ForwardPorts, plans: readonly RpcPlan[], until: number) {
  const outcomes = new Map<RpcPlan, CallOutcome>();
  for (const each of plans) {
    // Transactions of one batch are sent in order, because a later nonce must not be sent before an earlier nonce.
    if (each.kind === "send") outcomes.set(each, await sendTx(chain, each.transaction, until));
  }
  return outcomes;
}

/** The outcome of one broadcast. `unsent` means that no node has the transaction. `unclear` means that a node may have the transaction. */
type SendOutcome = RpcOutcome | { readonly status: "unsent" } | { readonly status: "unclear" };

/**
 * Broadcasts a signed transaction unchanged. If a node refuses the transaction, the node's refusal is the answer. If a node does not
 * answer, the same bytes are sent once more to the best node. If a node refuses the second broadcast of the same bytes, the node may
 * already have the transaction ("already known", "nonce too low"), so this refusal proves nothing. The transaction's hash is returned as
 * soon as a node accepts or shows the transaction.
 */
async function sendTx(chain: Chain, { call, hash }: Transaction, until: number): Promise<CallOutcome> {
  const first = await sendTxOnce(chain, call, hash, until);
  if (first.status === "unsent") {
    return makeFailure(-32603, "The transaction was not sent: the chain cannot be reached right now.");
  }
  if (first.status !== "unclear") return toOutcome(first);
  const second = await sendTxOnce(chain, call, hash, until);
  if (second.status === "ok" || (await isTxKnown(chain, hash, until))) return { result: hash };
  return makeFailure(
    -32603,
    "It is not known whether the transaction was sent. Look for its hash before you sign another transaction.",
    { transactionHash: hash, ...("message" in second && { node: second.message }) },
  );
}

async function sendTxOnce(chain: Chain, call: RpcCall, hash: Hex, until: number): Promise<SendOutcome> {
  try {
    const [outcome] = await chain.batch([call], { until });
    if (outcome === undefined) return { status: "unclear" };
    // A node that returns a hash other than the transaction's hash has answered for another transaction.
    return outcome.status !== "ok" || isSameHash(outcome.result, hash) ? outcome : { status: "unclear" };
  } catch (error) {
    if (error instanceof AppError && error.kind === "upstream") {
      return { status: error.cause instanceof Unsent ? "unsent" : "unclear" };
    }
    throw error;
  }
}

const Found = z.object({ hash: HashInput });

async function isTxKnown(chain: Chain, hash: Hex, until: number): Promise<boolean> {
  try {
    const [outcome] = await chain.batch([{ method: "eth_getTransactionByHash", params: [hash] }], { until });
    const found = Found.safeParse(outcome?.status === "ok" ? outcome.result : undefined);
    return found.success && isSameHash(found.data.hash, hash);
  } catch (error) {
    // A failed lookup of the transaction proves nothing.
    if (error instanceof AppError && error.kind === "upstream") return false;
    throw error;
  }
}

function isSameHash(value: unknown, hash: Hex): boolean {
  const parsed = HashInput.safeParse(value);
  return parsed.success && lower(parsed.data) === hash;
}

/** A node's answer, passed on unchanged. */
function toOutcome(outcome: RpcOutcome | undefined): CallOutcome {
  if (outcome === undefined) return makeFailure(-32603, "The chain gave no answer.");
  if (outcome.status === "ok") return { result: outcome.result ?? null };
  return makeFailure(outcome.code, outcome.message, outcome.data);
}
