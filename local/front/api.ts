import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import * as z from "zod";
import { cors } from "../../functions/browser.ts";
import { HttpProblem, makeProblemReply } from "../../functions/lib/reply.ts";
import { listMethods, type Route } from "../../functions/routes.ts";
import { type Capacity, type HandlerLoader, invoke, TooManyRuns } from "../lambda.ts";

export type FaultReporter = (message: string, error: unknown) => void;

type ApiRequest = {
  readonly request: IncomingMessage;
  readonly target: RequestTarget;
  readonly match: RouteMatch;
  readonly requestId: string;
};

/** Whether a path belongs to the API and never to the site, even if no route has this path. */
export function isApiPath({ path }: RequestTarget, match: RouteMatch): boolean {
  return (
    match.kind !== "none" || path === "/api" || path.startsWith("/api/") || path.startsWith("/.well-known/")
  );
}

export type ApiPorts = {
  readonly load: HandlerLoader;
  readonly report: FaultReporter;
  readonly capacity: Capacity;
};

/**
 * Answers a request as the gateway and the row's function would; `undefined` if the client disconnected before the request was complete.
 */
export async function answerApi(ports: ApiPorts, input: ApiRequest): Promise<HttpAnswer | undefined> {
  if (input.request.method === "OPTIONS") return preflight;
  const answer = await answerRoute(ports, input);
  return answer && addCorsHeaders(answer);
}

async function answerRoute(
  { load, report, capacity }: ApiPorts,
  { request, target, match, requestId }: ApiRequest,
): Promise<HttpAnswer | undefined> {
  // A route of the gateway is a method with a path, so a known path with another method is an unknown route.
  if (match.kind !== "route") return makeNotFound(`${request.method} ${target.path}`, requestId);
  const size = measureHead(request);
  if (size > headerLimit) {
    const message = `The request's first line and headers have ${size} bytes; at most ${headerLimit} are allowed.`;
    return makeProblemAnswer(new HttpProblem(431, "headers_too_large", message), requestId, {
      connection: "close",
    });
  }
  const body = await readBody(request);
  if (body.kind === "broken") return undefined;
  if (body.kind === "too large") {
    const limit = `${hardLimit / 1024 / 1024} MB`;
    const refusal = new HttpProblem(413, "body_too_large", `The body is larger than ${limit}.`);
    return makeProblemAnswer(refusal, requestId, { connection: "close" });
  }
  const { route: row } = match;
  if (!capacity.admitRequest(row.id)) return makeGatewayRefusal(429);
  const event = makeEvent(request, target, match, body.bytes, requestId);
  try {
    return toHttpAnswer(await capacity.run(row.id, () => invoke(row, load, requestId, event)));
  } catch (error) {
    if (error instanceof TooManyRuns) return makeGatewayRefusal(503);
    report(`${row.method} ${target.path} failed (request ${requestId})`, error);
    return makeGatewayRefusal(500);
  }
}

/** The gateway's limit in bytes for the request line and all headers together (API Gateway's quotas for HTTP APIs). */
const headerLimit = 10_240;

function measureHead({ method = "", url = "", rawHeaders }: IncomingMessage): number {
  return [method, url, ...rawHeaders].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

/**
 * The gateway's own refusal, which has none of our error codes: 429 for a throttled route, 503 if Lambda starts no more runs, 500 for a
 * function that crashed or exceeded its time limit. The edge adds `retry-after` (infra/behaviours.ts).
 */
export function makeGatewayRefusal(status: 429 | 500 | 503): HttpAnswer {
  const headers = { "content-type": "application/json", "retry-after": "1" };
  return { status, headers, body: JSON.stringify({ message: STATUS_CODES[status] }) };
}

/** Makes the event that an HTTP API sends to a function (payload format 2.0), with all documented fields. */
function makeEvent(
  request: IncomingMessage,
  target: RequestTarget,
  { route, parameters }: Extract<RouteMatch, { readonly kind: "route" }>,
  body: Buffer,
  requestId: string,
): APIGatewayProxyEventV2 {
  const now = Date.now();
  const { cookies, headers } = readHeaders(request);
  const query = readQuery(target.query);
  const text = isText(headers["content-type"]);
  const host = headers.host ?? "localhost";
  const routeKey = `${request.method} ${route.path}`;
  return {
    version: "2.0",
    routeKey,
    rawPath: target.path,
    rawQueryString: target.query,
    ...(cookies.length > 0 && { cookies }),
    headers,
    ...(query !== undefined && { queryStringParameters: query }),
    ...(Object.keys(parameters).length > 0 && { pathParameters: { ...parameters } }),
    requestContext: {
      accountId: "000000000000",
      apiId: "local",
      domainName: host,
      domainPrefix: host.split(".")[0] ?? host,
      http: {
        method: request.method ?? route.method,
        path: target.path,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: readSourceIp(request),
        userAgent: headers["user-agent"] ?? "",
      },
      requestId,
      routeKey,
      stage: "$default",
      time: formatLogTime(now),
      timeEpoch: now,
    },
    ...(body.length > 0 && { body: body.toString(text ? "utf8" : "base64") }),
    isBase64Encoded: body.length > 0 && !text,
  };
}

type EventHeaders = { readonly cookies: string[]; readonly headers: Record<string, string> };

function readHeaders(request: IncomingMessage): EventHeaders {
  const { cookie = [], ...others } = request.headersDistinct;
  const headers = Object.entries(others).map(([name, values]) => [name, values?.join(",") ?? ""]);
  const forwarded = [...(others["x-forwarded-for"] ?? []), readSourceIp(request)].join(", ");
  const cookies = cookie
    .flatMap((line) => line.split(";"))
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "");
  return {
    cookies,
    headers: { ...Object.fromEntries(headers), "x-forwarded-for": forwarded, "x-forwarded-proto": "http" },
  };
}

