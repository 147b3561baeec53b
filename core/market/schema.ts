import * as z from "zod";

/** A ticker of the chain's stock tokens. Parsed to upper case. */
export const StockSymbol = z
  .string()
  .trim()
  .regex(/^[A-Za-z][A-Za-z0-9.]{0,9}$/, "must be a stock token symbol, such as AAPL")
  .transform((symbol) => symbol.toUpperCase());

/** Specification §2.4. The address is lower-case. */
export const Stock = z.object({
  symbol: z.string(),
  name: z.string(),
  address: z.string(),
});
export type Stock = Readonly<z.infer<typeof Stock>>;

/** Every active stock token on the chain, sorted by symbol. */
export const StockList = z.object({ stocks: z.array(Stock).readonly() });

/** The company's name in a token's name such as "Apple • Robinhood Token". */
export function companyOf({ name }: Pick<Stock, "name">): string {
  return name.split("•")[0]?.trim() || name;
}

/** A stock with its `multiplier`, the shares per token (ERC-8056 `uiMultiplier`). */
export const Listing = z.object({ ...Stock.shape, multiplier: z.number() });
export type Listing = Readonly<z.infer<typeof Listing>>;

/**
 * Specification §2.5: prices in USD per token, with at most four decimals; volume in shares a day, as the exchange counts it; `asOf` is
 * when the source made the price.
 */
export const Quote = z.object({
  symbol: z.string(),
  mid: z.number().describe("USD per token, like the day's high and low."),
  dayHigh: z.number(),
  dayLow: z.number(),
  volume: z.number().describe("Shares a day."),
  halted: z.boolean(),
  asOf: z.string().meta({ format: "date-time", description: "When the source made the price." }),
});
export type Quote = Readonly<z.infer<typeof Quote>>;

const Price = z.number().describe("USD per token.");

/** A price at a time. */
export const PricePoint = z.object({ at: z.string().meta({ format: "date-time" }), mid: Price });
export type PricePoint = Readonly<z.infer<typeof PricePoint>>;

/** The last price of a UTC day. */
export const DayPrice = z.object({ day: z.string().meta({ format: "date" }), mid: Price });
export type DayPrice = Readonly<z.infer<typeof DayPrice>>;

/** A stock with its quote and its recorded prices, oldest first. */
export const StockPrices = z.object({
  stock: Stock,
  quote: Quote,
  week: z
    .array(PricePoint)
    .readonly()
    .describe(
      "About one price every five minutes for the last day, and one an hour for the six days before. None while the source has no new price.",
    ),
  year: z.array(DayPrice).readonly().describe("Each UTC day's last price, of at most the last 366 days."),
});
export type StockPrices = Readonly<z.infer<typeof StockPrices>>;

/** A stock's last week in few numbers. */
export const StockWeek = z.object({
  ...Stock.shape,
  mid: Price.describe("The last recorded price, in USD per token."),
  asOf: z.string().meta({ format: "date-time", description: "When the source made the price." }),
  week: z
    .array(Price)
    .readonly()
    .describe(
      "The last price of each four hours of the last seven days, oldest first. The last entry is `mid`.",
    ),
});
export type StockWeek = Readonly<z.infer<typeof StockWeek>>;

/** Every stock with recorded prices, by symbol. Those of all live presses are among them. */
export const MarketWeek = z.object({ stocks: z.array(StockWeek).readonly() });
export type MarketWeek = Readonly<z.infer<typeof MarketWeek>>;

/** USD rounded to four decimals, so that no price shows binary noise. */
export function toPrice(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
