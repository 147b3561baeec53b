import { expect } from "vitest";
import * as z from "zod";
import { makeHttpClient } from "../../support/http-payer.ts";
import { authorize } from "../../support/payment.ts";
import { pushKeys } from "./desk.ts";
import { accounts, article, type RouteVisit, register, type Scene, sign, vote } from "./scene.ts";

type Results = Scene["far"];
/** The calls that a request must make. A number means exactly this number of table requests, and no other calls. */
type CallLimit = number | RouteVisit["takes"];
type Path = string | ((far: Results) => string);
/** Makes the request's body. `far` contains the results of the story so far, and `given` is the result of `prepare`. */
type BodyMaker = (far: Results, given: unknown) => unknown;
type VisitExtras = Pick<RouteVisit, "when" | "waits" | "prepare"> & {
  /** Whether `prepare` returns the request's headers. */
  readonly isPaid?: true;
  readonly status?: number;
  /** The parts of the answer that later requests need. */
  readonly keeps?: z.ZodType<Partial<Results>>;
  readonly shows?: (far: Results) => object;
};

/** The requests of one visitor. */
function makeVisitFactory(scene: Scene, visitorName: "reader" | "publisher") {
  function makeVisit(
    id: RouteVisit["id"],
    callLimit: CallLimit,
    path: Path,
    body: BodyMaker | undefined,
    extras: VisitExtras,
  ): RouteVisit {
    const { isPaid, status = 200, keeps, shows, ...row } = extras;
    async function visit(result: unknown): Promise<void> {
      const to = typeof path === "string" ? path : path(scene.far);
      const expected = { status, ...(isPaid && { headers: result }) };
      const answer = await (body === undefined
        ? scene[visitorName].get(to, expected)
        : scene[visitorName].post(to, body(scene.far, result), expected));
      if (keeps !== undefined) scene.far = { ...scene.far, ...keeps.parse(answer) };
      if (shows !== undefined) expect(answer).toMatchObject(shows(scene.far));
    }
    return { ...row, id, takes: typeof callLimit === "number" ? { database: callLimit } : callLimit, visit };
  }
  return {
    get: (id: RouteVisit["id"], takes: CallLimit, path: Path, further: VisitExtras = {}) =>
      makeVisit(id, takes, path, undefined, further),
    post: (id: RouteVisit["id"], takes: CallLimit, path: Path, body: BodyMaker, further: VisitExtras = {}) =>
      makeVisit(id, takes, path, body, further),
  };
}

/**
 * The requests of a publisher and a reader from their first visit to their last visit. Together the requests use every route at least once.
 */
export function listAllVisits(scene: Scene): readonly RouteVisit[] {
  return [
    ...listPublishingVisits(scene),
    ...listReadingVisits(scene),
    ...listPayingVisits(scene),
    ...listClosingVisits(scene),
  ];
}

const { address } = accounts.publisher;
const endpoint = "https://fcm.googleapis.com/fcm/send/nobody";
const blank = { stock: "", headline: "", preview: "", body: "", publisherName: "", priceText: "" };
const unfinished = { ...blank, name: "one", headline: "Half a thought" };

