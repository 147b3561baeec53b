import * as z from "zod";
import { type OwnPress, SaveInput, toUnits } from "../../../../core/press/schema.ts";
import type { ApiProblem } from "../../api/request.ts";

/** What a publisher writes, in the order in which the editor asks for it, under the names of a save (specification §2.9). */
export const fieldNames = ["stock", "headline", "preview", "body", "publisherName", "priceUsdg"] as const;
export type FieldName = (typeof fieldNames)[number];

/** Every field as it was typed. */
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
export type Text = z.infer<typeof TextForm>;

export const emptyText: Text = {
  stock: "",
  headline: "",
  preview: "",
  body: "",
  publisherName: "",
  priceUsdg: "",
};

/** A saved press as the editor shows it. */
export function textOf({ press, body }: Pick<OwnPress, "press" | "body">): Text {
  const { stock, headline, preview, publisherName, priceUsdg } = press;
  return { stock, headline, preview, body, publisherName, priceUsdg: priceText(priceUsdg) };
}

/** A price as people write it: exact, with two decimals where there are fewer. */
function priceText(price: number): string {
  const [whole = "0", fraction = ""] = String(price).split(".");
  return `${whole}.${fraction.padEnd(2, "0")}`;
}

/** The price in base units, or `undefined` where the text is no price that can be asked for. */
export function unitsOf(price: string): string | undefined {
  const units = SaveInput.shape.priceUsdg.safeParse(numberOf(price));
  return units.success ? String(units.data) : undefined;
}

/** Not a price where the text is more, or less, than decimal digits: `Number` alone would read "1e2" and "". */
function numberOf(price: string): number {
  return toUnits(price.trim()) === undefined ? 0 : Number(price);
}

/** What a save is sent, whether or not it would be taken. */
export function bodyOf(text: Text) {
  return { ...text, priceUsdg: numberOf(text.priceUsdg) };
}

export type Faults = Readonly<Partial<Record<FieldName, string>>>;

/** What a save would refuse, in the words of the form that refuses it. */
export function faultsOf(text: Text): Faults {
  const read = SaveInput.safeParse(bodyOf(text));
  return read.success ? {} : faultsIn(read.error.issues);
}

/** What a refusal of the service says, by field. Of a stock its words name the field themselves. */
export function faultsBy({ code, message, issues }: Pick<ApiProblem, "code" | "message" | "issues">): Faults {
  if (code === "unknown_stock")
    return { stock: message.replace(/^stock: there is/, "is").replace(/\.$/, "") };
  return faultsIn(issues);
}

/** The first fault of each field among the issues of a refusal; what is said of no field is left out. */
export function faultsIn(
  issues: readonly { readonly path: string | readonly PropertyKey[]; readonly message: string }[],
): Faults {
  return Object.fromEntries(
    issues.toReversed().flatMap(({ path, message }) => {
      const name = fieldNames.find((each) => each === (typeof path === "string" ? path : path[0]));
      return name === undefined ? [] : [[name, message]];
    }),
  );
}

/** Where two texts differ once they are saved: a save trims its lines and reads "0.5" and "0.50" alike. */
export function differing(one: Text, other: Text): readonly FieldName[] {
  const [mine, theirs] = [settled(one), settled(other)];
  return fieldNames.filter((name) => mine[name] !== theirs[name]);
}

export function sameText(one: Text, other: Text): boolean {
  return differing(one, other).length === 0;
}

function settled(text: Text): Text {
  return {
    stock: text.stock.trim().toUpperCase(),
    headline: text.headline.trim(),
    preview: text.preview.trim(),
    body: text.body,
    publisherName: text.publisherName.trim(),
    priceUsdg: unitsOf(text.priceUsdg) ?? text.priceUsdg.trim(),
  };
}
