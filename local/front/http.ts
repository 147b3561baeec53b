import type { ServerResponse } from "node:http";
import * as z from "zod";
import type { AppError } from "../../core/error.ts";
import { type HttpProblem, problemReply } from "../../functions/lib/reply.ts";
import { methodsOf, type Route } from "../../functions/routes.ts";

export type Match =
  | {
      readonly kind: "route";
      readonly route: Route;
      /** The path's named segments. */
      readonly parameters: Readonly<Record<string, string>>;
    }
  /** The path is known, the method is not. */
  | { readonly kind: "method" }
  | { readonly kind: "none" };

export type Router = (method: string, segments: readonly string[]) => Match;

/** Makes a router of the table: of several matching paths the one with fewest parameters wins. */
export function makeRouter(routes: readonly Route[]): Router {
  const patterns = routes
    .map((route) => ({ route, parts: route.path.slice(1).split("/") }))
    .toSorted((a, b) => parameterCount(a.parts) - parameterCount(b.parts));
  return (method, segments) => {
    const found = patterns.flatMap(({ route, parts }) => {
      const parameters = matchParts(parts, segments);
      return parameters === undefined ? [] : [{ route, parameters }];
    });
    const match = found.find(({ route }) => methodsOf(route).some((one) => one === method));
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
    const name = parameterName(part);
    if (name === undefined ? part !== segment : segment === "") return undefined;
    if (name !== undefined) parameters[name] = segment;
  }
  return parameters;
}

function parameterCount(parts: readonly string[]): number {
  return parts.filter((part) => parameterName(part) !== undefined).length;
}

function parameterName(part: string): string | undefined {
  return /^\{(\w+)\}$/.exec(part)?.[1];
}

/** Where a request wants to go. */
export type Target = {
  /** As it was sent, beginning with a slash. */
  readonly path: string;
  readonly segments: readonly string[];
  /** As it was sent, without the question mark. */
  readonly query: string;
};

/** Reads a request line's target (RFC 9112 §3.2): a path, or a whole URL. `undefined` for one that is malformed. */
export function readTarget(target: string): Target | undefined {
  const local = target.startsWith("/") ? target : pathOf(target);
  if (local === undefined) return undefined;
  const [path = "", ...rest] = local.split("?");
  return { path, segments: path.slice(1).split("/"), query: rest.join("?") };
}

function pathOf(target: string): string | undefined {
  const url = /^https?:/i.test(target) ? URL.parse(target) : null;
  return url === null ? undefined : `${url.pathname}${url.search}`;
}

/** What goes back over the wire. Header names are lower-case. */
export type Answer = {
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

const Marked = z.looseObject({ statusCode: z.unknown() }).refine((value) => "statusCode" in value);

/**
 * What an HTTP API makes of a function's result (payload format 2.0): an answer where it has a `statusCode`, else
 * 200 with the result as JSON, a string as it is. Throws TypeError for a result that the gateway would refuse.
 */
export function inferAnswer(result: unknown): Answer {
  if (!Marked.safeParse(result).success) {
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

/** Writes an answer; to a client that has gone away it is simply not written. */
export function send(response: ServerResponse, { status, headers, body }: Answer): void {
  if (response.destroyed) return;
  const bytes = Buffer.from(body);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (status !== 204 && status !== 304) response.setHeader("content-length", bytes.length);
  response.writeHead(status);
  // node leaves the body out where there must be none: HEAD, 204 and 304.
  response.end(bytes);
}

/** A refusal by the front itself, in the form of design §2. Without an error it is a defect of ours: 500. */
export function problem(
  error: AppError | HttpProblem | undefined,
  requestId: string,
  headers: Answer["headers"] = {},
): Answer {
  const answer = inferAnswer(problemReply(error, requestId));
  return { ...answer, headers: { ...answer.headers, ...headers } };
}
