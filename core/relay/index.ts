import * as z from "zod";
import { AppError } from "../error.ts";
import type { Chain, RpcCall, RpcOutcome } from "../port/chain.ts";
import { batchLimit, type RpcAnswer, type RpcError, RpcId, RpcRequest, relayedMethods } from "./schema.ts";

type Ports = { readonly chain: Chain };
type Outcome = { readonly result: unknown } | { readonly error: RpcError };

const allowed: ReadonlySet<string> = new Set(relayedMethods);

/** Bytes of answers in one reply: a function's reply ends at 6 MB. */
const replyLimit = 4 * 1024 * 1024;

/**
 * Relays one JSON-RPC 2.0 call, or a batch of up to 25, to the chain (specification §4.5). Values go through as they
 * are, in both directions, and nothing is asked twice. `undefined` when there is nothing to answer: notifications
 * only. Throws `input` `batch_too_large`.
 */
export async function relay(
  ports: Ports,
  body: unknown,
): Promise<RpcAnswer | readonly RpcAnswer[] | undefined> {
  if (!Array.isArray(body)) return (await answerAll(ports, [body]))[0];
  if (body.length === 0) return answer(null, failure(-32600, "A batch needs at least one call."));
  if (body.length > batchLimit) {
    throw new AppError("input", "batch_too_large", `A batch may hold up to ${batchLimit} calls.`);
  }
  const answers = await answerAll(ports, body);
  return answers.length === 0 ? undefined : answers;
}

async function answerAll(ports: Ports, calls: readonly unknown[]): Promise<readonly RpcAnswer[]> {
  const requests = calls.map((call) => RpcRequest.safeParse(call));
  const sound = requests.flatMap(({ data }) => (data === undefined ? [] : [data]));
  const outcomes = await relayAll(ports, sound);
  const answers = requests.map(({ data }, index) =>
    data === undefined
      ? answer(idOf(calls[index]), failure(-32600, "Not a JSON-RPC 2.0 request."))
      : data.id === undefined
        ? undefined
        : answer(data.id, outcomes.get(data) ?? unanswered),
  );
  let room = replyLimit;
  return answers.flatMap((given) => {
    if (given === undefined) return [];
    room -= Buffer.byteLength(JSON.stringify(given));
    return [
      room < 0 ? answer(given.id, failure(-32005, "The answer is too large for this endpoint.")) : given,
    ];
  });
}

/** Sends the allowed calls in one round trip; the others are refused here. */
async function relayAll(
  { chain }: Ports,
  requests: readonly RpcRequest[],
): Promise<ReadonlyMap<RpcRequest, Outcome>> {
  const outcomes = new Map<RpcRequest, Outcome>();
  const allowedCalls: { readonly request: RpcRequest; readonly call: RpcCall }[] = [];
  for (const request of requests) {
    const { method, params } = request;
    if (!allowed.has(method)) {
      outcomes.set(request, failure(-32601, "Method not available through this endpoint."));
    } else if (!Array.isArray(params)) {
      outcomes.set(request, failure(-32602, "Parameters go by position, in an array."));
    } else {
      allowedCalls.push({ request, call: { method, params } });
    }
  }
  const answers = await answersOf(
    chain,
    allowedCalls.map(({ call }) => call),
  );
  for (const [index, { request }] of allowedCalls.entries()) {
    outcomes.set(request, toOutcome(answers[index]));
  }
  return outcomes;
}

/** Silence of the chain is an answer to each call, under its own id; nothing is sent again. */
async function answersOf(chain: Chain, calls: readonly RpcCall[]): Promise<readonly RpcOutcome[]> {
  try {
    return await chain.batch(calls);
  } catch (error) {
    if (error instanceof AppError && error.kind === "upstream") {
      return calls.map(() => ({ status: "failed", code: -32603, message: error.message }));
    }
    throw error;
  }
}

const unanswered = failure(-32603, "The chain gave no answer.");

function toOutcome(outcome: RpcOutcome | undefined): Outcome {
  if (outcome === undefined) return unanswered;
  if (outcome.status === "ok") return { result: outcome.result ?? null };
  const { code, message, data } = outcome;
  return { error: data === undefined ? { code, message } : { code, message, data } };
}

function failure(code: number, message: string): Outcome {
  return { error: { code, message } };
}

function answer(id: RpcId, outcome: Outcome): RpcAnswer {
  return { jsonrpc: "2.0", id, ...outcome };
}

/** The id of something that is no request, as far as it has one. */
function idOf(call: unknown): RpcId {
  const parsed = z.object({ id: RpcId }).safeParse(call);
  return parsed.success ? parsed.data.id : null;
}
