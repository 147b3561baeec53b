import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { lower } from "../../core/chain/hex.ts";
import { sessionLifetime } from "../../core/session/index.ts";
import { type Caller, type RouteId, routes } from "../../functions/routes.ts";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import {
  type Answer,
  ask,
  askAsSite,
  parseSessionCookie,
  requestChallenge,
  signInOnce,
  verify,
} from "../spec/world/ask.ts";
import { castVote } from "../spec/world/ballot.ts";
import { article, publish, rival, saveSuccessfully, writer } from "../spec/world/desk.ts";
import { buy, makeReader } from "../spec/world/purse.ts";
import { runWithClockAhead, service } from "../spec/world/service.ts";
import { openState, type Snapshot, type StateView } from "./state.ts";

/** The kinds of visitors that can send requests (design §2 and §4, specification §5). */
const visitors = [
  "nobody",
  "a forged cookie",
  "a cookie with the hash from the table",
  "an expired session",
  "a session that was ended",
  "a page of another origin, with the publisher's cookie",
  "a session born from a payment",
  "a reader who has unlocked and signed in",
  "another wallet",
  "the publisher",
] as const;
type Visitor = (typeof visitors)[number];

const expired: Visitor = "an expired session";
const foreign: Visitor = "a page of another origin, with the publisher's cookie";
const withoutSession: ReadonlySet<Visitor> = new Set(visitors.slice(0, 5));
/** Visitors whose cookie opens the press's text. */
const readers: ReadonlySet<Visitor> = new Set([
  foreign,
  "a session born from a payment",
  "a reader who has unlocked and signed in",
  "the publisher",
]);

/** The status of an answer. The tuple also contains the refusal code if the answer is an error or contains payment terms. */
type ExpectedAnswer = readonly [status: number, code?: string];

type Expectation = {
  /**
   * The callers that the route allows. This test has its own copy of the allowed callers, so that the test fails if the table of routes
   * opens a route by mistake.
   */
  readonly caller: Caller;
  /** The request's path, if it differs from the path that `fillPath` returns. */
  readonly path?: () => string;
  readonly body?: ((visitor: Visitor) => unknown) | undefined;
  /** The table of routes accepts a session that was opened by a payment, but the route's handler requires a sign-in. */
  readonly signedIn?: true;
  /**
   * The request names a press of the publisher. A wallet that is not the press's publisher gets the answer that the press does not exist.
   */
  readonly owned?: true;
  /** The status and code of the answer to every allowed visitor; the default is the status 200. */
  readonly answer?: ExpectedAnswer;
};

type SentRequest = Required<Pick<Expectation, "path">> & Pick<Expectation, "body">;

const terms: ExpectedAnswer = [402, "payment_required"];

