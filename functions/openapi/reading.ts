import { keccak256, stringToBytes } from "viem/utils";
import * as z from "zod";
import * as Discovery from "../../core/discovery/index.ts";
import type { Settings } from "../../core/port/settings.ts";
import { ListQuery } from "../../core/press/schema.ts";
import { signedReadHeader } from "../browser.ts";
import { closedToCrawlers } from "../routes.ts";
import {
  article,
  auditReport,
  auditSummary,
  id,
  press,
  pressId,
  publisher,
  quote,
  receiptSigner,
  refusal,
  slug,
  time,
} from "./sample.ts";
import type { Operation, Operations } from "./schemas.ts";
import { type Json, parametersOf } from "./schemas.ts";

const idParameter = {
  id: { description: "The internal id of a press.", schema: { type: "integer", minimum: 1 } },
} as const;

const unknownPress = { unknown_press: "No such press, or nothing to show yet." };

/** What anybody may read. */
export function reading(
  settings: Settings,
): Pick<
  Operations,
  "presses" | "press" | "meta" | "audit-report" | "stocks" | "quote" | "stock" | "market" | "author"
> {
  return {
    presses: {
      tag: "Reading",
      summary: "List live presses",
      description: "Newest first, at most 200.",
      query: parametersOf(ListQuery),
      answers: { 200: { description: "The presses.", schema: "PressList" } },
      refusals: {
        400: {
          invalid_input: "A parameter is not of its form.",
          invalid_cursor: "No answer gave this cursor.",
        },
      },
      examples: {
        newest: { summary: "The newest presses", status: 200, answer: { presses: [press] } },
        ofStock: {
          summary: "The newest press about a stock",
          query: { stock: article.stock, limit: 1 },
          status: 200,
          answer: { presses: [press] },
        },
        invalidCursor: refusal(
          400,
          "invalid_cursor",
          "cursor: is not one that a list has answered",
          "A cursor that no answer gave",
          { query: { cursor: "x" } },
        ),
      },
    },
    press: {
      tag: "Reading",
      summary: "Read one press",
      description:
        "`body` is the text for the publisher and for wallets that have unlocked the press: by session, or by x402's sign-in-with-x.",
      path: { slug: { description: "From the list.", schema: { type: "string" } } },
      headers: {
        [signedReadHeader]: {
          description:
            "x402's sign-in-with-x, base64 JSON: an EIP-4361 message of this host, chain and address (`uri`), signed by eip191. `nonce` is the caller's own and good once, `issuedAt` at most five minutes old, in the form of 2026-01-01T00:00:00.000Z. It counts before a session.",
          schema: { type: "string", contentEncoding: "base64", contentMediaType: "application/json" },
        },
      },
      answers: { 200: { description: "The press.", schema: "PressDetail" } },
      refusals: {
        401: {
          invalid_sign_in:
            "The sign-in-with-x header is malformed, expired, or for another site, chain or press.",
          invalid_signature: "The signature does not match.",
          invalid_nonce: "The signed message was used before.",
        },
        404: unknownPress,
        503: { chain_unavailable: "A contract wallet could not be verified." },
      },
      examples: {
        locked: {
          summary: "What everybody reads",
          path: { slug },
          status: 200,
          answer: {
            press: { ...press, priceNow: quote.mid },
            audit: auditSummary,
            unlocked: false,
            body: null,
          },
        },
        unknownPress: refusal(404, "unknown_press", "There is no such press.", "No such press", {
          path: { slug: "no-such-press-zz" },
        }),
        invalidSignIn: refusal(
          401,
          "invalid_sign_in",
          "The sign-in-with-x header is not base64 of the JSON that x402's extension describes. Sign a new message.",
          "No proof in the header",
          { path: { slug }, headers: { [signedReadHeader]: "e30=" } },
        ),
      },
    },
    author: {
      tag: "Reading",
      summary: "A wallet's presses",
      description: "Its bylines, its live presses, and what readers and audits made of them.",
      path: { address: { description: "The publisher of a press.", schema: { type: "string" } } },
      answers: { 200: { description: "The author.", schema: "Author" } },
      refusals: {
        400: { invalid_input: "This can be no address." },
        404: { unknown_author: "No live press is of this wallet." },
      },
      examples: {
        author: {
          summary: "The publisher of the only press",
          path: { address: publisher },
          status: 200,
          answer: {
            address: publisher,
            names: [{ name: press.publisherName, since: time }],
            since: time,
            complete: true,
            totals: { presses: 1, reads: press.reads, votes: press.votes },
            audits: { lowest: press.auditScore, average: press.auditScore, highest: press.auditScore },
            presses: [press],
          },
        },
        unknownAuthor: refusal(
          404,
          "unknown_author",
          "This wallet has published no press.",
          "No such author",
          {
            path: { address: nobody },
          },
        ),
      },
    },
    meta: {
      tag: "Reading",
      summary: "A press's registration file",
      description: "ERC-8004 registration file of an approved or live press.",
      path: idParameter,
      answers: { 200: { description: "The file.", schema: "Registration" } },
      refusals: { 404: unknownPress },
      examples: {
        live: { summary: "Of a live press", path: { id }, status: 200, answer: registration(settings) },
        unknownPress: refusal(404, "unknown_press", "No approved press has this id.", "No such press", {
          path: { id: 4711 },
        }),
      },
    },
    "audit-report": {
      tag: "Reading",
      summary: "The full audit report of a live press",
      description:
        "Every issue that the audit raised. The auditor's onchain verdict carries the hash of these bytes.",
      path: idParameter,
      answers: { 200: { description: "The report.", schema: "ReportFile" } },
      refusals: { 404: unknownPress },
      examples: {
        live: { summary: "Of a live press", path: { id }, status: 200, answer: auditReport },
        unknownPress: refusal(404, "unknown_press", "No live press has this id.", "No such press", {
          path: { id: 4711 },
        }),
      },
    },
    stocks: {
      tag: "Reading",
      summary: "Stock tokens",
      description: "Active stock tokens, sorted by symbol.",
      answers: { 200: { description: "The stock tokens.", schema: "StockList" } },
      refusals: { 503: { market_unavailable: "No market data." } },
      examples: {
        all: {
          summary: "All of them",
          status: 200,
          answer: { stocks: [stock] },
        },
      },
    },
    quote: {
      tag: "Reading",
      summary: "A stock token's price",
      description: "Usually at most a minute old; see asOf.",
      path: {
        symbol: { description: "A ticker from the stocks.", schema: { type: "string" } },
      },
      answers: { 200: { description: "The quote.", schema: "Quote" } },
      refusals: {
        400: { invalid_input: "This can be no ticker." },
        404: { unknown_stock: "No active stock token has this ticker." },
        503: { market_unavailable: "No market data." },
      },
      examples: {
        now: { summary: "The price now", path: { symbol: article.stock }, status: 200, answer: quote },
        unknownStock: refusal(
          404,
          "unknown_stock",
          "There is no active stock token MOON on this chain.",
          "No such stock",
          { path: { symbol: "MOON" } },
        ),
      },
    },
    stock: {
      tag: "Reading",
      summary: "A stock token's prices so far",
      description:
        "The quote, the week by five minutes, the year by days: since the service first met the stock.",
      path: {
        symbol: { description: "A ticker from the stocks.", schema: { type: "string" } },
      },
      answers: { 200: { description: "The prices.", schema: "StockPrices" } },
      refusals: {
        400: { invalid_input: "This can be no ticker." },
        404: { unknown_stock: "No active stock token has this ticker." },
        503: { market_unavailable: "No market data." },
      },
      examples: {
        prices: {
          summary: "Its first prices",
          path: { symbol: article.stock },
          status: 200,
          answer: {
            stock,
            quote,
            week: [{ at: time, price: quote.mid }],
            year: [{ day: time.slice(0, 10), price: quote.mid }],
          },
        },
        unknownStock: refusal(
          404,
          "unknown_stock",
          "There is no active stock token MOON on this chain.",
          "No such stock",
          { path: { symbol: "MOON" } },
        ),
      },
    },
    market: {
      tag: "Reading",
      summary: "How the stocks' week went",
      description: "Every stock token whose prices are recorded, in few numbers each.",
      answers: { 200: { description: "The stocks, sorted by symbol.", schema: "MarketWeek" } },
      examples: {
        week: {
          summary: "The stock of the only press",
          status: 200,
          answer: { stocks: [{ ...stock, price: quote.mid, asOf: time, week: [412.5, quote.mid] }] },
        },
      },
    },
  };
}

