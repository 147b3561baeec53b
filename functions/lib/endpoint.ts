import { createHash, timingSafeEqual } from "node:crypto";
import middy from "@middy/core";
import jsonParser from "@middy/http-json-body-parser";
import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import * as z from "zod";
import { AppError } from "../../core/error.ts";
import * as Session from "../../core/session/index.ts";
import { walletHeader } from "../../core/session/schema.ts";
import { originHeader, signedReadHeader } from "../browser.ts";
import {
  type Access,
  bodyLimit,
  type Caller,
  type Route,
  type RouteId,
  type RouteOf,
  routes,
} from "../routes.ts";
import { readOriginSecrets } from "./clients.ts";
import { environment, readSettings } from "./environment.ts";
import { log, runWithIds } from "./log.ts";
import { logMetrics } from "./meter.ts";
import {
  HttpProblem,
  isPostponed,
  makeInvalidInputError,
  makeProblemReply,
  type Reply,
  readSessionToken,
  toRefusal,
} from "./reply.ts";
import * as runtime from "./runtime.ts";

type WalletCaller = "session" | "publisher";
type WalletRouteId = { [Id in RouteId]: RouteOf<Id>["caller"] extends WalletCaller ? Id : never }[RouteId];
/** The routes that serve documents. A document uses no port, except perhaps the port that reads the address of the receipts' key. */
type DocumentRouteId = {
  [Id in RouteId]: RouteOf<Id> extends
    | { readonly reads: unknown }
    | { readonly writes: unknown }
    | { readonly access: readonly [Exclude<Access, "receipts:read">, ...unknown[]] }
    ? never
    : Id;
}[RouteId];
type OpenRouteId = Exclude<RouteId, WalletRouteId | DocumentRouteId>;

type TextFields = Readonly<Record<string, string | undefined>>;

/** The parsed request that an operation gets as its input. The names of the request's headers are in lower case. */
export type Request<Body> = {
  readonly body: Body;
  readonly path: TextFields;
  /** The query keys that the route declares. */
  readonly query: TextFields;
  readonly headers: TextFields;
  /** The caller's IP address. */
  readonly address: string;
  /** The unverified value of the session cookie. */
  readonly token: string | undefined;
  /**
   * Looks up the caller's session. The lookup happens only when an operation needs the session, so that public answers need no table
   * request.
   */
  readonly session: () => Promise<Session.Session | undefined>;
};

/**
 * Makes the handler of a route that serves a document: everybody gets the same answer, and the handler needs almost no ports. A route
 * without a session has no table client in its bundle.
 */
export function makeDocumentHandler(
  id: DocumentRouteId,
  operation: (headers: TextFields, method: string) => Reply | Promise<Reply>,
) {
  return makeRouteHandler(findRoute(id), readJsonBody(z.undefined()), async ({ headers, requestContext }) =>
    operation(headers, requestContext.http.method),
  );
}

/**
 * Makes the handler of a route that callers may use without a session. The route's row says whether pages of other sites may call the
 * route. The function `complete` may replace the request's body before the body is validated.
 */
export function makeHandler<Body>(
  id: OpenRouteId,
  form: z.ZodType<Body>,
  operation: (request: Request<Body>) => Promise<Reply>,
  complete?: (body: unknown, headers: TextFields) => Promise<unknown>,
) {
  const route = findRoute(id);
  return makeRouteHandler(route, readJsonBody(form), async (event) => {
    const body = complete === undefined ? event.body : await complete(event.body, event.headers);
    return operation(parseRequest(route, { ...event, body }, form));
  });
}

/**
 * Makes the handler of a public route whose operation itself parses the JSON-RPC in the body. The operation gets an empty text if the
 * request has no body.
 */
export function makeRpcHandler(id: OpenRouteId, operation: (request: Request<string>) => Promise<Reply>) {
  const route = findRoute(id);
  const form = z.string().default("");
  return makeRouteHandler(route, readTextBody, async (event) => operation(parseRequest(route, event, form)));
}

/**
 * Makes the handler of a route for wallets with a session of the kind that the route's row requires. The operation gets the session as
 * `caller` and the session's token as `token`.
 */
