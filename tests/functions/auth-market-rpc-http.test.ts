import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { type Address, type Hex, lower } from "../../core/chain/hex.ts";
import { testAccount } from "../../local/devnet/accounts.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { cookieOf } from "./lib/call.ts";

const account = testAccount(1);
const Challenge = z.strictObject({ nonce: z.string(), message: z.string() });

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

/** A page of the site's own. */
function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  return fetch(`${service.origin}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: service.origin, ...headers },
    body: JSON.stringify(body),
  });
}

async function signIn(address: Address, sign: (message: string) => Promise<Hex>) {
  const asked = await post("/api/auth/nonce", { address });
  const { nonce, message } = Challenge.parse(await asked.json());
  return post("/api/auth/verify", { address, nonce, signature: await sign(message) });
}

const who = async (cookie?: string) => {
  const answer = await fetch(`${service.origin}/api/me`, { headers: cookie === undefined ? {} : { cookie } });
  return answer.json();
};

test("a wallet signs in, is known by its cookie, and signs out", async () => {
  const answer = await signIn(account.address, (message) => account.signMessage({ message }));
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ address: lower(account.address) });
  const cookie = cookieOf(answer.headers.getSetCookie()[0]);
  expect(await who(cookie)).toEqual({ address: lower(account.address) });
  expect(await who()).toEqual({ address: null });

  const out = await fetch(`${service.origin}/api/auth/logout`, { method: "POST", headers: { cookie } });
  expect(out.status).toBe(200);
  expect(await out.json()).toEqual({ address: null });
  expect(out.headers.getSetCookie()[0]).toContain("Max-Age=0");
  expect(await who(cookie)).toEqual({ address: null });
});

test("a wrong signature is 401", async () => {
  const stranger = testAccount(2);
  const answer = await signIn(account.address, (message) => stranger.signMessage({ message }));
  expect(answer.status).toBe(401);
  expect(await answer.json()).toMatchObject({ code: "invalid_signature" });
});

test("another site's page is refused before anything is looked at", async () => {
  const answer = await post("/api/auth/nonce", { wrong: true }, { origin: "https://evil.example" });
  expect(answer.status).toBe(403);
  expect(await answer.json()).toMatchObject({ code: "wrong_origin" });
});

test.each(["/.well-known/x402", "/api"])("%s is the discovery document of this service", async (path) => {
  const answer = await fetch(`${service.origin}${path}`);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({
    network: { caip2: "eip155:4663", asset: { symbol: "USDG", decimals: 6 } },
    endpoints: { list: { url: `${service.origin}/api/presses` } },
  });
});

test("stocks and quotes come from the source", async () => {
  const stocks = await fetch(`${service.origin}/api/stocks`);
  expect(await stocks.json()).toMatchObject({
    stocks: expect.arrayContaining([
      { symbol: "AAPL", name: expect.any(String), address: expect.any(String) },
    ]),
  });
  const quote = await fetch(`${service.origin}/api/quotes/AAPL`);
  expect(await quote.json()).toMatchObject({ symbol: "AAPL", halted: false, mid: expect.any(Number) });
});

test.each(["/api/stocks", "/api/presses", "/.well-known/x402"])(
  "%s is not sent again to who has it, also by a tag that the edge has weakened",
  async (path) => {
    const first = await fetch(`${service.origin}${path}`);
    await first.text();
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    for (const known of [etag, `W/${etag}`]) {
      const again = await fetch(`${service.origin}${path}`, { headers: { "if-none-match": known } });
      expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
      expect(again.headers.get("cache-control")).toBe(first.headers.get("cache-control"));
    }
  },
);

test("the relay answers single calls, batches and notifications", async () => {
  const call = { jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] };
  expect(await (await post("/api/rpc", call)).json()).toEqual({ jsonrpc: "2.0", id: 1, result: "0x1237" });
  expect(await (await post("/api/rpc", [call])).json()).toEqual([
    { jsonrpc: "2.0", id: 1, result: "0x1237" },
  ]);
  const notified = await post("/api/rpc", { jsonrpc: "2.0", method: "eth_chainId" });
  expect([notified.status, await notified.text()]).toEqual([204, ""]);
});
