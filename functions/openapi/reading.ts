import * as z from "zod";
import * as Discovery from "../../core/discovery/index.ts";
import { description } from "../../core/mcp/schema.ts";
import type { Settings } from "../../core/port/settings.ts";
import { CursorQuery, ListQuery, payAt } from "../../core/press/schema.ts";
import { SearchQuery } from "../../core/search/schema.ts";
import { signedReadHeader } from "../browser.ts";
import { encodedJson, idOf, tagged } from "./forms.ts";
import {
  article,
  auditReport,
  auditSummary,
  id,
  press,
  publisher,
  quote,
  receiptSigner,
  slug,
} from "./sample.ts";

const path = {
  slug: z.object({ slug: z.string().describe("From the list of presses.") }),
  id: z.object({ id: idOf("The internal id of a press.") }),
  symbol: z.object({ symbol: z.string().describe("The ticker of a stock token.") }),
} as const;

const ofCursor = ["400 invalid_input", "400 invalid_cursor"] as const;

/** Reads that are open to anybody, and a wallet's reads of its own data. */
export const reading = tagged("Reading", {
  presses: {
    summary: "List live presses",
    description: "Newest first, at most 200.",
    query: ListQuery,
    answer: "PressList",
    refusals: ["400 invalid_input", "400 invalid_cursor"],
    examples: { newest: { summary: "The newest presses", answer: { presses: [press] } } },
  },
  search: {
    summary: "Search live presses",
    description:
      "All words must occur, in any case, without accents, or as beginnings of words. A word without a match is treated as a typing error.",
    query: SearchQuery,
    answer: "SearchResult",
    refusals: ["400 invalid_input", "503 search_unavailable"],
    examples: {
      company: {
        summary: "By a company's name",
        query: { q: "apple" },
        answer: { presses: [press], stocks: [{ symbol: article.stock, name: "Apple" }], authors: [] },
      },
    },
  },
  press: {
    summary: "Read one press",
    description:
      "`body` is the text for the publisher and for wallets that have unlocked the press: by session, or by x402's sign-in-with-x.",
    path: path.slug,
    headers: z.object({
      [signedReadHeader]: z
        .string()
        .describe(
          "x402's sign-in-with-x, base64 JSON: an EIP-4361 message of this host, chain and address (`uri`), signed by eip191. `nonce` is the caller's own and valid once, `issuedAt` is at most five minutes old, in the form of 2026-01-01T00:00:00.000Z. The header takes precedence over a session.",
        )
        .meta(encodedJson),
    }),
    answer: "PressDetail",
    refusals: [
      "401 invalid_sign_in",
      "401 invalid_signature",
      "401 invalid_nonce",
      "404 unknown_press",
      "503 chain_unavailable",
    ],
    examples: {
      locked: {
        summary: "What everybody reads",
        path: { slug },
        answer: {
          press: { ...press, priceNow: quote.mid, payAt },
          audit: auditSummary,
          unlocked: false,
          body: null,
        },
      },
    },
  },
  author: {
    summary: "A wallet's presses",
    description: "Its bylines, its live presses, their votes and their audits.",
    path: z.object({ address: z.string().describe("The wallet of a publisher.") }),
    query: CursorQuery,
    answer: "Author",
    refusals: ["404 unknown_author", ...ofCursor],
    examples: {
      author: { summary: "The publisher of the only press", path: { address: publisher } },
    },
  },
  meta: {
    summary: "A press's registration file",
    description: "ERC-8004 registration file of an approved or live press.",
    path: path.id,
    answer: "Registration",
    refusals: ["404 unknown_press"],
    examples: { live: { summary: "Of a live press", path: { id } } },
  },
  "audit-report": {
    summary: "The full audit report of a live press",
    description:
      "Every issue that the audit raised. The auditor's onchain verdict carries the hash of these bytes.",
    path: path.id,
    answer: "ReportFile",
    refusals: ["404 unknown_press"],
    examples: { live: { summary: "Of a live press", path: { id }, answer: auditReport } },
  },
  stocks: {
    summary: "Stock tokens",
    description: "Active stock tokens, sorted by symbol.",
    answer: "StockList",
    refusals: ["503 market_unavailable"],
  },
  quote: {
    summary: "A stock token's price",
    description: "Usually at most a minute old; see asOf.",
    path: path.symbol,
    answer: "Quote",
    refusals: ["404 unknown_stock", "503 market_unavailable"],
    examples: {
      now: { summary: "The price now", path: { symbol: article.stock }, answer: quote },
    },
  },
  stock: {
    summary: "A stock token's prices so far",
    description:
      "The quote, the week by five minutes, and the year by days, since the service first recorded the stock.",
    path: path.symbol,
    answer: "StockPrices",
    refusals: ["404 unknown_stock", "503 market_unavailable"],
    examples: { prices: { summary: "Its first prices", path: { symbol: article.stock } } },
  },
  market: {
    summary: "How the stocks' week went",
    description: "Every stock token with recorded prices, in a few numbers each.",
    answer: "MarketWeek",
  },
  history: {
    summary: "Own votes and unlocks",
    description: "Newest first, 200 of each on a page.",
    query: CursorQuery,
    answer: "History",
    refusals: ofCursor,
  },
  purchases: {
    summary: "Own purchases, with both payments",
    description:
      "Newest first, 100 on a page. A purchase with the fee alone is half paid: the fee is kept for the press, and only the publisher's payment is due.",
    query: CursorQuery,
    answer: "Purchases",
    refusals: ofCursor,
  },
});

/** MCP over streamable HTTP: without state, with one message per request and JSON answers. */
export const agents = ({ origin }: Settings) =>
  tagged("Agents", {
    mcp: {
      summary: "Call a tool over MCP",
      description:
        'Streamable HTTP without sessions and streams. Free tools: search_presses, preview_press, audit_report, stock_quote, author, receipt. buy_press sells a press for two payments in _meta["x402/payment"], one a call: leg fee, then leg publisher.',
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
      examples: {
        ping: {
          summary: "Check the endpoint",
          body: { jsonrpc: "2.0", id: 2, method: "ping" },
          answer: { jsonrpc: "2.0", id: 2, result: {} },
        },
      },
    },
    "mcp-stream": {
      summary: "A description of the MCP endpoint",
      description: "An MCP client that asks for a stream here gets 405 and continues without it.",
      headers: z.object({ accept: z.string().describe("text/event-stream is refused.") }),
      answer: "McpDescription",
      refusals: ["405 post_only"],
      examples: { description: { summary: "Its description", answer: description(origin) } },
    },
  });

/** The documents in which the service describes itself to programs. */
export const discovering = (settings: Settings) =>
  tagged("Discovery", {
    discovery: {
      summary: "x402 discovery document",
      description: "Network, token, endpoints and payment steps. `/api` answers the same.",
      answer: {
        form: "DiscoveryDocument",
        headers: { link: { description: "The other documents (RFC 8288).", always: true } },
      },
      examples: {
        document: {
          summary: "This service's",
          answer: z.json().parse(Discovery.document(settings, receiptSigner)),
        },
      },
    },
  });