function listPublishingVisits(scene: Scene): readonly RouteVisit[] {
  const { stock } = article;
  const Challenge = z.object({ nonce: z.string(), message: z.string() });
  const Audited = z.object({ status: z.literal("approved"), metaUrl: z.string() });
  const follow = { kind: "author", id: accounts.reader.address, name: "Ann", on: true };
  const profile = { text: "Writes about chips.", link: null };
  const dispute = { auditedAt: "2026-01-01T00:00:00Z", issue: 0, text: null };
  const price = expect.objectContaining({ id: "price" });
  const reader = makeVisitFactory(scene, "reader");
  const { get, post } = makeVisitFactory(scene, "publisher");
  return [
    post("auth-nonce", 1, "/api/auth/nonce", () => ({ address }), { keeps: Challenge }),
    post("auth-verify", 2, "/api/auth/verify", ({ nonce }, signature) => ({ address, nonce, signature }), {
      prepare: () => accounts.publisher.signMessage({ message: scene.far.message }),
    }),
    reader.get("me", {}, "/api/me", { when: "without a session" }),
    get("me", 1, "/api/me"),
    reader.get("stocks", 1, "/api/stocks"),
    reader.get("quote", 1, `/api/quotes/${stock}`),
    reader.get("stock", 1, `/api/stocks/${stock}`),
    reader.get("market", 1, "/api/market"),
    post("draft-angles", { database: 6, news: 1 }, "/api/draft/angles", () => ({ stock }), {
      shows: () => ({ angles: expect.arrayContaining([price]) }),
    }),
    post("draft-generate", { database: 11, model: 1 }, "/api/draft/generate", () => ({
      stock,
      angleId: "price",
    })),
    get("my-generation", 3, "/api/me/generations/1"),
    post("profile", 3, "/api/me/profile", () => profile),
    post("press-keep", 2, "/api/press/keep", () => unfinished, {
      keeps: z.object({ updatedAt: z.string() }),
    }),
    post("press-keep", 2, "/api/press/keep", ({ updatedAt }) => ({ ...unfinished, updatedAt }), {
      when: "again",
    }),
    get("my-manuscript", 2, `/api/me/manuscripts/${unfinished.name}`),
    post("press-discard", 2, "/api/press/discard", () => ({ name: unfinished.name })),
    post("follows-change", 5, "/api/me/follows", () => ({ base: 0, changes: [follow] })),
    get("follows", 3, "/api/me/follows"),
    get("push-key", 1, "/api/me/push"),
    post("push-on", 4, "/api/me/push", () => ({ endpoint, keys: pushKeys })),
    post("push-off", 3, "/api/push/stop", () => ({ endpoint })),
    post("private-feed", 3, "/api/me/feed", () => ({ on: true })),
    post("press-save", 4, "/api/press/save", () => article, { keeps: z.object({ id: z.int() }) }),
    post("press-audit", { database: 4, workflows: 1 }, "/api/press/audit", ({ id }) => ({ id }), {
      keeps: Audited,
    }),
    post("press-dispute", 3, "/api/press/dispute", ({ id }) => ({ id, ...dispute }), {
      when: "of another report",
      status: 409,
    }),
  ];
}

const makePressPath = ({ slug }: Results) => `/api/presses/${slug}`;

function listReadingVisits(scene: Scene): readonly RouteVisit[] {
  const search = `/api/search?q=${article.stock}`;
  const Minted = z.object({ slug: z.string(), pressId: z.int() });
  const unknown = `0x${"00".repeat(32)}`;
  const { get } = makeVisitFactory(scene, "reader");
  const publisher = makeVisitFactory(scene, "publisher");
  return [
    get("meta", 1, ({ id }) => `/api/meta/${id}`),
    publisher.post(
      "press-minted",
      { database: 6, queues: 1 },
      "/api/press/minted",
      ({ id }, txHash) => ({ id, txHash }),
      { waits: true, prepare: () => register(scene), keeps: Minted },
    ),
    publisher.post("press-minted", 2, "/api/press/minted", ({ id }) => ({ id, txHash: unknown }), {
      when: "repeated",
    }),
    get("presses", 1, "/api/presses"),
    get("search", 1, search, { prepare: () => scene.reader.get(search) }),
    get("presses", 1, `/api/presses?stock=${article.stock}&limit=10`, { when: "of a stock" }),
    get("press", 1, makePressPath),
    get("author", 1, `/api/authors/${address}`),
    publisher.get("press", 2, makePressPath, { when: "for its publisher" }),
    get("audit-report", 1, ({ id }) => `/api/audit-report/${id}`),
  ];
}

const Move = z.object({ authorization: z.looseObject({}), signature: z.string() });

/** A signature that allows the service to move the reader's USDG. The service pays the gas of this transfer. */
async function signReaderTransfer() {
  const moved = { amount: "1000", payTo: accounts.publisher.address };
  const { said, signature } = await authorize(accounts.reader, moved);
  return { authorization: said, signature };
}

