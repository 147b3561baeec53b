import type { IndexName, RecordKind } from "./storage.ts";

/**
 * Who may call a route.
 * - `anyone`: public.
 * - `site`: pages of our own origin only (specification §5.4).
 * - `session`: a wallet with any session.
 * - `publisher`: a wallet that signed in; a session that a payment opened can neither publish (design §4) nor read what the wallet follows.
 * - `payer`: the wallet that signs the payment in the request.
 */
export type Caller = "anyone" | "site" | "session" | "publisher" | "payer";

/**
 * The kinds of access to resources that a function can have. A function's rights depend only on the resources that its row names (design
 * §9).
 */
export type Access =
  | "table:read"
  | "table:write"
  | "chain"
  | "chain:relay"
  | "market"
  | "news"
  | "relayers:sign"
  | "relayers:read"
  | "sweep:sign"
  | "mints:send"
  | "verdicts:send"
  | "pushes:send"
  | "template:read"
  | "search:read"
  | "search:write"
  | "edge-logs:read"
  | "typefaces"
  | "audit:run"
  | "model"
  | "auditor:sign"
  | "auditor:read"
  | "receipts:sign"
  | "receipts:read"
  | "push:sign"
  | "push:read";

export type ExplicitAccess = Exclude<Access, "table:write">;

/**
 * Seconds for which shared caches may keep an answer. If `bySession` is set, the answer to a request with a session cookie or a
 * `sign-in-with-x` header is never cached.
 */
export type SharedCache = {
  readonly fresh: number;
  readonly staleWhileRevalidate: number;
  readonly bySession?: true;
};

/** A row of the table of endpoints. `completeRow` fills in the defaults of a row. */
type RouteRow = {
  readonly id: string;
  /** The HTTP method; GET by default. */
  readonly method?: "POST";
  /**
   * The HTTP methods besides `method` that the gateway passes to the handler, because the handler's refusal is clearer than the gateway's
   * 404.
   */
  readonly refuses?: readonly ["DELETE"];
  /** The path in API Gateway's notation, in which `{name}` is one segment. */
  readonly path: string;
  readonly caller: Caller;
  /** Access in addition to the access that `reads`, `writes` and a session give (`listRowAccess`). */
  readonly access?: readonly ExplicitAccess[];
  /**
   * Gives the route the right `table:read`, but only for the named kinds of records and indexes. A row that has `table:read` without
   * `reads` may read the whole table. Routes that anybody may call should have `reads`, which limits what the routes can read.
   */
  readonly reads?: readonly (RecordKind | IndexName)[];
  /** Gives the route the right `table:write`, but only for the named kinds of records. */
  readonly writes?: readonly RecordKind[];
  /** If a row names no cache time, caches must not keep the answer. */
  readonly cache?: SharedCache;
  /** The query keys that the answer depends on. Functions and caches ignore all other query keys. */
  readonly query?: readonly string[];
  /** The time limit in seconds; 10 by default. */
  readonly timeoutSeconds?: number;
  /** The memory in megabytes; 512 by default. */
  readonly memoryMb?: number;
  /**
   * The handler in Lambda's notation: the name of a file in `functions/http`, a dot, and the name of the file's export. The default is
   * `{id}.handler`. Only handlers with nearly the same imports share a file, because each bundle contains the whole file.
   */
  readonly handler?: `${string}.${string}`;
  /** Whether the route is a page of the site: such a route gets the site's headers and ignores a trailing slash. */
  readonly isPage?: true;
};

const documents = { fresh: 300, staleWhileRevalidate: 3600 } as const;
/**
 * The two cache times together are one minute, so an author's correction, new price or unlisting is visible everywhere after one minute
 * (design §3).
 */
const aboutAMinute = { fresh: 30, staleWhileRevalidate: 30 } as const;

