import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { type Hex, lower } from "../../core/chain/hex.ts";
import { serviceName } from "../../core/discovery/index.ts";
import { AppError, parseJson, tryCall } from "../../core/error.ts";
import * as Market from "../../core/market/index.ts";
import {
  bazaarOfBuying,
  buyByPayment,
  instructions,
  type PressName,
  paymentKey,
  paymentResponseKey,
  tools,
} from "../../core/mcp/schema.ts";
import * as Payment from "../../core/payment/index.ts";
import type { Leg } from "../../core/payment/schema.ts";
import * as Press from "../../core/press/index.ts";
import { feePercent, formerFeePercents, payAt, toUnits, toUsdg } from "../../core/press/schema.ts";
import { search as findPresses } from "../../core/search/index.ts";
import type { SearchResult } from "../../core/search/schema.ts";
import * as Verdict from "../../core/verdict/index.ts";
import { originHeader } from "../browser.ts";
import { readOriginSecrets } from "../lib/clients.ts";
import { makeRpcHandler, makeRpcHint } from "../lib/endpoint.ts";
import { environment } from "../lib/environment.ts";
import { log } from "../lib/log.ts";
import { logMetrics } from "../lib/meter.ts";
import { makeJson, type Reply, toRefusal } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

const AnyObject = z.looseObject({});

export const handler = makeRpcHandler("mcp", async ({ body, headers }) => {
  const message = parseJson(body);
  if (message === undefined) return makeMessageError(-32_700, "The body is not valid JSON.");
  // A request to the MCP endpoint contains only one message, because each message may move money.
  if (!AnyObject.safeParse(message).success) return makeMessageError(-32_600, "Send one message at a time.");
  const version = headers["mcp-protocol-version"];
  const sent = {
    "content-type": "application/json",
    // The MCP transport requires that a client accepts JSON and event streams. The MCP endpoint always answers with JSON.
    accept: "application/json, text/event-stream",
    ...(version !== undefined && { "mcp-protocol-version": version }),
  };
  return answerMcp(`${runtime.readSettings().origin}/mcp`, new Headers(sent), body);
});

/** Makes the JSON-RPC error that answers an invalid message. */
function makeMessageError(code: number, reason: string) {
  return makeJson(
    { jsonrpc: "2.0", id: null, error: { code, message: `${reason} ${makeRpcHint()}` } },
    { status: 400 },
  );
}

/** Makes a tool result that contains an object for programs and a text for models. */
function makeResult(content: object, extraFields: Partial<CallToolResult> = {}): CallToolResult {
  return {
    content: [{ type: "text", text: JSON.stringify(content) }],
    structuredContent: { ...content },
    ...extraFields,
  };
}

/**
 * Runs a tool. A refusal becomes an error result, as MCP requires. If the tool throws any other error, the answer does not show the error's
 * text.
 */
async function runTool(operation: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await operation();
  } catch (error) {
    const refusal = toRefusal(error);
    if (refusal === undefined) {
      log.error("Unexpected error", { error });
      logMetrics({ Defects: 1 });
      return makeResult({ code: "internal", error: "Something went wrong on our side." }, { isError: true });
    }
    const { retryAfter, details } = refusal instanceof AppError ? refusal : {};
    const { code, message } = refusal;
    return makeResult(
      { code, error: message, ...details, ...(retryAfter && { retryAfter }) },
      { isError: true },
    );
  }
}

/** Makes a new MCP server for each request. The server keeps no state. */
function makeMcpServer(): McpServer {
  const server = new McpServer({ name: serviceName, version: "1.0.0" }, { instructions });
  const makeReadPorts = () => ({ table: runtime.table() });
  const makeMarketPorts = () => ({ ...makeReadPorts(), clock: runtime.clock, market: runtime.market() });

  server.registerTool("search_presses", tools.search_presses, (asked) =>
    runTool(async () => makeResult(await search(asked))),
  );
  server.registerTool("preview_press", tools.preview_press, (named) =>
    runTool(async () => {
      const { press, audit } = await Press.read(makeMarketPorts(), await findSlug(named), undefined);
      return makeResult({ press, audit });
    }),
  );
  server.registerTool("audit_report", tools.audit_report, (named) =>
    runTool(async () => {
      const { text } = await Verdict.readPublishedReport(
        makeReadPorts(),
        String(Press.findId(await findSlug(named)) ?? ""),
      );
      return { content: [{ type: "text", text }], structuredContent: AnyObject.parse(JSON.parse(text)) };
    }),
  );
  server.registerTool("stock_quote", tools.stock_quote, ({ symbol }) =>
    runTool(async () => makeResult(await Market.loadQuote(makeMarketPorts(), symbol))),
  );
  server.registerTool("author", tools.author, ({ wallet, cursor }) =>
    runTool(async () => makeResult(await Press.readAuthor(makeReadPorts(), lower(wallet), cursor))),
  );
  server.registerTool("receipt", tools.receipt, ({ transaction }) =>
    runTool(() => fetchReceipts(transaction)),
  );
  server.registerTool("buy_press", buyByPayment, (order, { _meta }) =>
    runTool(() => payLeg(order, _meta?.[paymentKey])),
  );
  return server;
}

