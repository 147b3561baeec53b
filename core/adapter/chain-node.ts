import type { IncomingHttpHeaders } from "node:http";
import type { RpcCall, RpcOutcome } from "../port/chain.ts";
import { readAnswer } from "./chain-answer.ts";
import { type HttpAnswer, HttpFailure, openPost } from "./chain-http.ts";

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
  /**
   * Asks in one round trip of so many milliseconds, the reading of the answer included. Reads whose connection was lost
   * are repeated once; what sends is not, since it may have arrived. Throws `NodeFailure`.
   */
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

/** Calls that change something: what a node did with them is not known when it stays silent. */
export const sends = /^eth_send/;

export function openNode(address: string): Node {
  const { url, headers } = target(address);
  const post = openPost(url);

  async function answerTo(calls: readonly RpcCall[], timeout: number): Promise<HttpAnswer> {
    const requests = calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }));
    const request = {
      headers: { "content-type": "application/json", ...headers },
      // Not every node takes batches: a single call goes by itself.
      body: JSON.stringify(requests.length === 1 ? requests[0] : requests),
      limit: answerLimit,
    };
    const begun = performance.now();
    try {
      return await post({ ...request, timeout });
    } catch (error) {
      const isSend = calls.some(({ method }) => sends.test(method));
      if (isSend || !(error instanceof HttpFailure) || error.trouble !== "lost") throw error;
      return post({ ...request, timeout: timeout - (performance.now() - begun) });
    }
  }

  return {
    host: url.host,
    async ask(calls, timeout) {
      const {
        status,
        headers: given,
        text,
      } = await answerTo(calls, timeout).catch((cause: unknown) => {
        throw failureOf(cause);
      });
      // Another node's would be as large, so this is an answer and no failure.
      if (text === undefined) return calls.map(() => tooLarge);
      const said = readAnswer(text, calls.length);
      if (said.kind === "limited" || status === 429) {
        const outcomes = said.kind === "unusable" ? undefined : said.outcomes;
        const retryAfter = delayIn(given);
        throw new NodeFailure("limited", `HTTP ${status}: rate limited`, { retryAfter, outcomes });
      }
      if (said.kind === "answers") return said.outcomes;
      throw new NodeFailure("silent", `HTTP ${status} without JSON-RPC answers`);
    },
  };
}

function failureOf(cause: unknown): unknown {
  if (!(cause instanceof HttpFailure)) return cause;
  return new NodeFailure(cause.trouble === "unreached" ? "unreached" : "silent", cause.message, { cause });
}

/** Credentials of an address go into the header that they stand for (RFC 7617), so that no message quotes them. */
function target(address: string): { readonly url: URL; readonly headers: Readonly<Record<string, string>> } {
  const url = new URL(address);
  const { username, password } = url;
  if (username === "" && password === "") return { url, headers: {} };
  url.username = "";
  url.password = "";
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  return { url, headers: { authorization: `Basic ${credentials.toString("base64")}` } };
}

/** Milliseconds that `Retry-After` asks for, in seconds or as a date (RFC 9110 §10.2.3). */
function delayIn({ "retry-after": given }: IncomingHttpHeaders): number | undefined {
  if (given === undefined) return undefined;
  const delay = /^\d+$/.test(given) ? Number(given) * 1000 : Date.parse(given) - Date.now();
  return delay > 0 ? delay : undefined;
}