/** The common fields of the routes for the two payments of a purchase. */
const leg = {
  method: "POST",
  query: ["method", "payer"],
  caller: "payer",
  access: ["table:read", "chain", "relayers:sign", "receipts:sign"],
  writes: [
    "settlement",
    "authorization",
    "transfer",
    "key",
    "keyring",
    "gas",
    "holder",
    "press",
    "nonce",
    "session",
    "wallet",
  ],
  timeoutSeconds: 29,
  memoryMb: 1024,
} as const satisfies Partial<RouteRow>;

/** THE table of endpoints, from which infra, the local front, the documents and the tests are made. */
const rows = [
  // Signing in
  {
    id: "auth-nonce",
    handler: "session.nonce",
    method: "POST",
    path: "/api/auth/nonce",
    caller: "site",
    writes: ["nonce"],
  },
  {
    id: "auth-verify",
    handler: "session.verify",
    method: "POST",
    path: "/api/auth/verify",
    caller: "site",
    access: ["table:read", "chain"],
    writes: ["nonce", "session", "wallet"],
    timeoutSeconds: 15,
  },
  { id: "me", handler: "session.me", path: "/api/me", caller: "site", access: ["table:read"] },
  {
    id: "auth-logout",
    handler: "session.logout",
    method: "POST",
    path: "/api/auth/logout",
    caller: "session",
    writes: ["session", "wallet"],
  },
  {
    id: "sessions",
    handler: "session.sessions",
    path: "/api/me/sessions",
    caller: "session",
  },
  {
    id: "sessions-end",
    handler: "session.endSessions",
    method: "POST",
    path: "/api/me/sessions/end",
    caller: "session",
    writes: ["session", "wallet"],
  },
  {
    id: "follows",
    handler: "follow.list",
    path: "/api/me/follows",
    caller: "publisher",
    reads: ["session", "follow"],
  },
  {
    id: "follows-change",
    handler: "follow.change",
    method: "POST",
    path: "/api/me/follows",
    caller: "publisher",
    reads: ["session", "follow"],
    writes: ["follow", "followed"],
  },
  {
    id: "private-feed",
    handler: "follow.privateFeed",
    method: "POST",
    path: "/api/me/feed",
    caller: "publisher",
    reads: ["session", "follow"],
    writes: ["follow", "feedToken"],
  },
  {
    id: "push-key",
    handler: "follow.pushKey",
    path: "/api/me/push",
    caller: "publisher",
    access: ["push:read"],
    reads: ["session"],
  },
  {
    id: "push-on",
    handler: "follow.subscribe",
    method: "POST",
    path: "/api/me/push",
    caller: "publisher",
    reads: ["session", "follow", "pushEndpoint"],
    writes: ["follow", "pushEndpoint"],
  },
  // The button of a notification calls this route without a session. No session is needed, because only the browser itself knows the push
  // address that the request must name.
  {
    id: "push-off",
    handler: "follow.stopPush",
    method: "POST",
    path: "/api/push/stop",
    caller: "site",
    reads: ["follow", "pushEndpoint"],
    writes: ["follow", "pushEndpoint"],
  },

  // Reading
  {
    id: "presses",
    handler: "press.list",
    path: "/api/presses",
    caller: "anyone",
    reads: ["gsi1", "gsi2"],
    memoryMb: 1024,
    cache: { fresh: 5, staleWhileRevalidate: 30 },
    query: ["stock", "cursor", "limit", "with"],
  },
  {
    id: "search",
    path: "/api/search",
    caller: "anyone",
    access: ["search:read"],
    reads: ["press", "market", "gsi1"],
    memoryMb: 1024,
    query: ["q", "stock", "limit"],
  },
  {
    id: "press",
    handler: "press.read",
    path: "/api/presses/{slug}",
    caller: "anyone",
    access: ["market", "chain"],
    reads: ["press", "text", "session", "settlement", "market"],
    // The route stores the nonce of a signed request to read, so that the signed request works only once.
    writes: ["market", "nonce"],
    memoryMb: 1024,
    timeoutSeconds: 15,
    // This answer is never served stale, because Chromium would ignore `Vary: Cookie` and show a locked press to a reader who has just
    // paid.
    cache: { fresh: 5, staleWhileRevalidate: 0, bySession: true },
  },
  {
    id: "author",
    handler: "press.author",
    path: "/api/authors/{address}",
    caller: "anyone",
    reads: ["gsi3"],
    memoryMb: 1024,
    cache: aboutAMinute,
    query: ["cursor"],
  },
  {
    id: "meta",
    handler: "mint.meta",
    path: "/api/meta/{id}",
    caller: "anyone",
    reads: ["press"],
    cache: aboutAMinute,
  },
  {
    id: "audit-report",
    handler: "audit.report",
    path: "/api/audit-report/{id}",
    caller: "anyone",
    reads: ["press"],
    cache: { fresh: 3600, staleWhileRevalidate: 86_400 },
  },
  {
    id: "stocks",
    handler: "market.stocks",
    path: "/api/stocks",
    caller: "anyone",
    access: ["market", "chain"],
    reads: ["market"],
    writes: ["market"],
    timeoutSeconds: 15,
    cache: { fresh: 60, staleWhileRevalidate: 600 },
  },
  {
    id: "quote",
    handler: "market.quote",
    path: "/api/quotes/{symbol}",
    caller: "anyone",
    access: ["market", "chain"],
    reads: ["market"],
    writes: ["market"],
    timeoutSeconds: 15,
    cache: { fresh: 10, staleWhileRevalidate: 30 },
  },
  {
    id: "stock",
    handler: "market.stock",
    path: "/api/stocks/{symbol}",
    caller: "anyone",
    access: ["market", "chain"],
    reads: ["market", "series"],
    writes: ["market"],
    timeoutSeconds: 15,
    cache: { fresh: 10, staleWhileRevalidate: 30 },
  },
  {
    id: "market",
    handler: "market.overview",
    path: "/api/market",
    caller: "anyone",
    reads: ["market"],
    cache: aboutAMinute,
  },

  // Paying
  { id: "pay-treasury", handler: "pay.treasury", path: "/api/pay/treasury", ...leg },
  { id: "pay-publisher", handler: "pay.publisher", path: "/api/pay/publisher", ...leg },
  {
    id: "move",
    handler: "errand.move",
    method: "POST",
    path: "/api/move",
    caller: "payer",
    access: ["chain", "relayers:sign"],
    reads: ["errand", "settlement", "key", "keyring", "gas", "gsi2", "gsi3"],
    // The route has access to `gas`, because a move first ends the wallet's unfinished errand; if this errand sent the ETH for a vote, its
    // real cost is recorded in `gas`.
    writes: ["errand", "key", "keyring", "gas", "holder"],
    timeoutSeconds: 29,
  },

  {
    id: "receipts",
    path: "/api/receipts/{transaction}",
    caller: "anyone",
    access: ["receipts:sign"],
    reads: ["transfer", "settlement", "receipt"],
    writes: ["receipt"],
    // The time limit is long because one transaction can settle 48 payments, and their receipts are signed one after another.
    timeoutSeconds: 15,
    cache: { fresh: 86_400, staleWhileRevalidate: 0 },
  },

  // Agents
  {
    id: "mcp",
    method: "POST",
    path: "/mcp",
    caller: "payer",
    access: ["chain", "market", "search:read"],
    reads: ["press", "identity", "market", "gsi1", "gsi2", "gsi3"],
    writes: ["market"],
    timeoutSeconds: 29,
    memoryMb: 1024,
  },
  // The answer to a GET request describes the MCP endpoint. A GET that asks for a stream, and a DELETE of a session, are refused.
  {
    id: "mcp-stream",
    handler: "documents.mcpStream",
    path: "/mcp",
    refuses: ["DELETE"],
    caller: "anyone",
  },

  // The chain
  {
    id: "rpc",
    method: "POST",
    path: "/api/rpc",
    caller: "anyone",
    access: ["chain:relay"],
    writes: ["relayUse", "holder"],
    timeoutSeconds: 29,
  },
  {
    id: "votes-record",
    method: "POST",
    path: "/api/votes/record",
    caller: "anyone",
    access: ["chain"],
    // The index `gsi3` lists the fees that the voter's wallet has paid.
    reads: ["press", "identity", "settlement", "gsi3"],
    writes: ["press", "identity"],
    timeoutSeconds: 15,
  },
  {
    id: "votes-gas",
    handler: "errand.sendVoteGas",
    method: "POST",
    path: "/api/votes/gas",
    caller: "session",
    access: ["chain", "relayers:sign"],
    reads: ["errand", "session", "identity", "settlement", "key", "keyring", "gas", "gsi2", "gsi3"],
    writes: ["errand", "key", "keyring", "gas", "holder"],
    timeoutSeconds: 29,
  },
  {
    id: "history",
    handler: "me.history",
    path: "/api/me/history",
    caller: "session",
    query: ["cursor"],
  },
  {
    id: "purchases",
    handler: "me.purchases",
    path: "/api/me/purchases",
    caller: "session",
    query: ["cursor"],
  },

  // Publishing
  {
    id: "press-save",
    handler: "press.save",
    method: "POST",
    path: "/api/press/save",
    caller: "publisher",
    access: ["market", "chain"],
    writes: ["press", "text", "publisher", "wallet", "counter", "market"],
    timeoutSeconds: 15,
  },
  {
    id: "press-audit",
    handler: "audit.audit",
    method: "POST",
    path: "/api/press/audit",
    caller: "publisher",
    access: ["audit:run"],
    writes: ["press"],
    timeoutSeconds: 29,
  },
  {
    id: "press-dispute",
    handler: "audit.dispute",
    method: "POST",
    path: "/api/press/dispute",
    caller: "publisher",
    writes: ["press"],
  },
  {
    id: "press-minted",
    handler: "mint.minted",
    method: "POST",
    path: "/api/press/minted",
    caller: "publisher",
    access: ["mints:send"],
    writes: ["press"],
    // The handler waits at most five seconds for the worker that confirms the mint.
    timeoutSeconds: 15,
  },
  {
    id: "press-correct",
    handler: "edit.correct",
    method: "POST",
    path: "/api/press/correct",
    caller: "publisher",
    writes: ["press"],
  },
  {
    id: "press-unlist",
    handler: "edit.unlist",
    method: "POST",
    path: "/api/press/unlist",
    caller: "publisher",
    writes: ["press", "identity"],
  },
  {
    id: "press-price",
    handler: "edit.changePrice",
    method: "POST",
    path: "/api/press/price",
    caller: "publisher",
    writes: ["press", "identity"],
  },
  {
    id: "profile",
    handler: "me.saveProfile",
    method: "POST",
    path: "/api/me/profile",
    caller: "publisher",
    writes: ["publisher", "wallet"],
  },
  {
    id: "press-keep",
    handler: "edit.keepManuscript",
    method: "POST",
    path: "/api/press/keep",
    caller: "publisher",
    writes: ["publisher"],
  },
  {
    id: "press-discard",
    handler: "edit.discardManuscript",
    method: "POST",
    path: "/api/press/discard",
    caller: "publisher",
    writes: ["publisher"],
  },
  {
    id: "my-manuscript",
    handler: "edit.readManuscript",
    path: "/api/me/manuscripts/{name}",
    caller: "publisher",
  },
  {
    id: "my-generation",
    handler: "draft.readGenerated",
    path: "/api/me/generations/{id}",
    caller: "publisher",
  },
  {
    id: "dashboard",
    handler: "me.dashboard",
    path: "/api/me/dashboard",
    caller: "publisher",
    query: ["view", "cursor"],
  },
  {
    id: "my-views",
    handler: "me.views",
    path: "/api/me/views",
    caller: "publisher",
    query: ["cursor"],
  },
  {
    id: "my-sales",
    handler: "me.sales",
    path: "/api/me/sales",
    caller: "publisher",
    query: ["cursor"],
  },
  {
    id: "my-press",
    handler: "me.press",
    path: "/api/me/press/{id}",
    caller: "publisher",
  },
  {
    id: "my-price",
    handler: "me.price",
    path: "/api/me/price",
    caller: "publisher",
    access: ["chain"],
    timeoutSeconds: 15,
  },
  {
    id: "draft-angles",
    handler: "draft.listAngles",
    method: "POST",
    path: "/api/draft/angles",
    caller: "publisher",
    access: ["market", "chain", "news"],
    writes: ["market", "wallet"],
    timeoutSeconds: 20,
  },
  {
    id: "draft-generate",
    handler: "generate.handler",
    method: "POST",
    path: "/api/draft/generate",
    caller: "publisher",
    access: ["market", "chain", "model"],
    writes: ["market", "wallet", "budget", "counter"],
    timeoutSeconds: 29,
  },

  // Documents
  {
    id: "discovery",
    handler: "discovery.document",
    path: "/.well-known/x402",
    caller: "anyone",
    access: ["receipts:read"],
    cache: documents,
  },
  {
    id: "discovery-api",
    path: "/api",
    caller: "anyone",
    access: ["receipts:read"],
    cache: documents,
    handler: "discovery.document",
  },
  {
    id: "x402-manifest",
    path: "/.well-known/x402.json",
    caller: "anyone",
    reads: ["gsi1"],
    cache: aboutAMinute,
    handler: "discovery.manifest",
  },
  { id: "openapi", path: "/openapi.json", caller: "anyone", cache: documents },
  {
    id: "llms",
    handler: "documents.llms",
    path: "/llms.txt",
    caller: "anyone",
    cache: documents,
  },
  {
    id: "robots",
    handler: "documents.robots",
    path: "/robots.txt",
    caller: "anyone",
    cache: { fresh: 3600, staleWhileRevalidate: 86_400 },
  },
  {
    id: "license",
    handler: "documents.license",
    path: "/license.xml",
    caller: "anyone",
    cache: { fresh: 3600, staleWhileRevalidate: 86_400 },
  },
  {
    id: "sitemap",
    handler: "page.sitemap",
    path: "/sitemap.xml",
    caller: "anyone",
    reads: ["gsi1"],
    timeoutSeconds: 20,
    cache: { fresh: 600, staleWhileRevalidate: 3600 },
    query: ["part"],
  },
  {
    id: "feed",
    handler: "discovery.feed",
    path: "/feed.xml",
    caller: "anyone",
    // The route reads the records `feedToken` and `follow` to make private feeds. No cache keeps a private feed.
    reads: ["gsi1", "gsi2", "gsi3", "feedToken", "follow"],
    cache: aboutAMinute,
    query: ["stock", "author", "for"],
  },
  {
    id: "press-page",
    handler: "page.press",
    path: "/press/{slug}",
    caller: "anyone",
    access: ["template:read"],
    reads: ["press"],
    cache: aboutAMinute,
    isPage: true,
  },
  {
    id: "stock-page",
    handler: "page.stock",
    path: "/stock/{symbol}",
    caller: "anyone",
    access: ["template:read"],
    reads: ["market", "gsi2"],
    cache: aboutAMinute,
    isPage: true,
  },
  {
    id: "author-page",
    handler: "page.author",
    path: "/by/{address}",
    caller: "anyone",
    access: ["template:read"],
    reads: ["gsi3"],
    cache: aboutAMinute,
    isPage: true,
  },
  {
    id: "card",
    path: "/cards/{file}",
    caller: "anyone",
    access: ["typefaces"],
    reads: ["press", "market"],
    // Drawing a picture takes a third of a second on one whole processor. Lambda gives a function a whole processor only with about this
    // amount of memory.
    memoryMb: 1769,
    cache: { fresh: 86_400, staleWhileRevalidate: 604_800 },
  },
] as const satisfies readonly RouteRow[];

