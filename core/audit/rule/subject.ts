import { escapePattern, toVisibleText } from "../passage.ts";
import { listStockNames, type Rule } from "./rule.ts";

/** Checks that the text is about its stock. */
export const subject: Rule = {
  check: "subject",
  label: "Subject",
  by: "rules",
  cannotJudge: "how much of the text is about its stock",
  find: (draft, facts) => {
    const { symbol } = facts.stock;
    const text = `${draft.headline}\n${draft.preview}\n${toVisibleText(draft.body)}`;
    const names = listStockNames(facts);
    // The last letter of a symbol with more than four letters is left out, so that "Google" is found for GOOGL.
    const known = [...names, symbol.slice(0, Math.max(4, symbol.length - 1))];
    const patterns = [
      ...known.map((name) => makeWordPattern(name, name.length < 3)),
      ...names.flatMap(listOwnWords).map((word) => makeWordPattern(word, true)),
    ];
    if (patterns.some((pattern) => pattern.test(text))) return [];
    const detail = `The text never mentions ${names.join(" or ")}. Say what the text has to do with ${symbol}, or choose the stock that the text is about.`;
    return [{ severity: "high", check: "subject", detail }];
  },
};

/** Words that many companies have in their names, or that texts about other companies use. */
const generic =
  /^(?:advanced|america|american|applied|brands|business|capital|computer|data|devices|digital|electric|energy|financial|first|foods|general|global|health|international|machines|materials|micro|motors?|national|networks?|power|resources|semiconductor|services|solutions|super|systems|technolog(?:y|ies)|therapeutics|united)$/i;

/** The words that can stand for a company's whole name, such as "Disney" for Walt Disney. */
const listOwnWords = (name: string) =>
  name.split(/\s+/).filter((word) => word.length >= 5 && !generic.test(word));

/**
 * Matches a name at the start of a word, or as a whole word. Most texts contain the letters of a short name somewhere, so a name with fewer
 * than four letters is found only if the text writes it with the same capital letters. After a name with three letters, a capital letter
 * or an "s" may follow, as in "TSMC". Only Latin letters and digits count as parts of a word, because Chinese and similar writing systems
 * put no spaces around a name.
 */
function makeWordPattern(name: string, isWhole: boolean): RegExp {
  const letter = String.raw`[\p{Script=Latin}\d]`;
  const noWordBegins = String.raw`(?!(?!s(?!${letter}))\p{Ll})`;
  const end = isWhole ? `(?!${letter})` : name.length === 3 ? noWordBegins : "";
  return new RegExp(`(?<!${letter})${escapePattern(name)}${end}`, isWhole || name.length < 4 ? "u" : "iu");
}
