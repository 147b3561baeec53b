import * as z from "zod";
import { StockSymbol } from "../market/schema.ts";
import { ListedPress } from "../press/schema.ts";

/** The maximum number of presses in one answer. */
const most = 50;

/**
 * A search query. `q` is split into words, which are sequences of letters and digits. Upper and lower case, and accents, make no
 * difference.
 */
export const SearchQuery = z.object({
  q: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .describe("Words of headline, preview or byline, a ticker, or a company's name."),
  stock: StockSymbol.optional().describe(
    "A ticker, in upper or lower case: lists only presses about its stock.",
  ),
  limit: z
    .string()
    .regex(/^\d{1,2}$/, `must be an integer from 1 to ${most}`)
    .transform(Number)
    .pipe(z.int().min(1).max(most))
    .default(20)
    .meta({
      type: "integer",
      minimum: 1,
      maximum: most,
      description: "The maximum number of presses in the answer.",
    }),
});
export type SearchQuery = z.infer<typeof SearchQuery>;

export const SearchResult = z.object({
  presses: z
    .array(ListedPress)
    .readonly()
    .describe(
      "Presses with the words in headline, byline or company come first, then presses with words only in the preview; each group newest first.",
    ),
  stocks: z.array(z.object({ symbol: z.string(), name: z.string() })).readonly(),
  authors: z
    .array(z.object({ address: z.string(), name: z.string() }))
    .readonly()
    .describe("Authors whose bylines match. Anybody may write under any name, so check the address."),
  corrected: z.string().exactOptional().describe("The corrected words, if the given words have no match."),
});
export type SearchResult = Readonly<z.infer<typeof SearchResult>>;