/** Finds the slug of the press whose slug or id the tool's caller has given. Throws `unknown_press` (`missing`). */
async function findSlug({ slug, id }: PressName): Promise<string> {
  return slug ?? (await Payment.findAgent({ table: runtime.table() }, id ?? -1)).slug;
}

type SearchArguments = z.infer<typeof tools.search_presses.inputSchema>;

/** Searches presses. If no words are given, returns the newest presses. Throws `search_unavailable` (`upstream`). */
async function search({ words = "", stock, limit }: SearchArguments): Promise<SearchResult> {
  const table = runtime.table();
  if (words.trim() === "") {
    const { presses } = await Press.list({ table }, { stock, limit });
    return { presses, stocks: [], authors: [] };
  }
  const ports = { table, clock: runtime.clock, index: runtime.searchIndex() };
  return findPresses(ports, { q: words, stock, limit });
}

/**
 * Requests the receipts of a transaction from the public receipts endpoint. The reserved concurrency of the receipts endpoint limits the
 * signatures per second, and the edge caches the receipts. The receipts endpoint signs the receipts, so this function needs no right to
 * sign.
 */
async function fetchReceipts(transaction: Hex): Promise<CallToolResult> {
  const { origin } = runtime.readSettings();
  const response = await fetch(`${origin}/api/receipts/${lower(transaction)}`, {
    signal: AbortSignal.timeout(20_000),
  }).catch(() => undefined);
  const form = response?.ok ? AnyObject : Refusal;
  const answer = form.safeParse(await response?.json().catch(() => undefined));
  if (response === undefined || !answer.success) {
    const message =
      "The receipt cannot be fetched right now. The payment is settled and safe. Ask again shortly.";
    throw new AppError("upstream", "receipt_unavailable", message, { retryAfter: 5 });
  }
  if (!response.ok) return makeResult(answer.data, { isError: true });
  return makeResult({ ...answer.data, signerNamedBy: `${origin}/.well-known/x402` });
}

const Terms = z.looseObject({
  error: z.string(),
  accepts: z.tuple([z.looseObject({ amount: z.string() })], z.looseObject({})),
  extensions: z.looseObject({}).optional(),
});
const Refusal = z.looseObject({ error: z.string(), code: z.string() });
const PaidAnswer = z.object({ tx: z.string(), already: z.boolean().optional(), body: z.string().optional() });
const Receipt = z.looseObject({ payer: z.string() });
/**
 * A client's payment in the form in which it is forwarded to the payment endpoint. The payment keeps only one extension, because other
 * extensions may contain the tool's long schema, and the length of a header is limited.
 */
const Sent = z.looseObject({
  extensions: z.object({ "payment-identifier": z.unknown().optional() }).nullish(),
});

/**
 * Makes one of the two payments for a press over MCP (x402's transport for MCP, tool-result binding). The result is either the payment
 * terms, as an error with structured content, or the paid content with the receipt in `_meta`. Only the HTTP endpoint of the payment moves
 * money, so this function has no key.
 */
async function payLeg(
  { slug, id: number, maxPriceUsdg, leg, method, payer }: z.infer<typeof buyByPayment.inputSchema>,
  payment: unknown,
): Promise<CallToolResult> {
  const id = number ?? (await Press.readAgentId({ table: runtime.table() }, slug ?? ""));
  const max = toUnits(maxPriceUsdg) ?? 0n;
  const signed = Signed.safeParse(payment).data;
  const least = signed && computeLeastPrice(leg, BigInt(signed.accepted.amount));
  // A repeated call with the same limit is never refused here, so the outcome of its payment can be found.
  if (least !== undefined && least > max) {
    const error = `This payment is for a price of at least ${toUsdg(least)} USDG, which is above maxPriceUsdg. This call charged nothing: check the argument leg.`;
    return makeResult({ code: "price_above_max", error }, { isError: true });
  }
  const query = new URLSearchParams({ method, ...(payer !== undefined && { payer }) });
  const { status, answer, receipt } = await payOverHttp(`${payAt[leg]}?${query}`, id, payment);
  const further = receipt && { _meta: { [paymentResponseKey]: receipt } };
  if (status === 402) {
    // The payment is sent in an HTTP header.
    const { extensions = {}, ...terms } = Terms.parse(answer);
    const price = await findFullPrice(id, leg, BigInt(terms.accepts[0].amount));
    if (price > max) {
      const error = `The press costs ${toUsdg(price)} USDG, more than maxPriceUsdg. This call charged nothing.`;
      return makeResult({ code: "price_above_max", error }, { isError: true, ...further });
    }
    const { "sign-in-with-x": _, ...others } = extensions;
    const said = {
      ...terms,
      extensions: { ...others, bazaar: bazaarOfBuying },
      error: Payment.rewordForArguments(terms.error),
    };
    return makeResult(said, { isError: true, ...further });
  }
  if (status !== 200) return makeResult(Refusal.parse(answer), { isError: true, ...further });
  const { tx: transaction, already = false, body } = PaidAnswer.parse(answer);
  if (body !== undefined) {
    const content = { paid: true, leg, transaction, text: body };
    return { content: [{ type: "text", text: body }], structuredContent: content, ...further };
  }
  const next = {
    tool: "buy_press",
    arguments: { id, maxPriceUsdg, leg: "publisher", method, payer: receipt?.payer },
  };
  const said =
    "The platform's fee is paid. To pay the publisher and get the text, call buy_press again as `next` says.";
  return makeResult({ paid: true, leg, transaction, already, message: said, next }, further);
}

