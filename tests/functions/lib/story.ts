import { expect } from "vitest";
import * as z from "zod";
import { makeHttpClient } from "../../support/http-payer.ts";
import { authorize } from "../../support/payment.ts";
import { accounts, article, register, type Scene, sign, type Visit, vote } from "./scene.ts";

const Id = z.object({ id: z.int() });
const Challenge = z.object({ nonce: z.string(), message: z.string() });
const Angles = z.object({ angles: z.array(z.object({ id: z.string() })) });
const Audited = z.object({ status: z.literal("approved"), metaUrl: z.string() });
const Minted = z.object({ slug: z.string(), pressId: z.int() });
const Detail = z.object({ press: z.object({ publishedAt: z.string() }) });

const Move = z.object({ authorization: z.looseObject({}), signature: z.string() });
const Paid = z.object({ tx: z.string() });
const Version = z.object({ updatedAt: z.string() });

const subscription = {
  endpoint: "https://fcm.googleapis.com/fcm/send/nobody",
  keys: {
    p256dh: Buffer.alloc(65, 4).toString("base64url"),
    auth: Buffer.alloc(16).toString("base64url"),
  },
};
const blank = { stock: "", headline: "", preview: "", body: "", publisherName: "", priceText: "" };
const unfinished = { ...blank, name: "one", headline: "Half a thought" };
const call = { jsonrpc: "2.0", id: 1, method: "eth_getBalance", params: [accounts.reader.address, "latest"] };

/** The requests of a publisher and a reader from their first visit to their last, which use every route at least once. */
export function listAllVisits(scene: Scene): readonly Visit[] {
  return [
    ...listPublishingVisits(scene),
    ...listReadingVisits(scene),
    ...listPayingVisits(scene),
    ...listClosingVisits(scene),
  ];
}

/** A signature that moves the reader's USDG while we pay the gas. */
async function signReaderTransfer() {
  const moved = { amount: "1000", payTo: accounts.publisher.address };
  const { said, signature } = await authorize(accounts.reader, moved);
  return { authorization: said, signature };
}

