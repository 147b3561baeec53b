import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { bodyLimit, type Route, routes } from "../../functions/routes.ts";
import { makeSiteTemplate } from "../core/page/site.ts";
import { type Press, startBearers } from "../support/bearers.ts";
import { makeHttpClient } from "../support/http-payer.ts";
import { getTestAccount } from "../support/payment.ts";
import { makeFolder, startPart } from "../support/provide.ts";

/**
 * Some of the hostile inputs in these tests are made to overload a parser, and the others contain names of members that every JavaScript
 * object has. The service must refuse each hostile input quickly and with a message.
 */
let press: Press;
let cookie: string;

const site = await makeFolder();
await writeFile(join(site, "index.html"), makeSiteTemplate("one"));
const world = startPart(() => startBearers({ site }));
beforeAll(async () => {
  [press] = world.presses;
  cookie = await makeHttpClient(world.service.origin).signIn(getTestAccount(4));
});

const rows: readonly Route[] = routes;
/**
 * The list of routes leaves out the route for signing out, because a sign-out takes no body and would end the session that the other
 * requests use.
 */
const posts = rows
  .filter(({ id, method }) => method === "POST" && id !== "auth-logout")
  .map(({ path }) => path);
const Refusal = z.object({ error: z.unknown() });

async function send(path: string, init: RequestInit = {}) {
  const { origin } = world.service;
  const started = performance.now();
  const response = await fetch(`${origin}${path}`, {
    ...init,
    headers: { origin, cookie, "content-type": "application/json", ...init.headers },
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, took: performance.now() - started };
}
const post = (path: string, body: string, headers = {}) => send(path, { method: "POST", body, headers });

/**
 * Expects that the service is unharmed. The service still answers requests, and the input has not given JavaScript's objects the member
 * `polluted`.
 */
async function expectUnharmed(): Promise<void> {
  const { status, text } = await send("/api/presses");
  expect(status).toBe(200);
  expect(JSON.parse(text).presses).toHaveLength(world.presses.length);
  expect(Object("").polluted).toBeUndefined();
}

/** The maximum length in bytes of a request body in these tests. */
const room = bodyLimit - 100;
const makeObjectText = (count: number) =>
  `{${Array.from({ length: count }, (_, index) => `"${index}":0`).join()}}`;
const heavy: Readonly<Record<string, () => string>> = {
  "a million members": () => makeObjectText(1_000_000),
  "as many members as there is room for": () => makeObjectText(Math.floor(room / 9)),
  "as many empty objects as there is room for": () => `[${"{},".repeat(room / 3 - 2)}{}]`,
  "arrays in arrays": () => "[".repeat(room / 2) + "]".repeat(room / 2),
  "objects in objects": () => `${'{"a":'.repeat(room / 6)}0${"}".repeat(room / 6)}`,
  "one member a hundred thousand times": () => `{${'"pressId":1,'.repeat(room / 13)}"pressId":-1}`,
  "a number of as many digits": () => `{"pressId":${"9".repeat(room - 20)}}`,
  "a text of escapes": () => `{"pressId":"${"\\u0000".repeat(room / 7)}"}`,
  "a call whose parameters have as many members": () =>
    `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[${makeObjectText(Math.floor(room / 10))}]}`,
  "a tool's call whose arguments have as many members": () =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_presses","arguments":${makeObjectText(Math.floor(room / 10))}}}`,
};

/**
 * The time limit for an answer in milliseconds, if an ordinary request to the same route takes `usual` milliseconds. The limit is generous
 * because the machine may be busy. A parser that takes quadratic time would need minutes.
 */
const findTimeLimit = (usual: number) => 5_000 + 20 * usual;

/** The routes that have their own parser, and one of the routes that share a common parser. */
const parsers = ["/api/press/save", "/api/rpc", "/mcp"];
const perRoute = ["as many members as there is room for", "objects in objects"];

test.each(Object.entries(heavy))(
  "each body parser refuses JSON with %s quickly, and every route refuses the two heaviest kinds of JSON quickly",
  async (name, make) => {
    const body = make();
    for (const path of perRoute.includes(name) ? posts : parsers) {
      // The route's first request also loads the code of the route's function.
      await post(path, "{");
      const { took: usual } = await post(path, "{");
      const { status, text, took } = await post(path, body);
      const isRpc = path === "/api/rpc" || path === "/mcp";
      // JSON-RPC always answers with status 200.
      const isRefused = status >= 400 && status < 500 && Refusal.safeParse(JSON.parse(text)).success;
      const isAnswered = isRpc && status === 200;
      const isSoon = took < findTimeLimit(usual);
      expect([path, status, isRefused || isAnswered, isSoon]).toEqual([path, status, true, true]);
    }
    await expectUnharmed();
  },
);

test("a payment header with 700 members gets terms, and a header with 1,000 members is too long and is refused", async () => {
  const body = JSON.stringify({ pressId: press.pressId });
  const makeHeader = (count: number) => Buffer.from(makeObjectText(count)).toString("base64");
  const fits = await post("/api/pay/treasury", body, { "payment-signature": makeHeader(700) });
  expect([fits.status, JSON.parse(fits.text).code]).toEqual([402, "malformed_payment_header"]);
  const long = await post("/api/pay/treasury", body, { "payment-signature": makeHeader(1_000) });
  expect(long.status).toBe(431);
});

test.each([
  ["arrays", "[".repeat(20_000), "]".repeat(20_000)],
  ["objects", '{"a":'.repeat(20_000), "}".repeat(20_000)],
])(
  "a payment over MCP that is nested too deeply in %s is refused as a malformed payment",
  async (_, begin, end) => {
    const order = JSON.stringify({ id: press.pressId, maxPriceUsdg: 1_000 });
    const params = `{"name":"buy_press","arguments":${order},"_meta":{"x402/payment":${begin}0${end}}}`;
    const { text } = await post("/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`);
    expect(JSON.parse(text)).toMatchObject({
      result: { isError: true, structuredContent: { code: "malformed_payment_header" } },
    });
    await expectUnharmed();
  },
);

/** Names of members that every JavaScript object has, and `then`, which has a meaning to some programs. */
const inherited = ["__proto__", "constructor", "toString", "then"];

describe.each(inherited)("a request contains %s, the name of an inherited property", (name) => {
  test("an inherited property name counts as an unknown id in every path", async () => {
    for (const { path } of rows.filter((row) => row.method === "GET" && row.path.includes("{"))) {
      const asked = path.replace(/\{[^}]+\}/, name);
      const { status } = await send(asked);
      expect([asked, status]).toEqual([asked, expect.toSatisfy((code) => code >= 400 && code < 500)]);
    }
    await expectUnharmed();
  });

  test("an inherited property name as the value of a query parameter causes no internal error", async () => {
    for (const { path, query = [] } of rows.filter(
      (row) => row.method === "GET" && !row.path.includes("{"),
    )) {
      for (const key of query) {
        const { status } = await send(`${path}?${key}=${name}`);
        expect([path, key, status < 500]).toEqual([path, key, true]);
      }
    }
  });

  test("an inherited property name in a body counts as an unknown id if it is a value, and changes nothing if it is the name of a member", async () => {
    const fields = [
      ...["address", "nonce", "signature", "pressId", "id", "txHash", "stock", "name", "angleId", "headline"],
      ...[
        "generationId",
        "priceUsdg",
        "session",
        "ids",
        "auditedAt",
        "issue",
        "symbol",
        "updatedAt",
        "others",
      ],
    ];
    const values = fields.map((field) => `"${field}":"${name}"`).join();
    const bodies = [
      `{${values}}`,
      `{"${name}":{"polluted":true,"pressId":${press.pressId}}}`,
      `{"__proto__":{"${name}":{"polluted":true}},"constructor":{"prototype":{"polluted":true}}}`,
    ];
    for (const path of posts) {
      for (const body of bodies) {
        const { status } = await post(path, body);
        expect([path, body, status]).toEqual([
          path,
          body,
          expect.toSatisfy((code) => code >= 400 && code < 500),
        ]);
      }
    }
    await expectUnharmed();
  });

  test("an inherited property name is refused as a method, as a tool and in arguments, because the service knows no method, tool or value with this name", async () => {
    const ask = async (path: string, method: string, params: unknown = []) => {
      const { status, text } = await post(path, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
      return { status, answer: JSON.parse(text) };
    };
    expect(await ask("/api/rpc", name)).toMatchObject({ status: 200, answer: { error: { code: -32601 } } });
    expect(await ask("/mcp", name)).toMatchObject({ answer: { error: { code: expect.any(Number) } } });
    const calls = [
      { name, arguments: {} },
      { name: "preview_press", arguments: { slug: name } },
      { name: "audit_report", arguments: { slug: name } },
      { name: "stock_quote", arguments: { symbol: name } },
      { name: "author", arguments: { wallet: name } },
      { name: "receipt", arguments: { transaction: name } },
      { name: "buy_press", arguments: { slug: name, maxPriceUsdg: 1 } },
      { name: "buy_press", arguments: { id: press.pressId, maxPriceUsdg: 1, leg: name } },
      { name: "buy_press", arguments: { id: press.pressId, maxPriceUsdg: 1, method: name } },
      { name: "search_presses", arguments: JSON.parse(`{"${name}":{"polluted":true}}`) },
    ];
    for (const params of calls) {
      const { status, answer } = await ask("/mcp", "tools/call", params);
      const isRefused = answer.error !== undefined || answer.result?.isError === true;
      // The library zod drops a member named `__proto__` before zod checks for unknown members.
      const isDropped = name === "__proto__" && params.name === "search_presses";
      expect([params, status < 500, isRefused || isDropped]).toEqual([params, true, true]);
      expect(JSON.stringify(answer)).not.toContain('"internal"');
    }
    await expectUnharmed();
  });
});

describe("a web page of another origin calls the MCP endpoint in a signed-in publisher's browser", () => {
  const elsewhere = { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" };
  const call = (name: string, args: object, headers: Readonly<Record<string, string>>) =>
    post(
      "/mcp",
      JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
      headers,
    );

  test("despite the publisher's cookie, a page of another origin gets only public data by MCP, and gets no text, no session and no purchase", async () => {
    const calls = [
      ["preview_press", { slug: press.slug }],
      ["audit_report", { slug: press.slug }],
      ["search_presses", {}],
      ["buy_press", { slug: press.slug, maxPriceUsdg: 1 }],
      ["buy_press", { slug: press.slug, maxPriceUsdg: 1, leg: "publisher" }],
    ] as const;
    // The signed offer changes every minute.
    const secret = /"(ticket|asOf|deadline)":"[^"]*"|"offer-receipt":\{.*?"schema":\{\}\}/g;
    for (const [name, args] of calls) {
      const bySession = await call(name, args, elsewhere);
      const byNobody = await call(name, args, { ...elsewhere, cookie: "" });
      expect(bySession.text.replaceAll("\\", "").replace(secret, "")).toBe(
        byNobody.text.replaceAll("\\", "").replace(secret, ""),
      );
      expect(bySession.text).not.toContain(press.text.slice(0, 60));
      expect(bySession.headers.get("set-cookie")).toBeNull();
      // If the page sends a request with a cookie, the browser does not show the answer to the page.
      expect(bySession.headers.get("access-control-allow-origin")).toBe("*");
      expect(bySession.headers.get("access-control-allow-credentials")).toBeNull();
    }
  });
});
