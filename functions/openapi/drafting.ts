import { generationsPerDay } from "../../core/draft/schema.ts";
import type { Operations } from "./operation.ts";
import { article, refused, time } from "./sample.ts";

const report = {
  title: "Microsoft sets the date of its quarterly report",
  source: "Nasdaq",
  link: "https://www.nasdaq.com/articles/microsoft-sets-date",
} as const;

/** A model's help with a draft (specification §4.8). */
export const drafting: Pick<Operations, "draft-angles" | "draft-generate"> = {
  "draft-angles": {
    tag: "Drafting",
    summary: "What may be written about a stock",
    description:
      "Its latest headlines (h0, h1, …), its price, and what lies behind it. Without news the others stand.",
    body: "AnglesInput",
    answers: { 200: { description: "The angles.", schema: "Angles" } },
    refusals: {
      400: { unknown_stock: "No active stock token has this ticker." },
      503: {
        market_unavailable: "The stock cannot be looked up right now.",
        draft_busy: "Try again shortly.",
      },
    },
    examples: {
      angles: {
        summary: "For a stock",
        body: { stock: article.stock },
        status: 200,
        answer: {
          angles: [
            {
              id: "h0",
              kind: "headline",
              ...report,
              detail: "What the report says, and what it leaves open.",
              publishedAt: time,
            },
            {
              id: "price",
              kind: "price",
              title: "Where MSFT stands in its day's range",
              detail: "MSFT is at 415.25. What that says, and what it does not.",
            },
          ],
          freshNews: true,
          remaining: generationsPerDay,
        },
      },
      unknownStock: {
        summary: "A stock that is not on the chain",
        body: { stock: "MOON" },
        status: 400,
        answer: refused("unknown_stock", "stock: there is no active stock token MOON on this chain."),
      },
    },
  },
  "draft-generate": {
    tag: "Drafting",
    summary: "Have a draft written",
    description: `On an angle that you were shown, up to ${generationsPerDay} times a UTC day. Save it with its generationId: the press is then labelled as AI-assisted and its sources reach the audit.`,
    body: "GenerateInput",
    answers: { 200: { description: "The draft and what it was written from.", schema: "Generated" } },
    refusals: {
      400: {
        unknown_stock: "No active stock token has this ticker.",
        unknown_angle: "You have not been shown this angle lately.",
      },
      429: {
        generation_limit: `More than ${generationsPerDay} AI drafts in a UTC day.`,
        model_limit: "The wallet has used up its audits and AI drafts of the UTC day; nothing was counted.",
      },
      503: {
        model_unavailable: "The model gives no usable draft; the try does not count.",
        model_budget_spent:
          "The service's audits and AI drafts of the UTC day are used up; nothing was counted.",
        model_busy: "Too many ask at once; try again.",
        market_unavailable: "The stock cannot be looked up right now.",
        draft_busy: "Try again shortly.",
      },
    },
    examples: {
      price: {
        summary: "On the price",
        body: { stock: article.stock, angleId: "price" },
        status: 200,
        answer: {
          generationId: 1,
          draft: { headline: article.headline, preview: article.preview, body: article.body },
          sources: [report],
          remaining: generationsPerDay - 1,
        },
      },
      unknownAngle: {
        summary: "An angle that was not shown",
        body: { stock: article.stock, angleId: "h99" },
        status: 400,
        answer: refused(
          "unknown_angle",
          "angleId: you have not been offered h99 for this stock lately. Ask for angles again.",
        ),
      },
    },
  },
};
