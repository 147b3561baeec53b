import { expect } from "vitest";
import { lower } from "../../../core/chain/hex.ts";
import { getTestAccount } from "../../../local/devnet/accounts.ts";
import { openSession } from "../../functions/lib/desk.ts";
import { prove, proveEach } from "../holds.ts";
import {
  type AskOptions,
  ask,
  askAsSite,
  parseSessionCookie,
  requestChallenge,
  signInOnce,
  verify,
} from "../world/ask.ts";
import { castVote } from "../world/ballot.ts";
import { article, saveSuccessfully, writer } from "../world/desk.ts";
import { makeOnce } from "../world/scene.ts";
import { service } from "../world/service.ts";
import { makeVoter, press } from "./town.ts";

type TableRequest = readonly [path: string, options?: AskOptions];

const call = { jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] };
const ballot = makeOnce(async () => castVote(await makeVoter(), (await press()).pressId));

/** Endpoints that answer everybody. Each entry has a request and some fields that the answer must have. */
proveEach<readonly [request: () => Promise<TableRequest>, has: object]>(
  {
    "4.1 GET /api/presses": [async () => ["/api/presses"], { presses: expect.any(Array) }],
    "4.1 GET /api/presses/{slug}": [
      async () => [`/api/presses/${(await press()).slug}`],
      { press: { headline: article.headline }, body: null },
    ],
    "4.1 GET /api/meta/{id}": [
      async () => [`/api/meta/${(await press()).id}`],
      { name: article.headline, x402Support: true },
    ],
    "4.1 GET /api/audit-report/{id}": [
      async () => [`/api/audit-report/${(await press()).id}`],
      { verdict: "approve", issues: expect.any(Array) },
    ],
    "4.1 GET /api/stocks": [async () => ["/api/stocks"], { stocks: expect.any(Array) }],
    "4.1 GET /api/quotes/{symbol}": [async () => ["/api/quotes/AAPL"], { symbol: "AAPL" }],
    "4.1 POST /api/rpc": [async () => ["/api/rpc", { body: call }], { id: 1, result: "0x1237" }],
    "4.1 POST /api/votes/record": [
      async () => ["/api/votes/record", { body: { txHash: await ballot() } }],
      { votes: { up: expect.any(Number), down: expect.any(Number) } },
    ],
  },
  async ([request, has]) => {
    expect(await ask(...(await request()))).toMatchObject({ status: 200, body: has });
  },
);

/** Endpoints that need a session, and answer all requests without a session with 401. */
proveEach<readonly [request: () => Promise<TableRequest>, has: object]>(
  {
    "4.1 GET /api/me/history": [async () => ["/api/me/history"], { votes: [], unlocks: [] }],
    "4.1 POST /api/press/save": [
      async () => ["/api/press/save", { body: article }],
      { id: expect.any(Number) },
    ],
    "4.1 POST /api/press/audit": [
      async () => ["/api/press/audit", { body: { id: await saveSuccessfully(writer) } }],
      { status: expect.any(String) },
    ],
    "4.1 POST /api/press/minted": [
      async () => {
        const { id, mintTx } = await press();
        return ["/api/press/minted", { body: { id, txHash: mintTx } }];
      },
      { slug: expect.any(String) },
    ],
    "4.1 POST /api/draft/angles": [
      async () => ["/api/draft/angles", { body: { stock: "AAPL" } }],
      { angles: expect.any(Array) },
    ],
    "4.1 POST /api/draft/generate": [
      async () => ["/api/draft/generate", { body: { stock: "AAPL", angleId: "price" } }],
      { draft: { headline: expect.any(String) } },
    ],
    "4.1 GET /api/me/dashboard": [
      async () => ["/api/me/dashboard"],
      { totals: { live: expect.any(Number) } },
    ],
    "4.1 GET /api/me/press/{id}": [
      async () => [`/api/me/press/${(await press()).id}`],
      { body: article.body },
    ],
  },
  async ([request, has]) => {
    const [path, options] = await request();
    expect((await ask(path, options)).status).toBe(401);
    const cookie = await signInOnce(writer);
    expect(await ask(path, { ...options, cookie })).toMatchObject({ status: 200, body: has });
  },
);