/** Has published nothing. */
const nobody = `0x${"1".repeat(40)}`;

const stock = {
  symbol: article.stock,
  name: "Microsoft • Robinhood Token",
  address: "0xe93237c50d904957cf27e7b1133b510c669c2e74",
} as const;

function registration({ origin, chainId, contracts }: Settings): Json {
  return {
    type: "https://eips.ethereum.org/EIPS/eip-8004#registration-v1",
    name: press.headline,
    description: press.preview,
    image: `${origin}/press.svg`,
    services: [
      { name: "web", endpoint: `${origin}/press/${slug}` },
      { name: "api", endpoint: `${origin}/api/presses/${slug}` },
      { name: "x402-fee", endpoint: `${origin}/api/pay/treasury` },
      { name: "x402-publisher", endpoint: `${origin}/api/pay/publisher` },
    ],
    x402Support: true,
    active: true,
    registrations: [{ agentId: pressId, agentRegistry: `eip155:${chainId}:${contracts.identityRegistry}` }],
    supportedTrust: ["reputation"],
    contentHash: keccak256(stringToBytes(article.body)),
    audit: { verdict: auditSummary.verdict, score: auditSummary.score },
    price: {
      amount: press.priceUsdg,
      units: press.priceUnits,
      asset: `eip155:${chainId}/erc20:${contracts.usdg}`,
    },
  };
}

