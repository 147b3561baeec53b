import * as z from "zod";
import type { RpcCall, RpcOutcome } from "../port/chain.ts";
import { readAnswer } from "./chain-answer.ts";

/**
 * Why a node gave no answer. `unreached`: nothing can have arrived. `limited`: it refused for its rate limit, before
 * doing anything. `foreign`: it belongs to another chain. `silent`: it may have carried out what it was asked.
 */
type Trouble = "unreached" | "limited" | "foreign" | "silent";

type Said = {
  /** Milliseconds that the node wants to be left alone. */
  readonly retryAfter?: number | undefined;
  /** What a node that was limited said to each call. */
  readonly outcomes?: readonly RpcOutcome[] | undefined;
};

/** A node without an answer. The message never quotes its address, which may hold a key, nor what it was asked. */
export class NodeFailure extends Error {
  override readonly name = "NodeFailure";
  readonly trouble: Trouble;
  readonly said: Said;

  constructor(trouble: Trouble, message: string, options: ErrorOptions & Said = {}) {
    super(message, options);
    this.trouble = trouble;
    this.said = { retryAfter: options.retryAfter, outcomes: options.outcomes };
  }
}

/** One JSON-RPC 2.0 node over HTTP. */
export type Node = {
  /** Its name and port: all of its address that may be shown. */
  readonly host: string;
  /** Asks in one round trip of so many milliseconds, the reading of the answer included. Throws `NodeFailure`. */
  ask(calls: readonly RpcCall[], timeout: number): Promise<readonly RpcOutcome[]>;
};

/** Bytes of an answer that are read: a block with all its transactions has one or two million. */
const answerLimit = 8 * 1024 * 1024;

/** EIP-1474's code for more than there is room for. */
const tooLarge: RpcOutcome = {
  status: "failed",
  code: -32005,
  message: "The answer is too large. Ask for less at once.",
};

export function openNode(address: string): Node {
  const { url, headers } = target(address);
  return {
    host: url.host,
    async ask(calls, timeout) {
      const requests = calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }));
      const { response, text } = await post(url, {
        headers: { "content-type": "application/json", ...headers },
        // Not every node takes batches: a single call goes by itself.
        body: JSON.stringify(requests.length === 1 ? requests[0] : requests),
        signal: AbortSignal.timeout(timeout),
      });
      // Another node's would be as large, so this is an answer and no failure.
      if (text === undefined) return calls.map(() => tooLarge);
      const said = readAnswer(text, calls.length);
      if (said.kind === "limited" || response.status === 429) {
        const outcomes = said.kind === "unusable" ? undefined : said.outcomes;
        const retryAfter = delayIn(response.headers);
        throw new NodeFailure("limited", `HTTP ${response.status}: rate limited`, { retryAfter, outcomes });
      }
      if (said.kind === "answers") return said.outcomes;
      throw new NodeFailure("silent", `HTTP ${response.status} without JSON-RPC answers`);
    },
  };
}

/** `fetch` takes no credentials in an address: they go into the header that they stand for (RFC 7617). */
function target(address: string): { readonly url: URL; readonly headers: Readonly<Record<string, string>> } {
  const url = new URL(address);
  const { username, password } = url;
  if (username === "" && password === "") return { url, headers: {} };
  url.username = "";
  url.password = "";
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  return { url, headers: { authorization: `Basic ${credentials.toString("base64")}` } };
}

async function post(url: URL, request: RequestInit) {
  try {
    const response = await fetch(url, { method: "POST", redirect: "error", ...request });
    return { response, text: await textOf(response) };
  } catch (cause) {
    const trouble = NoConnection.safeParse(cause).success ? "unreached" : "silent";
    throw new NodeFailure(trouble, reasonOf(cause), { cause });
  }
}

/** The body, `undefined` when there is more of it than is read. */
async function textOf({ body }: Response): Promise<string | undefined> {
  const reader = body?.getReader();
  const chunks: Uint8Array[] = [];
  for (let size = 0; ; ) {
    const part = await reader?.read();
    if (part?.value === undefined) return Buffer.concat(chunks).toString();
    size += part.value.length;
    if (size > answerLimit) {
      await reader?.cancel();
      return undefined;
    }
    chunks.push(part.value);
  }
}

/** How Node says that there was no connection, so that nothing can have gone over it. */
const NoConnection = z.object({
  cause: z.object({
    code: z.enum([
      "ECONNREFUSED",
      "ENOTFOUND",
      "EAI_AGAIN",
      "EHOSTUNREACH",
      "ENETUNREACH",
      "UND_ERR_CONNECT_TIMEOUT",
    ]),
  }),
});

/** `fetch` keeps the reason in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== ""
    ? `${error.message}: ${cause.message}`
    : error.message;
}

/** Milliseconds that `Retry-After` asks for, in seconds or as a date (RFC 9110 §10.2.3). */
function delayIn(headers: Headers): number | undefined {
  const given = headers.get("retry-after");
  if (given === null) return undefined;
  const delay = /^\d+$/.test(given) ? Number(given) * 1000 : Date.parse(given) - Date.now();
  return delay > 0 ? delay : undefined;
}
