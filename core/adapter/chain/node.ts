import { Agent, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps, Agent as SecureAgent } from "node:https";
import type { Socket } from "node:net";
import { urlToHttpOptions } from "node:url";
import * as z from "zod";
import { type Hex, HexInput } from "../../chain/hex.ts";
import { parseJson } from "../../error.ts";
import type { RpcCall, RpcOutcome } from "../../port/chain.ts";

/**
 * Milliseconds for which an idle connection stays open. Lambda freezes a function between calls, and a frozen function does not notice that
 * a node closes a connection. During one call of the Lambda function, the pause between two requests to a node is shorter than this time.
 */
const idle = 750;
const keeping = { keepAlive: true, timeout: idle, scheduling: "lifo" } as const;

export type HttpAnswer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The text of the answer's body; `undefined` if the body is longer than the limit. */
  readonly text: string | undefined;
};

/**
 * A request that got no answer. `unreached`: no connection was made, so nothing was sent. `lost`: the connection ended before the answer
 * came, which sometimes happens with an old connection. `late`: the time-out has passed.
 */
class HttpFailure extends Error {
  override readonly name = "HttpFailure";
  readonly trouble: "unreached" | "lost" | "late";

  constructor(trouble: HttpFailure["trouble"], cause: Error) {
    super(readReason(cause), { cause });
    this.trouble = trouble;
  }
}

type PostRequest = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The time-out of a request in milliseconds, including the time to read the answer. */
  readonly timeout: number;
  /** The maximum size of an answer in bytes. */
  readonly limit: number;
};

/** Sends POST requests to one address, over connections that stay open for a short time. Throws `HttpFailure`. */
function openClient(url: URL): (post: PostRequest) => Promise<HttpAnswer> {
  const isSecure = url.protocol === "https:";
  const agent = isSecure ? new SecureAgent(keeping) : new Agent(keeping);
  const to = urlToHttpOptions(url);
  const usedAt = new WeakMap<Socket, number>();

  /** The HTTP agent's own timers stop while the process is frozen, so the age of a connection is read from the clock. */
  function closeSockets(): void {
    const kept = Object.values(agent.freeSockets).flatMap((sockets = []) => sockets);
    for (const socket of kept) {
      if (Date.now() - (usedAt.get(socket) ?? 0) > idle) socket.destroy();
    }
  }

  return ({ headers, body, timeout, limit }) => {
    closeSockets();
    const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
    let isConnected = false;
    const fail = (error: Error) => {
      const trouble = isConnected ? (error.name === "AbortError" ? "late" : "lost") : "unreached";
      reject(new HttpFailure(trouble, error));
    };
    const request = (isSecure ? requestHttps : requestHttp)({
      ...to,
      method: "POST",
      agent,
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      signal: AbortSignal.timeout(Math.max(0, Math.floor(timeout))),
    });
    request.on("socket", (socket) => {
      const markConnected = () => {
        isConnected = true;
      };
      if (request.reusedSocket) markConnected();
      else socket.once(isSecure ? "secureConnect" : "connect", markConnected);
      request.once("close", () => usedAt.set(socket, Date.now()));
    });
    request.on("error", fail);
    request.on("response", (response) => {
      const { statusCode = 0, headers: given } = response;
      readText(response, limit).then((text) => resolve({ status: statusCode, headers: given, text }), fail);
    });
    request.end(body);
    return promise;
  };
}

async function readText(response: IncomingMessage, limit: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    // Leaving the loop destroys the connection, so the rest of the body is not read.
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** When Node.js can connect to none of a host's addresses, the AggregateError that it throws has no message of its own. */
function readReason(error: Error): string {
  const code = "code" in error ? String(error.code) : error.name;
  return error.message === "" ? code : error.message;
}

/**
 * A node's answer to some calls. `unusable`: the node answered no call. `limited`: the node's rate limit refused some or all calls;
 * `outcomes` is undefined if the node sent one refusal for the whole batch.
 */
export type NodeReply =
  | { readonly kind: "answers"; readonly outcomes: readonly RpcOutcome[] }
  | { readonly kind: "limited"; readonly outcomes: readonly RpcOutcome[] | undefined }
  | { readonly kind: "unusable" };

const RpcError = z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() });
const NodeAnswer = z.union([
  z.object({ id: z.number(), error: RpcError }),
  z.object({ id: z.number(), result: z.unknown() }),
]);
type NodeAnswer = z.infer<typeof NodeAnswer>;

/** EIP-1474's code for "limit exceeded", and the HTTP status that some nodes send instead of the code. */
const limitCodes: ReadonlySet<number> = new Set([-32005, 429]);
const LimitOfAll = z.object({
  id: z.null().optional(),
  error: z.object({ code: z.literal([...limitCodes]) }),
});

/**
 * Reads the answer to `count` calls. The JSON-RPC id of each call is the call's position in the batch, counted from 0. Answers are matched
 * by id, so a node that drops or reorders some answers can still be used for the other calls.
 */