function listPublishingVisits(scene: Scene): readonly Visit[] {
  return [
    {
      id: "auth-nonce",
      takes: { database: 1 },
      visit: async () => {
        const { address } = accounts.publisher;
        const given = Challenge.parse(await scene.publisher.post("/api/auth/nonce", { address }));
        scene.far = { ...scene.far, ...given };
      },
    },
    {
      id: "auth-verify",
      takes: { database: 2 },
      before: () => accounts.publisher.signMessage({ message: scene.far.message }),
      visit: (signature) => {
        const { address } = accounts.publisher;
        return scene.publisher.post("/api/auth/verify", { address, nonce: scene.far.nonce, signature });
      },
    },
    { id: "me", when: "without a session", takes: {}, visit: () => scene.reader.get("/api/me") },
    { id: "me", takes: { database: 1 }, visit: () => scene.publisher.get("/api/me") },
    { id: "stocks", takes: { database: 1 }, visit: () => scene.reader.get("/api/stocks") },
    { id: "quote", takes: { database: 1 }, visit: () => scene.reader.get(`/api/quotes/${article.stock}`) },
    { id: "stock", takes: { database: 1 }, visit: () => scene.reader.get(`/api/stocks/${article.stock}`) },
    { id: "market", takes: { database: 1 }, visit: () => scene.reader.get("/api/market") },
    {
      id: "draft-angles",
      takes: { database: 6, news: 1 },
      visit: async () => {
        const { angles } = Angles.parse(
          await scene.publisher.post("/api/draft/angles", { stock: article.stock }),
        );
        expect(angles.map(({ id }) => id)).toContain("price");
      },
    },
    {
      id: "draft-generate",
      takes: { database: 11, model: 1 },
      visit: () => scene.publisher.post("/api/draft/generate", { stock: article.stock, angleId: "price" }),
    },
    {
      id: "my-generation",
      takes: { database: 3 },
      visit: () => scene.publisher.get("/api/me/generations/1"),
    },
    {
      id: "profile",
      takes: { database: 3 },
      visit: () => scene.publisher.post("/api/me/profile", { text: "Writes about chips.", link: null }),
    },
    {
      id: "press-keep",
      takes: { database: 2 },
      visit: async () => {
        const kept = await scene.publisher.post("/api/press/keep", unfinished);
        scene.far = { ...scene.far, ...Version.parse(kept) };
      },
    },
    {
      id: "press-keep",
      when: "again",
      takes: { database: 2 },
      visit: () => scene.publisher.post("/api/press/keep", { ...unfinished, updatedAt: scene.far.updatedAt }),
    },
    {
      id: "my-manuscript",
      takes: { database: 2 },
      visit: () => scene.publisher.get(`/api/me/manuscripts/${unfinished.name}`),
    },
    {
      id: "press-discard",
      takes: { database: 2 },
      visit: () => scene.publisher.post("/api/press/discard", { name: unfinished.name }),
    },
    {
      id: "follows-change",
      takes: { database: 5 },
      visit: () => {
        const follow = { kind: "author", id: accounts.reader.address, name: "Ann", on: true };
        return scene.publisher.post("/api/me/follows", { base: 0, changes: [follow] });
      },
    },
    { id: "follows", takes: { database: 3 }, visit: () => scene.publisher.get("/api/me/follows") },
    { id: "push-key", takes: { database: 1 }, visit: () => scene.publisher.get("/api/me/push") },
    {
      id: "push-on",
      takes: { database: 4 },
      visit: () => scene.publisher.post("/api/me/push", subscription),
    },
    {
      id: "push-off",
      takes: { database: 3 },
      visit: () => scene.publisher.post("/api/push/stop", { endpoint: subscription.endpoint }),
    },
    {
      id: "private-feed",
      takes: { database: 3 },
      visit: () => scene.publisher.post("/api/me/feed", { on: true }),
    },
    {
      id: "press-save",
      takes: { database: 4 },
      visit: async () => {
        const saved = Id.parse(await scene.publisher.post("/api/press/save", article));
        scene.far = { ...scene.far, ...saved };
      },
    },
    {
      id: "press-audit",
      takes: { database: 4, workflows: 1 },
      visit: async () => {
        const { metaUrl } = Audited.parse(
          await scene.publisher.post("/api/press/audit", { id: scene.far.id }),
        );
        scene.far = { ...scene.far, metaUrl };
      },
    },
    {
      id: "press-dispute",
      when: "of another report",
      takes: { database: 3 },
      visit: () => {
        const body = { id: scene.far.id, auditedAt: "2026-01-01T00:00:00Z", issue: 0, text: null };
        return scene.publisher.post("/api/press/dispute", body, { status: 409 });
      },
    },
  ];
}

function listReadingVisits(scene: Scene): readonly Visit[] {
  return [
    { id: "meta", takes: { database: 1 }, visit: () => scene.reader.get(`/api/meta/${scene.far.id}`) },
    {
      id: "press-minted",
      takes: { database: 6, queues: 1 },
      waits: true,
      before: () => register(scene),
      visit: async (txHash) => {
        const body = { id: scene.far.id, txHash };
        scene.far = { ...scene.far, ...Minted.parse(await scene.publisher.post("/api/press/minted", body)) };
      },
    },
    {
      id: "press-minted",
      when: "repeated",
      takes: { database: 2 },
      visit: () =>
        scene.publisher.post("/api/press/minted", { id: scene.far.id, txHash: `0x${"00".repeat(32)}` }),
    },
    { id: "presses", takes: { database: 1 }, visit: () => scene.reader.get("/api/presses") },
    {
      id: "search",
      takes: { database: 1 },
      before: () => scene.reader.get(`/api/search?q=${article.stock}`),
      visit: () => scene.reader.get(`/api/search?q=${article.stock}`),
    },
    {
      id: "presses",
      when: "of a stock",
      takes: { database: 1 },
      visit: () => scene.reader.get(`/api/presses?stock=${article.stock}&limit=10`),
    },
    { id: "press", takes: { database: 1 }, visit: () => scene.reader.get(`/api/presses/${scene.far.slug}`) },
    {
      id: "author",
      takes: { database: 1 },
      visit: () => scene.reader.get(`/api/authors/${accounts.publisher.address}`),
    },
    {
      id: "press",
      when: "for its publisher",
      takes: { database: 2 },
      visit: () => scene.publisher.get(`/api/presses/${scene.far.slug}`),
    },
    {
      id: "audit-report",
      takes: { database: 1 },
      visit: () => scene.reader.get(`/api/audit-report/${scene.far.id}`),
    },
  ];
}