/** The request that the test sends to each route. Each request is valid, but its sender may lack the right to send it. */
const expectations: Readonly<Record<RouteId, Expectation>> = {
  "auth-nonce": { caller: "site", body: () => ({ address: rival.address }) },
  "auth-verify": { caller: "site", body: signChallenge },
  me: { caller: "site" },
  "auth-logout": { caller: "session", body: () => ({}) },
  presses: { caller: "anyone" },
  search: { caller: "anyone", path: () => "/api/search?q=apple" },
  press: { caller: "anyone" },
  mcp: { caller: "payer", body: () => ({ jsonrpc: "2.0", id: 1, method: "tools/list" }) },
  "mcp-stream": { caller: "anyone" },
  move: {
    caller: "payer",
    body: () => ({
      authorization: {
        from: rival.address,
        to: writer.address,
        value: "1",
        validAfter: "0",
        validBefore: "1",
        nonce: `0x${"1".repeat(64)}`,
      },
    }),
    answer: [400, "authorization_not_valid"],
  },
  receipts: { caller: "anyone", answer: [404, "unknown_receipt"] },
  author: { caller: "anyone" },
  meta: { caller: "anyone" },
  "audit-report": { caller: "anyone" },
  stocks: { caller: "anyone" },
  quote: { caller: "anyone" },
  stock: { caller: "anyone" },
  market: { caller: "anyone" },
  "pay-treasury": { caller: "payer", body: () => ({ pressId: place.pressId }), answer: terms },
  "pay-publisher": { caller: "payer", body: () => ({ pressId: place.pressId }), answer: terms },
  rpc: { caller: "anyone", body: () => ({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] }) },
  "votes-record": { caller: "anyone", body: () => ({ txHash: place.voteTx }) },
  "votes-gas": { caller: "session", body: () => ({ pressId: 999_999 }), answer: [404, "unknown_press"] },
  history: { caller: "session" },
  purchases: { caller: "session" },
  sessions: { caller: "session" },
  "sessions-end": { caller: "session", body: () => ({ others: true }), signedIn: true },
  follows: { caller: "publisher" },
  "follows-change": {
    caller: "publisher",
    body: () => ({ base: 0, changes: [{ kind: "stock", id: "AAPL", name: "Apple", on: true }] }),
  },
  "push-key": { caller: "publisher" },
  "push-on": {
    caller: "publisher",
    body: () => ({
      endpoint: "https://fcm.googleapis.com/fcm/send/nobody",
      keys: {
        p256dh: Buffer.alloc(65, 4).toString("base64url"),
        auth: Buffer.alloc(16).toString("base64url"),
      },
    }),
  },
  "push-off": {
    caller: "site",
    body: () => ({ endpoint: "https://fcm.googleapis.com/fcm/send/somebody" }),
  },
  "private-feed": { caller: "publisher", body: () => ({ on: true }) },
  "press-save": { caller: "publisher", body: () => ({ ...article, id: place.draftId }), owned: true },
  profile: { caller: "publisher", body: () => ({ text: "Writes about chips.", link: null }) },
  "press-keep": { caller: "publisher", body: makeManuscript },
  "press-discard": { caller: "publisher", body: () => ({ name: "no-such-text" }) },
  "my-manuscript": { caller: "publisher", answer: [404, "unknown_manuscript"] },
  "my-generation": {
    caller: "publisher",
    path: () => "/api/me/generations/4711",
    answer: [404, "unknown_generation"],
  },
  "press-audit": { caller: "publisher", body: () => ({ id: place.draftId }), owned: true },
  "press-dispute": {
    caller: "publisher",
    body: () => ({ id: place.id, auditedAt: "2026-01-01T00:00:00Z", issue: 0, text: "It is in the filing." }),
    owned: true,
    answer: [409, "press_live"],
  },
  "press-correct": {
    caller: "publisher",
    body: () => ({ id: place.id, text: "The quarter ended in June, not in July." }),
    owned: true,
  },
  "press-unlist": { caller: "publisher", body: () => ({ id: place.id, unlisted: false }), owned: true },
  "press-price": {
    caller: "publisher",
    body: () => ({ id: place.id, priceUsdg: article.priceUsdg }),
    owned: true,
  },
  "press-minted": { caller: "publisher", body: () => ({ id: place.id, txHash: place.mintTx }), owned: true },
  dashboard: { caller: "publisher" },
  "my-views": { caller: "publisher" },
  "my-sales": { caller: "publisher" },
  "my-price": { caller: "publisher" },
  "my-press": { caller: "publisher", owned: true },
  "draft-angles": { caller: "publisher", body: () => ({ stock: article.stock }) },
  "draft-generate": { caller: "publisher", body: findOfferedAngle },
  discovery: { caller: "anyone" },
  "x402-manifest": { caller: "anyone" },
  "discovery-api": { caller: "anyone" },
  // The service in this test has no built site, and therefore no template for pages.
  "press-page": { caller: "anyone", answer: [503, "site_unavailable"] },
  "stock-page": { caller: "anyone", answer: [503, "site_unavailable"] },
  "author-page": { caller: "anyone", answer: [503, "site_unavailable"] },
  sitemap: { caller: "anyone" },
  openapi: { caller: "anyone" },
  llms: { caller: "anyone" },
  license: { caller: "anyone" },
  robots: { caller: "anyone" },
  card: { caller: "anyone" },
  feed: { caller: "anyone" },
};

/** Fills the placeholders in a route's path, for example with the id of the published press. */
function fillPath(path: string): string {
  const values = new Map([
    ["{slug}", place.slug],
    ["{id}", String(place.id)],
    ["{file}", `${place.slug}.png`],
    ["{address}", writer.address],
    ["{symbol}", article.stock],
    ["{transaction}", `0x${"7".repeat(64)}`],
    ["{name}", "no-such-text"],
  ]);
  return path.replace(/\{\w+\}/, (name) => values.get(name) ?? expect.unreachable(`No value for ${name}`));
}

/** Requests that end the session of their sender. A sign-in replaces the sender's session. */
const ending: ReadonlySet<RouteId> = new Set(["auth-logout", "auth-verify"]);

/** A sentence of the paid text. */
const paidSentence = "The heron at the harbour light counts nine boats before noon.";