function readAnswer(text: string, count: number): NodeReply {
  // If the body of the answer is not JSON, the answer comes from a proxy in front of the node.
  const whole = parseJson(text);
  if (LimitOfAll.safeParse(whole).success) return { kind: "limited", outcomes: undefined };
  const items: readonly unknown[] = Array.isArray(whole) ? whole : [whole];
  const answers = items.flatMap((item) => NodeAnswer.safeParse(item).data ?? []);
  const matched = Array.from({ length: count }, (_, id) => answers.find((answer) => answer.id === id));
  if (matched.every((answer) => answer === undefined)) return { kind: "unusable" };
  const outcomes = matched.map(toOutcome);
  const limited = outcomes.some((given) => given.status === "failed" && limitCodes.has(given.code));
  return { kind: limited ? "limited" : "answers", outcomes };
}

/**
 * The messages by which nodes report that execution failed without a revert: geth and Nitro send the EVM's message, and anvil puts a prefix
 * before it.
 */
const halted =
  /execution reverted|EVM error|out of gas|gas required exceeds allowance|invalid opcode|invalid jump destination|stack underflow|stack limit reached|write protection|return data out of bounds/i;

function toOutcome(answer: NodeAnswer | undefined): RpcOutcome {
  if (answer === undefined) return { status: "failed", code: -32603, message: "The node gave no answer." };
  if (!("error" in answer)) return { status: "ok", result: answer.result };
  const { code, message, data } = answer.error;
  const revert = readRevert(data);
  // All nodes use code 3 for a revert with data. For a revert without data, some nodes use code -32000, so only the message's text shows
  // whether the call was reverted.
  return code === 3 || revert !== undefined || halted.test(message)
    ? { status: "reverted", code, message, data: revert }
    : { status: "failed", code, message, ...(data !== undefined && { data }) };
}

function readRevert(data: unknown): Hex | undefined {
  const parsed = HexInput.safeParse(data);
  return parsed.success && parsed.data !== "0x" ? parsed.data : undefined;
}

/**
 * Why a node gave no answer. `unreached`: the request did not arrive at the node. `limited`: the node's rate limit refused the request
 * before the node did anything. `foreign`: the node belongs to another chain. `silent`: the node may have carried out the request.
 */
type NodeTrouble = "unreached" | "limited" | "foreign" | "silent";

type NodeRefusal = {
  /** The node has asked to get no calls during this number of milliseconds. */
  readonly retryAfter?: number | undefined;
  /**
   * The outcomes of all calls of the batch, if the node's rate limit refused some or all calls individually. A refused call's outcome
   * contains the message of the refusal.
   */
  readonly outcomes?: readonly RpcOutcome[] | undefined;
};

/** A node's failure to answer. The error's message quotes neither the request nor the node's address; the address can contain a key. */
export class NodeFailure extends Error {
  override readonly name = "NodeFailure";
  readonly trouble: NodeTrouble;
  readonly said: NodeRefusal;

  constructor(trouble: NodeTrouble, message: string, options: ErrorOptions & NodeRefusal = {}) {
    super(message, options);
    this.trouble = trouble;
    this.said = { retryAfter: options.retryAfter, outcomes: options.outcomes };
  }
}

/** One JSON-RPC 2.0 node over HTTP. */
export type Node = {
  /** The node's host and port, the only part of its address that may be shown. */
  readonly host: string;
  /**
   * Makes one round trip to the node. The time-out is in milliseconds, and includes the time to read the answer. A read is repeated once if
   * its connection was lost. A broadcast is not repeated, because the first broadcast may have reached the node. Throws `NodeFailure`.
   */
  ask(calls: readonly RpcCall[], timeout: number): Promise<readonly RpcOutcome[]>;
};

/** The maximum size of an answer in bytes. A block with all its transactions has one or two million bytes. */
const answerLimit = 8 * 1024 * 1024;

/** EIP-1474's code for an answer that is too large. */
const tooLarge: RpcOutcome = {
  status: "failed",
  code: -32005,
  message: "The answer is too large. Ask for less in one request.",
};

/** Calls that change state. When a node gives no answer to a call that changes state, the outcome of the call is unknown. */
export const sends = /^eth_send/;

export function openNode(address: string): Node {
  const { url, headers } = splitAddress(address);
  const post = openClient(url);

  async function fetchAnswer(calls: readonly RpcCall[], timeout: number): Promise<HttpAnswer> {
    const requests = calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }));
    const request = {
      headers: { "content-type": "application/json", ...headers },
      // Some nodes accept no batches, so a single call is sent without a batch.
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
      } = await fetchAnswer(calls, timeout).catch((cause: unknown) => {
        throw toNodeFailure(cause);
      });
      // An answer that is too large does not count as the node's failure, because any other node's answer would be just as large.
      if (text === undefined) return calls.map(() => tooLarge);
      const said = readAnswer(text, calls.length);
      if (said.kind === "limited" || status === 429) {
        const outcomes = said.kind === "unusable" ? undefined : said.outcomes;
        const retryAfter = parseDelay(given);
        throw new NodeFailure("limited", `HTTP ${status}: rate limited`, { retryAfter, outcomes });
      }
      if (said.kind === "answers") return said.outcomes;
      throw new NodeFailure("silent", `HTTP ${status} without JSON-RPC answers`);
    },
  };
}