export type RouteId = (typeof rows)[number]["id"];
/**
 * The rows that `/openapi.json` describes. The OpenAPI document leaves out pages, feeds and files, because pages, feeds and files are not
 * JSON. The OpenAPI document also leaves out rows that only our site uses (unfinished texts, follows, a vote's gas). The rows of our site
 * are left out because API directories reject a document of more than 40 operations as too long for an agent.
 */
export type ApiRouteId = Exclude<
  Extract<(typeof rows)[number], { readonly path: `/api/${string}` | "/mcp" | "/.well-known/x402" }>["id"],
  | "profile"
  | "press-keep"
  | "press-discard"
  | "my-manuscript"
  | "my-views"
  | "my-sales"
  | "follows"
  | "follows-change"
  | "private-feed"
  | "votes-gas"
  | "push-key"
  | "push-on"
  | "push-off"
>;
export type RouteOf<Id extends RouteId> = Extract<(typeof rows)[number], { readonly id: Id }>;

/** A row of the table of endpoints, with its defaults and its derived fields. */
export type Route = Omit<RouteRow, "access" | "cache" | "handler" | "method"> & {
  readonly method: "GET" | "POST";
  readonly file: string;
  /** The name of the handler's export in its file. */
  readonly handler: string;
  readonly access: readonly Access[];
  /** A `personal` answer differs from caller to caller. The value `none` also means that no cache may keep the answer. */
  readonly cache: SharedCache | "none" | "personal";
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
};