/** Expects that an endpoint answers a request with payment terms. */
proveEach<string>(
  {
    "4.1 POST /api/pay/treasury": "/api/pay/treasury",
    "4.1 POST /api/pay/publisher": "/api/pay/publisher",
  },
  async (path) => {
    const { pressId } = await press();
    const cookie = await signInOnce(writer);
    // A session does not replace a payment.
    expect(await ask(path, { body: { pressId }, cookie })).toMatchObject({
      status: 402,
      body: { x402Version: 2, accepts: [{ scheme: "exact" }, {}] },
    });
  },
);

const visitor = getTestAccount(6);

/** Endpoints that answer only requests of the site's own pages. */
async function expectSiteOnly(path: string, options: AskOptions): Promise<void> {
  const { origin } = await service();
  expect((await ask(path, { ...options, headers: { origin } })).status).toBe(200);
  expect((await ask(path, { ...options, headers: { origin: "https://other.example" } })).status).toBe(403);
}

prove("4.1 POST /api/auth/nonce", () =>
  expectSiteOnly("/api/auth/nonce", { body: { address: visitor.address } }),
);

prove("4.1 POST /api/auth/verify", async () => {
  const { address } = visitor;
  const { nonce, message } = await requestChallenge(address);
  const signature = await visitor.signMessage({ message });
  await expectSiteOnly("/api/auth/verify", { body: { address, nonce, signature } });
});

prove("4.1 GET /api/me", () => expectSiteOnly("/api/me", {}));

prove("4.1 POST /api/auth/logout", async () => {
  const cookie = parseSessionCookie(
    await verify(visitor.address, (message) => visitor.signMessage({ message })),
  );
  expect((await askAsSite("/api/auth/logout", { body: {} })).status).toBe(401);
  expect((await askAsSite("/api/auth/logout", { body: {}, cookie })).status).toBe(200);
});

prove("4 authentication", async () => {
  const { pressId } = await press();
  const statuses = [
    await ask("/api/presses"),
    await ask("/api/me/dashboard"),
    await ask("/api/pay/treasury", { body: { pressId } }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 401, 402]);
});

prove("5.1 public", async () => {
  const { id, slug } = await press();
  const paths = ["/api/presses", `/api/presses/${slug}`, "/api/stocks", "/api/quotes/AAPL"];
  for (const path of [...paths, `/api/meta/${id}`, `/api/audit-report/${id}`]) {
    expect((await ask(path)).status).toBe(200);
  }
  expect((await ask("/api/rpc", { body: call })).status).toBe(200);
  expect((await ask("/api/votes/record", { body: { txHash: await ballot() } })).status).toBe(200);
});

prove("5.3 session", async () => {
  const txHash = `0x${"0".repeat(64)}`;
  const bodies = {
    "/api/press/save": article,
    "/api/press/audit": { id: 1 },
    "/api/press/minted": { id: 1, txHash },
    "/api/draft/angles": { stock: "AAPL" },
    "/api/draft/generate": { stock: "AAPL", angleId: "price" },
  };
  // Both kinds of session belong to a wallet: a session from a payment can read the wallet's history, and a session from a sign-in can do
  // everything.
  const paid = await openSession((await service()).table, lower(visitor.address), "payment");
  const signedIn = await signInOnce(writer);
  const listStatuses = async (path: string, body?: object) =>
    Promise.all(
      [undefined, paid, signedIn].map(async (cookie) => (await ask(path, { body, cookie })).status),
    );
  for (const [path, body] of Object.entries(bodies)) {
    const [nobody, byPayment, bySignIn = 0] = await listStatuses(path, body);
    expect([path, nobody, byPayment, bySignIn === 401]).toEqual([path, 401, 401, false]);
  }
  expect(await listStatuses("/api/me/dashboard")).toEqual([401, 401, 200]);
  expect(await listStatuses("/api/me/history")).toEqual([401, 200, 200]);
});
