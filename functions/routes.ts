/**
 * Who may call a route.
 *
 * - `anyone`: public.
 * - `site`: pages of our own origin only (specification §5.4).
 * - `session`: a wallet with any session.
 * - `publisher`: a wallet that signed in; a session born from a payment does not publish (design §4).
 * - `payer`: whoever signs the payment in the request.
 */
export type Caller = "anyone" | "site" | "session" | "publisher" | "payer";

/** What lies outside a function and may be reached by it. Grants follow these words and nothing else (design §9). */
export type Resource =
  | "table:read"
  | "table:write"
  | "chain"
  | "chain:relay"
  | "market"
  | "news"
  | "relayers:sign"
  | "relayers:read"
  | "mints:send"
  | "verdicts:send"
  | "template:read"
  | "audit:run"
  | "model"
  | "auditor:sign"
  | "auditor:read";

/**
 * How long shared caches may keep an answer, in seconds. `personal` answers are never stored; `withSession` says that
 * those to a request with a session's cookie are personal.
 */
export type Cache =
  | "none"
  | "personal"
  | {
      readonly fresh: number;
      readonly staleWhileRevalidate: number;
      readonly withSession?: "personal";
    };

export type Route = {
  readonly id: string;
  readonly method: "GET" | "POST";
  /** API Gateway's notation: `{name}` is one segment. */
  readonly path: string;
  readonly file: string;
  readonly caller: Caller;
  readonly touches: readonly Resource[];
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  readonly cache: Cache;
  /** The keys of a query that the answer depends on. Others reach no function and tell no cached answers apart. */
  readonly query?: readonly string[];
  /** A page of the site: it gets the site's headers, and a slash at its end makes no difference. */
  readonly isPage?: true;
};

