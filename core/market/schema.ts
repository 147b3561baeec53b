import * as z from "zod";

/** A ticker of one of the chain's stock tokens, converted to upper case. */
export const StockSymbol = z
  .string()
  .trim()
  .regex(/^[A-Za-z][A-Za-z0-9.]{0,9}$/, "must be a stock token symbol, such as AAPL")
  .transform((symbol) => symbol.toUpperCase());

/** A stock token (specification §2.4). The token's address is in lower case. */
export const Stock = z.object({
  symbol: z.string(),
  name: z.string(),
  address: z.string(),
});
export type Stock = Readonly<z.infer<typeof Stock>>;

/** Every active stock token on the chain, sorted by symbol. */
export const StockList = z.object({ stocks: z.array(Stock).readonly() });

/** Takes the company's name from a token's name such as "Apple • Robinhood Token". */
export function readCompany({ name }: Pick<Stock, "name">): string {
  return name.split("•")[0]?.trim() || name;
}

/** A stock with its `multiplier`, which is the number of shares per token (`uiMultiplier` of ERC-8056). */
export const Listing = z.object({ ...Stock.shape, multiplier: z.number() });
export type Listing = Readonly<z.infer<typeof Listing>>;

/**
 * A quote (specification §2.5). The prices are in USD per token, with at most four decimals. The volume is in shares per day, as the
 * exchange counts it. `asOf` is the time of the price, as the source gives it.
 */
export const Quote = z.object({
  symbol: z.string(),
  mid: z.number().describe("The price in USD per token, like the day's high and low."),
  dayHigh: z.number(),
  dayLow: z.number(),
  volume: z.number().describe("Shares a day."),
  halted: z.boolean(),
  asOf: z.string().meta({ format: "date-time", description: "When the source made the price." }),
});
export type Quote = Readonly<z.infer<typeof Quote>>;

const Price = z.number().describe("USD per token.");

/** A price with its time. */
export const PricePoint = z.object({ at: z.string().meta({ format: "date-time" }), mid: Price });
export type PricePoint = Readonly<z.infer<typeof PricePoint>>;

/** The last price of a UTC day. */
export const DayPrice = z.object({ day: z.string().meta({ format: "date" }), mid: Price });
export type DayPrice = Readonly<z.infer<typeof DayPrice>>;

/** The change of a price since an earlier price. */
export const Change = z.object({
  since: z
    .string()
    .meta({ format: "date-time", description: "The beginning of the period, which ends now." }),
  from: Price.describe("The price at the beginning of the period, in USD per token."),
  percent: z.number().describe("The change since the beginning of the period, in percent, with one decimal."),
});
export type Change = Readonly<z.infer<typeof Change>>;

/**
 * The change of a price in percent, rounded to one decimal. All pages and answers use this function for changes of prices. The result is
 * `undefined` if there is no earlier price.
 */
export function toPercent(before: number, after: number): number | undefined {
  // `|| 0` turns a negative zero into 0, because JSON has no negative zero and readers do not expect one.
  return before > 0 ? Math.round((after / before - 1) * 1000) / 10 || 0 : undefined;
}

const percents = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: "exceptZero",
});

/** Formats a percentage for people: `+2.4%`, `−1.0%`. */
export function formatPercent(percent: number): string {
  return `${percents.format(percent).replace("-", "−")}%`;
}

const hour = 60 * 60 * 1000;

/** Describes in words the time between `since` and `now` (ms since the epoch), such as `in 24 hours`, `in 7 days` or `in a year`. */
export function formatPeriod(since: string, now: number): string {
  const hours = Math.round((now - Date.parse(since)) / hour);
  if (hours < 48) return `in ${hours} ${hours === 1 ? "hour" : "hours"}`;
  const days = Math.round(hours / 24);
  return days >= 364 ? "in a year" : `in ${days} days`;
}

/** A few prices of a stock from one year, for the drawing on a press's cover. All drawings for a stock use the same prices. */
const Outline = z
  .array(Price)
  .readonly()
  .optional()
  .describe("At most 24 evenly spaced closing prices of the last year, oldest first.");

/**
 * A stock with its quote, its recorded prices (oldest first) and the changes of its price. No change is given for a period that begins
 * before the first recorded price.
 */
export const StockPrices = z.object({
  stock: Stock,
  quote: Quote,
  changes: z.object({
    day: Change.optional().describe("In 24 hours."),
    week: Change.optional().describe(
      "The change over the last seven days, the same as in the list of all stocks.",
    ),
    year: Change.optional().describe(
      "The change over the last 365 days, or since the first recorded price if all recorded prices are newer.",
    ),
  }),
  week: z
    .array(PricePoint)
    .readonly()
    .describe(
      "About one price per five minutes for the last two hours, one price per quarter of an hour for the last day, and one price per hour for the earlier days. No price is given for times in which the source had no new price.",
    ),
  outline: Outline,
  year: z
    .array(DayPrice)
    .readonly()
    .describe("The last price of each UTC day, for at most the last 366 days."),
});
export type StockPrices = Readonly<z.infer<typeof StockPrices>>;

/** A stock with its last price, its prices of the last week, and its outline. */
export const StockWeek = z.object({
  ...Stock.shape,
  mid: Price.describe("The last price, in USD per token."),
  asOf: z
    .string()
    .meta({ format: "date-time", description: "When the source made the last recorded price." }),
  week: z
    .array(Price)
    .readonly()
    .describe(
      "The last price of every period of four hours in the last seven days, oldest first. The first entry is `change.from`, and the last entry is `mid`.",
    ),
  outline: Outline,
  change: Change.optional().describe(
    "The change over the last seven days, or since the first recorded price if all recorded prices are newer.",
  ),
});
export type StockWeek = Readonly<z.infer<typeof StockWeek>>;

/** Every stock with recorded prices, sorted by symbol. The stock of every live press has recorded prices. */
export const MarketWeek = z.object({ stocks: z.array(StockWeek).readonly() });
export type MarketWeek = Readonly<z.infer<typeof MarketWeek>>;

/** Rounds USD to four decimals, so that no price shows the rounding errors of binary numbers. */
export function toPrice(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
