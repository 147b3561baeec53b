import { escapePattern, plain } from "../passage.ts";
import { listStockNames, type Rule } from "./rule.ts";

/** Checks that the text is about its stock. */
export const subject: Rule = {
  check: "subject",
  label: "Subject",
  by: "rules",
  cannotJudge: "how much of the text is about its stock",
  find: (draft, facts) => {
    const { symbol } = facts.stock;
    const text = `${draft.headline}\n${draft.preview}\n${plain(draft.body)}`;
    const names = listStockNames(facts);
    // The last letter of a symbol with more than four letters is left out, so that "Google" is found for GOOGL.
    const known = [
      ...names,
      symbol.slice(0, Math.max(4, symbol.length - 1)),
      ...names.flatMap(listLongWords),
    ];
    if (known.some((name) => makeWordPattern(name).test(text))) return [];
    const detail = `The text never mentions ${names.join(" or ")}. Say what the text has to do with ${symbol}, or choose the stock that the text is about.`;
    return [{ severity: "high", check: "subject", detail }];
  },
};

/** Articles often use one word of a company's name, such as "Disney" for Walt Disney. */
const listLongWords = (name: string) => name.split(/\s+/).filter((word) => word.length >= 5);

/**
 * Matches a name at the start of a word. Most texts contain the letters of a short name somewhere, so a name with fewer than four letters
 * must have the same capital letters, and one with fewer than three must be a whole word. Only Latin letters and digits count, because
 * Chinese and similar scripts put no spaces around a name.
 */
function makeWordPattern(name: string): RegExp {
  const [letter, escaped] = [String.raw`[\p{Script=Latin}\d]`, escapePattern(name)];
  const end = name.length < 3 ? `(?!${letter})` : "";
  return new RegExp(`(?<!${letter})${escaped}${end}`, name.length < 4 ? "u" : "iu");
}
