import { plain } from "../passage.ts";
import { listStockNames, type Rule } from "./rule.ts";

/** Checks that the text is about its stock. */
export const subject: Rule = {
  check: "subject",
  label: "Subject",
  by: "rules",
  cannotJudge: "how much of the text is about its stock",
  find: (draft, facts) => {
    const { symbol } = facts.stock;
    const lower = `${draft.headline}\n${draft.preview}\n${plain(draft.body)}`.toLowerCase();
    const names = listStockNames(facts);
    // The last letter of a symbol with more than four letters is left out, so that "Google" is found for GOOGL.
    const known = [...names, symbol.slice(0, Math.max(4, symbol.length - 1))];
    if (known.some((name) => lower.includes(name.toLowerCase()))) return [];
    const detail = `The text never mentions ${names.join(" or ")}. Say what the text has to do with ${symbol}, or choose the stock that the text is about.`;
    return [{ severity: "high", check: "subject", detail }];
  },
};