function listPayingVisits(scene: Scene): readonly Visit[] {
  return [
    {
      id: "rpc",
      takes: { database: 1, chain: 1 },
      visit: () => scene.reader.post("/api/rpc", Array(25).fill(call)),
    },
    { id: "mcp-stream", takes: {}, visit: () => scene.reader.get("/mcp") },
    {
      id: "mcp",
      takes: { database: 1 },
      visit: () =>
        scene.reader.post("/mcp", {
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "search_presses", arguments: {} },
        }),
    },
    {
      id: "pay-treasury",
      when: "terms",
      // The gas price is cached for some seconds. A request without a cached gas price makes one more call.
      takes: { database: 1 },
      before: () => scene.publisher.get("/api/me/price"),
      visit: () => scene.reader.post("/api/pay/treasury", { pressId: scene.far.pressId }, { status: 402 }),
    },
    {
      id: "pay-treasury",
      takes: { database: 4, chain: 2 },
      before: () => sign(scene, "treasury"),
      visit: (headers) => scene.reader.post("/api/pay/treasury", { pressId: scene.far.pressId }, { headers }),
    },
    {
      id: "pay-publisher",
      when: "terms",
      takes: { database: 1, chain: 1 },
      visit: () => scene.reader.post("/api/pay/publisher", { pressId: scene.far.pressId }, { status: 402 }),
    },
    {
      id: "pay-publisher",
      takes: { database: 5, chain: 2 },
      before: () => sign(scene, "publisher"),
      visit: async (headers) => {
        const body = { pressId: scene.far.pressId };
        scene.far = {
          ...scene.far,
          ...Paid.parse(await scene.reader.post("/api/pay/publisher", body, { headers })),
        };
      },
    },
    {
      id: "move",
      when: "asked about",
      takes: { database: 4, chain: 1 },
      before: () => signReaderTransfer(),
      visit: (body) => scene.reader.post("/api/move", Move.omit({ signature: true }).parse(body)),
    },
    {
      id: "move",
      takes: { database: 8, chain: 2 },
      before: () => signReaderTransfer(),
      visit: (body) => scene.reader.post("/api/move", Move.parse(body)),
    },
    {
      id: "receipts",
      when: "for the first time",
      takes: { database: 4 },
      visit: () => scene.reader.get(`/api/receipts/${scene.far.tx}`),
    },
    {
      id: "receipts",
      takes: { database: 2 },
      visit: () => scene.reader.get(`/api/receipts/${scene.far.tx}`),
    },
    {
      id: "press",
      when: "for a reader who has unlocked it",
      takes: { database: 2 },
      visit: async () => {
        const detail = await scene.reader.get(`/api/presses/${scene.far.slug}`);
        expect(detail).toMatchObject({ unlocked: true, body: article.body });
      },
    },
    {
      id: "votes-gas",
      when: "by a wallet that has enough",
      takes: { database: 5, chain: 1 },
      visit: async () => {
        const sent = await scene.reader.post("/api/votes/gas", { pressId: scene.far.pressId });
        expect(sent).toEqual({ wei: "0" });
      },
    },
    {
      id: "votes-record",
      // The fourth request to the table reads the fees that the voter has paid.
      takes: { database: 4, chain: 1 },
      before: () => vote(scene),
      visit: (txHash) => scene.reader.post("/api/votes/record", { txHash }),
    },
    { id: "history", takes: { database: 3 }, visit: () => scene.reader.get("/api/me/history") },
    { id: "purchases", takes: { database: 3 }, visit: () => scene.reader.get("/api/me/purchases") },
    { id: "sessions", takes: { database: 2 }, visit: () => scene.reader.get("/api/me/sessions") },
  ];
}

