import * as z from "zod";
import * as Discovery from "../../core/discovery/index.ts";
import type { Settings } from "../../core/port/settings.ts";
import { closed } from "./closed.ts";
import type { Operation, Operations } from "./operation.ts";
import { article, refused, slug } from "./sample.ts";
import { parametersOf } from "./schemas.ts";

type Documents =
  | "discovery"
  | "discovery-api"
  | "openapi"
  | "llms"
  | "robots"
  | "feed"
  | "sitemap"
  | "press-page";

/** Where the service describes itself, and its pages for those who only read. */
export function documents(settings: Settings): Pick<Operations, Documents> {
  const discovery: Operation = {
    tag: "Documents",
    summary: "x402 discovery document",
    description:
      "Network, token, contracts, endpoints, and how to pay, for programs. `/.well-known/x402` and `/api` are the same.",
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
        answer: z.json().parse(Discovery.document(settings)),
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
      description:
        "How to read and pay step by step, the rules, the limits, and links, in the form of llmstxt.org.",
      example: Discovery.llms(settings),
    }),
    robots: textDocument("text/plain", {
      summary: "What crawlers may fetch",
      description: "RFC 9309.",
      example: Discovery.robots(settings, closed),
    }),
    feed: {
      ...textDocument("application/rss+xml", {
        summary: "Feed of the newest free previews",
        description: "RSS 2.0 of up to 50 live presses, of all stocks or of one. Never a text.",
      }),
      query: parametersOf(Discovery.FeedQuery),
      refusals: { 400: { invalid_input: "This can be no ticker." } },
      examples: {
        all: { summary: "All stocks", status: 200 },
        ofStock: { summary: "One stock", query: { stock: article.stock }, status: 200 },
      },
    },
    sitemap: {
      ...textDocument("application/xml", {
        summary: "The site's map",
        description: "sitemaps.org: the index of the parts, or one part.",
      }),
      query: { part: { description: "A part that the index names.", schema: { type: "string" } } },
      refusals: { 404: { unknown_sitemap: "There is no such part." } },
      examples: {
        index: { summary: "The index", status: 200 },
        unknownPart: {
          summary: "No such part",
          query: { part: "nothing" },
          status: 404,
          answer: refused("unknown_sitemap", "There is no such part of the sitemap."),
        },
      },
    },
    "press-page": {
      tag: "Documents",
      summary: "A press's page",
      description: "What is free of a press, for people; the site's app draws it anew.",
      path: { slug: { description: "From the list.", schema: { type: "string" } } },
      answers: {
        200: { description: "The page.", schema: "Text", type: "text/html" },
        404: { description: "A page that says so.", schema: "Text", type: "text/html" },
      },
      refusals: { 503: { site_unavailable: "The site is not there yet; the API is." } },
      examples: {
        live: { summary: "Of a live press", path: { slug }, status: 200 },
        unknown: { summary: "No such press", path: { slug: "no-such-press-zz" }, status: 404 },
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