export function makeWalletHandler<Body>(
  id: WalletRouteId,
  form: z.ZodType<Body>,
  operation: (request: Request<Body> & CallerSession) => Promise<Reply>,
) {
  const route = findRoute(id);
  return makeRouteHandler(route, readJsonBody(form), async (event) => {
    const authentic = await requireSession(route.caller, readToken(event), event.headers[walletHeader]);
    return operation({ ...parseRequest(route, event, form), ...authentic });
  });
}

/**
 * The steps of every request, in order: check the origin and the size, parse JSON, run the operation, and turn errors into statuses (design
 * §2).
 */
function makeRouteHandler(route: Route, readBody: BodyReader, operation: (event: Event) => Promise<Reply>) {
  const answer = middy<Event, Reply>()
    .use({
      onError: (request) => {
        request.response = answerError(request.event, request.error);
      },
    })
    .use({ before: ({ event }) => requireEdge(event) })
    .use({ before: ({ event }) => checkOrigin(route, event) })
    .use({ before: ({ event }) => checkSize(event) })
    .use({ before: readBody })
    .handler(async (event) => {
      const reply = await operation(event);
      const headers = { ...makeCacheHeaders(route, event), ...reply.headers };
      return applyEtag({ ...reply, headers }, event.headers["if-none-match"]);
    });
  return (event: Event, context: Context): Promise<Reply> => {
    const { requestId } = event.requestContext;
    const ids = { requestId, invocationId: context.awsRequestId, correlationId: requestId };
    return runWithIds({ function: route.id, ...ids }, async () => {
      const reply = await answer(event, context);
      // The privacy text says that the logs of the site's pages and of payments contain no IP address.
      const isPrivate = route.isPage === true || route.caller === "payer";
      const caller = isPrivate ? {} : { ip: findClientIp(event) };
      log.info("Answered", { status: reply.statusCode, ...caller });
      return reply;
    });
  };
}

function parseRequest<Body>(route: Route, event: Event, form: z.ZodType<Body>): Request<Body> {
  const token = readToken(event);
  const query = Object.entries(event.queryStringParameters ?? {});
  return {
    body: validateBody(form, event.body),
    path: event.pathParameters ?? {},
    // A handler gets only the query keys that its route declares, because caches distinguish answers only by the declared keys.
    query: Object.fromEntries(query.filter(([key]) => route.query?.includes(key) === true)),
    headers: event.headers,
    address: findClientIp(event),
    token,
    session: () => findSession(token),
  };
}

/**
 * In a stage with an edge, the edge appends the client's address to `x-forwarded-for`, and then the gateway appends the edge's address.
 * Earlier entries of `x-forwarded-for` may be forged.
 */
function findClientIp({ headers, requestContext: { http } }: Event): string {
  if (environment.originSecretIds() === undefined) return http.sourceIp;
  const named = (headers["x-forwarded-for"] ?? "").split(",").map((address) => address.trim());
  return named.filter((address) => address !== "" && address !== http.sourceIp).at(-1) ?? http.sourceIp;
}

function readToken(event: Event): string | undefined {
  return readSessionToken(readSettings().origin, event.cookies);
}

async function findSession(token: string | undefined): Promise<Session.Session | undefined> {
  return token === undefined ? undefined : Session.find(runtime.makeTablePorts(), token);
}

type CallerSession = { readonly caller: Session.Session; readonly token: string };

/** `named`: the wallet for which the request was made, if the request names a wallet. */
async function requireSession(
  caller: Caller,
  token: string | undefined,
  named: string | undefined,
): Promise<CallerSession> {
  const session = await findSession(token);
  if (session === undefined || token === undefined) {
    throw new AppError(
      "auth",
      "no_session",
      "Sign in with your wallet first: there is no session, or it has expired.",
    );
  }
  if (named !== undefined && named.toLowerCase() !== session.wallet) {
    throw new AppError(
      "auth",
      "other_session",
      "Another wallet is now signed in in this browser. Nothing was done: sign in again with the wallet of this page.",
    );
  }
  if (caller === "publisher" && session.origin === "payment") {
    throw new AppError(
      "auth",
      "sign_in_required",
      "Sign in with your wallet for this: a payment only lets you read.",
    );
  }
  return { caller: session, token };
}

