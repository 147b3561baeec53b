import type { AuditFacts } from "../schema.ts";
import { clip, countLinks, plain, sentences } from "../text.ts";
import type { Rule } from "./rule.ts";

const attribution =
  /\b(?:according to|sources (?:say|said|familiar)|reports (?:say|said|suggest)|analysts (?:say|said|expect|estimate)|studies (?:show|say)|insiders (?:say|said)|(?:it )?is (?:reported|rumou?red)|people familiar)\b/i;
const figure =
  /\$ ?\d[\d,]*(?:\.\d+)?|\d[\d,.]* ?(?:%|percent\b|million\b|billion\b|trillion\b|bn\b|basis points\b)/gi;

/** Claims of fact that a reader could only believe: figures and "according to" without one link in the whole text. */
export const sources: Rule = ({ body }, facts) => {
  if (countLinks(body) > 0) return [];
  const claims = sentences(plain(body)).filter(
    (sentence) => attribution.test(sentence) || figuresOutsideQuote(sentence, facts) > 0,
  );
  const [first] = claims;
  if (first === undefined) return [];
  return [
    {
      severity: claims.length >= 3 ? "medium" : "low",
      check: "sources",
      detail: `${claims.length} ${claims.length === 1 ? "sentence claims" : "sentences claim"} facts and the text links no source, first: "${clip(first)}". Link where each figure or statement can be read.`,
    },
  ];
};

/** Today's price needs no link: the site shows the quote beside the text. */
function figuresOutsideQuote(sentence: string, { quote }: AuditFacts): number {
  const shown = [quote.mid, quote.dayHigh, quote.dayLow];
  return (sentence.match(figure) ?? []).filter((text) => {
    const value = Number(text.replace(/[^\d.]/g, ""));
    return !(text.startsWith("$") && shown.some((price) => Math.abs(price - value) <= price * 0.02));
  }).length;
}