let place: {
  readonly draftId: number;
  readonly id: number;
  readonly pressId: number;
  readonly slug: string;
  readonly mintTx: string;
  readonly voteTx: string;
};
let state: StateView;
const cookies = new Map<Visitor, string>();
const addresses = new Map<Visitor, string>();

beforeAll(async () => {
  const live = await publish(writer, { ...article, body: `${article.body}\n\n${paidSentence}` });
  const { pressId } = live;
  place = {
    ...live,
    draftId: await saveSuccessfully(writer, article),
    voteTx: await castVote(getTestAccount(6), pressId),
  };
  const [payer, reader] = [await makeReader(), await makeReader()];
  const { publisher } = await buy(payer, pressId);
  await buy(reader, pressId);
  const own = await signInOnce(writer);
  const [old, ended] = [await openAnotherSession(), await openAnotherSession()];
  await askAsSite("/api/auth/logout", { body: {}, cookie: ended });
  const { endpoints, rpcUrl } = await service();
  cookies
    .set("a forged cookie", `session=${randomBytes(32).toString("base64url")}`)
    .set("a cookie with the hash from the table", `session=${hashToken(own.slice("session=".length))}`)
    .set(expired, old)
    .set("a session that was ended", ended)
    .set(foreign, own)
    .set("a session born from a payment", parseSessionCookie(publisher))
    .set("a reader who has unlocked and signed in", await signInOnce(reader))
    .set("another wallet", await signInOnce(rival))
    .set("the publisher", own);
  addresses
    .set("a session born from a payment", lower(payer.address))
    .set("a reader who has unlocked and signed in", lower(reader.address))
    .set("another wallet", lower(rival.address))
    .set("the publisher", lower(writer.address));
  // Waits until the press shows the transaction of its verdict (`auditTx`), because posting the verdict is the service's last step for a
  // new press. If posting the verdict fails once, it is repeated after three minutes.
  await vi.waitUntil(async () => (await ask(`/api/presses/${place.slug}`)).text.includes('"auditTx":"0x'), {
    timeout: 240_000,
  });
  state = openState({ endpoints, rpcUrl });
  await state.waitUntilIdle();
});
afterAll(() => state.close());

const hashToken = (token: string) => createHash("sha256").update(token).digest("hex");

/** Opens a second session of the publisher. No other visitor uses the publisher's second session. */
async function openAnotherSession(): Promise<string> {
  return parseSessionCookie(await verify(writer.address, (message) => writer.signMessage({ message })));
}

async function signChallenge() {
  const { nonce, message } = await requestChallenge(rival.address);
  return { address: rival.address, nonce, signature: await rival.signMessage({ message }) };
}

/** A manuscript with a name that no other manuscript has. */
function makeManuscript() {
  const text = { stock: "", headline: "Half", preview: "", body: "", publisherName: "", priceText: "" };
  return { name: randomBytes(8).toString("hex"), ...text };
}

async function findOfferedAngle(visitor: Visitor) {
  const { stock } = article;
  const cookie = cookies.get(visitor);
  if (visitor !== foreign) await ask("/api/draft/angles", { body: { stock }, cookie });
  return { stock, angleId: "price" };
}

/** The refusal that a visitor must get according to the table of routes; `undefined` if the route allows the visitor. */
function findRefusal({ caller, owned, signedIn }: Expectation, visitor: Visitor): ExpectedAnswer | undefined {
  if (caller === "anyone" || caller === "payer") return undefined;
  if (visitor === foreign) return [403, "wrong_origin"];
  if (caller === "site") return undefined;
  if (withoutSession.has(visitor)) return [401, "no_session"];
  if (caller === "session" && signedIn !== true) return undefined;
  if (visitor === "a session born from a payment") return [401, "sign_in_required"];
  return owned === true && visitor !== "the publisher" ? [404, "unknown_press"] : undefined;
}

/** Runs `work` at the time of the visit. The visitor with an expired session comes thirty days later than the other visitors. */
function runAtVisitTime<Value>(visitor: Visitor, work: () => Promise<Value>): Promise<Value> {
  return visitor === expired ? runWithClockAhead((sessionLifetime + 1) * 1000, work) : work();
}

async function send({ path, body }: SentRequest, visitor: Visitor): Promise<Answer> {
  const { origin } = await service();
  const elsewhere = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  return ask(path(), {
    body: await body?.(visitor),
    cookie: cookies.get(visitor),
    headers: visitor === foreign ? elsewhere : { origin, "sec-fetch-site": "same-origin" },
  });
}

function readVerdict({ status, body }: Answer): ExpectedAnswer {
  const code = typeof body === "object" && body !== null && "code" in body ? body.code : undefined;
  return typeof code === "string" ? [status, code] : [status];
}

