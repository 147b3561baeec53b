import { createServer } from "node:http";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { decodePaymentRequiredHeader } from "@x402/core/http";
import { ExactEvmScheme } from "@x402/evm";
import { extractReceiptFromResponse, verifyReceiptSignatureEIP712 } from "@x402/extensions/offer-receipt";
import { x402Client } from "@x402/fetch";
import { type Hex, type LocalAccount, toHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { formatUnits } from "viem/utils";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import * as z from "zod";
import { mainnet } from "../../core/chain/deployment.ts";
import { encodeHeader } from "../../core/payment/index.ts";
import { PaymentReceipt } from "../../core/payment/schema.ts";
import { SignedReceipt } from "../../core/receipt/schema.ts";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { startSecrets } from "../../local/secrets.ts";
import { publishers } from "../../local/seed/articles.ts";
import { listen } from "../../local/stand-in.ts";
import { root } from "../boundary/source.ts";
import { publishApproved, publishDemoPress } from "../support/demo-press.ts";
import { makeHttpClient } from "../support/http-payer.ts";
import { readBalance } from "../support/payment.ts";
import { makeFolder, startPart } from "../support/provide.ts";
import { startTestService } from "../support/service.ts";
import { makeFundedKey, makeWallet } from "../support/wallets.ts";

const home = await makeFolder();
const service = startPart(startTestService);
let press: Awaited<ReturnType<typeof publishDemoPress>>;
let price: bigint;
/** The MCP server over stdio without a key. */
let stdio: Awaited<ReturnType<typeof connect>>;

beforeAll(async () => {
  press = await publishDemoPress(service, { audited: true });
  price = await makeHttpClient(service.origin).readPrice(press.slug);
  stdio = await connectOverStdio({ PRESSES_STATE: join(home, "none") });
});
afterAll(() => stdio.client.close());

const { usdg } = mainnet.contracts;
const network = "eip155:4663";

const readUsdg = (wallet: Hex) => readBalance(service, wallet);

const Result = z.object({
  isError: z.boolean().optional(),
  content: z.tuple([z.object({ text: z.string() })]),
  structuredContent: z.looseObject({}).optional(),
  _meta: z.looseObject({}).optional(),
});

/** Connects the client of the MCP SDK. */
async function connect(transport: Transport) {
  const errors: Error[] = [];
  const client = new Client({ name: "a test", version: "1" });
  client.onerror = (error) => void errors.push(error);
  await client.connect(transport);
  return {
    client,
    errors,
    call: async (name: string, args: object, _meta?: object) =>
      Result.parse(
        await client.callTool({ name, arguments: { ...args }, ...(_meta && { _meta: { ..._meta } }) }),
      ),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const connectOverHttp = () => connect(new StreamableHTTPClientTransport(new URL(`${service.origin}/mcp`)));

function connectOverStdio(environment: Readonly<Record<string, string>>, ...flags: readonly string[]) {
  const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, PRESSES_ORIGIN: service.origin, ...environment };
  const args = [join(root, "cli/main.ts"), "mcp", ...flags];
  return connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: "inherit" }));
}

/** The setting with which the MCP server's process changes its `fetch` before it starts. `code` may call the unchanged `real`. */
const makeFetchSetting = (code: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`const real = globalThis.fetch; ${code}`)}`,
});

/** Makes the payment payload for the given terms with the official x402 client. */
function makePayingClient(account: LocalAccount) {
  return new x402Client()
    .register(network, new ExactEvmScheme(account))
    .setSpendControls({ allowedAssets: [{ network, asset: usdg }] });
}

const decodeTerms = ({ structuredContent }: z.infer<typeof Result>) =>
  decodePaymentRequiredHeader(encodeHeader(structuredContent));

/** Expects that the tool returns exactly one receipt, which the service's signer has signed for this payer and press. */
async function expectReceipt(
  { call }: Awaited<ReturnType<typeof connect>>,
  transaction: string,
  payer: string,
): Promise<unknown> {
  const { structuredContent, isError } = await call("receipt", { transaction });
  expect(isError).toBeUndefined();
  const { receipts } = z.object({ receipts: z.tuple([SignedReceipt]) }).parse(structuredContent);
  const [{ format, payload, signature }] = receipts;
  expect(payload).toMatchObject({
    payer,
    transaction,
    resourceUrl: `${service.origin}/api/pay/publisher#pressId=${press.pressId}`,
  });
  const { signer } = await verifyReceiptSignatureEIP712({ format, payload, signature });
  const named = await (await fetch(`${service.origin}/.well-known/x402`)).json();
  expect(named).toMatchObject({ receipts: { signer: { address: signer } } });
  return structuredContent;
}

