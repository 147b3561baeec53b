import * as z from "zod";
import type { Clock } from "../port/clock.ts";
import { type ForwardPorts, forward } from "./forward.ts";
import { failure, type Outcome } from "./plan.ts";
import { batchLimit, RpcId, RpcRequest } from "./schema.ts";

export { openAllowance } from "./allowance.ts";
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