export const routes: readonly (Route & { readonly id: RouteId })[] = rows.map(completeRow);

function completeRow<Id extends string>(row: RouteRow & { readonly id: Id }): Route & { readonly id: Id } {
  const isPersonal = row.caller !== "anyone" && row.caller !== "payer";
  const [file = "", handler = ""] = (row.handler ?? `${row.id}.handler`).split(".");
  return {
    method: "GET",
    timeoutSeconds: 10,
    memoryMb: 512,
    ...row,
    file: `functions/http/${file}.ts`,
    handler,
    access: listRowAccess(row),
    cache: row.cache ?? (isPersonal ? "personal" : "none"),
  };
}

type AccessRow = Pick<RouteRow, "access" | "reads" | "writes"> & { readonly caller?: Caller };

/**
 * All access of a row: the access that the row states, the access that its `reads` and `writes` give, and the right to read the caller's
 * session.
 */
export function listRowAccess({ access = [], reads, writes, caller }: AccessRow): readonly Access[] {
  const isRead = reads !== undefined || caller === "session" || caller === "publisher";
  return [
    ...(isRead ? (["table:read"] as const) : []),
    ...(writes ? (["table:write"] as const) : []),
    ...access,
  ];
}

/** The HTTP methods of a row. The gateway answers a HEAD request with 404 unless HEAD has its own route. */
export function listMethods({ method, refuses }: Route): readonly ("GET" | "HEAD" | "POST" | "DELETE")[] {
  return [...(method === "GET" ? (["GET", "HEAD"] as const) : [method]), ...(refuses ?? [])];
}

/** The paths that robots.txt forbids: paths whose GET needs a session. */
export const closedToCrawlers: readonly string[] = routes.flatMap(({ path }) =>
  routes.some((row) => row.path === path && row.method === "GET" && row.caller === "anyone") ? [] : [path],
);

/** The maximum size of a request body in bytes; a larger body is refused with status 413. */
export const bodyLimit = 256 * 1024;
