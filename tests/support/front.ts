import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import { onTestFinished } from "vitest";
import type { Route } from "../../functions/routes.ts";
import { type LocalFront, startFront } from "../../local/front/index.ts";

/** A row of the table of routes for tests. The default is `GET /api/echo`. */
export function makeRoute(changes: Partial<Route> = {}): Route {
  return {
    id: "echo",
    method: "GET",
    path: "/api/echo",
    file: "functions/http/echo.ts",
    handler: "handler",
    caller: "anyone",
    access: [],
    timeoutSeconds: 60,
    memoryMb: 512,
    cache: "none",
    ...changes,
  };
}

export type HandlerCall = { readonly event: APIGatewayProxyEventV2; readonly context: Context };

/** A local front that runs the given function for every row. The front's error reports are in `reports`. */
export async function startFrontWith(
  routes: readonly Route[],
  handler: (call: HandlerCall) => unknown,
  further: Pick<Parameters<typeof startFront>[0], "site" | "capacity"> = {},
): Promise<LocalFront & { readonly reports: readonly { message: string; error: unknown }[] }> {
  const reports: { message: string; error: unknown }[] = [];
  const front = await startFront({
    port: 0,
    routes,
    ...further,
    load: async () => async (event, context) => handler({ event: parseEvent(event), context }),
    report: (message, error) => void reports.push({ message, error }),
  });
  onTestFinished(front.stop);
  return { ...front, reports };
}

function isEvent(value: unknown): value is APIGatewayProxyEventV2 {
  return typeof value === "object" && value !== null && "requestContext" in value;
}

function parseEvent(value: unknown): APIGatewayProxyEventV2 {
  if (!isEvent(value)) throw new TypeError("Not a payload-v2 event");
  return value;
}

export type RawAnswer = {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
};

/** Sends a request unchanged: without the headers that fetch adds, and with the path exactly as given. */
export async function ask(
  front: LocalFront,
  path: string,
  options: { method?: string; headers?: OutgoingHttpHeaders; body?: string | Buffer } = {},
): Promise<RawAnswer> {
  const { method = "GET", headers = {}, body } = options;
  const target = { host: "127.0.0.1", port: front.port, path, method, agent: false };
  const sent = httpRequest({ ...target, headers: { host: `localhost:${front.port}`, ...headers } });
  const answered = Promise.withResolvers<IncomingMessage>();
  sent.on("error", answered.reject);
  sent.on("response", answered.resolve);
  sent.end(body);
  const answer = await answered.promise;
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) };
}

/** Writes bytes to the front's port and resolves with the whole answer. */
export function writeRaw(front: LocalFront, bytes: string): Promise<string> {
  const socket = connect(front.port, "127.0.0.1", () => socket.write(bytes));
  return text(socket);
}
