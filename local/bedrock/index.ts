import { once } from "node:events";
import {
  createServer,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from "node:http2";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { parseJson } from "../../core/error.ts";
import { bind, type Dice, type LocalServer } from "../stand-in.ts";
import { answerConverse, estimateTokens } from "./answer.ts";
import { chooseFault, converse, ModelFailure, makeInputError, type ReplyFault } from "./families.ts";

/** The fault of one answer: a failure, a delay or a spoiled reply. */
export type BedrockFault =
  | {
      /** The HTTP status of the failure, for example 429 for `ThrottlingException` or 408 for `ModelTimeoutException`. */
      readonly status: number;
      /** The exception's name in the SDK. */
      readonly type: string;
      readonly message: string;
      readonly delayMs?: number | undefined;
    }
  | { readonly delayMs: number }
  | { readonly spoil: ReplyFault };

type BedrockOptions = {
  readonly fault?: (() => BedrockFault | undefined) | undefined;
  /** The random choices that make some requests fail, and that delay or spoil some answers. */
  readonly rough?: Dice | undefined;
};

/**
 * Starts a stand-in for Bedrock's `Converse` on cleartext HTTP/2, the protocol of the SDK's client.
 *
 * The stand-in refuses the requests that the model's family refuses (`families.ts`). The stand-in is deterministic and has no model. A
 * request that forces the tool `review_press` gets an audit of an article, and a request that forces `write_press` gets a draft. A request
 * that forces any other tool gets an input with only the required properties and simple values. This simple input fits every schema that
 * only names types and required properties.
 */
export async function startBedrock({ fault, rough }: BedrockOptions = {}): Promise<LocalServer> {
  const server = createServer((request, response) => {
    const played = fault?.() ?? (rough === undefined ? undefined : chooseFault(rough));
    handle(request, response, played).catch((error: unknown) => {
      if (response.stream.destroyed) return;
      console.error("The Bedrock stand-in failed", error);
      sendError(response, 500, "InternalServerException", "The stand-in failed.");
    });
  });
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  const endpoint = `http://127.0.0.1:${await bind(server, 0)}`;
  return { endpoint, stop: () => close(server, sessions) };
}

async function close(server: Http2Server, sessions: ReadonlySet<ServerHttp2Session>): Promise<void> {
  const closed = once(server, "close");
  server.close();
  for (const session of sessions) session.destroy();
  await closed;
}

async function handle(
  request: Http2ServerRequest,
  response: Http2ServerResponse,
  fault: BedrockFault | undefined,
) {
  const started = performance.now();
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const body = await text(request);
  if (fault !== undefined && "delayMs" in fault && fault.delayMs !== undefined) {
    await sleep(fault.delayMs, undefined, { signal: gone.signal });
  }
  if (fault !== undefined && "type" in fault) {
    return sendError(response, fault.status, fault.type, fault.message);
  }
  const [, model] = /^\/model\/([^/]+)\/converse$/.exec(request.url) ?? [];
  if (request.method !== "POST" || model === undefined) {
    const asked = `${request.method} ${request.url}`;
    return sendError(response, 404, "UnknownOperationException", `The stand-in does not serve ${asked}.`);
  }
  const spoil = fault !== undefined && "spoil" in fault ? fault.spoil : undefined;
  try {
    sendReply(response, 200, makeReply(decodeURIComponent(model), body, { started, spoil }));
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    sendError(response, error.status, error.name, error.message);
  }
}

function makeReply(
  modelId: string,
  body: string,
  { started, spoil }: { readonly started: number; readonly spoil: ReplyFault | undefined },
) {
  const parsed = converse.safeParse(parseJson(body));
  if (!parsed.success) throw makeInputError(z.prettifyError(parsed.error));
  const { content, stopReason } = answerConverse(modelId, parsed.data, spoil);
  const inputTokens = estimateTokens(body);
  const outputTokens = estimateTokens(JSON.stringify(content));
  return {
    output: { message: { role: "assistant", content } },
    stopReason,
    usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
    metrics: { latencyMs: Math.max(1, Math.round(performance.now() - started)) },
  };
}

function sendError(response: Http2ServerResponse, status: number, type: string, message: string): void {
  response.setHeader("x-amzn-errortype", type);
  sendReply(response, status, { message });
}

function sendReply(response: Http2ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
