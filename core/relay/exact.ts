import * as z from "zod";

declare global {
  interface JSON {
    /** A value that is written as this text (ECMAScript, JSON.parse source text access). */
    rawJSON(text: string): RawNumber;
    isRawJSON(value: unknown): boolean;
  }
}

/** A number as its sender wrote it, where JavaScript would write another: `1.0`, or more digits than a double has. */
export type RawNumber = { readonly rawJSON: string };
export const RawNumber = z.custom<RawNumber>((value) => JSON.isRawJSON(value));

const Source = z.object({ source: z.string() });

/** Parses JSON so that `JSON.stringify` gives its numbers back digit by digit. Throws for what is not JSON. */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, (_key: string, value: unknown, context?: unknown) => {
    if (typeof value !== "number") return value;
    const { source } = Source.parse(context);
    return String(value) === source ? value : JSON.rawJSON(source);
  });
}
