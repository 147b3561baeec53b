import { createHash } from "node:crypto";
import * as z from "zod";

const source = z.looseObject({ title: z.string(), source: z.string().optional(), link: z.url() });
const quote = z.looseObject({
  mid: z.number(),
  dayHigh: z.number().optional(),
  dayLow: z.number().optional(),
  asOf: z.string().optional(),
});
const angle = z.looseObject({
  kind: z.string().optional(),
  title: z.string(),
  detail: z.string().optional(),
  source: z.string().optional(),
  link: z.url().optional(),
});

/** What the drafter's prompt carries; facts of an unknown shape are left out rather than guessed at. */
export const task = z.looseObject({
  stock: z.union([z.string(), z.looseObject({ symbol: z.string() }).transform(({ symbol }) => symbol)]),
  angle: z.union([angle, z.string().transform((title): z.output<typeof angle> => ({ title }))]),
  facts: z
    .looseObject({ quote: quote.optional().catch(undefined), sources: z.array(source).default([]).catch([]) })
    .default({ sources: [] })
    .catch({ sources: [] }),
});
type Task = z.output<typeof task>;

export type Draft = { readonly headline: string; readonly preview: string; readonly body: string };

/**
 * Writes an article of at least 170 words about a stock from an angle: its own words around the facts that were
 * given, each with its link, and a line that says who wrote it. The same task always gives the same article.
 */
export function write({ stock, angle: chosen, facts }: Task): Draft {
  const pick = picker(`${stock}|${chosen.title}`);
  const cited = citations(chosen, facts.sources);
  const paragraphs = [
    pick([
      `What is behind the subject of this article, ${phrase(chosen.title)}, and what does it leave open for ${stock}? This article keeps what is on record apart from what is still a guess.`,
      `For readers of ${stock}, ${phrase(chosen.title)} is a place to start, not a conclusion. This article sets out what is on record, and what it leaves open.`,
    ]),
    priceParagraph(stock, facts.quote),
    ...cited,
    pick([
      `A stock token follows the price of its share, but it is not the share. Its holder reads two numbers: the price of the share, and the multiplier that turns dividends and splits into tokens. A move in the token that the share does not explain is worth a second look at both of them, and at the time at which each was taken.`,
      `A stock token and its share can be quoted at different hours. While the exchange is closed the token still changes hands, and what looks like news may be a thin market. Comparing the time of a quote with the time of a headline is the first check that a reader can make without any special tool.`,
    ]),
    `Some things are not known yet. One day's price says little about a company, and one headline says little about a quarter. The company's own filings, its next results and a second independent report would settle more than any comment can, this one included. Until they are out, the range of the day and the sources linked here are what there is to go by, and both may change.`,
    pick([
      `Readers who follow ${stock} can check three things for themselves: whether the figures above still hold, whether the linked pages say what is claimed for them, and whether something newer has appeared since. Nothing in this article is investment advice.`,
      `What would change this picture? A correction of a linked report, a trading halt, or a filing that contradicts it. Each can be looked up by anyone who follows ${stock}. Nothing in this article is investment advice.`,
    ]),
    "_Drafted by the local stand-in for the language model._",
  ];
  const headline = headlineOf(stock, chosen.kind, facts.quote, pick);
  const preview = `What is on record about ${stock} today, what the linked sources and the quote show, and what is still open. A short look at one question, with every figure traced to where it comes from.`;
  return { headline, preview, body: paragraphs.join("\n\n") };
}

function headlineOf(
  stock: string,
  kind: string | undefined,
  price: Task["facts"]["quote"],
  pick: Picker,
): string {
  if (kind === "headline")
    return pick([
      `What the latest report on ${stock} leaves open`,
      `${stock}: what is on record, and what is still a guess`,
    ]);
  if (kind === "fundamentals")
    return pick([
      `${stock} beyond one day's price: what filings would settle`,
      `What is known about ${stock}, and what is not`,
    ]);
  return price === undefined
    ? `${stock}: what is on record today`
    : `${stock} at $${price.mid.toFixed(2)}: what the day's range shows`;
}

function priceParagraph(stock: string, price: Task["facts"]["quote"]): string {
  const page = `[quote page](https://robinhood.com/stocks/${encodeURIComponent(stock)})`;
  if (price === undefined) {
    return `No quote for ${stock} was at hand when this was written, so this article gives no price. The ${page} shows the current one, with the range of the day.`;
  }
  const { mid, dayHigh, dayLow, asOf } = price;
  const range =
    dayHigh === undefined || dayLow === undefined
      ? "The range of the day was not part of that quote."
      : `The day's range shows a low of $${dayLow.toFixed(2)} and a high of $${dayHigh.toFixed(2)}, so the reader can see how far the last price is from either end.`;
  const time = asOf === undefined ? "" : ` as of ${asOf}`;
  return `According to the ${page}, ${stock} was at $${mid.toFixed(2)}${time}. ${range}`;
}

function citations(chosen: Task["angle"], sources: Task["facts"]["sources"]): readonly string[] {
  const own =
    chosen.link === undefined ? [] : [{ title: chosen.title, source: chosen.source, link: chosen.link }];
  const all = [...own, ...sources.filter(({ link }) => link !== chosen.link)].slice(0, 3);
  if (all.length === 0) return [];
  const links = all.map(
    ({ title, source: name, link }) => `[${phrase(title)}](${link})${name === undefined ? "" : ` (${name})`}`,
  );
  return [
    `The reports behind this article are ${links.join("; ")}. They are linked rather than retold, because their authors know more about them than a summary does; what follows are this article's own remarks.`,
  ];
}

type Picker = (variants: readonly [string, ...string[]]) => string;

/** Chooses among variants by a hash of the subject, a new bit for each choice. */
function picker(subject: string): Picker {
  const bytes = createHash("sha256").update(subject).digest();
  let choice = 0;
  return (variants) => {
    const index = (bytes[choice % bytes.length] ?? 0) % variants.length;
    choice += 1;
    return variants[index] ?? variants[0];
  };
}

/** A title inside a sentence or a Markdown link: one line, no brackets. */
function phrase(title: string): string {
  return `"${title.replace(/[\s[\]"]+/g, " ").trim()}"`;
}