/** The methods that a row answers. The gateway knows no HEAD by itself: without a route of its own it is 404. */
export function methodsOf({ method }: Route): readonly ("GET" | "HEAD" | "POST")[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

/** THE table of endpoints: infra, the local front, the documents and the tests are made from it. */
export const routes = [
  {
    id: "auth-nonce",
    method: "POST",
    path: "/api/auth/nonce",
    file: "functions/http/auth-nonce.ts",
    caller: "site",
    touches: ["table:write"],
    timeoutSeconds: 10,
    memoryMb: 512,
    cache: "personal",
  },
  {
    id: "auth-verify",
    method: "POST",
    path: "/api/auth/verify",
    file: "functions/http/auth-verify.ts",
    caller: "site",
    touches: ["table:read", "table:write", "chain"],
    timeoutSeconds: 15,
    memoryMb: 512,
    cache: "personal",
  },
  {
    id: "me",
    method: "GET",
    path: "/api/me",
    file: "functions/http/me.ts",
    caller: "site",
    touches: ["table:read"],
    timeoutSeconds: 10,
    memoryMb: 512,
    cache: "personal",
  },
  {
    id: "auth-logout",
    method: "POST",
    path: "/api/auth/logout",
    file: "functions/http/auth-logout.ts",
    caller: "session",
    touches: ["table:read", "table:write"],
    timeoutSeconds: 10,
    memoryMb: 512,
    cache: "personal",
  },
  {
    id: "sessions",
    method: "GET",
    path: "/api/me/sessions",
    file: "functions/http/sessions.ts",
    caller: "session",
    touches: ["table:read"],
    timeoutSeconds: 10,
    memoryMb: 512,
    cache: "personal",
  },
  {
    id: "sessions-end",
    method: "POST",
    path: "/api/me/sessions/end",
    file: "functions/http/sessions-end.ts",
    caller: "session",
    touches: ["table:read", "table:write"],
    timeoutSeconds: 10,
    memoryMb: 512,
    cache: "personal",
  },
  {
    id: "presses",
    method: "GET",
    path: "/api/presses",
    file: "functions/http/presses.ts",
    caller: "anyone",
    touches: ["table:read"],
    timeoutSeconds: 10,
    memoryMb: 1024,
    cache: { fresh: 5, staleWhileRevalidate: 30 },
    query: ["stock", "cursor", "limit"],
  },
  {
    id: "press",
    method: "GET",
    path: "/api/presses/{slug}",
    file: "functions/http/press.ts",
    caller: "anyone",
    touches: ["table:read", "table:write", "market", "chain"],
    timeoutSeconds: 10,
    memoryMb: 1024,
    // Never stale: Chromium, which does not heed `Vary: Cookie` here, would show a locked press to who has just paid.
    cache: { fresh: 5, staleWhileRevalidate: 0, withSession: "personal" },
  },
  {
    id: "meta",
    method: "GET",
    path: "/api/meta/{id}",
    file: "functions/http/meta.ts",
    caller: "anyone",
    touches: ["table:read"],
    timeoutSeconds: 10,
    memoryMb: 512,
    cache: { fresh: 60, staleWhileRevalidate: 300 },
  },
  {
    id: "stocks",
    method: "GET",
    path: "/api/stocks",
    file: "functions/http/stocks.ts",
    caller: "anyone",
    touches: ["table:read", "table:write", "market", "chain"],
    timeoutSeconds: 15,
    memoryMb: 512,
    cache: { fresh: 60, staleWhileRevalidate: 600 },
  },
  {
    id: "quote",
    method: "GET",
    path: "/api/quotes/{symbol}",
    file: "functions/http/quote.ts",
    caller: "anyone",
    touches: ["table:read", "table:write", "market", "chain"],
    timeoutSeconds: 15,
    memoryMb: 512,
    cache: { fresh: 10, staleWhileRevalidate: 30 },
  },
  {
    id: "pay-treasury",
    method: "POST",
    path: "/api/pay/treasury",
    file: "functions/http/pay-treasury.ts",
    caller: "payer",
    touches: ["table:read", "table:write", "chain", "relayers:sign"],
    timeoutSeconds: 29,
    memoryMb: 1024,
    cache: "none",
  },
  {
    id: "pay-publisher",
    method: "POST",
    path: "/api/pay/publisher",
    file: "functions/http/pay-publisher.ts",
    caller: "payer",
    touches: ["table:read", "table:write", "chain", "relayers:sign"],
    timeoutSeconds: 29,
    memoryMb: 1024,
    cache: "none",
  },
  {
    id: "rpc",
    method: "POST",
    path: "/api/rpc",
    file: "functions/http/rpc.ts",
    caller: "anyone",
    touches: ["table:write", "chain:relay"],
    timeoutSeconds: 29,
    memoryMb: 512,
    cache: "none",
  },
  {
    id: "votes-record",
    method: "POST",
    path: "/api/votes/record",
    file: "functions/http/votes-record.ts",
    caller: "anyone",
    touches: ["table:read", "table:write", "chain"],
    timeoutSeconds: 15,
    memoryMb: 512,
    cache: "none",
  },
  {
    id: "history",
    method: "GET",
    path: "/api/me/history",
    file: "functions/http/history.ts",
    caller: "session",
    touches: ["table:read"],
    timeoutSeconds: 10,
    memoryMb: 512,
    cache: "personal",
  },
  {
    id: "press-save",
    method: "POST",
    path: "/api/press/save",
    file: "functions/http/press-save.ts",
    caller: "publisher",
    touches: ["table:read", "table:write", "market", "chain"],
    timeoutSeconds: 15,
    memoryMb: 512,
    cache: "personal",
  },
  {
    id: "press-audit",
    method: "POST",
    path: "/api/press/audit",
    file: "functions/http/press-audit.ts",
    caller: "publisher",
    touches: ["table:read", "table:write", "audit:run"],
    timeoutSeconds: 29,
    memoryMb: 512,
    cache: "personal",
  },
  {
    id: "press-dispute",
    method: "POST",
    path: "/api/press/dispute",
    file: "functions/http/press-dispute.ts",
    caller: "publisher",
    touches: ["table:read", "table:write"],
    timeoutSeconds: 10,
    memoryMb: 512,
    cache: "personal",
  },
  {
    id: "press-minted",
    method: "POST",
    path: "/api/press/minted",
    file: "functions/http/press-minted.ts",
    caller: "publisher",
    touches: ["table:read", "table:write", "mints:send"],
    timeoutSeconds: 29,
    memoryMb: 512,
    cache: "personal",
  },
  {
    id: "dashboard",
    method: "GET",
    path: "/api/me/dashboard",
    file: "functions/http/dashboard.ts",
    caller: "publisher",
    touches: ["table:read"],
    timeoutSeconds: 10,
    memoryMb: 512,
    cache: "personal",
  },
  {
    id: "my-press",
    method: "GET",
    path: "/api/me/press/{id}",
    file: "functions/http/my-press.ts",
    caller: "publisher",
    touches: ["table:read"],
    timeoutSeconds: 10,
    memoryMb: 512,
    cache: "personal",
  },
  {
    id: "audit-report",
    method: "GET",
    path: "/api/audit-report/{id}",
    file: "functions/http/audit-report.ts",
    caller: "anyone",
    touches: ["table:read"],
    timeoutSeconds: 10,
    memoryMb: 512,
    cache: { fresh: 3600, staleWhileRevalidate: 86_400 },
  },
  {
    id: "draft-angles",
    method: "POST",
    path: "/api/draft/angles",
    file: "functions/http/draft-angles.ts",
    caller: "publisher",
    touches: ["table:read", "table:write", "market", "chain", "news"],
    timeoutSeconds: 20,
    memoryMb: 512,
    cache: "personal",
  },
  {
    id: "draft-generate",
    method: "POST",
    path: "/api/draft/generate",
    file: "functions/http/draft-generate.ts",
    caller: "publisher",
    touches: ["table:read", "table:write", "market", "chain", "model"],
    timeoutSeconds: 29,
    memoryMb: 512,
    cache: "personal",
  },
  {
    id: "discovery",
    method: "GET",
    path: "/.well-known/x402",
    file: "functions/http/discovery.ts",
    caller: "anyone",
    touches: [],
    timeoutSeconds: 5,
    memoryMb: 512,
    cache: { fresh: 300, staleWhileRevalidate: 3600 },
  },
  {
    id: "press-page",
    method: "GET",
    path: "/press/{slug}",
    file: "functions/http/press-page.ts",
    caller: "anyone",
    touches: ["table:read", "template:read"],
    timeoutSeconds: 10,
    memoryMb: 512,
    cache: { fresh: 60, staleWhileRevalidate: 300 },
    isPage: true,
  },
  {
    id: "sitemap",
    method: "GET",
    path: "/sitemap.xml",
    file: "functions/http/sitemap.ts",
    caller: "anyone",
    touches: ["table:read"],
    timeoutSeconds: 20,
    memoryMb: 512,
    cache: { fresh: 600, staleWhileRevalidate: 3600 },
    query: ["part"],
  },
  {
    id: "discovery-api",
    method: "GET",
    path: "/api",
    file: "functions/http/discovery.ts",
    caller: "anyone",
    touches: [],
    timeoutSeconds: 5,
    memoryMb: 512,
    cache: { fresh: 300, staleWhileRevalidate: 3600 },
  },
  {
    id: "openapi",
    method: "GET",
    path: "/openapi.json",
    file: "functions/http/openapi.ts",
    caller: "anyone",
    touches: [],
    timeoutSeconds: 5,
    memoryMb: 512,
    cache: { fresh: 300, staleWhileRevalidate: 3600 },
  },
  {
    id: "llms",
    method: "GET",
    path: "/llms.txt",
    file: "functions/http/llms.ts",
    caller: "anyone",
    touches: [],
    timeoutSeconds: 5,
    memoryMb: 512,
    cache: { fresh: 300, staleWhileRevalidate: 3600 },
  },
  {
    id: "robots",
    method: "GET",
    path: "/robots.txt",
    file: "functions/http/robots.ts",
    caller: "anyone",
    touches: [],
    timeoutSeconds: 5,
    memoryMb: 512,
    cache: { fresh: 3600, staleWhileRevalidate: 86_400 },
  },
  {
    id: "feed",
    method: "GET",
    path: "/feed.xml",
    file: "functions/http/feed.ts",
    caller: "anyone",
    touches: ["table:read"],
    timeoutSeconds: 10,
    memoryMb: 512,
    cache: { fresh: 60, staleWhileRevalidate: 300 },
    query: ["stock"],
  },
] as const satisfies readonly Route[];

export type RouteId = (typeof routes)[number]["id"];
export type RouteOf<Id extends RouteId> = Extract<(typeof routes)[number], { readonly id: Id }>;

/** The session cookie's name by the site's scheme: on https it carries the `__Host-` promise (RFC 6265bis §4.1.3.2). */
export const sessionCookieName = { https: "__Host-session", http: "session" } as const;

/** The largest request body, in bytes; larger ones are answered 413. */
export const bodyLimit = 256 * 1024;

/**
 * What the gateway answers to other origins: anyone may read and pay from any page, without cookies.
 * `access-control-expose-headers` is sent as a request header by the official x402 client.
 */
export const cors = {
  allowOrigins: ["*"],
  allowMethods: ["GET", "POST"],
  allowHeaders: ["content-type", "payment-signature", "x-payment", "access-control-expose-headers"],
  exposeHeaders: ["payment-required", "payment-response", "retry-after"],
  maxAgeSeconds: 3600,
} as const;

/** Where the site's pages may load from and talk to: themselves. Wallets' own pictures are data: addresses (EIP-6963). */
export const sitePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The same for a build that was given a WalletConnect project: its wallets are reached through its relay. */
export const walletConnectPolicy = sitePolicy.replace(
  "connect-src 'self'",
  "connect-src 'self' wss://relay.walletconnect.org wss://relay.walletconnect.com https://rpc.walletconnect.org",
);