/** The decoded query. The values of a repeated parameter are joined by commas. */
function readQuery(query: string): Record<string, string> | undefined {
  if (query === "") return undefined;
  const asked = new URLSearchParams(query);
  return Object.fromEntries(Array.from(asked.keys(), (name) => [name, asked.getAll(name).join(",")]));
}

function readSourceIp(request: IncomingMessage): string {
  return request.socket.remoteAddress?.replace(/^::ffff:/, "") ?? "127.0.0.1";
}

/** The time in the Common Log Format, such as `12/Mar/2026:19:03:58 +0000`. */
function formatLogTime(now: number): string {
  return new Date(now).toUTCString().replace(/^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/, "$1/$2/$3:$4 +0000");
}

/** Lambda's limit in bytes for a request. Each route's handler has its own size limit, which is smaller than Lambda's limit. */
const hardLimit = 6 * 1024 * 1024;

/**
 * The maximum number of bytes of a body that are read. Bytes above `hardLimit` are dropped; they are read only so that a client sees the
 * refusal before the connection ends.
 */
const drainLimit = 64 * 1024 * 1024;

type RequestBody =
  | { readonly kind: "whole"; readonly bytes: Buffer }
  | { readonly kind: "too large" }
  /** The result for a request whose client has disconnected. */
  | { readonly kind: "broken" };

async function readBody(request: IncomingMessage): Promise<RequestBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > drainLimit) break;
      if (size <= hardLimit) chunks.push(bytes);
    }
  } catch {
    // Reading a body fails only if the connection breaks, so the request needs no answer.
    return { kind: "broken" };
  }
  return size > hardLimit ? { kind: "too large" } : { kind: "whole", bytes: Buffer.concat(chunks) };
}

/**
 * Whether the gateway passes a body of this media type as text. Bodies of media types that do not count as text, and bodies without a media
 * type, become base64.
 */
function isText(contentType: string | undefined): boolean {
  const type = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  return type.startsWith("text/") || /^application\/(json|xml|javascript)$/.test(type);
}

/** Any site may read the API's answers, including a 402 or an error, because a browser client needs these answers to pay. */
export function addCorsHeaders(answer: HttpAnswer): HttpAnswer {
  return { ...answer, headers: { ...answer.headers, ...readable } };
}

/** The gateway's answer to every OPTIONS request below the API. A preflight request calls no function. */
const preflight: HttpAnswer = {
  status: 204,
  headers: {
    "access-control-allow-origin": cors.allowOrigins.join(", "),
    "access-control-allow-methods": cors.allowMethods.join(", "),
    "access-control-allow-headers": cors.allowHeaders.join(", "),
    "access-control-max-age": String(cors.maxAgeSeconds),
  },
  body: "",
};

const readable = {
  "access-control-allow-origin": cors.allowOrigins.join(", "),
  "access-control-expose-headers": cors.exposeHeaders.join(", "),
};

export type RouteMatch =
  | {
      readonly kind: "route";
      readonly route: Route;
      readonly parameters: Readonly<Record<string, string>>;
    }
  /** The path exists, but does not accept the request's method. */
  | { readonly kind: "method" }
  | { readonly kind: "none" };

export type Router = (method: string, segments: readonly string[]) => RouteMatch;

