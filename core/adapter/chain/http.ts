import { Agent, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps, Agent as SecureAgent } from "node:https";
import type { Socket } from "node:net";
import * as z from "zod";
import { type Hex, HexInput } from "../../chain/hex.ts";
import type { RpcOutcome } from "../../port/chain.ts";

/**
 * Milliseconds for which a connection is kept without use. Lambda freezes a function between calls; meanwhile nodes
 * close connections and nothing tells the function. Within one call requests follow each other faster than this.
 */
const idle = 750;
const keeping = { keepAlive: true, timeout: idle, scheduling: "lifo" } as const;

export type HttpAnswer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** `undefined` when there is more of the body than is read. */
  readonly text: string | undefined;
};

/**
 * A request without an answer. `unreached`: there was no connection, so nothing can have gone over it. `lost`: the
 * connection ended, as one does that was kept too long. `late`: the time was up.
 */
export class HttpFailure extends Error {
  override readonly name = "HttpFailure";
  readonly trouble: "unreached" | "lost" | "late";

  constructor(trouble: HttpFailure["trouble"], cause: Error) {
    super(reasonOf(cause), { cause });
    this.trouble = trouble;
  }
}

type Post = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds, the reading of the answer included. */
  readonly timeout: number;
  /** Bytes of an answer that are read. */
  readonly limit: number;
};

/** Posts to one address over connections that are kept for a moment. Throws `HttpFailure`. */
export function openPost(url: URL): (post: Post) => Promise<HttpAnswer> {
  const isSecure = url.protocol === "https:";
  const agent = isSecure ? new SecureAgent(keeping) : new Agent(keeping);
  const usedAt = new WeakMap<Socket, number>();

  /** The agent's own timers stood still with the process, so the clock is asked. */
  function dropIdle(): void {
    const kept = Object.values(agent.freeSockets).flatMap((sockets = []) => sockets);
    for (const socket of kept) {
      if (Date.now() - (usedAt.get(socket) ?? 0) > idle) socket.destroy();
    }
  }

  return ({ headers, body, timeout, limit }) => {
    dropIdle();
    const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
    let isConnected = false;
    const fail = (error: Error) => {
      const trouble = isConnected ? (error.name === "AbortError" ? "late" : "lost") : "unreached";
      reject(new HttpFailure(trouble, error));
    };
    const request = (isSecure ? requestHttps : requestHttp)(url, {
      method: "POST",
      agent,
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      signal: AbortSignal.timeout(Math.max(0, Math.floor(timeout))),
    });
    request.on("socket", (socket) => {
      const connected = () => {
        isConnected = true;
      };
      if (request.reusedSocket) connected();
      else socket.once(isSecure ? "secureConnect" : "connect", connected);
      request.once("close", () => usedAt.set(socket, Date.now()));
    });
    request.on("error", fail);
    request.on("response", (response) => {
      const { statusCode = 0, headers: given } = response;
      textOf(response, limit).then((text) => resolve({ status: statusCode, headers: given, text }), fail);
    });
    request.end(body);
    return promise;
  };
}

async function textOf(response: IncomingMessage, limit: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    // Leaving the loop destroys the connection with what is still to come.
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Node's errors of several addresses have no message of their own. */
function reasonOf(error: Error): string {
  const code = "code" in error ? String(error.code) : error.name;
  return error.message === "" ? code : error.message;
}

/**
 * What a node said to some calls. `unusable`: nothing to any of them. `limited`: its rate limit kept it from some or
 * all, with what it said to each where it did.
 */
export type Said =
  | { readonly kind: "answers"; readonly outcomes: readonly RpcOutcome[] }
  | { readonly kind: "limited"; readonly outcomes: readonly RpcOutcome[] | undefined }
  | { readonly kind: "unusable" };

const RpcError = z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() });
const Answer = z.union([
  z.object({ id: z.number(), error: RpcError }),
  z.object({ id: z.number(), result: z.unknown() }),
]);
type Answer = z.infer<typeof Answer>;

/** EIP-1474's "limit exceeded", and the HTTP status that some put in its place. */
const limitCodes: ReadonlySet<number> = new Set([-32005, 429]);
const LimitOfAll = z.object({
  id: z.null().optional(),
  error: z.object({ code: z.literal([...limitCodes]) }),
});

/**
 * Reads the answer to `count` calls whose ids are their places. Answers are matched by id, so that a node that drops
 * or reorders some is believed for the others only.
 */
export function readAnswer(text: string, count: number): Said {
  const whole = parse(text);
  if (LimitOfAll.safeParse(whole).success) return { kind: "limited", outcomes: undefined };
  const items: readonly unknown[] = Array.isArray(whole) ? whole : [whole];
  const answers = items.flatMap((item) => Answer.safeParse(item).data ?? []);
  const matched = Array.from({ length: count }, (_, id) => answers.find((answer) => answer.id === id));
  if (matched.every((answer) => answer === undefined)) return { kind: "unusable" };
  const outcomes = matched.map(outcome);
  const limited = outcomes.some((given) => given.status === "failed" && limitCodes.has(given.code));
  return { kind: limited ? "limited" : "answers", outcomes };
}

/** How nodes say that a contract came to no end of its own: geth and Nitro in the EVM's words, anvil with a prefix. */
const halted =
  /execution reverted|EVM error|out of gas|gas required exceeds allowance|invalid opcode|invalid jump destination|stack underflow|stack limit reached|write protection|return data out of bounds/i;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
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
  return code === 3 || revert !== undefined || halted.test(message)
    ? { status: "reverted", code, message, data: revert }
    : { status: "failed", code, message, ...(data !== undefined && { data }) };
}

function revertData(data: unknown): Hex | undefined {
  const parsed = HexInput.safeParse(data);
  return parsed.success && parsed.data !== "0x" ? parsed.data : undefined;
}
