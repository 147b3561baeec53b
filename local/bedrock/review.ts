import * as z from "zod";

/** The article under audit, as the auditor's prompt carries it. */
export const press = z.looseObject({
  headline: z.string(),
  preview: z.string(),
  body: z.string(),
  stock: z.string(),
});
type Press = z.output<typeof press>;

type Severity = "low" | "medium" | "high" | "critical";
type Issue = { readonly severity: Severity; readonly check: string; readonly detail: string };
type Finding = Issue & { readonly penalty: number };

type Review = { readonly score: number; readonly summary: string; readonly issues: readonly Issue[] };

const MIN_WORDS = 150;
const LINK = /https?:\/\/[^\s)>\]]+/g;
const FIGURE = /[$€£]\s?\d|\d(?:[\d.,]*\d)?\s?(?:%|percent|million|billion|trillion)|\d+\.\d+/i;
const ATTRIBUTION = /\b(?:according to|reported|reports|said|says|filing|data from|quote)\b/i;
const HYPE =
  /\b(?:moon(?:ing|shot)?|skyrocket\w*|explod\w*|explosive|rocket\w*|insane|unstoppable|massive gains?|once[- ]in[- ]a[- ]lifetime|game[- ]chang\w+|don'?t miss|hurry|fomo|pump|100x|10x|to the moon|huge|secret)\b/gi;
const PROMISE =
  /\b(?:guarantee[ds]?|risk[- ]free(?! rate)|can(?:no|')t (?:lose|fail)|sure thing|will (?:double|triple|soar|surge|definitely)|you (?:should|must) (?:buy|sell|hold)|(?:buy|sell) now|easy money)\b/gi;
/** What makes the opposite of a promise before it in its sentence, and after it. */
const DENIAL = /\b(?:not|nothing|no|none|never|nobody|cannot|neither|nor|hardly|whether|if|without)\b|n't\b/i;
const DOUBT = /\b(?:anything but|far from)\b/i;
const ATTACK = /\b(?:prompt injections?|researchers)\b/i;
const INSTRUCTION =
  /\b(?:ignore (?:all |any |the )?(?:previous|prior|above) instructions|(?:dear|attention|note to(?: the)?) (?:auditor|reviewer|model)|(?:give|assign|return) (?:this|it|me)? ?(?:a )?score of|approve this (?:press|article|draft))\b/i;

/**
 * Reviews an article by what can be counted: length, links, figures without a source, hype, promises, whether the
 * body bears out the headline, and text that instructs the auditor. The same article always gets the same review.
 */
export function review(article: Press): Review {
  const text = `${article.headline}\n${article.preview}\n${article.body}`;
  const words = article.body.split(/\s+/).filter(Boolean).length;
  const links = new Set(article.body.match(LINK)).size;
  const findings = [
    ...length(words),
    ...sources(links),
    ...figures(article.body),
    ...hype(own(text)),
    ...promises(own(text)),
    ...headline(article),
    ...instructions(ATTACK.test(text) ? own(text) : text),
  ];
  const score = Math.max(0, 100 - findings.reduce((total, { penalty }) => total + penalty, 0));
  const issues = findings.map(({ severity, check, detail }): Issue => ({ severity, check, detail }));
  const verdict =
    issues.length === 0 ? "no issue found." : `${issues.length} found, first: ${issues[0]?.detail}`;
  return {
    score,
    summary: `Local stand-in review: ${words} words, ${links} linked sources; ${verdict}`,
    issues,
  };
}

function length(words: number): readonly Finding[] {
  if (words >= MIN_WORDS) return [];
  const detail = `The body has ${words} words; ${MIN_WORDS} are the least.`;
  return [{ severity: "high", check: "length", detail, penalty: 30 }];
}

function sources(links: number): readonly Finding[] {
  if (links > 1) return [];
  if (links === 1) {
    return [{ severity: "low", check: "sources", detail: "The body links one source only.", penalty: 4 }];
  }
  return [{ severity: "medium", check: "sources", detail: "The body links no source.", penalty: 25 }];
}

function figures(body: string): readonly Finding[] {
  const bare = body
    .split(/\n{2,}/)
    .filter(
      (paragraph) => FIGURE.test(paragraph) && !/https?:\/\//.test(paragraph) && !ATTRIBUTION.test(paragraph),
    );
  return bare.slice(0, 4).map((paragraph) => {
    const detail = `Figures without a source: "${excerpt(paragraph)}"`;
    return { severity: "medium", check: "figures", detail, penalty: 6 };
  });
}

function hype(text: string): readonly Finding[] {
  const found = distinct(text.match(HYPE));
  const shouting = (text.match(/!/g) ?? []).length > 2;
  const loud: Finding = {
    severity: "low",
    check: "tone",
    detail: "Exclamation marks take the place of facts.",
    penalty: 6,
  };
  if (found.length === 0) return shouting ? [loud] : [];
  const severity = found.length > 2 ? "high" : "medium";
  const detail = `Promotional wording: ${found.join(", ")}.`;
  return [
    { severity, check: "tone", detail, penalty: Math.min(45, 9 * found.length) },
    ...(shouting ? [loud] : []),
  ];
}

function promises(text: string): readonly Finding[] {
  const found = distinct(text.split(/(?<=[.!?])\s+|\n+/).flatMap(promised));
  if (found.length === 0) return [];
  const detail = `Promises or personal advice: ${found.join(", ")}.`;
  return [{ severity: "high", check: "promises", detail, penalty: Math.min(45, 20 * found.length) }];
}

function promised(sentence: string): readonly string[] {
  if (DOUBT.test(sentence)) return [];
  return [...sentence.matchAll(PROMISE)]
    .filter(({ index }) => !DENIAL.test(sentence.slice(0, index)))
    .map(([words]) => words);
}

function headline({ headline: title, body }: Press): readonly Finding[] {
  const told = new Set(body.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu));
  const claimed = title.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [];
  const missing = claimed.filter((word) => !told.has(word));
  if (missing.length <= claimed.length / 2) return [];
  const detail = `The body does not take up the headline: ${missing.join(", ")}.`;
  return [{ severity: "medium", check: "headline", detail, penalty: 10 }];
}

function instructions(text: string): readonly Finding[] {
  const found = INSTRUCTION.exec(text)?.[0];
  if (found === undefined) return [];
  const detail = `The text instructs its auditor: "${excerpt(found)}"`;
  return [{ severity: "critical", check: "manipulation", detail, penalty: 60 }];
}

/** The writer's own words: what stands in quotation marks is somebody else's. */
const own = (text: string) => text.replace(/"[^"\n]{1,300}"/g, " ");
const distinct = (found: readonly string[] | null) => [...new Set(found?.map((word) => word.toLowerCase()))];
const excerpt = (text: string) => (text.length > 80 ? `${text.slice(0, 79)}…` : text);