/** Makes a router, which finds the row of `routes.ts` for a path. If several paths match, the path with the fewest parameters is used. */
export function makeRouter(routes: readonly Route[]): Router {
  const patterns = routes
    .map((route) => ({ route, parts: route.path.slice(1).split("/") }))
    .toSorted((a, b) => countParameters(a.parts) - countParameters(b.parts));
  return (method, segments) => {
    const found = patterns.flatMap(({ route, parts }) => {
      const parameters = matchParts(parts, segments);
      return parameters === undefined ? [] : [{ route, parameters }];
    });
    const match = found.find(({ route }) => listMethods(route).some((one) => one === method));
    if (match !== undefined) return { kind: "route", ...match };
    return { kind: found.length === 0 ? "none" : "method" };
  };
}

function matchParts(
  parts: readonly string[],
  segments: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (parts.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const segment = segments[index] ?? "";
    const name = readParameter(part);
    if (name === undefined ? part !== segment : segment === "") return undefined;
    if (name !== undefined) parameters[name] = segment;
  }
  return parameters;
}

function countParameters(parts: readonly string[]): number {
  return parts.filter((part) => readParameter(part) !== undefined).length;
}

function readParameter(part: string): string | undefined {
  return /^\{(\w+)\}$/.exec(part)?.[1];
}

export type RequestTarget = {
  /** The raw path, beginning with a slash. */
  readonly path: string;
  readonly segments: readonly string[];
  /** The raw query without the question mark. */
  readonly query: string;
};

/** Parses a request line's target (RFC 9112 §3.2): a path or a whole URL. Returns `undefined` if the target is malformed. */
export function parseTarget(target: string): RequestTarget | undefined {
  const local = target.startsWith("/") ? target : readPath(target);
  if (local === undefined) return undefined;
  const [path = "", ...rest] = local.split("?");
  return { path, segments: path.slice(1).split("/"), query: rest.join("?") };
}

function readPath(target: string): string | undefined {
  const url = /^https?:/i.test(target) ? URL.parse(target) : null;
  return url === null ? undefined : `${url.pathname}${url.search}`;
}

/** An HTTP answer. Header names are lower-case. */
export type HttpAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer | string;
};

const HeaderValue = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const Structured = z.object({
  statusCode: z.coerce.number().int().min(200).max(599),
  headers: z.record(z.string(), HeaderValue).optional(),
  body: z.string().optional(),
  isBase64Encoded: z.boolean().default(false),
  cookies: z.array(z.string()).default([]),
});

/**
 * Turns a function's result into an answer by the rules of API Gateway's HTTP APIs (payload format 2.0). A result with a `statusCode`
 * describes the whole answer, and any other result becomes the body of an answer with status 200, as JSON or as a plain string. Throws
 * TypeError for a result that the gateway would refuse.
 */
function toHttpAnswer(result: unknown): HttpAnswer {
  if (typeof result !== "object" || result === null || !("statusCode" in result)) {
    const body = typeof result === "string" ? result : JSON.stringify(result ?? null);
    return { status: 200, headers: { "content-type": "application/json" }, body };
  }
  const parsed = Structured.safeParse(result);
  if (!parsed.success) throw new TypeError(`Not an answer: ${z.prettifyError(parsed.error)}`);
  const { statusCode, headers = {}, body = "", isBase64Encoded, cookies } = parsed.data;
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    status: statusCode,
    headers: {
      ...(body !== "" && { "content-type": "text/plain;charset=UTF-8" }),
      ...Object.fromEntries(named),
      ...(cookies.length > 0 && { "set-cookie": cookies }),
    },
    body: isBase64Encoded ? Buffer.from(body, "base64") : body,
  };
}

/** Writes an answer, unless the client has disconnected. */
export function sendAnswer(response: ServerResponse, { status, headers, body }: HttpAnswer): void {
  if (response.destroyed) return;
  const bytes = Buffer.from(body);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (status !== 204 && status !== 304) response.setHeader("content-length", bytes.length);
  response.writeHead(status);
  // Node.js omits the body for HEAD, 204 and 304.
  response.end(bytes);
}

/** The refusal of a request for a path that the service does not have. */
export function makeNotFound(place: string, requestId: string): HttpAnswer {
  return makeProblemAnswer(new HttpProblem(404, "unknown_route", `There is nothing at ${place}.`), requestId);
}

/** A refusal by the front itself, in the form of design §2. */
export function makeProblemAnswer(
  error: HttpProblem,
  requestId: string,
  headers: HttpAnswer["headers"] = {},
): HttpAnswer {
  const answer = toHttpAnswer(makeProblemReply(error, requestId));
  return { ...answer, headers: { ...answer.headers, ...headers } };
}