function toNodeFailure(cause: unknown): unknown {
  if (!(cause instanceof HttpFailure)) return cause;
  return new NodeFailure(cause.trouble === "unreached" ? "unreached" : "silent", cause.message, { cause });
}

/** Credentials in an address go into the Authorization header (RFC 7617), so that no message quotes them. */
function splitAddress(address: string): {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
} {
  const url = new URL(address);
  const { username, password } = url;
  if (username === "" && password === "") return { url, headers: {} };
  url.username = "";
  url.password = "";
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  return { url, headers: { authorization: `Basic ${credentials.toString("base64")}` } };
}

/** Converts a `Retry-After` header, which gives seconds or a date (RFC 9110 §10.2.3), to milliseconds. */
function parseDelay({ "retry-after": given }: IncomingHttpHeaders): number | undefined {
  if (given === undefined) return undefined;
  const delay = /^\d+$/.test(given) ? Number(given) * 1000 : Date.parse(given) - Date.now();
  return delay > 0 ? delay : undefined;
}

/**
 * The node's cooldown in milliseconds: for this time after a failure, the node is asked only after all other nodes. The cooldown doubles
 * with each further failure of the node.
 */
const cooldownMs = 1_000;
const longestCooldownMs = 30_000;

/** The maximum number of blocks by which a node may lag, which is about the number of blocks that the chain makes in three seconds. */
const maxBlocksBehind = 30;

/** The state of a node that has not failed. Times are milliseconds since the Unix epoch. */
const well = { failures: 0, restsUntil: 0, barredUntil: 0, behind: false };

/** Keeps a circuit breaker for each node, and remembers the nodes that lag behind. */
export function openNodeHealth(nodes: readonly Node[], now: () => number) {
  const states = new Map<Node, typeof well>();
  const readState = (node: Node) => states.get(node) ?? well;
  const change = (node: Node, changes: Partial<typeof well>) => {
    states.set(node, { ...readState(node), ...changes });
  };

  function rankNode(node: Node, sending: boolean): number {
    const { failures, restsUntil, behind } = readState(node);
    if (restsUntil > now()) return 3;
    if (behind) return 2;
    // Only a read may test whether a node has recovered. A broadcast goes first to the nodes that have not failed recently.
    return sending && failures > 0 ? 1 : 0;
  }

  return {
    /**
     * The nodes to ask, best first: healthy nodes in the given order, then lagging nodes, then nodes in cooldown. For reads, a node whose
     * cooldown is over counts as healthy; for broadcasts, such a node comes after the healthy nodes. A node that asked for a pause is left
     * out of the list.
     */
    rankNodes(sending: boolean) {
      return nodes
        .filter((node) => readState(node).barredUntil <= now())
        .toSorted((one, other) => rankNode(one, sending) - rankNode(other, sending));
    },
    /** Whether the node's last answer was a failure. A node whose last answer was a failure gets a shorter time-out. */
    onTrial: (node: Node) => readState(node).failures > 0,
    markHealthy(node: Node) {
      change(node, { failures: 0, restsUntil: 0 });
    },
    markFailed(node: Node) {
      const failures = readState(node).failures + 1;
      change(node, {
        failures,
        restsUntil: now() + Math.min(cooldownMs * 2 ** (failures - 1), longestCooldownMs),
      });
    },
    /** Excludes the node for the given number of milliseconds, but for at most thirty seconds. */
    excludeNode(node: Node, milliseconds: number) {
      change(node, { barredUntil: now() + Math.min(milliseconds, longestCooldownMs) });
    },
    /**
     * Compares the nodes' newest blocks, which were read at about the same time. Returns the nodes that have begun to lag, and the number
     * of blocks by which each lags.
     */
    findLaggingNodes(nodeHeights: ReadonlyMap<Node, number>) {
      const newest = chooseHeight([...nodeHeights.values()]);
      const late = new Map<Node, number>();
      for (const [node, height] of nodeHeights) {
        const behind = newest - height > maxBlocksBehind;
        if (behind && !readState(node).behind) late.set(node, newest - height);
        change(node, { behind });
      }
      return late;
    },
  };
}

/**
 * The block height with which each node's height is compared. With three or more nodes, each node is compared with the second highest
 * height, so that a single node cannot make all other nodes appear to lag.
 */
function chooseHeight(heights: readonly number[]): number {
  const [first = 0, second = first] = heights.toSorted((one, other) => other - one);
  return heights.length > 2 ? second : first;
}
