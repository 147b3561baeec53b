import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { type Listening, listen } from "../../local/wire/listen.ts";
import { byHeader } from "./attribution.ts";

/** One request on its way to a part of the service. */
export type Passing = {
  /** The function that sent it; nobody for what the runtime itself asks. */
  readonly by: string | undefined;
  readonly target: string | undefined;
  readonly body: string;
};

/** Sees a request before it goes on, and may change its body; what it answers sees the reply. */
export type Watch = (
  passing: Passing,
) => Promise<{ readonly body?: string; readonly answered?: (reply: string) => Promise<void> }>;

/** Stands before a part and lets everything through. */
export function startProxy(endpoint: string, watch: Watch): Promise<Listening> {
  return listen(
    createServer((request, response) => {
      pass(endpoint, watch, request, response).catch((error: unknown) => {
        response.destroy(error instanceof Error ? error : new Error(String(error)));
      });
    }),
    0,
  );
}

async function pass(endpoint: string, watch: Watch, request: IncomingMessage, response: ServerResponse) {
  const raw = await buffer(request);
  const header = (name: string) => [request.headers[name]].flat()[0];
  const { body = raw, answered } = await watch({
    by: header(byHeader),
    target: header("x-amz-target"),
    body: raw.toString(),
  });
  const dropped = new Set([byHeader, "host", "connection", "content-length", "transfer-encoding", "expect"]);
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    dropped.has(name) || value === undefined ? [] : [[name, String(value)] satisfies [string, string]],
  );
  const reply = await fetch(endpoint + request.url, {
    method: request.method ?? "GET",
    headers,
    ...(raw.length > 0 && { body: Buffer.from(body) }),
  });
  const bytes = Buffer.from(await reply.arrayBuffer());
  await answered?.(bytes.toString());
  response.writeHead(
    reply.status,
    [...reply.headers]
      .filter(
        ([name]) => !/^(connection|keep-alive|transfer-encoding|content-encoding|content-length)$/.test(name),
      )
      .flat(),
  );
  response.end(bytes);
}
