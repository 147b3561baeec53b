import { decodeEventLog } from "viem/utils";
import { expect } from "vitest";
import * as z from "zod";
import { erc20Abi } from "../../../core/chain/abi.ts";
import { type Address, HashInput, lower } from "../../../core/chain/hex.ts";
import { routes } from "../../../functions/routes.ts";
import { getPlatformAccount, platformIndexes } from "../../../local/devnet/accounts.ts";
import { prove, proveEach } from "../holds.ts";
import { matrix, rows } from "../rows.ts";
import { ask, wire } from "../world/ask.ts";
import { disclosed, holder, save } from "../world/desk.ts";
import { requestTerms } from "../world/purse.ts";
import { chain, service } from "../world/service.ts";
import { readToken } from "../world/token.ts";
import { discovery } from "./discovery.ts";
import { list, listed, readDetail, shelf } from "./shelf.ts";

/** The endpoints of section 4.1. */
const named = rows.flatMap(({ id }) => (/^4\.1 (GET|POST) /.test(id) ? [id.slice("4.1 ".length)] : []));
const served = routes.map(({ method, path }) => `${method} ${path}`);

prove("0 whole service", async () => {
  expect(named).toHaveLength(22);
  for (const endpoint of named) {
    const [method, path = ""] = endpoint.split(" ");
    // The request has a valid path and an empty body, so the front would answer 404 only if the route were missing.
    const answer = await ask(path.replace(/\{\w+\}/, "0"), method === "POST" ? { body: {} } : {});
    const code = z.looseObject({ code: z.string().optional() }).safeParse(answer.body).data?.code;
    expect({ endpoint, code }).not.toEqual({ endpoint, code: "unknown_route" });
    expect({ endpoint, failed: answer.status >= 500 }).toEqual({ endpoint, failed: false });
  }
});

prove("0 only document", () => {
  const ours = served.filter((route) => / \/api(\/|$)/.test(route));
  // Besides the discovery document, the service has endpoints that section 4.1 does not name. Some endpoints list and end sessions, or show
  // stock prices, receipts, and authors' presses with views and sales. Some endpoints move USDG by a signature, send the ETH for a vote, or
  // let readers follow authors and stocks and get notifications. Other endpoints let publishers write a profile, answer audit findings,
  // store unfinished texts, and correct, reprice and unlist live presses.
  const others = ours.filter((route) => !named.includes(route));
  expect(matrix).toContain(` ${others.length} endpoints of ours.`);
  expect(others.toSorted()).toEqual([
    "GET /api",
    "GET /api/authors/{address}",
    "GET /api/market",
    "GET /api/me/follows",
    "GET /api/me/generations/{id}",
    "GET /api/me/manuscripts/{name}",
    "GET /api/me/price",
    "GET /api/me/purchases",
    "GET /api/me/push",
    "GET /api/me/sales",
    "GET /api/me/sessions",
    "GET /api/me/views",
    "GET /api/receipts/{transaction}",
    "GET /api/search",
    "GET /api/stocks/{symbol}",
    "POST /api/me/feed",
    "POST /api/me/follows",
    "POST /api/me/profile",
    "POST /api/me/push",
    "POST /api/me/sessions/end",
    "POST /api/move",
    "POST /api/press/correct",
    "POST /api/press/discard",
    "POST /api/press/dispute",
    "POST /api/press/keep",
    "POST /api/press/price",
    "POST /api/press/unlist",
    "POST /api/push/stop",
    "POST /api/votes/gas",
  ]);
});

prove("0 base_url", async () => {
  const { origin } = await service();
  const { endpoints } = await discovery();
  const { held } = await shelf();
  const { resource } = await requestTerms("treasury", held.pressId);
  const urls = [...Object.values(endpoints).map(({ url }) => url), held.audited.metaUrl, resource.url];
  expect(urls.filter((url) => !url.startsWith(`${origin}/api/`))).toEqual([]);
});

prove("0 JSON", async () => {
  const asked = [
    ask("/api/presses"),
    ask("/api/presses/none"),
    ask("/api/me/history"),
    ask("/api/pay/treasury", { body: { pressId: (await shelf()).held.pressId } }),
  ];
  for (const { headers } of await Promise.all(asked)) {
    expect(headers.get("content-type")).toMatch(/^application\/json/);
  }
  const other = await ask("/api/votes/record", { body: {}, headers: { "content-type": "text/plain" } });
  expect(other.status).toBe(415);
});

prove("1 marketplace", async () => {
  const { body } = await ask("/api/stocks");
  const { stocks } = z.object({ stocks: z.array(z.object({ symbol: z.string() })) }).parse(body);
  const symbols = stocks.map(({ symbol }) => symbol);
  const { purchase } = await shelf();
  const presses = await list();
  expect(presses.length).toBeGreaterThan(0);
  for (const { stock } of presses) expect(symbols).toContain(stock);
  // The bought text is an article that takes some minutes to read.
  const { body: text } = z.object({ body: z.string() }).parse(purchase.publisher.body);
  const words = text.split(/\s+/).length;
  const { held } = await listed();
  expect([words >= 150, held.readMinutes]).toEqual([true, Math.max(1, Math.round(words / 220))]);
  // A press about a stock without a token on the chain is refused.
  const other = await save(holder, { ...disclosed, stock: "NOSUCH" });
  expect(other).toMatchObject({ status: 400, body: { code: "unknown_stock" } });
});

