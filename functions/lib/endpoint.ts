import { createHash, timingSafeEqual } from "node:crypto";
import middy from "@middy/core";
import jsonBody from "@middy/http-json-body-parser";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type * as z from "zod";
import { AppError } from "../../core/error.ts";
import * as Session from "../../core/session/index.ts";
import { bodyLimit, type Caller, type Route, type RouteId, type RouteOf, routes } from "../routes.ts";
import { sessionToken } from "./cookie.ts";
import { log } from "./log.ts";
import { HttpProblem, invalid, known, problemReply } from "./problem.ts";
import type { Reply } from "./reply.ts";
import * as runtime from "./runtime.ts";

/** A payload-v2 event whose body may have been parsed already. */
type Event = Omit<APIGatewayProxyEventV2, "body"> & { body?: unknown };

type WalletCaller = "session" | "publisher";
type WalletRouteId = { [Id in RouteId]: RouteOf<Id>["caller"] extends WalletCaller ? Id : never }[RouteId];
type OpenRouteId = Exclude<RouteId, WalletRouteId>;

type Named = Readonly<Record<string, string | undefined>>;

/** What an operation is given: the request, parsed. Header names are lower-case. */
export type Request<Body> = {
  readonly body: Body;
  readonly path: Named;
  readonly query: Named;
  readonly headers: Named;
  readonly requestId: string;
  /** The session cookie's value, unverified. */
  readonly token: string | undefined;
  /** The caller's session, looked up when it is asked for: public answers cost no request for it. */
  readonly session: () => Promise<Session.Session | undefined>;
};

/** A route that needs no session. Its row says whether other sites' pages may call it. */
export function endpoint<Body>(
  id: OpenRouteId,
  form: z.ZodType<Body>,
  operation: (request: Request<Body>) => Promise<Reply>,
) {
  return chain(rowOf(id), async (event) => operation(requestOf(event, form)));
}

/** A route for a wallet with the session that its row demands; `caller` is that session. */
export function walletEndpoint<Body>(
  id: WalletRouteId,
  form: z.ZodType<Body>,
  operation: (request: Request<Body> & { readonly caller: Session.Session }) => Promise<Reply>,
) {
  const route = rowOf(id);
  return chain(route, async (event) => {
    const caller = await authenticated(route.caller, tokenOf(event));
    return operation({ ...requestOf(event, form), caller });
  });
}

/** The one chain that every request goes through: origin, size, JSON, the operation, and errors to statuses (design §2). */
function chain(route: Route, operation: (event: Event) => Promise<Reply>) {
  const parser = jsonBody();
  return middy<Event, Reply>()
    .use({
      onError: (request) => {
        request.response = answerError(route, request.event, request.error);
      },
    })
    .use({ before: ({ event }) => checkEdge(event) })
    .use({ before: ({ event }) => checkOrigin(route, event) })
    .use({ before: ({ event }) => checkSize(event) })
    .use({ before: (request) => (request.event.body === undefined ? undefined : parser.before?.(request)) })
    .handler(async (event) => {
      const reply = await operation(event);
      return { ...reply, headers: { "cache-control": cacheControl(route), ...reply.headers } };
    });
}

function requestOf<Body>(event: Event, form: z.ZodType<Body>): Request<Body> {
  const token = tokenOf(event);
  const body = form.safeParse(event.body);
  if (!body.success) throw invalid(body.error);
  return {
    body: body.data,
    path: event.pathParameters ?? {},
    query: event.queryStringParameters ?? {},
    headers: event.headers,
    requestId: event.requestContext.requestId,
    token,
    session: () => findSession(token),
  };
}

function tokenOf(event: Event): string | undefined {
  return sessionToken(runtime.settings().origin, event.cookies);
}

async function findSession(token: string | undefined): Promise<Session.Session | undefined> {
  return token === undefined
    ? undefined
    : Session.find({ table: runtime.table(), clock: runtime.clock }, token);
}

async function authenticated(caller: Caller, token: string | undefined): Promise<Session.Session> {
  const session = await findSession(token);
  if (session === undefined) {
    throw new AppError(
      "auth",
      "no_session",
      "Sign in with your wallet first: there is no session, or it has expired.",
    );
  }
  if (caller === "publisher" && session.origin === "payment") {
    throw new AppError(
      "auth",
      "sign_in_required",
      "Sign in with your wallet to publish: a payment only lets you read.",
    );
  }
  return session;
}

/** Design §9: where there is an edge, requests come through it, for its firewall and its caches stand there. */
function checkEdge(event: Event): void {
  const secret = runtime.originSecret();
  if (secret === undefined || sameSecret(event.headers["x-origin-secret"] ?? "", secret)) return;
  throw new HttpProblem(
    403,
    "not_through_the_edge",
    `Use ${runtime.settings().origin} instead of this address.`,
  );
}

/** Compared by their digests, so that neither length nor time tells anything. */
function sameSecret(given: string, secret: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}

/**
 * Specification §5.4 and design §2. What only our pages may call needs our `Origin` on a POST; a GET carries none from
 * its own site, so there any sign of another site is refused. Session-changing calls may come from programs without one.
 */
function checkOrigin(route: Route, event: Event): void {
  const { origin } = event.headers;
  const own = runtime.settings().origin;
  const foreign = origin !== undefined && origin !== own;
  const crossSite = ["cross-site", "same-site"].includes(event.headers["sec-fetch-site"] ?? "");
  const refused =
    route.caller === "site"
      ? foreign || crossSite || (route.method === "POST" && origin === undefined)
      : (route.caller === "session" || route.caller === "publisher") && foreign;
  if (refused) throw new HttpProblem(403, "wrong_origin", `This works only from ${own}.`);
}

function checkSize(event: Event): void {
  if (typeof event.body !== "string") return;
  const bytes = Buffer.byteLength(event.body, event.isBase64Encoded ? "base64" : "utf8");
  if (bytes > bodyLimit) {
    throw new HttpProblem(413, "body_too_large", `The body is larger than ${bodyLimit / 1024} kB.`);
  }
}

function answerError(route: Route, event: Event, error: unknown): Reply {
  const { requestId } = event.requestContext;
  const refusal = known(error);
  if (refusal === undefined) {
    log.error("Unexpected error", { route: route.id, requestId, error });
  } else if (refusal instanceof AppError && refusal.kind === "upstream") {
    log.warn(refusal.message, { route: route.id, requestId, code: refusal.code, error: refusal });
  }
  return problemReply(refusal, requestId);
}

function cacheControl({ cache }: Route): string {
  if (cache === "none") return "no-store";
  if (cache === "personal") return "private, no-store";
  return `public, max-age=0, s-maxage=${cache.fresh}, stale-while-revalidate=${cache.staleWhileRevalidate}`;
}

function rowOf(id: RouteId): Route {
  const found = routes.find((route) => route.id === id);
  if (found === undefined) throw new TypeError(`No route ${id}`);
  return found;
}
