import { feePercent, toUsdg } from "../../press/schema.ts";
import type { Rule } from "./rule.ts";

/**
 * Finds a press whose price is so low that the platform's fee does not pay for the gas of a read. A low price says nothing about the
 * quality of the text, so the rule for prices never stops a draft.
 */
export const price: Rule = {
  check: "price",
  label: "Price and gas",
  by: "rules",
  cannotJudge: "what gas will cost tomorrow",
  onlyRemarks: true,
  find: (_, { price: known }) => {
    if (known === undefined || BigInt(known.units) >= BigInt(known.carrying)) return [];
    const [asked, carrying] = [toUsdg(known.units), toUsdg(known.carrying)];
    return [
      {
        severity: "low",
        check: "price",
        detail: `The price of ${asked} USDG does not pay for the gas of a read: at the current gas cost, the platform's fee of ${feePercent}% covers the gas only if the price is at least ${carrying} USDG. Below this price the press is sold only until its publisher's daily allowance is used up. Ask for ${carrying} USDG or more.`,
      },
    ];
  },
};
