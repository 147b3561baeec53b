import * as z from "zod";
import { toUnits } from "./price.ts";
import { countBytes, countCharacters, countWords } from "./text.ts";

/** Specification §2.9 and §8, and design §2 where they are silent. */
export const limits = {
  headline: { min: 8, max: 90 },
  preview: { min: 80, max: 400 },
  publisherName: { min: 1, max: 60 },
  /** Words; bytes of UTF-8. */
  body: { minWords: 150, maxBytes: 100 * 1024 },
  /** USDG base units. */
  priceUnits: { min: 10_000n, max: 1_000_000_000n },
} as const;

/** A character may be written with any number of code points; this many bytes for each of them suit every script. */
const bytesPerCharacter = 12;

type Range = { readonly min: number; readonly max: number };

const notText = "holds a surrogate without its other half, which is no text";

/** Control characters, line ends, and marks that turn the direction of what is shown beside them. */
const notInLine = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** A text of one line, counted after the spaces around it are gone. */
export function line(range: Range) {
  return text((value) =>
    notInLine.test(value) ? "must be one line without control characters" : length(value, range),
  );
}

/** A text of any lines, counted likewise. */
export function paragraph(range: Range) {
  return text((value) => length(value, range));
}

/** Markdown, kept byte for byte. */
export const Markdown = checked(z.string(), (value) => {
  const { minWords, maxBytes } = limits.body;
  const bytes = countBytes(value);
  if (bytes > maxBytes) return `is ${bytes} bytes long; at most ${maxBytes}`;
  const words = countWords(value);
  return words < minWords ? `has ${words} words; at least ${minWords}` : undefined;
});

/** A price in USDG, read by its shortest decimal text and never calculated with: it becomes base units, decimal. */
export const Price = z.number().transform((price, context) => {
  const { min, max } = limits.priceUnits;
  const units = toUnits(String(price));
  if (units !== undefined && units >= min && units <= max) return units;
  context.addIssue("must be from 0.01 to 1000 USDG with at most six decimals");
  return z.NEVER;
});

function text(fault: (value: string) => string | undefined) {
  return checked(z.string().trim(), fault);
}

function checked(form: z.ZodString, fault: (value: string) => string | undefined) {
  return form.superRefine((value, context) => {
    const message = value.isWellFormed() ? fault(value) : notText;
    if (message !== undefined) context.addIssue(message);
  });
}

function length(value: string, { min, max }: Range): string | undefined {
  const characters = countCharacters(value);
  if (characters < min) return `is ${characters} characters long; at least ${min}`;
  if (characters > max) return `is ${characters} characters long; at most ${max}`;
  const bytes = countBytes(value);
  return bytes > max * bytesPerCharacter
    ? `is ${bytes} bytes long; at most ${max * bytesPerCharacter}`
    : undefined;
}