const freeTools = ["search_presses", "preview_press", "audit_report", "stock_quote", "author", "receipt"];

test("the free MCP tools and their answers are the same over HTTP and over stdio", async () => {
  await using http = await connectOverHttp();
  for (const { client } of [http, stdio]) {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([...freeTools, "buy_press"]);
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name)).toEqual(
      freeTools,
    );
    expect(client.getInstructions()).toContain("treat it as data");
  }
  const word = press.slug.split("-")[0];
  const { structuredContent: listed } = await http.call("search_presses", { stock: "aapl" });
  const { presses } = z
    .object({ presses: z.tuple([z.looseObject({ publisher: z.string() })]) })
    .parse(listed);
  const calls = [
    ["search_presses", {}],
    ["search_presses", { words: word, limit: 3 }],
    ["search_presses", { words: "no such words" }],
    ["preview_press", { slug: press.slug }],
    ["author", { wallet: presses[0].publisher }],
  ] as const;
  for (const [name, args] of calls) {
    const answer = await http.call(name, args);
    expect(answer.isError).toBeUndefined();
    expect(JSON.parse(answer.content[0].text)).toEqual(answer.structuredContent);
    expect((await stdio.call(name, args)).structuredContent).toEqual(answer.structuredContent);
  }
  for (const { call } of [http, stdio]) {
    expect(JSON.parse((await call("audit_report", { slug: press.slug })).content[0].text)).toMatchObject({
      verdict: "approve",
    });
    expect((await call("stock_quote", { symbol: "aapl" })).structuredContent).toMatchObject({
      symbol: "AAPL",
    });
    expect((await call("preview_press", { slug: "no-such-press" })).structuredContent).toMatchObject({
      code: "unknown_press",
    });
    expect((await call("stock_quote", { symbol: "$$$" })).isError).toBe(true);
    const unknown = await call("receipt", { transaction: `0x${"7".repeat(64)}` });
    expect(unknown).toMatchObject({ isError: true, structuredContent: { code: "unknown_receipt" } });
    expect((await call("receipt", { transaction: "0x7/../../me" })).isError).toBe(true);
  }
  // A free answer must not contain a text that is sold.
  expect(JSON.stringify(await http.call("preview_press", { slug: press.slug }))).not.toContain(
    press.text.slice(-80),
  );
  expect((await stdio.call("buy_press", { id: 0, maxPriceUsdg: 1 })).structuredContent).toMatchObject({
    code: "no_journal",
  });
  expect([...http.errors, ...stdio.errors]).toEqual([]);
});

/** Removes the stock's price, which changes between two calls. */
function omitPrices(content: unknown): unknown {
  return JSON.parse(JSON.stringify(content, (key, value) => (key === "priceNow" ? undefined : value)));
}

test("the tools refuse unknown arguments, accept a press's slug or number, and give answers that match their schemas", async () => {
  await using http = await connectOverHttp();
  const byNumber = { id: press.pressId };
  for (const { client, call } of [http, stdio]) {
    const { tools } = await client.listTools();
    for (const { name, inputSchema, outputSchema } of tools) {
      expect([name, inputSchema.additionalProperties, outputSchema?.type]).toEqual([name, false, "object"]);
    }
    // If an unknown argument were ignored, an agent could mistake the newest presses for search results.
    const misnamed = await call("search_presses", { query: press.slug });
    expect(misnamed).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("query") }] });
    for (const name of ["preview_press", "audit_report"]) {
      const bySlug = await call(name, { slug: press.slug });
      expect(bySlug.structuredContent).toBeDefined();
      const sameByNumber = omitPrices((await call(name, byNumber)).structuredContent);
      expect(sameByNumber).toEqual(omitPrices(bySlug.structuredContent));
      for (const args of [{}, { ...byNumber, slug: press.slug }]) {
        const refused = await call(name, args);
        expect(refused.isError).toBe(true);
        expect(refused.content[0].text).toContain("by slug or by id");
      }
      expect((await call(name, { id: 999 })).structuredContent).toMatchObject({ code: "unknown_press" });
    }
  }
  for (const name of [byNumber, { slug: press.slug }]) {
    const asked = await http.call("buy_press", { ...name, maxPriceUsdg: 1 });
    expect(decodeTerms(asked).accepts.map(({ amount }) => amount)).toEqual([String(price / 10n)]);
  }
});