const Signed = z.looseObject({ accepted: z.looseObject({ amount: z.string().regex(/^\d{1,40}$/) }) });

/** The lowest price of a press whose leg can have the given amount, with the present or a former share of the fee. */
function computeLeastPrice(leg: Leg, amount: bigint): bigint {
  const shares = [feePercent, ...formerFeePercents].map((percent) =>
    leg === "fee" ? percent : 100 - percent,
  );
  const share = BigInt(Math.max(...shares));
  // The fee is rounded down, so the publisher's part of a price is rounded up.
  return leg === "fee" || amount === 0n ? (amount * 100n) / share : ((amount - 1n) * 100n) / share + 1n;
}

/**
 * The sum of both payments, if the terms of a leg ask for `amount`. A payer who has paid the fee is asked for the rest of the price at that
 * time, which may differ from the present price.
 */
async function findFullPrice(id: number, leg: Leg, amount: bigint): Promise<bigint> {
  const agent = await Payment.findAgent({ table: runtime.table() }, id);
  return BigInt(Payment.findPrice(leg, agent, undefined, amount) ?? agent.priceUnits);
}

/** A payment that is nested too deeply for JSON becomes a text that is no payment, so that the HTTP endpoint refuses it. */
const encodePayment = (payment: unknown) =>
  tryCall(() => Payment.encodeHeader(Sent.safeParse(payment).data ?? payment)) ?? "!";

/**
 * Sends a payment to the HTTP endpoint in the same form in which the payer itself would send it. If a payment gets no answer in time, the
 * payment may still have moved money.
 */
async function payOverHttp(path: string, pressId: number, payment: unknown) {
  // The first secret is the secret that the edge sends (infra/web.ts).
  const [secret] = (await readOriginSecrets()) ?? [];
  const headers = {
    "content-type": "application/json",
    // If a payment header is too long, it is cut to one character more than the limit: the endpoint refuses this header for its size
    // anyway.
    ...(payment !== undefined && {
      "payment-signature": encodePayment(payment).slice(0, Payment.longestHeader + 1),
    }),
    ...(secret !== undefined && { [originHeader]: secret }),
  };
  const body = JSON.stringify({ pressId });
  try {
    const signal = AbortSignal.timeout(27_000);
    const gateway = environment.apiOrigin();
    // The tool calls the gateway directly, so the path must begin with the secret that the edge adds to other requests.
    const base = gateway === undefined ? runtime.readSettings().origin : `${gateway}/${secret}`;
    const response = await fetch(base + path, {
      method: "POST",
      headers,
      body,
      signal,
    });
    const receipt = response.headers.get("payment-response");
    const answer = AnyObject.parse(await response.json());
    // The gateway's own refusals (429, 500, 503) have no code, and do not say whether the payment was sent.
    if (!response.ok && response.status !== 402) Refusal.parse(answer);
    return {
      status: response.status,
      answer,
      receipt:
        receipt === null ? undefined : Receipt.parse(JSON.parse(Buffer.from(receipt, "base64").toString())),
    };
  } catch (cause) {
    const message =
      payment === undefined
        ? "The terms are unavailable right now. No money moved. Try again shortly."
        : "The payment's outcome is not known yet. Send the same payment again: it is charged once at most.";
    const code = payment === undefined ? "payments_unavailable" : "settlement_pending";
    throw new AppError("upstream", code, message, { cause, retryAfter: 2 });
  }
}

/** Answers one JSON-RPC message with the SDK's own streamable HTTP transport, without sessions and streams. */
export async function answerMcp(url: string, headers: Headers, body: string): Promise<Reply> {
  const server = makeMcpServer();
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const response = await transport.handleRequest(new Request(url, { method: "POST", headers, body }));
    const text = await response.text();
    const type = response.headers.get("content-type");
    return {
      statusCode: response.status,
      headers: { ...(type !== null && { "content-type": type }) },
      body: text,
    };
  } finally {
    await server.close();
  }
}
