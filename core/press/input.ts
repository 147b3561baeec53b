import * as z from "zod";
import { ManuscriptVersion } from "../manuscript/schema.ts";
import { StockSymbol } from "../market/schema.ts";
import { findDisplayFault } from "./markdown.ts";
import { countBytes, countCharacters, countWords, Id, limits, priceRange, toUnits } from "./schema.ts";

export { findDisplayFault } from "./markdown.ts";

/**
 * The maximum average number of bytes per visible character. A limit in bytes is needed because a visible character may have any number of
 * code points. Texts in every writing system fit within this limit.
 */
const bytesPerCharacter = 12;

type LengthRange = { readonly min: number; readonly max: number };

const notText = "holds half a surrogate pair, which is no valid text";

/** Control characters, line ends, and bidirectional marks, which reverse neighbouring text. */
const notInLine = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** A text of one line. The limits of length apply to the trimmed text. */
function makeLineSchema(range: LengthRange) {
  return makeForm((value) =>
    notInLine.test(value) ? "must be one line without control characters" : checkLength(value, range),
  );
}

/** A text of several lines. The limits of length apply to the trimmed text. */
export function makeLinesSchema(range: LengthRange) {
  return makeForm((value) => checkLength(value, range));
}

/** Markdown that can be shown safely and is stored without any change. */
const Markdown = addCheck(z.string(), (value) => {
  const { minWords, maxBytes } = limits.body;
  const bytes = countBytes(value);
  if (bytes > maxBytes) return `may have at most ${maxBytes} bytes, and has ${bytes}`;
  const fault = findDisplayFault(value);
  if (fault !== undefined) return fault;
  const words = countWords(value);
  return words < minWords ? `needs at least ${minWords} words, and has ${words}` : undefined;
});

/**
 * A price in USDG. The price is converted to base units from its shortest decimal text, because a calculation with binary numbers could
 * change the price.
 */
export const PriceUsdg = z
  .number()
  .transform((price, context) => {
    const { min, max } = limits.priceUnits;
    const units = toUnits(String(price));
    if (units !== undefined && units >= min && units <= max) return units;
    context.addIssue(`must be from ${priceRange} USDG with at most six decimals`);
    return z.NEVER;
  })
  .meta({ minimum: 0.01, maximum: 1000, description: "The price in USDG, with at most six decimals." });

function makeForm(fault: (value: string) => string | undefined) {
  return addCheck(z.string().trim(), fault);
}

function addCheck(form: z.ZodString, fault: (value: string) => string | undefined) {
  return form.superRefine((value, context) => {
    const message = value.isWellFormed() ? fault(value) : notText;
    if (message !== undefined) context.addIssue(message);
  });
}

function checkLength(value: string, { min, max }: LengthRange): string | undefined {
  const characters = countCharacters(value);
  if (characters < min)
    return `needs at least ${min} ${min === 1 ? "character" : "characters"}, and has ${characters}`;
  if (characters > max) return `may have at most ${max} characters, and has ${characters}`;
  const bytes = countBytes(value);
  return bytes > max * bytesPerCharacter
    ? `may have at most ${max * bytesPerCharacter} bytes, and has ${bytes}`
    : undefined;
}

const toLengthLimits = ({ min, max }: { readonly min: number; readonly max: number }) => ({
  minLength: min,
  maxLength: max,
});

/** A publisher's request to save a draft (specification §2.9). `priceUsdg` is parsed to base units. */
export const SaveInput = z.object({
  id: Id.optional().describe("Omit the id to create a draft; send the id to replace your own draft."),
  generationId: z
    .int()
    .optional()
    .describe(
      "The AI draft that the text came from. A press that was saved with this field is marked as AI-assisted.",
    ),
  headline: makeLineSchema(limits.headline).meta(toLengthLimits(limits.headline)),
  stock: StockSymbol,
  priceUsdg: PriceUsdg,
  publisherName: makeLineSchema(limits.publisherName).meta(toLengthLimits(limits.publisherName)),
  preview: makeLinesSchema(limits.preview).meta(toLengthLimits(limits.preview)),
  body: Markdown.describe("Markdown of at least 150 words and at most 100 kB."),
  updatedAt: z.iso
    .datetime()
    .optional()
    .describe(
      "The `updatedAt` of the version of the draft that the editor has seen. The save is refused if a newer draft is stored. A save without this time overwrites even a newer draft. Without an id, the time is ignored.",
    ),
  manuscript: ManuscriptVersion.optional().describe(
    "The version of the unfinished text that the editor has seen. The saved draft replaces the unfinished text, which is deleted.",
  ),
});
export type SaveInput = z.infer<typeof SaveInput>;