/** Design §9: in a stage with an edge, all requests must come through the edge, because the firewall and the caches are there. */
async function requireEdge(event: Event): Promise<void> {
  const secrets = await readOriginSecrets();
  const shown = event.headers[originHeader] ?? "";
  if (secrets === undefined || secrets.some((secret) => isSameSecret(shown, secret))) return;
  throw new HttpProblem(403, "not_through_the_edge", `Use ${readSettings().origin} instead of this address.`);
}

/** Compares digests of the secrets, so that the duration of the comparison reveals neither the length nor the content of a secret. */
function isSameSecret(received: string, secret: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(received), digest(secret));
}

/**
 * A POST to a route that only our pages may call must have our site's address in its `Origin` header (specification §5.4, design §2). A GET
 * from our own site has no `Origin` header, so a GET is refused only if another header names another site. The check allows programs, which
 * send no `Origin`, to call the routes that change a session.
 */
function checkOrigin(route: Route, event: Event): void {
  const { origin } = event.headers;
  const own = readSettings().origin;
  const foreign = origin !== undefined && origin !== own;
  const crossSite = ["cross-site", "same-site"].includes(event.headers["sec-fetch-site"] ?? "");
  const refused =
    route.caller === "site"
      ? foreign || crossSite || (route.method === "POST" && origin === undefined)
      : (route.caller === "session" || route.caller === "publisher") && foreign;
  if (refused) throw new HttpProblem(403, "wrong_origin", `This works only from ${own}.`);
}

function answerError(event: Event, error: unknown): Reply {
  const { requestId } = event.requestContext;
  const refusal = toRefusal(error);
  if (refusal === undefined) {
    log.error("Unexpected error", { error });
    logMetrics({ Defects: 1 });
  } else if (refusal instanceof AppError && refusal.kind === "upstream") {
    log.warn(refusal.message, { code: refusal.code, error: refusal });
    logMetrics({ Unavailable: 1 }, { code: refusal.code });
    if (isPostponed(refusal)) logMetrics({ Postponed: 1 });
  }
  return makeProblemReply(refusal, requestId);
}

/**
 * Makes the cache headers for an answer of a route. If an answer depends on the session, the answer has `Vary: Cookie`, and is not cached
 * if the request has a session.
 */
function makeCacheHeaders({ cache }: Route, event: Event): Readonly<Record<string, string>> {
  if (cache === "none") return { "cache-control": "no-store" };
  const personal = { "cache-control": "private, no-store" };
  if (cache === "personal") return personal;
  const { fresh, staleWhileRevalidate: stale, bySession = false } = cache;
  const shared = {
    "cache-control": `public, max-age=0, s-maxage=${fresh}${stale > 0 ? `, stale-while-revalidate=${stale}` : ""}`,
  };
  if (!bySession) return shared;
  const isPersonal = readToken(event) !== undefined || event.headers[signedReadHeader] !== undefined;
  return { ...(isPersonal ? personal : shared), vary: `cookie, ${signedReadHeader}` };
}

function findRoute(id: RouteId): Route {
  const found = routes.find((route) => route.id === id);
  if (found === undefined) throw new TypeError(`No route ${id}`);
  return found;
}

/** The headers that an answer with status 304 repeats (RFC 9110 §15.4.5). */
const repeated = new Set(["cache-control", "etag", "vary"]);

/**
 * Gives a cacheable answer a strong ETag, and answers with 304 without a body to a client that already has this answer. `ifNoneMatch` is
 * the request's header `If-None-Match`. ETags are compared weakly (RFC 9110 §13.1.2), because the edge weakens the ETags of compressed
 * answers.
 */
export function applyEtag(reply: Reply, ifNoneMatch: string | undefined): Reply {
  const { statusCode, headers = {}, body = "" } = reply;
  if (statusCode !== 200 || /\bno-store\b/.test(String(headers["cache-control"] ?? "no-store"))) return reply;
  const etag = `"${createHash("sha256").update(body).digest("base64url")}"`;
  const tagged = { ...headers, etag };
  if (!matchesEtag(ifNoneMatch, etag)) return { ...reply, headers: tagged };
  const kept = Object.entries(tagged).filter(([name]) => repeated.has(name));
  return { statusCode: 304, headers: Object.fromEntries(kept) };
}

