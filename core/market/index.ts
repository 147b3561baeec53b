export { overview, prices } from "./prices.ts";
export { markNow, priceFrom, quote, stocks } from "./quotes.ts";
export { markIn, marksKey } from "./recent.ts";
export { type Recorded, record } from "./record.ts";