function listClosingVisits(scene: Scene): readonly Visit[] {
  return [
    {
      id: "press-correct",
      takes: { database: 6 },
      visit: () => {
        const body = { id: scene.far.id, text: "The session ended at four, not at five." };
        return scene.publisher.post("/api/press/correct", body);
      },
    },
    {
      id: "press-price",
      takes: { database: 4 },
      visit: () => scene.publisher.post("/api/press/price", { id: scene.far.id, priceUsdg: 0.75 }),
    },
    {
      id: "press-unlist",
      takes: { database: 4 },
      visit: () => scene.publisher.post("/api/press/unlist", { id: scene.far.id, unlisted: true }),
    },
    {
      id: "press-unlist",
      when: "to list it again",
      takes: { database: 4 },
      visit: () => scene.publisher.post("/api/press/unlist", { id: scene.far.id, unlisted: false }),
    },
    { id: "dashboard", takes: { database: 2 }, visit: () => scene.publisher.get("/api/me/dashboard") },
    {
      id: "dashboard",
      when: "in full",
      takes: { database: 4 },
      visit: async () => {
        const full = await scene.publisher.get("/api/me/dashboard?view=full");
        expect(full).toMatchObject({ sales: [{ slug: scene.far.slug, tx: expect.stringMatching(/^0x/) }] });
      },
    },
    {
      id: "my-price",
      takes: { database: 1 },
      before: () => scene.publisher.get("/api/me/price"),
      visit: () => scene.publisher.get("/api/me/price"),
    },
    { id: "my-views", takes: { database: 3 }, visit: () => scene.publisher.get("/api/me/views") },
    {
      id: "my-sales",
      takes: { database: 2 },
      visit: async () => {
        expect(await scene.publisher.get("/api/me/sales")).toMatchObject({
          sales: [{ slug: scene.far.slug }],
        });
      },
    },
    {
      id: "my-press",
      takes: { database: 3 },
      visit: () => scene.publisher.get(`/api/me/press/${scene.far.id}`),
    },
    {
      id: "sessions-end",
      takes: { database: 3 },
      // The publisher has a second session, from a sign-in in another browser.
      before: () => makeHttpClient(scene.place.origin).signIn(accounts.publisher),
      visit: async () => {
        const ended = await scene.publisher.post("/api/me/sessions/end", { others: true });
        expect(ended).toEqual({ ended: 1, signedOut: false });
      },
    },
    {
      id: "auth-logout",
      takes: { database: 2 },
      visit: () => scene.publisher.post("/api/auth/logout", undefined),
    },
    {
      id: "press-page",
      takes: { database: 1, files: 1 },
      // Stored pages are files; the function answers for all other pages.
      visit: () => scene.reader.get("/press/nothing-zz", { status: 404 }),
    },
    {
      id: "stock-page",
      takes: { database: 2, files: 1 },
      visit: () => scene.reader.get("/stock/AAPL"),
    },
    {
      id: "author-page",
      takes: { database: 1, files: 1 },
      visit: () => scene.reader.get(`/by/${accounts.publisher.address}`),
    },
    {
      id: "sitemap",
      takes: { database: 1 },
      before: () => scene.reader.get(`/api/presses/${scene.far.slug}`),
      visit: (detail) => {
        const day = Detail.parse(detail).press.publishedAt.slice(0, 10);
        return scene.reader.get(`/sitemap.xml?part=${day}`);
      },
    },
    {
      id: "sitemap",
      when: "its index, with one day of presses",
      takes: { database: 3 },
      visit: () => scene.reader.get("/sitemap.xml"),
    },
    { id: "card", takes: { database: 1 }, visit: () => scene.reader.get(`/cards/${scene.far.slug}.png`) },
    { id: "feed", takes: { database: 1 }, visit: () => scene.reader.get("/feed.xml") },
    { id: "openapi", takes: {}, visit: () => scene.reader.get("/openapi.json") },
    { id: "llms", takes: {}, visit: () => scene.reader.get("/llms.txt") },
    { id: "robots", takes: {}, visit: () => scene.reader.get("/robots.txt") },
    { id: "license", takes: {}, visit: () => scene.reader.get("/license.xml") },
    { id: "discovery", takes: {}, visit: () => scene.reader.get("/.well-known/x402") },
    { id: "x402-manifest", takes: { database: 1 }, visit: () => scene.reader.get("/.well-known/x402.json") },
    { id: "discovery-api", takes: {}, visit: () => scene.reader.get("/api") },
  ];
}
