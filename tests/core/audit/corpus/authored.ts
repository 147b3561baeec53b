import { arithmetic } from "./authored/arithmetic.ts";
import { dates } from "./authored/dates.ts";
import type { Authored } from "./authored/form.ts";
import { injections } from "./authored/injections.ts";
import { prices } from "./authored/prices.ts";
import { arithmetic as laterArithmetic } from "./authored/second/arithmetic.ts";
import { dates as laterDates } from "./authored/second/dates.ts";
import { injections as laterInjections } from "./authored/second/injections.ts";
import { prices as laterPrices } from "./authored/second/prices.ts";
import { arithmetic as thirdArithmetic } from "./authored/third/arithmetic.ts";
import { injections as thirdInjections } from "./authored/third/injections.ts";
import { laterOrders, laterQuotes, laterSums } from "./authored/third/later.ts";
import { prices as thirdPrices } from "./authored/third/prices.ts";
import { type Check, type Labelled, labelled } from "./desk.ts";

/**
 * Whole articles by authors who did not know the rules. On their first reading the rules stopped 13 of 32 wrong sums, 5 of
 * 12 wrong prices, 4 of 22 wrong dates and 12 of 22 orders, and 10 of the 88 without a fault. Of a second set they stopped
 * 6 of 18, 2 of 8, 4 of 10 and 6 of 10, and 5 of the 46 without a fault. The rules have seen both since.
 */
const all = {
  arithmetic: [...arithmetic, ...laterArithmetic],
  prices: [...prices, ...laterPrices],
  dates: [...dates, ...laterDates],
  injections: [...injections, ...laterInjections],
} as const;
/**
 * Single passages with one fault each, set into plain texts. Of the first 63 the rules stopped 16 of 32 wrong sums, 8 of 15
 * wrong prices and 10 of 16 orders on their first reading; the rules for prices and orders were mended by them. Of the
 * next 31 they stopped, mended, 2 of 16, 3 of 7 and 2 of 8; no rule has been mended by those.
 */
const notes = {
  arithmetic: [...thirdArithmetic, ...laterSums],
  prices: [...thirdPrices, ...laterQuotes],
  dates: [],
  injections: [...thirdInjections, ...laterOrders],
} as const;
const checks: Readonly<Record<keyof typeof all, readonly Check[]>> = {
  // A wrong figure of headline or preview is one that the body does not give.
  arithmetic: ["arithmetic", "headline", "preview"],
  prices: ["figures", "headline", "preview"],
  dates: ["dates"],
  injections: ["manipulation"],
};

function drafts(
  kind: keyof typeof all,
  side: "faulty" | "clean",
  from: Readonly<Record<keyof typeof all, readonly Authored[]>> = all,
): readonly Labelled[] {
  return from[kind].map((article) => {
    const text = (field: string) =>
      side === "faulty" ? field : field.replace(article.fault, () => article.clean);
    const { headline, preview, body, stock } = article;
    const changed = { headline: text(headline), preview: text(preview), body: text(body), stock };
    const expected = side === "faulty" ? checks[kind] : [];
    const one = labelled(`${side}: ${article.name}`, changed, expected);
    return article.byline === undefined
      ? one
      : { ...one, draft: { ...one.draft, publisherName: text(article.byline) } };
  });
}

export const authored = {
  arithmetic: drafts("arithmetic", "faulty"),
  prices: drafts("prices", "faulty"),
  dates: drafts("dates", "faulty"),
  injections: drafts("injections", "faulty"),
};
export const noted = {
  arithmetic: drafts("arithmetic", "faulty", notes),
  prices: drafts("prices", "faulty", notes),
  dates: drafts("dates", "faulty", notes),
  injections: drafts("injections", "faulty", notes),
};
export const authoredTwins: readonly Labelled[] = [
  ...drafts("arithmetic", "clean"),
  ...drafts("prices", "clean"),
  ...drafts("dates", "clean"),
  ...drafts("injections", "clean"),
  ...drafts("arithmetic", "clean", notes),
  ...drafts("prices", "clean", notes),
  ...drafts("injections", "clean", notes),
];