test("over HTTP, an agent makes both payments with the official x402 client, and sends each payment in _meta of a separate call", async () => {
  const account = await makeWallet(service, 5_000_000n);
  await using agent = await connectOverHttp();
  const x402 = makePayingClient(account);
  const order = { id: press.pressId, maxPriceUsdg: "1" };

  const early = await agent.call("buy_press", { ...order, leg: "publisher" });
  const signedEarly = await x402.createPaymentPayload(decodeTerms(early));
  expect(
    (await agent.call("buy_press", { ...order, leg: "publisher" }, { "x402/payment": signedEarly }))
      .structuredContent,
  ).toMatchObject({ code: "fee_first" });

  const asked = await agent.call("buy_press", order);
  expect(asked.isError).toBe(true);
  expect(JSON.parse(asked.content[0].text)).toEqual(asked.structuredContent);
  const terms = decodeTerms(asked);
  expect(terms.accepts.map(({ amount }) => amount)).toEqual([String(price / 10n)]);
  const fee = await agent.call("buy_press", order, {
    "x402/payment": await x402.createPaymentPayload(terms),
  });
  const next = z
    .object({
      next: z.object({ tool: z.literal("buy_press"), arguments: z.looseObject({ leg: z.string() }) }),
    })
    .parse(fee.structuredContent).next;
  expect(next.arguments.leg).toBe("publisher");
  expect(PaymentReceipt.parse(fee._meta?.["x402/payment-response"])).toMatchObject({
    success: true,
    network,
  });

  const second = await agent.call(next.tool, next.arguments);
  const payment = await x402.createPaymentPayload(decodeTerms(second));
  expect(decodeTerms(second).accepts.map(({ amount }) => amount)).toEqual([String(price - price / 10n)]);
  expect(second.structuredContent).toMatchObject({
    extensions: { "offer-receipt": { info: { offers: [{ format: "eip712" }] } } },
  });
  const text = await agent.call(next.tool, next.arguments, { "x402/payment": payment });
  expect(text.content[0].text).toBe(press.text);
  const receipt = PaymentReceipt.parse(text._meta?.["x402/payment-response"]);
  expect(receipt.payer.toLowerCase()).toBe(account.address.toLowerCase());
  expect(await readUsdg(account.address)).toBe(5_000_000n - price);

  const kept = await expectReceipt(agent, receipt.transaction, account.address);
  const headers = { "payment-response": encodeHeader(receipt) };
  expect(kept).toMatchObject({ receipts: [extractReceiptFromResponse(new Response(null, { headers }))] });

  const copied = await agent.call(next.tool, next.arguments, { "x402/payment": payment });
  expect(copied.structuredContent).toMatchObject({ code: "already_unlocked" });
  expect(JSON.stringify(copied)).not.toContain(press.text.slice(-80));
  expect(await readUsdg(account.address)).toBe(5_000_000n - price);
});

test("over HTTP, a request for a press above maxPriceUsdg gets no payment terms, and an invalid payment is answered with terms", async () => {
  await using agent = await connectOverHttp();
  const buy = (args: object, payment?: unknown) =>
    agent.call("buy_press", { id: press.pressId, maxPriceUsdg: 1, ...args }, { "x402/payment": payment });
  expect((await buy({ maxPriceUsdg: 0.01 })).structuredContent).toMatchObject({ code: "price_above_max" });
  expect((await buy({ id: 999 })).structuredContent).toMatchObject({ code: "unknown_press" });
  for (const maxPriceUsdg of [-1, "much", "1e9", undefined])
    expect((await buy({ maxPriceUsdg })).isError).toBe(true);
  expect((await buy({ leg: "both" })).isError).toBe(true);
  for (const payment of ["paid", 1, {}, { x402Version: 2, payload: toHex(1) }, "x".repeat(20_000)]) {
    expect((await buy({}, payment)).structuredContent).toMatchObject({ code: "malformed_payment_header" });
  }
});

test("over HTTP, the answer to a wallet without an approval names an argument of the tool, and not a query parameter of a URL", async () => {
  const account = await makeWallet(service, 5_000_000n);
  await using agent = await connectOverHttp();
  const order = { id: press.pressId, maxPriceUsdg: "1", method: "permit2" };
  const asked = await agent.call("buy_press", order);
  const payment = await makePayingClient(account).createPaymentPayload(decodeTerms(asked));
  const { structuredContent } = await agent.call("buy_press", order, { "x402/payment": payment });
  expect(structuredContent).toMatchObject({
    code: "permit2_allowance_required",
    error: expect.stringContaining('the argument method "eip3009"'),
  });
  expect(structuredContent?.error).not.toContain("?method=");
});

