import * as z from "zod";
import { makeLinesSchema, PriceUsdg } from "../press/input.ts";
import { Correction, Id } from "../press/schema.ts";

/** The minimum and the maximum number of characters in a note. */
export const noteLength = { min: 10, max: 500 } as const;

/** The maximum number of notes on a press, and the maximum number of changes of its price and of its state (listed or unlisted). */
export const mostNotes = 20;
export const mostChanges = 40;

/**
 * The maximum number of bytes of a press's notes together. An answer of a Lambda function has at most 6 MB, so a list of 200 presses
 * has at most 30 kB for each press.
 */
export const mostNoteBytes = 20 * 1024;

export const CorrectInput = z.object({
  id: Id,
  text: makeLinesSchema(noteLength)
    .meta({ minLength: noteLength.min, maxLength: noteLength.max })
    .describe("What was wrong and what is right, as plain text. The note is final."),
});
export type CorrectInput = z.infer<typeof CorrectInput>;

export const UnlistInput = z.object({
  id: Id,
  unlisted: z.boolean().describe("true takes the press off lists and off sale, false puts it back."),
});
export type UnlistInput = z.infer<typeof UnlistInput>;

export const PriceInput = z.object({ id: Id, priceUsdg: PriceUsdg });
export type PriceInput = z.infer<typeof PriceInput>;

const Time = z.string().meta({ format: "date-time" });

/** The current values of the fields that an author may change in a live press. */
export const Corrected = z.object({
  id: z.int(),
  slug: z.string(),
  priceUsdg: z.number(),
  priceUnits: z.string(),
  priceChangedAt: Time.nullable(),
  unlistedAt: Time.nullable(),
  corrections: z.array(Correction).readonly(),
});
export type Corrected = Readonly<z.infer<typeof Corrected>>;
