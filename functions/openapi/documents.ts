import * as z from "zod";
import * as Discovery from "../../core/discovery/index.ts";
import type { Settings } from "../../core/port/settings.ts";
import { closedToCrawlers } from "../routes.ts";
import { type Operation, tagged } from "./operation.ts";
import { article, nobody, publisher, receiptSigner, slug, stock } from "./sample.ts";

/** Where the service describes itself, and its pages for those who only read. */
export const documents = (settings: Settings) => {
  const discovery = {
    summary: "x402 discovery document",
    description: "Network, token, endpoints and payment steps. `/.well-known/x402` equals `/api`.",
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
  } as const;
  return tagged("Documents", {
    discovery,
    "discovery-api": discovery,
    "x402-manifest": {
      summary: "What is sold, for directories",
      description:
        "By the draft of x402: both payments at the price of the newest press, and the MCP tool that buys.",
      answer: "Manifest",
      examples: { all: { summary: "This service's" } },
    },
    openapi: {
      summary: "This document",
      description: "OpenAPI 3.1 of every endpoint.",
      answer: "OpenApiDocument",
      examples: {
        document: {
          summary: "Its first lines",
          answer: { openapi: "3.1.1", info: { title: Discovery.serviceName, version: "1.0.0" }, paths: {} },
        },
      },
    },
    llms: {
      summary: "The service for language models",
      description: "In the form of llmstxt.org.",
      answer: text("text/plain"),
      examples: { document: { summary: "This service's", answer: Discovery.llms(settings) } },
    },
    robots: {
      summary: "What crawlers may fetch",
      description: "RFC 9309.",
      answer: text("text/plain"),
      examples: {
        document: { summary: "This service's", answer: Discovery.robots(settings, closedToCrawlers) },
      },
    },
    license: {
      summary: "What programs may do with presses",
      description: "Really Simple Licensing 1.0.",
      answer: text("application/rsl+xml"),
      examples: { document: { summary: "This service's", answer: Discovery.licence(settings) } },
    },
    feed: {
      summary: "Feed of the newest free previews",
      description: "RSS 2.0 of at most 50 live presses.",
      query: Discovery.FeedQuery,
      answer: text("application/rss+xml"),
      refusals: ["400 invalid_input", "404 unknown_author"],
      examples: {
        all: { summary: "All stocks" },
        ofStock: { summary: "One stock", query: { stock: article.stock } },
      },
    },
    sitemap: {
      summary: "The sitemap",
      description: "Index or one part (sitemaps.org).",
      query: { part: "A part that the index names." },
      answer: text("application/xml"),
      refusals: ["404 unknown_sitemap"],
    },
    "press-page": {
      ...page,
      summary: "A press's page",
      description: "The public part of a press as HTML.",
      path: { slug: "From the list of presses." },
      examples: {
        live: { summary: "Of a live press", path: { slug } },
        unknown: { summary: "No such press", path: { slug: "no-such-press-zz" }, status: 404 },
      },
    },
    "stock-page": {
      ...page,
      summary: "A stock's page",
      description: "A stock's name and its newest presses as HTML.",
      path: { symbol: "Its ticker." },
      examples: {
        known: { summary: "Page of a stock with presses", path: { symbol: stock.symbol } },
        unknown: { summary: "No such stock", path: { symbol: "NOPE" }, status: 404 },
      },
    },
    "author-page": {
      ...page,
      summary: "An author's page",
      description: "A wallet's byline and its newest presses as HTML.",
      path: { address: "The wallet." },
      examples: {
        known: { summary: "Page of a wallet that has published", path: { address: publisher } },
        unknown: { summary: "A wallet without a press", path: { address: nobody }, status: 404 },
      },
    },
    card: {
      summary: "A press's picture",
      description: "Stock, headline, author and score of a live press, for shared links.",
      path: { file: "The press's slug and `.png`." },
      answer: { form: "Picture", type: "image/png" },
      refusals: ["404 unknown_press"],
      examples: { live: { summary: "Of a live press", path: { file: `${slug}.png` } } },
    },
  });
};

const text = (type: string) => ({ form: "Text", type }) as const;

/** What every page has in common that the service draws around the site's document. */
const page = {
  answer: text("text/html"),
  otherAnswers: { 404: { ...text("text/html"), description: "A page that says that nothing was found." } },
  refusals: ["503 site_unavailable"],
} as const satisfies Partial<Operation>;