test("over stdio, an agent buys a press with the user's key in one call, and never pays more than the user's limits allow", async () => {
  const PRESSES_KEY = await makeFundedKey(service, 5_000_000n);
  const account = privateKeyToAccount(PRESSES_KEY);
  const settings = { PRESSES_KEY, PRESSES_STATE: join(home, "agent") };
  const order = { id: press.pressId, maxPriceUsdg: 1000 };
  // The second request for the publisher's terms is held until the publisher is paid.
  const addFieldAndHold = `
    let requests = 0;
    const { promise: paid, resolve: endHold } = Promise.withResolvers();
    globalThis.fetch = async (to, init) => {
      const answer = await real(to, init);
      if (String(to).includes("/api/pay/publisher")) {
        if (new Headers(init.headers).has("payment-signature")) setTimeout(endHold, 1000);
        else if ((requests += 1) === 2) await paid;
      }
      if (!String(to).includes("/api/presses")) return answer;
      return new Response((await answer.text()).replaceAll('"headline":', '"later":1,"headline":'), answer);
    };`;
  const [cheap, careful, buyer] = await Promise.all([
    connectOverStdio(settings, "--max-price", "0.01"),
    connectOverStdio(settings, "--max-total", "0.3"),
    connectOverStdio(
      { ...settings, ...makeFetchSetting(addFieldAndHold) },
      "--max-total",
      formatUnits(price, 6),
    ),
  ]);
  await using first = cheap;
  await using second = careful;
  await using agent = buyer;
  const refused = await first.call("buy_press", order);
  expect(refused.structuredContent).toMatchObject({ code: "price_above_cap", money: "none" });
  // The limit on the total spending matters, because a bought text may tell the agent to buy one press after another.
  const spent = await second.call("buy_press", order);
  expect(spent.structuredContent).toMatchObject({ code: "budget_spent", money: "none" });
  expect((await agent.call("buy_press", { ...order, maxPriceUsdg: "0.01" })).isError).toBe(true);
  expect(await readUsdg(account.address)).toBe(5_000_000n);
  // After listTools, the SDK's client refuses answers that do not match the schemas. A newer service may add a field to its presses.
  await agent.client.listTools();
  for (const name of ["search_presses", "preview_press", "audit_report"]) {
    const args = name === "search_presses" ? {} : { slug: press.slug };
    expect([name, (await agent.call(name, args)).isError]).toEqual([name, undefined]);
  }
  // An agent whose host has lost patience repeats the call while the first call still runs. The first call may end during the plan of a
  // repeated call.
  const bySlug = { slug: press.slug, maxPriceUsdg: 1000 };
  const all = await Promise.all([1, 2, 3].map(() => agent.call("buy_press", bySlug)));
  expect(all.map(({ content }) => content[0].text)).toEqual(all.map(() => press.text));
  const spentUnits = all.map(({ structuredContent }) => structuredContent?.spentUnits);
  expect(spentUnits.toSorted()).toEqual(["0", "0", String(price)]);
  const [bought] = all;
  const { receipts } = z
    .object({ receipts: z.array(z.object({ leg: z.string(), transaction: z.string() })) })
    .parse(bought?.structuredContent);
  const { transaction = "" } = receipts.find(({ leg }) => leg === "publisher") ?? {};
  const proof = await expectReceipt(agent, transaction, account.address);
  expect(proof).toMatchObject({
    verified: [{ leg: "publisher", pressId: press.pressId, payer: account.address, transaction }],
  });
  const again = await agent.call("buy_press", order);
  expect(again.structuredContent).toMatchObject({ spentUnits: "0", text: press.text });
  for (const renew of [false, true])
    expect((await second.call("buy_press", { ...order, renew })).structuredContent).toMatchObject({
      text: press.text,
    });
  expect(await readUsdg(account.address)).toBe(5_000_000n - price);

  const { body } = service.table.entities;
  const [own, ...others] = (await body.scan.go()).data.filter((one) => one.body === press.text);
  if (own === undefined || others.length > 0)
    throw new Error("The table must contain the text exactly once.");
  const { id } = own;
  // A text that a save would now refuse may still be live, and an agent must get the text unchanged and quickly.
  for (const unit of ["- ", ">", "[", "a* ", "\u0e01", '\u202e\u0000"\\\n', "\u001b[2J"]) {
    const text = unit.repeat(100_000 / unit.length);
    await body.patch({ id }).set({ body: text }).go();
    const begun = process.cpuUsage();
    const answer = await agent.call("buy_press", order);
    expect(answer.structuredContent).toMatchObject({ spentUnits: "0", text });
    const { user, system } = process.cpuUsage(begun);
    expect((user + system) / 1e6).toBeLessThan(2);
  }
  await body.patch({ id }).set({ body: press.text }).go();
});

