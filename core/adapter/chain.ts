import * as z from "zod";
import { unavailable } from "../chain/call.ts";
import { type Hex, HexInput } from "../chain/hex.ts";
import type { Chain, RpcCall, RpcOutcome } from "../port/chain.ts";

/** Milliseconds that one round trip may take, the reading of its answer included. */
const timeout = 10_000;

/** Calls that change something are sent to one node only: what it did with them is not known when it stays silent. */
const unrepeatable = /^eth_send/;

const RpcError = z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() });
const Answer = z.union([
  z.object({ id: z.number(), error: RpcError }),
  z.object({ id: z.number(), result: z.unknown() }),
]);
type Answer = z.infer<typeof Answer>;

/**
 * JSON-RPC 2.0 over HTTP, with further nodes to ask where the first gives no answer. Calls made together travel as one
 * batch, and answers are matched by id, so that a node that drops or reorders some is believed for the others only.
 */
export function openChain(urls: readonly string[]): Chain {
  return {
    async batch(calls) {
      if (calls.length === 0) return [];
      const nodes = calls.some(({ method }) => unrepeatable.test(method)) ? urls.slice(0, 1) : urls;
      const failures: unknown[] = [];
      for (const url of nodes) {
        try {
          return await ask(url, calls);
        } catch (error) {
          failures.push(error);
        }
      }
      throw unavailable("no answer", new AggregateError(failures, failures.map(String).join("; ")));
    },
  };
}

async function ask(url: string, calls: readonly RpcCall[]): Promise<readonly RpcOutcome[]> {
  const requests = calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }));
  const [only] = requests;
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    // Not every node takes batches: a single call goes by itself.
    body: JSON.stringify(requests.length === 1 ? only : requests),
    signal: AbortSignal.timeout(timeout),
  });
  const text = await response.text();
  const answers = parse(text);
  // Errors never quote the address, which may hold a key, nor the request, which holds signatures.
  if (answers === undefined) throw new Error(`HTTP ${response.status} without JSON-RPC answers`);
  return calls.map((_, id) => outcome(answers.find((answer) => answer.id === id)));
}

function parse(text: string): readonly Answer[] | undefined {
  try {
    const answers = z.array(z.unknown()).safeParse(JSON.parse(text));
    const items = answers.success ? answers.data : [JSON.parse(text)];
    const read = items.flatMap((item) => {
      const answer = Answer.safeParse(item);
      return answer.success ? [answer.data] : [];
    });
    return read.length > 0 ? read : undefined;
  } catch {
    // Not JSON: the node, or what stands before it, gave no answer of its own.
    return undefined;
  }
}

function outcome(answer: Answer | undefined): RpcOutcome {
  if (answer === undefined) return { status: "failed", code: -32603, message: "The node gave no answer." };
  if (!("error" in answer)) return { status: "ok", result: answer.result };
  const { code, message, data } = answer.error;
  const revert = revertData(data);
  // Nodes agree on code 3 for a revert with data; without data some say -32000 and only the text tells.
  return code === 3 || revert !== undefined || /execution reverted/i.test(message)
    ? { status: "reverted", code, message, data: revert }
    : { status: "failed", code, message, ...(data !== undefined && { data }) };
}

function revertData(data: unknown): Hex | undefined {
  const parsed = HexInput.safeParse(data);
  return parsed.success && parsed.data !== "0x" ? parsed.data : undefined;
}
