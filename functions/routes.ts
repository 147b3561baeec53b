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
  | "market"
  | "news"
  | "relayers:sign"
  | "mints:send"
  | "verdicts:send"
  | "audit:run"
  | "model"
  | "auditor:sign";

/** How long shared caches may keep an answer, in seconds. `personal` answers are never stored. */
export type Cache = "none" | "personal" | { readonly fresh: number; readonly staleWhileRevalidate: number };

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
};

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
    id: "presses",
    method: "GET",
    path: "/api/presses",
    file: "functions/http/presses.ts",
    caller: "anyone",
    touches: ["table:read"],
    timeoutSeconds: 10,
    memoryMb: 1024,
    cache: { fresh: 5, staleWhileRevalidate: 30 },
  },
  {
    id: "press",
    method: "GET",
    path: "/api/presses/{slug}",
    file: "functions/http/press.ts",
    caller: "anyone",
    touches: ["table:read", "table:write", "market"],
    timeoutSeconds: 10,
    memoryMb: 1024,
    cache: "personal",
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
    touches: ["table:read", "table:write", "market"],
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
    touches: ["table:read", "table:write", "market"],
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
    touches: ["chain"],
    timeoutSeconds: 29,
    memoryMb: 512,
    cache: "none",
  },
  {
    id: "press-save",
    method: "POST",
    path: "/api/press/save",
    file: "functions/http/press-save.ts",
    caller: "publisher",
    touches: ["table:read", "table:write", "market"],
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
    touches: ["table:read", "table:write", "market", "news"],
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
    touches: ["table:read", "table:write", "market", "model"],
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
] as const satisfies readonly Route[];

export type RouteId = (typeof routes)[number]["id"];
export type RouteOf<Id extends RouteId> = Extract<(typeof routes)[number], { readonly id: Id }>;

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