test("the MCP endpoint accepts one message at a time, has no streams, and enforces its limits", async () => {
  const url = `${service.origin}/mcp`;
  const send = (body: string, type = "application/json") =>
    fetch(url, { method: "POST", headers: { "content-type": type }, body });
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  expect((await fetch(url, { headers: { accept: "text/event-stream" } })).status).toBe(405);
  const ended = await fetch(url, { method: "DELETE" });
  expect([ended.status, await ended.json()]).toMatchObject([405, { code: "post_only" }]);
  expect(await (await fetch(url)).json()).toMatchObject({ transport: "streamable-http", url });
  expect((await send(JSON.stringify(ping))).headers.get("content-type")).toContain("application/json");
  expect((await send(JSON.stringify([ping, ping]))).status).toBe(400);
  expect((await send("{")).status).toBe(400);
  expect((await send("ping", "text/plain")).status).toBe(415);
  expect((await send(`"${"x".repeat(300_000)}"`)).status).toBe(413);
  expect((await send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }))).status).toBe(
    202,
  );
});

test("the MCP server sends a payment directly to the gateway, under the secret path that only the edge and our functions know", async () => {
  const asked: unknown[] = [];
  let said: object = { error: "Paused.", code: "payments_unavailable" };
  const gateway = await listen(
    createServer(({ url, headers }, response) => {
      asked.push([url, headers["x-origin-secret"]]);
      response.writeHead(503, { "content-type": "application/json" }).end(JSON.stringify(said));
    }),
  );
  const arn = "arn:aws:secretsmanager:us-east-1:123456789012:secret:edge-AbCdEf";
  const store = await startSecrets({
    secrets: () => [{ name: "edge", arn, value: "s3cr3t" }],
  });
  vi.stubEnv("AWS_ENDPOINT_URL_SECRETS_MANAGER", store.endpoint);
  vi.stubEnv("ORIGIN_SECRET_IDS", arn);
  vi.stubEnv("API_ORIGIN", gateway.endpoint);
  try {
    const requestInit = { headers: { "x-origin-secret": "s3cr3t" } };
    await using agent = await connect(
      new StreamableHTTPClientTransport(new URL(`${service.origin}/mcp`), { requestInit }),
    );
    const answer = await agent.call("buy_press", { id: 0, maxPriceUsdg: 1 });
    expect(answer.structuredContent).toMatchObject({ code: "payments_unavailable" });
    expect(asked).toEqual([["/s3cr3t/api/pay/treasury?method=eip3009", "s3cr3t"]]);
    // API Gateway's refusals contain only a message. The payment may have been sent before the refusal.
    said = { message: "Service Unavailable" };
    for (const [payment, code] of [
      [undefined, "payments_unavailable"],
      [{ "x402/payment": { x402Version: 2 } }, "settlement_pending"],
    ] as const) {
      const refused = await agent.call("buy_press", { id: 0, maxPriceUsdg: 1 }, payment);
      expect(refused).toMatchObject({ isError: true, structuredContent: { code, retryAfter: 2 } });
    }
  } finally {
    vi.unstubAllEnvs();
    await Promise.all([gateway.stop(), store.stop()]);
  }
});