function listPayingVisits(scene: Scene): readonly RouteVisit[] {
  const pressId = (far: Results) => ({ pressId: far.pressId });
  const balance = { method: "eth_getBalance", params: [accounts.reader.address, "latest"] };
  const calls = Array(25).fill({ jsonrpc: "2.0", id: 1, ...balance });
  const params = { name: "search_presses", arguments: {} };
  const makeReceiptPath = ({ tx }: Results) => `/api/receipts/${tx}`;
  const prepare = signReaderTransfer;
  const { get, post } = makeVisitFactory(scene, "reader");
  return [
    post("rpc", { database: 1, chain: 1 }, "/api/rpc", () => calls),
    get("mcp-stream", {}, "/mcp"),
    post("mcp", 1, "/mcp", () => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params })),
    post("pay-treasury", 1, "/api/pay/treasury", pressId, {
      when: "terms",
      // The gas price is cached for some seconds. If the gas price is not cached, a request makes one more call.
      prepare: () => scene.publisher.get("/api/me/price"),
      status: 402,
    }),
    post("pay-treasury", { database: 4, chain: 2 }, "/api/pay/treasury", pressId, {
      prepare: () => sign(scene, "treasury"),
      isPaid: true,
    }),
    post("pay-publisher", { database: 1, chain: 1 }, "/api/pay/publisher", pressId, {
      when: "terms",
      status: 402,
    }),
    post("pay-publisher", { database: 5, chain: 2 }, "/api/pay/publisher", pressId, {
      prepare: () => sign(scene, "publisher"),
      isPaid: true,
      keeps: z.object({ tx: z.string() }),
    }),
    post(
      "move",
      { database: 4, chain: 1 },
      "/api/move",
      (_, move) => Move.omit({ signature: true }).parse(move),
      {
        when: "asked about",
        prepare,
      },
    ),
    post("move", { database: 8, chain: 2 }, "/api/move", (_, move) => Move.parse(move), { prepare }),
    get("receipts", 4, makeReceiptPath, { when: "for the first time" }),
    get("receipts", 2, makeReceiptPath),
    get("press", 2, makePressPath, {
      when: "for a reader who has unlocked it",
      shows: () => ({ unlocked: true, body: article.body }),
    }),
    post("votes-gas", { database: 5, chain: 1 }, "/api/votes/gas", pressId, {
      when: "by a wallet that has enough",
      shows: () => ({ wei: "0" }),
    }),
    // The fourth request to the table reads the fees that the voter has paid.
    post("votes-record", { database: 4, chain: 1 }, "/api/votes/record", (_, txHash) => ({ txHash }), {
      prepare: () => vote(scene),
    }),
    get("history", 3, "/api/me/history"),
    get("purchases", 3, "/api/me/purchases"),
    get("sessions", 2, "/api/me/sessions"),
  ];
}

function listClosingVisits(scene: Scene): readonly RouteVisit[] {
  const Detail = z.object({ press: z.object({ publishedAt: z.string() }) });
  let day = "";
  const text = "The session ended at four, not at five.";
  const reader = makeVisitFactory(scene, "reader");
  const { get, post } = makeVisitFactory(scene, "publisher");
  return [
    post("press-correct", 6, "/api/press/correct", ({ id }) => ({ id, text })),
    post("press-price", 4, "/api/press/price", ({ id }) => ({ id, priceUsdg: 0.75 })),
    post("press-unlist", 4, "/api/press/unlist", ({ id }) => ({ id, unlisted: true })),
    post("press-unlist", 4, "/api/press/unlist", ({ id }) => ({ id, unlisted: false }), {
      when: "to list it again",
    }),
    get("dashboard", 2, "/api/me/dashboard"),
    get("dashboard", 3, "/api/me/dashboard?view=full", {
      when: "in full",
      shows: ({ slug }) => ({ presses: [{ slug }], manuscripts: [], waits: [] }),
    }),
    get("my-price", 1, "/api/me/price", { prepare: () => scene.publisher.get("/api/me/price") }),
    get("my-views", 3, "/api/me/views"),
    get("my-sales", 2, "/api/me/sales", {
      shows: ({ slug }) => ({ sales: [{ slug, tx: expect.stringMatching(/^0x/) }] }),
    }),
    get("my-press", 3, ({ id }) => `/api/me/press/${id}`),
    post("sessions-end", 3, "/api/me/sessions/end", () => ({ others: true }), {
      // The publisher has a second session, from a sign-in in another browser.
      prepare: () => makeHttpClient(scene.place.origin).signIn(accounts.publisher),
      shows: () => ({ ended: 1, signedOut: false }),
    }),
    post("auth-logout", 2, "/api/auth/logout", () => undefined),
    // A stored page is served as a file. If a page is not stored, the route's function answers the request.
    reader.get("press-page", { database: 1, files: 1 }, "/press/nothing-zz", { status: 404 }),
    reader.get("stock-page", { database: 2, files: 1 }, "/stock/AAPL"),
    reader.get("author-page", { database: 1, files: 1 }, `/by/${address}`),
    reader.get("sitemap", 1, () => `/sitemap.xml?part=${day}`, {
      async prepare() {
        const detail = await scene.reader.get(makePressPath(scene.far));
        day = Detail.parse(detail).press.publishedAt.slice(0, 10);
      },
    }),
    reader.get("sitemap", 3, "/sitemap.xml", { when: "its index, with one day of presses" }),
    reader.get("card", 1, ({ slug }) => `/cards/${slug}.png`),
    reader.get("feed", 1, "/feed.xml"),
    reader.get("openapi", {}, "/openapi.json"),
    reader.get("llms", {}, "/llms.txt"),
    reader.get("robots", {}, "/robots.txt"),
    reader.get("license", {}, "/license.xml"),
    reader.get("discovery", {}, "/.well-known/x402"),
    reader.get("x402-manifest", 1, "/.well-known/x402.json"),
    reader.get("discovery-api", {}, "/api"),
  ];
}
