import { type Passage, sentenceOf, sentenceText } from "../passage.ts";
import { type Quantity, scaleOf } from "../quantity.ts";
import type { Slip } from "./slip.ts";

/** A slip of one figure against another passage of the text, which the finding quotes. */
type UnitSlip = { readonly slip: Slip; readonly sentence: string };

/** "$94.0 billion" here and "$94.0 million" there: the same digits in two units or two currencies. */
export function unitSlips(passages: readonly Passage[]): readonly UnitSlip[] {
  const first = new Map<string, Quantity>();
  return passages.flatMap((passage) =>
    passage.quantities.flatMap((one) => {
      const digits = /\d[\d.,]*\d/.exec(one.shown)?.[0];
      if (one.kind !== "money" || digits === undefined || scaleOf(one) === 1) return [];
      if (digits.replace(/\D|0+$/g, "").length < 2) return [];
      const other = first.get(digits);
      if (other === undefined) {
        first.set(digits, one);
        return [];
      }
      if (other.currency === one.currency && scaleOf(other) === scaleOf(one)) return [];
      const shown = `the text gives ${other.shown} and ${one.shown}: check the unit of each`;
      return [
        {
          slip: { claim: one, shown, isWhole: true },
          sentence: sentenceText(passage, sentenceOf(passage, one)),
        },
      ];
    }),
  );
}