/** What every page has in common that the service draws around the site's document. */
const sitePage = {
  tag: "Documents",
  answers: {
    200: { description: "The page.", schema: "Text", type: "text/html" },
    404: { description: "A page that says so.", schema: "Text", type: "text/html" },
  },
  refusals: { 503: { site_unavailable: "The site is not there yet; the API is." } },
} as const;

type Documents =
  | "discovery"
  | "discovery-api"
  | "openapi"
  | "llms"
  | "robots"
  | "license"
  | "feed"
  | "sitemap"
  | "press-page"
  | "stock-page"
  | "author-page"
  | "card";

/** Where the service describes itself, and its pages for those who only read. */
export function documents(settings: Settings): Pick<Operations, Documents> {
  const discovery: Operation = {
    tag: "Documents",
    summary: "x402 discovery document",
    description: "Network, token, endpoints and payment steps. `/.well-known/x402` equals `/api`.",
    answers: {
      200: {
        description: "The document.",
        schema: "DiscoveryDocument",
        headers: { link: { description: "The other documents (RFC 8288).", always: true } },
      },
    },
    examples: {
      document: {
        summary: "This service's",
        status: 200,
        answer: z.json().parse(Discovery.document(settings, receiptSigner)),
      },
    },
  };
  return {
    discovery,
    "discovery-api": discovery,
    openapi: {
      tag: "Documents",
      summary: "This document",
      description: "OpenAPI 3.1 of every endpoint.",
      answers: { 200: { description: "The document.", schema: "OpenApiDocument" } },
      examples: {
        document: {
          summary: "Its first lines",
          status: 200,
          answer: { openapi: "3.1.1", info: { title: Discovery.serviceName, version: "1.0.0" }, paths: {} },
        },
      },
    },
    llms: textDocument("text/plain", {
      summary: "The service for language models",
      description: "In the form of llmstxt.org.",
      example: Discovery.llms(settings),
    }),
    robots: textDocument("text/plain", {
      summary: "What crawlers may fetch",
      description: "RFC 9309.",
      example: Discovery.robots(settings, closedToCrawlers),
    }),
    license: textDocument("application/rsl+xml", {
      summary: "What programs may do with presses",
      description: "Really Simple Licensing 1.0.",
      example: Discovery.licence(settings),
    }),
    feed: {
      ...textDocument("application/rss+xml", {
        summary: "Feed of the newest free previews",
        description: "RSS 2.0 of at most 50 live presses.",
      }),
      query: parametersOf(Discovery.FeedQuery),
      refusals: {
        400: { invalid_input: "This can be no ticker or address, or both are given." },
        404: { unknown_author: "No live press is of this wallet." },
      },
      examples: {
        all: { summary: "All stocks", status: 200 },
        ofStock: { summary: "One stock", query: { stock: article.stock }, status: 200 },
        unknownAuthor: refusal(
          404,
          "unknown_author",
          "This wallet has published no press.",
          "No such author",
          {
            query: { author: nobody },
          },
        ),
      },
    },
    sitemap: {
      ...textDocument("application/xml", {
        summary: "The site's map",
        description: "Index or one part (sitemaps.org).",
      }),
      query: { part: { description: "A part that the index names.", schema: { type: "string" } } },
      refusals: { 404: { unknown_sitemap: "There is no such part." } },
      examples: {
        index: { summary: "The index", status: 200 },
        unknownPart: refusal(
          404,
          "unknown_sitemap",
          "There is no such part of the sitemap.",
          "No such part",
          { query: { part: "nothing" } },
        ),
      },
    },
    "press-page": {
      ...sitePage,
      summary: "A press's page",
      description: "The free part of a press as HTML.",
      path: { slug: { description: "From the list.", schema: { type: "string" } } },
      examples: {
        live: { summary: "Of a live press", path: { slug }, status: 200 },
        unknown: { summary: "No such press", path: { slug: "no-such-press-zz" }, status: 404 },
      },
    },
    "stock-page": {
      ...sitePage,
      summary: "A stock's page",
      description: "A stock's name and its newest presses as HTML.",
      path: { symbol: { description: "Its ticker.", schema: { type: "string" } } },
      examples: {
        known: { summary: "Of a stock with presses", path: { symbol: stock.symbol }, status: 200 },
        unknown: { summary: "No such stock", path: { symbol: "NOPE" }, status: 404 },
      },
    },
    "author-page": {
      ...sitePage,
      summary: "An author's page",
      description: "A wallet's byline and its newest presses as HTML.",
      path: { address: { description: "The wallet.", schema: { type: "string" } } },
      examples: {
        known: { summary: "Of a wallet that has published", path: { address: publisher }, status: 200 },
        unknown: { summary: "A wallet without a press", path: { address: nobody }, status: 404 },
      },
    },
    card: {
      tag: "Documents",
      summary: "A press's picture",
      description: "Stock, headline, author and score of a live press, for shared links.",
      path: { file: { description: "The press's slug and `.png`.", schema: { type: "string" } } },
      answers: { 200: { description: "The picture.", schema: "Picture", type: "image/png" } },
      refusals: { 404: unknownPress },
      examples: {
        live: { summary: "Of a live press", path: { file: `${slug}.png` }, status: 200 },
        unknownPress: refusal(404, "unknown_press", "There is no such press.", "No such press", {
          path: { file: "no-such-press-zz.png" },
        }),
      },
    },
  };
}

function textDocument(
  type: string,
  {
    summary,
    description,
    example,
  }: Pick<Operation, "summary" | "description"> & { readonly example?: string },
): Operation {
  const answer = example === undefined ? {} : { answer: example };
  return {
    tag: "Documents",
    summary,
    description,
    answers: { 200: { description: "The document.", schema: "Text", type } },
    examples: { document: { summary: "This service's", status: 200, ...answer } },
  };
}