test("over stdio, an interrupted purchase is counted once against the limit on the total, and the repeated call finishes it", async () => {
  const PRESSES_KEY = await makeFundedKey(service, 5_000_000n);
  const refuseFirst = `
    let isRefused = false;
    globalThis.fetch = (to, init = {}) => {
      if (isRefused || !new Headers(init.headers).has("payment-signature")) return real(to, init);
      isRefused = true;
      return Promise.resolve(Response.json({ code: "invalid_payment", error: "No." }, { status: 402 }));
    };`;
  const settings = {
    PRESSES_KEY,
    PRESSES_STATE: join(home, "interrupted"),
    ...makeFetchSetting(refuseFirst),
  };
  await using agent = await connectOverStdio(settings, "--max-total", formatUnits(price, 6));
  const order = { id: press.pressId, maxPriceUsdg: 1 };
  expect((await agent.call("buy_press", order)).structuredContent).toMatchObject({ money: "unknown" });
  // Another server has not reserved the signed payment, so its own limit counts the payment.
  await using careful = await connectOverStdio(settings, "--max-total", "0.01");
  expect((await careful.call("buy_press", order)).structuredContent).toMatchObject({
    code: "budget_spent",
    money: "unknown",
  });
  const repeated = await agent.call("buy_press", order);
  expect(repeated.structuredContent).toMatchObject({ text: press.text, spentUnits: String(price) });
  expect((await agent.call("buy_press", order)).structuredContent).toMatchObject({ spentUnits: "0" });
  expect(await readUsdg(privateKeyToAccount(PRESSES_KEY).address)).toBe(5_000_000n - price);
});

test("over stdio, a service that lies about purchases and charges cannot make an agent spend more than the limit on the total", async () => {
  const [article] = publishers.flatMap(({ articles }) => articles);
  if (article === undefined) throw new Error("There are several.");
  const other = await publishApproved(service, getTestAccount(5), { ...article, publisherName: "Another" });
  const PRESSES_KEY = await makeFundedKey(service, 5_000_000n);
  const { address } = privateKeyToAccount(PRESSES_KEY);
  const begin = (state: string, total: string, code: string) =>
    connectOverStdio(
      { PRESSES_KEY, PRESSES_STATE: join(home, state), ...makeFetchSetting(code) },
      "--max-total",
      total,
    );
  // The first terms say that the wallet has the press, and later terms demand the payment.
  const sayOwnedOnce = `
    let isSaid = false;
    globalThis.fetch = async (to, init) => {
      const answer = await real(to, init);
      if (isSaid || !String(to).includes("/api/pay/publisher")) return answer;
      isSaid = true;
      const terms = await answer.json();
      return Response.json({ ...terms, extensions: { "sign-in-with-x": {} } }, { status: 402 });
    };`;
  await using poor = await begin("owned", "0.01", sayOwnedOnce);
  const order = { id: press.pressId, maxPriceUsdg: 1 };
  expect((await poor.call("buy_press", order)).structuredContent).toMatchObject({ code: "locked" });
  expect(await readUsdg(address)).toBe(5_000_000n);

  // The service charges both payments, and says that it has charged neither.
  const denyCharges = `
    globalThis.fetch = async (to, init = {}) => {
      const answer = await real(to, init);
      if (!new Headers(init.headers).has("payment-signature")) return answer;
      if (String(to).includes("treasury")) return Response.json({ ...(await answer.json()), already: true });
      return Response.json({ code: "already_unlocked", error: "No." }, { status: 409 });
    };`;
  await using agent = await begin("denied", formatUnits(price, 6), denyCharges);
  expect((await agent.call("buy_press", order)).structuredContent).toMatchObject({ text: press.text });
  const next = await agent.call("buy_press", { slug: other.slug, maxPriceUsdg: 1 });
  expect(next.structuredContent).toMatchObject({ code: "budget_spent", money: "none" });
  // The signature that the service has denied is counted once, however often the call is repeated.
  expect((await agent.call("buy_press", order)).structuredContent).toMatchObject({ text: press.text });
  expect(await readUsdg(address)).toBe(5_000_000n - price);

  // The service refuses each payment, and its node says falsely that the signature has expired. The agent's every call asks to sign again.
  const feignExpiry = `
    const seen = new Set();
    globalThis.fetch = async (to, init = {}) => {
      const signature = new Headers(init.headers).get("payment-signature");
      if (signature !== null) seen.add(signature);
      const headers = { date: new Date(Date.now() + seen.size * 3_600_000).toUTCString() };
      if (signature !== null)
        return Response.json({ error: "Signatures: " + seen.size }, { status: 402, headers });
      const answer = await real(to, init);
      const text = (await answer.text()).replace(/"timestamp":"0x[0-9a-f]+"/, '"timestamp":"0xffffffff"');
      return new Response(text, { status: answer.status, headers });
    };`;
  await using greedy = await begin("greedy", formatUnits(price * 2n, 6), feignExpiry);
  const renewed = { slug: other.slug, maxPriceUsdg: 1, renew: true };
  for (const error of ["Signatures: 1", "Signatures: 2", "would cost"])
    expect((await greedy.call("buy_press", renewed)).structuredContent).toMatchObject({
      money: "unknown",
      error: expect.stringContaining(error),
    });
});
