import * as z from "zod";
import type { Clock } from "../port/clock.ts";
import type { Log } from "../port/cloud.ts";
import type { Table } from "../table.ts";
import { type ForwardPorts, forward } from "./forward.ts";
import { failure, type Outcome } from "./plan.ts";
import { allowance, batchLimit, RpcId, RpcRequest } from "./schema.ts";

export { rememberBlocks } from "./plan.ts";

type Ports = ForwardPorts & { readonly clock: Pick<Clock, "now"> };

declare global {
  interface JSON {
    /** A value that is written as this text (ECMAScript, JSON.parse source text access). */
    rawJSON(text: string): RawNumber;
    isRawJSON(value: unknown): boolean;
  }
}

/** A number as its sender wrote it, where JavaScript would write another: `1.0`, or more digits than a double has. */
type RawNumber = { readonly rawJSON: string };
const RawNumber = z.custom<RawNumber>((value) => JSON.isRawJSON(value));

/** An id as its sender wrote it. */
const ExactId = z.union([RpcId, RawNumber]);
type ExactId = z.infer<typeof ExactId>;
const Request = RpcRequest.extend({ id: ExactId.optional() });

type Answer = { readonly jsonrpc: "2.0"; readonly id: ExactId } & Outcome;

/**
 * What comes back. `refused`: the body is no JSON-RPC request or batch as a whole, and `body` says why in one response
 * object. `nothing`: there were notifications only.
 */
type Relayed =
  | { readonly kind: "refused" | "answered"; readonly body: Answer | readonly Answer[] }
  | { readonly kind: "nothing" };

/** Milliseconds for all that one request takes: well below the 29 s that its function has. */
const deadline = 20_000;

/** Bytes of answers in one reply: a function's reply ends at 6 MB, and as JSON in JSON it grows by its quotes. */
const replyLimit = 4 * 1024 * 1024;

/**
 * Relays the text of one JSON-RPC 2.0 call, or of a batch of up to 25, to the chain (specification §4.5). Whatever goes
 * wrong is said in JSON-RPC's words: -32700 for what is not JSON, -32600 for what is no request, -32601 for a method that
 * is not relayed, -32602 for parameters that are not, -32603 for a chain that cannot be reached, -32005 for answers
 * beyond 4 MB; and a node's own errors as they are. Throws `limit` `relay_limit` beyond the caller's allowance: clients
 * of JSON-RPC wait for HTTP's Retry-After, and not for what an error under an id says.
 */
export async function relay(ports: Ports, text: string): Promise<Relayed> {
  const body = parse(text);
  if (body === undefined) return refused(failure(-32700, "The body is not valid JSON."));
  if (!Array.isArray(body)) {
    const [answer] = await answerAll(ports, [body]);
    if (answer === undefined) return { kind: "nothing" };
    return { kind: Request.safeParse(body).success ? "answered" : "refused", body: answer };
  }
  if (body.length === 0) return refused(failure(-32600, "A batch needs at least one call."));
  if (body.length > batchLimit) {
    return refused(failure(-32600, `A batch may hold up to ${batchLimit} calls.`));
  }
  const answers = await answerAll(ports, body);
  return answers.length === 0 ? { kind: "nothing" } : { kind: "answered", body: answers };
}

