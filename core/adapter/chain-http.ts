import { Agent, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps, Agent as SecureAgent } from "node:https";
import type { Socket } from "node:net";

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
