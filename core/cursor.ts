import type * as z from "zod";
import { AppError } from "./error.ts";

/** Encodes the position at which a page of a list ends, as a text that clients cannot interpret. */
export function encodeCursor(place: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/** Decodes a cursor. Returns `undefined` if no cursor is given, which means the first page. Throws `invalid_cursor` (`input`). */
export function decodeCursor<Place>(Form: z.ZodType<Place>, cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined;
  try {
    return Form.parse(JSON.parse(Buffer.from(cursor, "base64url").toString()));
  } catch (cause) {
    throw new AppError("input", "invalid_cursor", "cursor: is not from an answer of this list", { cause });
  }
}
