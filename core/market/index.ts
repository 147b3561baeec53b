export { markNow, overview, priceFrom, prices, quote, stocks } from "./quotes.ts";
export { markIn, marksKey } from "./recent.ts";
export { type Recorded, record } from "./record.ts";