function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  const tags: readonly string[] = ifNoneMatch.match(/"[^"]*"/g) ?? [];
  return tags.includes(etag);
}

/** An event in the gateway's payload format 2.0, whose body may already be parsed. */
export type Event = Omit<APIGatewayProxyEventV2, "body"> & { body?: unknown };

/** A middleware that parses the body. */
export type BodyReader = (request: middy.Request<Event, Reply>) => void;

function checkSize(event: Event): void {
  if (typeof event.body !== "string") return;
  const bytes = Buffer.byteLength(event.body, event.isBase64Encoded ? "base64" : "utf8");
  if (bytes > bodyLimit) {
    throw new HttpProblem(413, "body_too_large", `The body is larger than ${bodyLimit / 1024} kB.`);
  }
}

const ParserError = z.object({ statusCode: z.union([z.literal(415), z.literal(422)]) });

/** Replaces the JSON text of a body by the parsed value. */
function readJsonBody(form: z.ZodType): BodyReader {
  const parser = jsonParser();
  return (request) => {
    const { body } = request.event;
    if (typeof body !== "string") return;
    try {
      const event = { ...request.event, body };
      parser.before?.({ ...request, event });
      request.event.body = event.body;
    } catch (error) {
      const { data } = ParserError.safeParse(error);
      if (data === undefined) throw error;
      const wanted = describeForm(form);
      throw data.statusCode === 415 ? makeNotJsonError(wanted) : makeMalformedError(wanted);
    }
  };
}

const jsonType = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** Gives the JSON body to the operation as text, because the operation itself reports invalid JSON. */
const readTextBody: BodyReader = ({ event }) => {
  if (event.body === undefined) return;
  if (!jsonType.test(event.headers["content-type"] ?? "")) throw makeNotJsonError(makeRpcHint());
  if (typeof event.body !== "string" || !event.isBase64Encoded) return;
  event.body = Buffer.from(event.body, "base64").toString();
  event.isBase64Encoded = false;
};

const makeNotJsonError = (expected: string) =>
  new HttpProblem(415, "not_json", `The content type is not JSON. ${expected}`);
const makeMalformedError = (expected: string) =>
  new HttpProblem(400, "malformed_json", `The body is not valid JSON. ${expected}`);

/**
 * Validates the body. Throws `invalid_input` (`input`). The error names every invalid field, or the required fields if the body is empty.
 */
function validateBody<Body>(form: z.ZodType<Body>, body: unknown): Body {
  const read = form.safeParse(body);
  if (read.success) return read.data;
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  if (isObject && read.error.issues.every(({ code }) => code !== "invalid_union"))
    throw makeInvalidInputError(read.error);
  const found = body === undefined ? "There is no body." : "The body has an invalid form.";
  throw makeInvalidInputError(read.error, `${found} ${describeForm(form)}`);
}

/** Returns the hint that tells a caller which fields of the given schema the request's body must have. */
function describeForm(form: z.ZodType): string {
  return describeFields(listMissingFields(form.safeParse({}).error?.issues ?? []));
}

/** Returns the hint that tells a caller that the request's body must have the given fields. */
function describeFields(fields: string): string {
  if (fields === "") return "This request needs no body.";
  return `Send a JSON object with ${fields} as application/json: ${readSettings().origin}/openapi.json has examples.`;
}

/** Returns the hint that tells a caller that the request's body must be JSON-RPC. */
export const makeRpcHint = () => describeFields("jsonrpc, id and method");

/** Lists the required fields of a schema, or of each alternative if the schema is a union. */
function listMissingFields(issues: readonly z.core.$ZodIssue[]): string {
  const fields = issues.map((issue) =>
    issue.code === "invalid_union"
      ? issue.errors.map(listMissingFields).filter(Boolean).join(" or ")
      : (issue.path[0] ?? ""),
  );
  const names = [...new Set(fields.map(String).filter(Boolean))];
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
