import * as z from "zod";
import { SaveInput } from "../../../../core/press/input.ts";
import { type OwnPress, toUnits } from "../../../../core/press/schema.ts";
import type { ApiProblem } from "../../api/request.ts";

/** The fields in the order of the editor, with the names that they have in the body of a save (specification §2.9). */
export const fieldNames = ["stock", "headline", "preview", "body", "publisherName", "priceUsdg"] as const;
export type FieldName = (typeof fieldNames)[number];

/** The text of every field, exactly as it was typed. */
export const TextForm = z
  .object({
    stock: z.string(),
    headline: z.string(),
    preview: z.string(),
    body: z.string(),
    publisherName: z.string(),
    priceUsdg: z.string(),
  })
  .readonly();
export type DraftText = z.infer<typeof TextForm>;

export const emptyText = TextForm.parse(Object.fromEntries(fieldNames.map((name) => [name, ""])));

/** Converts a saved press to the texts of the editor's fields. */
export function makeText({ press, body }: Pick<OwnPress, "press" | "body">): DraftText {
  const { stock, headline, preview, publisherName, priceUsdg } = press;
  return { stock, headline, preview, body, publisherName, priceUsdg: formatPrice(priceUsdg) };
}

/** Writes a price exactly, but with at least two decimals, as people write prices. */
export function formatPrice(price: number): string {
  const [whole = "0", fraction = ""] = String(price).split(".");
  return `${whole}.${fraction.padEnd(2, "0")}`;
}

/** The typed price in base units; `undefined` if the typed text is not a valid price. */
export function parseUnits(price: string): string | undefined {
  const units = SaveInput.shape.priceUsdg.safeParse(parsePrice(price));
  return units.success ? String(units.data) : undefined;
}

/** Only a plain decimal number counts as a price, because `Number` alone would also accept "1e2" and "". */
export function parsePrice(price: string): number {
  return toUnits(price.trim()) === undefined ? 0 : Number(price);
}

/** The body of a save, which may be invalid. */
export function makeSaveBody(text: DraftText) {
  return { ...text, priceUsdg: parsePrice(text.priceUsdg) };
}

export type FieldFaults = Readonly<Partial<Record<FieldName, string>>>;

/** The faults for which the service would refuse to save the text, with the messages of the schema for a save. */
export function findFaults(text: DraftText): FieldFaults {
  const read = SaveInput.safeParse(makeSaveBody(text));
  return read.success ? {} : groupIssues(read.error.issues);
}

/** The faults in the service's refusal, by field. The service's message about an unknown stock already begins with the field's name. */
export function readServiceFaults({
  code,
  message,
  issues,
}: Pick<ApiProblem, "code" | "message" | "issues">): FieldFaults {
  if (code === "unknown_stock")
    return { stock: message.replace(/^stock: there is/, "is").replace(/\.$/, "") };
  return groupIssues(issues);
}

/** The first fault of each field in a refusal. An issue of the refusal is left out of the result if the issue names no field. */
export function groupIssues(
  issues: readonly { readonly path: string | readonly PropertyKey[]; readonly message: string }[],
): FieldFaults {
  return Object.fromEntries(
    issues.toReversed().flatMap(({ path, message }) => {
      const name = fieldNames.find((each) => each === (typeof path === "string" ? path : path[0]));
      return name === undefined ? [] : [[name, message]];
    }),
  );
}

/**
 * The fields in which two texts would still differ after both texts were saved. A save trims lines and treats "0.5" and "0.50" as equal.
 */
export function listDifferences(one: DraftText, other: DraftText): readonly FieldName[] {
  const [mine, theirs] = [normaliseText(one), normaliseText(other)];
  return fieldNames.filter((name) => mine[name] !== theirs[name]);
}

export function isSameText(one: DraftText, other: DraftText): boolean {
  return listDifferences(one, other).length === 0;
}

function normaliseText(text: DraftText): DraftText {
  return {
    stock: text.stock.trim().toUpperCase(),
    headline: text.headline.trim(),
    preview: text.preview.trim(),
    body: text.body,
    publisherName: text.publisherName.trim(),
    priceUsdg: parseUnits(text.priceUsdg) ?? text.priceUsdg.trim(),
  };
}
