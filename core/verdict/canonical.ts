import type * as z from "zod";

export type Json = z.infer<ReturnType<typeof z.json>>;

/**
 * JSON with sorted keys and no whitespace (RFC 8785): one value has one text, so that a hash of its bytes says which
 * value was meant.
 */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    // By UTF-16 code units, as the RFC asks and as `<` compares.
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}