prove("1 free", async () => {
  const { press, audit } = await readDetail((await listed()).held.slug);
  expect(press).toMatchObject({
    preview: disclosed.preview,
    votes: { up: 1, down: 1 },
    priceUnits: "123457",
  });
  expect(audit.summary).not.toBe("");
});

prove("1 two payments", async () => {
  const { fee, publisher } = (await shelf()).purchase;
  expect(fee.text).not.toContain(disclosed.body.slice(0, 40));
  expect(publisher.body).toMatchObject({ body: disclosed.body });
});

prove("1 USDG", async () => {
  const { held } = await shelf();
  for (const leg of ["treasury", "publisher"] as const) {
    const [{ asset }] = (await requestTerms(leg, held.pressId)).accepts;
    expect(await readToken(asset)).toEqual({ symbol: "USDG", decimals: 6 });
  }
});

prove("1 chain", async () => {
  const [{ network }] = (await requestTerms("treasury", (await shelf()).held.pressId)).accepts;
  expect(network).toBe("eip155:4663");
  expect(await (await chain()).getChainId()).toBe(4663);
});

prove("1 fee, then owner", async () => {
  const { fee, publisher } = (await shelf()).purchase;
  const treasury = getPlatformAccount(platformIndexes.treasury).address;
  expect(await listPaidAddresses(fee.body)).toEqual([lower(treasury)]);
  expect(await listPaidAddresses(publisher.body)).toEqual([lower(holder.address)]);
});

/** Reads which addresses got USDG in the transaction whose hash is in the answer. */
async function listPaidAddresses(reply: unknown): Promise<readonly Address[]> {
  const { tx } = z.object({ tx: HashInput }).parse(reply);
  const { logs } = await (await chain()).getTransactionReceipt({ hash: tx });
  const { address: usdg } = (await discovery()).network.asset;
  return logs
    .filter(({ address }) => lower(address) === lower(usdg))
    .map(({ topics, data }) => lower(decodeEventLog({ abi: erc20Abi, topics, data }).args.to));
}

prove("1 publisher", async () => {
  const { drafted } = await shelf();
  expect(drafted.audited.status).toBe("approved");
  expect(await readDetail(drafted.slug)).toMatchObject({
    press: { pressId: drafted.pressId, mintTx: drafted.mintTx, aiAssisted: true },
  });
});

prove("1 readers vote", async () => {
  const { held, drafted } = await listed();
  expect([held.votes, drafted.votes]).toEqual([
    { up: 1, down: 1 },
    { up: 0, down: 0 },
  ]);
});

prove("1 relay", async () => {
  const call = (method: string) => ask("/api/rpc", { body: { jsonrpc: "2.0", id: 1, method, params: [] } });
  expect((await call("eth_blockNumber")).body).toMatchObject({ result: expect.stringMatching(/^0x/) });
  expect((await call("eth_accounts")).body).toMatchObject({ error: { code: -32601 } });
});

prove("1 no advice", async () => {
  const { description, rules } = await discovery();
  expect(description).toContain("Nothing published here is investment advice.");
  expect(rules).toContain("Nothing published here is investment advice.");
});

prove("1 wallet_address", async () => {
  const [{ payTo, asset }] = (await requestTerms("publisher", (await shelf()).held.pressId)).accepts;
  for (const address of [(await listed()).held.publisher, payTo, asset])
    expect(address).toMatch(wire.address);
});

prove("1 tx_hash", async () => {
  const { mintTx, auditTx } = (await listed()).held;
  for (const hash of [mintTx, auditTx]) expect(hash).toMatch(wire.hash);
});

prove("1 timestamp", async () => {
  const { press, audit } = await readDetail((await listed()).held.slug);
  for (const time of [press.publishedAt, audit.auditedAt]) {
    expect(time).toMatch(wire.time);
    expect(new Date(time).toISOString()).toBe(time);
  }
});

type Addresses = Awaited<ReturnType<typeof discovery>>;

proveEach<(document: Addresses) => Address>(
  {
    "1 permit2_contract": ({ x402 }) => x402.permit2,
    "1 reputation_registry": ({ erc8004 }) => erc8004.reputationRegistry,
    "1 identity_registry": ({ erc8004 }) => erc8004.identityRegistry,
  },
  async (find) => {
    const code = await (await chain()).getCode({ address: find(await discovery()) });
    expect(code?.length).toBeGreaterThan(100);
  },
);

prove("1 usdg_token", async () => {
  const { address } = (await discovery()).network.asset;
  const [{ asset }] = (await requestTerms("treasury", (await shelf()).held.pressId)).accepts;
  expect(asset).toBe(address);
  expect((await readToken(address)).symbol).toBe("USDG");
});