/**
 * The visitors that the test sends to routes that are open to everybody. Of the routes for everybody, only the article's route gives
 * visitors different answers.
 */
const strangersAndOwner: readonly Visitor[] = ["nobody", "a forged cookie", foreign, "the publisher"];

/**
 * Those routes for wallets that the test also tries with invalid sessions. All routes for wallets look up the session with the same
 * function. On each route, the answer to the visitor without a cookie shows that the route looks up the session.
 */
const routesForInvalidSessions: ReadonlySet<RouteId> = new Set([
  "auth-logout",
  "history",
  "press-save",
  "my-press",
]);
const withInvalidSession: ReadonlySet<Visitor> = new Set(visitors.slice(1, 5));

function listVisitors(id: RouteId, caller: Caller): readonly Visitor[] {
  if (caller === "anyone" && id !== "press") return strangersAndOwner;
  const isForWallets = caller === "session" || caller === "publisher";
  if (!isForWallets || routesForInvalidSessions.has(id)) return visitors;
  return visitors.filter((visitor) => !withInvalidSession.has(visitor));
}

const cases = routes.flatMap(({ id, method, path, caller }) =>
  listVisitors(id, caller).map((visitor) => {
    const expected = { path: () => fillPath(path), ...expectations[id] };
    const refusal = findRefusal(expected, visitor);
    return { id, visitor, expected, refusal, name: `${method} ${path}: ${visitor}` };
  }),
);

test("every route has an expectation in this test, and allows exactly the expected callers", () => {
  const told = Object.entries(expectations).map(([id, { caller }]) => [id, caller]);
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(routes.map(({ id, caller }) => [id, caller])));
});

describe("a visitor who is refused changes neither the table nor the chain", () => {
  const refused = cases.filter(({ refusal }) => refusal !== undefined);
  let seen: Snapshot | undefined;
  test.each(refused)("$name is refused", async ({ visitor, expected, refusal }) => {
    // The body is made before the table is read, because making the body may send a request that changes the table.
    const made = await runAtVisitTime(visitor, async () => ({ body: expected.body?.(visitor) }));
    const body = await made.body;
    const before = seen === undefined || made.body instanceof Promise ? await state.read() : seen;
    const answer = await runAtVisitTime(visitor, () => send({ ...expected, body: () => body }, visitor));
    expect(readVerdict(answer)).toEqual(refusal);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(answer.text).not.toContain(paidSentence);
    seen = await state.read();
    expect(seen).toEqual(before);
  });
});

const admitted = cases.filter(({ refusal }) => refusal === undefined);
const expectAdmitted = async ({ id, visitor, expected }: (typeof cases)[number]) => {
  const answer = await runAtVisitTime(visitor, () => send(expected, visitor));
  expect(readVerdict(answer)).toEqual(expected.answer ?? [200]);
  const shows = (id === "press" && readers.has(visitor)) || id === "my-press";
  expect(answer.text.includes(paidSentence)).toBe(shows);
  if (id === "me") expect(answer.body).toEqual({ address: addresses.get(visitor) ?? null });
  // If a page of another origin sends a request with a cookie, the browser does not show the answer to the page.
  expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
};

describe("a visitor who is allowed gets the expected answer", () => {
  test.each(admitted.filter(({ id }) => !ending.has(id)))("$name gets the expected answer", expectAdmitted);

  test("no session cookie's value is stored in the table", async () => {
    const items = JSON.stringify((await state.read()).items);
    const own = cookies.get("the publisher")?.slice("session=".length) ?? "";
    expect(items).toContain(hashToken(own));
    for (const [visitor, cookie] of cookies) {
      const token = cookie.slice("session=".length);
      if (visitor !== "a cookie with the hash from the table") expect(items).not.toContain(token);
    }
  });
});

describe("a session that its owner has ended gives no access any more", () => {
  const history = { path: () => "/api/me/history" };
  test.each(admitted.filter(({ id }) => id === "auth-logout"))("$name ends the session", async (one) => {
    await expectAdmitted(one);
    expect(readVerdict(await send(history, one.visitor))).toEqual([401, "no_session"]);
  });

  test.each(admitted.filter(({ id }) => id === "auth-verify"))("$name replaces the session", async (one) => {
    if (!withoutSession.has(one.visitor)) cookies.set(one.visitor, await signInOnce(rival));
    await expectAdmitted(one);
    expect(readVerdict(await runAtVisitTime(one.visitor, () => send(history, one.visitor)))).toEqual([
      401,
      "no_session",
    ]);
  });
});
