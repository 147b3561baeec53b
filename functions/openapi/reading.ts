import * as z from "zod";
import * as Discovery from "../../core/discovery/index.ts";
import { makeDescription } from "../../core/mcp/schema.ts";
import type { Settings } from "../../core/port/settings.ts";
import { CursorQuery, ListQuery, payAt } from "../../core/press/schema.ts";
import { SearchQuery } from "../../core/search/schema.ts";
import { signedReadHeader } from "../browser.ts";
import { addTag, makeEncodedHeader, makeTextHeader } from "./forms.ts";
import { article, auditReport, auditSummary, press, quote, receiptSigner } from "./sample.ts";

/** The operations with which anybody reads public data, and with which a wallet reads its own data. */
export const reading = addTag("Reading", {
  presses: {
    description: "List live presses. Newest first, at most 200.",
    query: ListQuery,
    answer: "PressList",
    example: { answer: { presses: [press] } },
  },
  search: {
    description:
      "Search live presses. All words must occur; case and accents do not matter, and each word may be the beginning of a longer word. A word without a match is treated as a typing error.",
    query: SearchQuery,
    answer: "SearchResult",
    refusals: ["503 search_unavailable"],
    example: {
      summary: "A search by a company's name",
      query: { q: "apple" },
      answer: { presses: [press], stocks: [{ symbol: article.stock, name: "Apple" }], authors: [] },
    },
  },
  press: {
    description:
      "Read one press. `body` contains the press's text. Only the publisher and wallets that have unlocked the press get the text, by a session or by x402's sign-in-with-x.",
    headers: z.object({
      [signedReadHeader]: makeEncodedHeader(
        "x402's sign-in-with-x, base64 JSON: an EIP-4361 message of this host, chain and address (`uri`), signed by eip191. `nonce` is the caller's own and valid once, `issuedAt` is at most five minutes old, in the form of 2026-01-01T00:00:00.000Z. The header takes precedence over a session.",
      ),
    }),
    answer: "PressDetail",
    refusals: [
      "401 invalid_sign_in",
      "401 invalid_signature",
      "401 invalid_nonce",
      "404 unknown_press",
      "503 chain_unavailable",
    ],
    example: {
      summary: "What everybody reads",
      answer: {
        press: { ...press, priceNow: quote.mid, payAt },
        audit: auditSummary,
        unlocked: false,
        body: null,
      },
    },
  },
  author: {
    description:
      "A wallet's presses. The wallet's bylines and live presses, with these presses' votes and audits.",
    query: CursorQuery,
    answer: "Author",
    refusals: ["404 unknown_author"],
  },
  meta: {
    description: "A press's registration file. ERC-8004 registration file of an approved or live press.",
    answer: "Registration",
    refusals: ["404 unknown_press"],
  },
  "audit-report": {
    description:
      "The full audit report of a live press. Every issue that the audit raised. The auditor's onchain verdict contains the hash of the answer's bytes.",
    answer: "ReportFile",
    refusals: ["404 unknown_press"],
    example: { answer: auditReport },
  },
  stocks: {
    description: "Stock tokens. Active stock tokens, sorted by symbol.",
    answer: "StockList",
    refusals: ["503 market_unavailable"],
  },
  quote: {
    description: "A stock token's price. The price is usually at most a minute old; see asOf.",
    answer: "Quote",
    refusals: ["404 unknown_stock", "503 market_unavailable"],
    example: { answer: quote },
  },
  stock: {
    description:
      "A stock token's recorded prices. The quote, the prices of the last week, and one price for each day of the last year on which the service recorded the stock.",
    answer: "StockPrices",
    refusals: ["404 unknown_stock", "503 market_unavailable"],
  },
  market: {
    description:
      "The last week's prices of all stocks. A short list of prices for each stock token with recorded prices.",
    answer: "MarketWeek",
  },
  history: {
    description:
      "The votes and unlocks of the session's wallet. Newest first, 200 votes and 200 unlocks on a page.",
    query: CursorQuery,
    answer: "History",
  },
  purchases: {
    description:
      "The purchases of the session's wallet, with their payments. Newest first, 100 on a page. If only the fee is paid, the purchase is half paid: the paid fee still counts for the press, and only the publisher's payment is due.",
    query: CursorQuery,
    answer: "Purchases",
  },
});

/** MCP over streamable HTTP: without state, with one message per request and JSON answers. */
export const listAgentOperations = ({ origin }: Settings) =>
  addTag("Agents", {
    mcp: {
      description:
        'Call a tool over MCP. Streamable HTTP without sessions or streams. Free tools: search_presses, preview_press, audit_report, stock_quote, author, receipt. buy_press sells a press for two payments in _meta["x402/payment"], one payment per call: first the leg fee, then the leg publisher.',
      body: "McpMessage",
      answer: "McpAnswer",
      otherAnswers: {
        202: { description: "The message was a notification." },
        400: {
          description:
            "Not JSON (-32700), no valid message or more than one (-32600), or an unknown version of MCP (-32000).",
          form: "McpAnswer",
        },
      },
      example: {
        body: { jsonrpc: "2.0", id: 2, method: "ping" },
        answer: { jsonrpc: "2.0", id: 2, result: {} },
      },
    },
    "mcp-stream": {
      description:
        "A description of the MCP endpoint. An MCP client that asks for a stream here gets 405 and continues without a stream.",
      headers: z.object({ accept: z.string().describe("text/event-stream is refused.") }),
      answer: "McpDescription",
      refusals: ["405 post_only"],
      example: { answer: makeDescription(origin) },
    },
  });

/** The documents in which the service describes itself to programs. */
export const listDiscoveryOperations = (settings: Settings) =>
  addTag("Discovery", {
    discovery: {
      description: "x402 discovery document. Network, token, endpoints, steps of a payment. Also at `/api`.",
      answer: "DiscoveryDocument",
      answerHeaders: { link: makeTextHeader("Links to the other documents (RFC 8288).") },
      example: { answer: z.json().parse(Discovery.makeDocument(settings, receiptSigner)) },
    },
  });