/** `undefined` for what is not JSON: JSON itself has no such value. */
function parse(text: string): unknown {
  try {
    return parseExactly(text);
  } catch (error) {
    // The second is how a parser says that it is nested thousands of levels deep.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

async function answerAll(ports: Ports, calls: readonly unknown[]): Promise<readonly Answer[]> {
  const requests = calls.map((call) => Request.safeParse(call).data);
  const sound = requests.flatMap((request) => request ?? []);
  const asked = sound.map(({ method, params, id }) => ({ method, params, answered: id !== undefined }));
  const outcomes = await forward(ports, asked, ports.clock.now() + deadline);
  const outcomeOf = new Map(sound.map((request, index) => [request, outcomes[index]]));
  const answers = requests.map((request, index) =>
    request === undefined
      ? answer(idOf(calls[index]), failure(-32600, "Not a JSON-RPC 2.0 request."))
      : answer(request.id, outcomeOf.get(request)),
  );
  return within(
    replyLimit,
    answers.flatMap((given) => given ?? []),
  );
}

/** The answers as far as there is room for them. */
function within(limit: number, answers: readonly Answer[]): readonly Answer[] {
  let room = limit;
  return answers.map((given) => {
    room -= Buffer.byteLength(JSON.stringify(given));
    if (room >= 0) return given;
    return {
      jsonrpc: "2.0",
      id: given.id,
      ...failure(-32005, "The answer is too large. Ask for less at once."),
    };
  });
}

function refused(outcome: Outcome): Relayed {
  return { kind: "refused", body: { jsonrpc: "2.0", id: null, ...outcome } };
}

/** A notification, which has no id, gets no answer. */
function answer(id: ExactId | undefined, outcome: Outcome | undefined): Answer | undefined {
  return id === undefined || outcome === undefined ? undefined : { jsonrpc: "2.0", id, ...outcome };
}

/** The id of something that is no request, as far as it has one (JSON-RPC 2.0 §5). */
function idOf(call: unknown): ExactId {
  const parsed = z.object({ id: ExactId }).safeParse(call);
  return parsed.success ? parsed.data.id : null;
}

const Source = z.object({ source: z.string() });

/** Parses JSON so that `JSON.stringify` gives its numbers back digit by digit. Throws for what is not JSON. */
function parseExactly(text: string): unknown {
  return JSON.parse(text, (_key: string, value: unknown, context?: unknown) => {
    if (typeof value !== "number") return value;
    const { source } = Source.parse(context);
    return String(value) === source ? value : JSON.rawJSON(source);
  });
}

type AllowancePorts = { readonly table: Table; readonly clock: Pick<Clock, "now">; readonly log: Log };

/** Seconds for which what an address has used is kept. */
const lifetime = 10 * 60;

/** Addresses of one window that this process knows to have used up theirs. */
type Known = { window: number; readonly usedUp: Set<string> };

/**
 * What each address may ask of the chain through us, counted for all processes in the table: a limit by cost beside the
 * firewall's by number. An address that is refused once is refused by this process without another write until the
 * window ends. A table that does not answer limits nobody: the relay's nodes are not those of payments.
 */
export function openAllowance({ table, clock, log }: AllowancePorts) {
  const known: Known = { window: 0, usedUp: new Set() };

  /** Takes the cost from the allowance of an IP address. Answers the seconds to wait where there is not so much left. */
  return async function spend(address: string, cost: number): Promise<number | undefined> {
    const now = clock.now() / 1000;
    const window = Math.floor(now / allowance.windowSeconds) * allowance.windowSeconds;
    const wait = Math.max(1, Math.ceil(window + allowance.windowSeconds - now));
    const caller = networkOf(address);
    if (known.window !== window) {
      known.window = window;
      known.usedUp.clear();
    }
    if (known.usedUp.has(caller)) return wait;
    const used = await count(caller, window, cost);
    if (used <= allowance.cost) return undefined;
    known.usedUp.add(caller);
    return wait;
  };

  async function count(address: string, window: number, cost: number): Promise<number> {
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

/** Whose an address is: of IPv6 each network of 64 bits counts as one, for it is what one connection is given. */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(":")) return mapped ?? address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const groups = (part: string) => part.split(":").filter((group) => group !== "");
  const after = tail === undefined ? 0 : groups(tail).length;
  const zeros = Array.from({ length: Math.max(0, 8 - groups(head).length - after) }, () => "0");
  return `${[...groups(head), ...zeros, ...groups(tail ?? "")].slice(0, 4).join(":")}::/64`;
}
