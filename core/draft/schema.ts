import * as z from "zod";
import { Quote, StockSymbol } from "../market/schema.ts";
import type { ModelAnswer, ModelUsage } from "../port/model.ts";
import { SaveInput } from "../press/input.ts";

/** The maximum number of AI drafts for a wallet per UTC day (specification §8). */
export const generationsPerDay = 5;

/** The number of hours for which a report counts as fresh news. */
export const freshHours = 48;

/** The body of a request for angles (specification §4.8). */
export const AnglesInput = z.object({ stock: StockSymbol });
export type AnglesInput = z.infer<typeof AnglesInput>;

/** The body of a request that asks for a draft on one angle of a stock. */
export const GenerateInput = z.object({ stock: StockSymbol, angleId: z.string().min(1).max(40) });
export type GenerateInput = z.infer<typeof GenerateInput>;

/**
 * The fields of one report in a news feed. The fields of a report contain only plain text, and never the text of the article to which the
 * report links. `publishedAt` is a time in ISO 8601 UTC.
 */
export const Headline = z
  .object({
    title: z.string(),
    summary: z.string(),
    source: z.string(),
    link: z.url(),
    publishedAt: z.string(),
  })
  .readonly();
export type Headline = z.infer<typeof Headline>;

const Told = { title: z.string(), detail: z.string() };

/** An angle that comes from a news report. `title` is the report's headline, and `detail` is a text that the service writes. */
export const HeadlineAngle = z
  .object({
    id: z.string().regex(/^h\d+$/),
    kind: z.literal("headline"),
    ...Told,
    source: z.string(),
    link: z.string(),
    publishedAt: z.string(),
  })
  .readonly();
export type HeadlineAngle = z.infer<typeof HeadlineAngle>;

/** An angle that every stock has, even without news. */
export const StandingAngle = z.union([
  z.object({ id: z.literal("price"), kind: z.literal("price"), ...Told }).readonly(),
  z.object({ id: z.literal("fundamentals"), kind: z.literal("fundamentals"), ...Told }).readonly(),
]);
export type StandingAngle = z.infer<typeof StandingAngle>;

/** An angle: a subject for a draft on a stock (specification §4.8). */
export const Angle = z.union([HeadlineAngle, StandingAngle]);
export type Angle = z.infer<typeof Angle>;

export const Angles = z
  .object({
    angles: z.array(Angle).readonly(),
    /** Whether there is news from the last `freshHours` hours. */
    freshNews: z.boolean(),
    /** The number of AI drafts that the wallet can still request today. */
    remaining: z.int(),
  })
  .readonly();
export type Angles = z.infer<typeof Angles>;

/**
 * The model's draft, within the limits for a saved draft (specification §2.9). The descriptions of the fields are part of the model's
 * prompt.
 */
export const Draft = z
  .object({
    headline: SaveInput.shape.headline.describe("One line of 8 to 90 characters, no Markdown."),
    preview: SaveInput.shape.preview.describe("80 to 400 characters, no Markdown."),
    body: SaveInput.shape.body.describe("Markdown, 250 to 450 words."),
  })
  .readonly();
export type Draft = z.infer<typeof Draft>;

/** A source of a draft. `text` is the part of the source that the model saw. */
export const Source = z
  .object({ title: z.string(), source: z.string(), link: z.string(), text: z.string() })
  .readonly();
export type Source = z.infer<typeof Source>;

/** The data that the model's prompt contains. */
export const DraftTask = z
  .object({
    stock: z.object({ symbol: z.string(), name: z.string() }).readonly(),
    angle: Angle,
    facts: z.object({ quote: Quote.optional(), sources: z.array(Source).readonly() }).readonly(),
    /** The time in ISO 8601 UTC. */
    now: z.string(),
  })
  .readonly();
export type DraftTask = z.infer<typeof DraftTask>;

export const Generated = z
  .object({
    generationId: z.int().positive(),
    draft: Draft,
    sources: z.array(Source.unwrap().omit({ text: true }).readonly()).readonly(),
    remaining: z.int(),
  })
  .readonly();
export type Generated = z.infer<typeof Generated>;

/** An outside service that gives news about a stock. */
export type News = {
  /** The news reports about a ticker, in no particular order. Throws `news_unavailable` (`upstream`). */
  listHeadlines(symbol: string): Promise<readonly Headline[]>;
};

type WritingLimits = {
  /** The time limit, in milliseconds, for all calls of the model together. */
  readonly timeLimit: number;
  /**
   * Checks a draft that is within the limits of specification §2.9. Returns the fault of the draft, or `undefined` if the draft is
   * acceptable. If the draft has a fault, the model is asked for another draft, and the fault is given as the reason.
   */
  readonly fault: (draft: Draft) => string | undefined;
};

export type Writer = {
  write(task: DraftTask, limits: WritingLimits): Promise<ModelAnswer<Draft>>;
  /** The maximum number of times that the model is called for one draft, and the maximum number of tokens of each call. */
  most(task: DraftTask): readonly ModelUsage[];
  /** The model and the prompt version, which are stored with each draft. */
  readonly engine: string;
};
