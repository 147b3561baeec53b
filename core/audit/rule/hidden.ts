import { comments, directions, encodedProse, invisible, unseen } from "../legible.ts";
import type { Severity } from "../schema.ts";
import { finding, type Rule } from "./rule.ts";

const asSeen = "Take it out: what is audited is what readers get.";

/** A word of Latin letters among which stand Cyrillic or Greek ones. */
const mixed =
  /(?<!\p{L})(?=\p{L}*\p{Script=Latin})(?=\p{L}*[\p{Script=Cyrillic}\p{Script=Greek}])\p{L}{3,}/gu;

type Trace = {
  readonly severity: Severity;
  readonly wrong: string;
  /** What of a text is hidden so; an empty list is none. */
  readonly find: (text: string) => readonly string[];
};

const traces: readonly Trace[] = [
  {
    severity: "critical",
    wrong: "Invisible letters that only a program reads",
    find: (text) => [
      ...all(invisible.tags, text, 8),
      ...all(invisible.selectors, text).filter(({ length }) => length >= 8),
    ],
  },
  {
    severity: "critical",
    wrong: "Zero-width characters in a row, which carry a message or break words apart",
    find: (text) => [
      ...all(invisible.joiners, text).filter(({ length }) => length >= 8),
      ...all(/(?<=\p{Script=Latin})(?:\u200D|[\u200B\u2060-\u2064\uFEFF])(?=\p{Script=Latin})/gu, text, 8),
    ],
  },
  {
    severity: "high",
    wrong: "A mark that turns the direction of the text",
    find: (text) => all(directions, text),
  },
  {
    severity: "high",
    wrong: "Words with letters of another script that look alike",
    find: (text) => all(mixed, text, 3),
  },
  { severity: "high", wrong: "Words in a code", find: encodedProse },
  { severity: "high", wrong: "An element that a page does not show", find: (text) => all(unseen, text) },
  {
    severity: "high",
    wrong: "A comment, which readers do not see",
    find: (text) => comments.flatMap((pattern) => all(pattern, text).filter(isSaying)),
  },
];

/** Text that reaches a program and no reader. What it says need not be understood for it to be out of place. */
export const hidden: Rule = {
  check: "hidden",
  label: "Hidden text",
  by: "rules",
  cannotJudge: "what a picture shows",
  mayStop: true,
  holdsOurs: true,
  find: ({ headline, publisherName, preview, body }) => {
    const text = [headline, publisherName, preview, body].join("\n\n");
    return traces.flatMap(({ severity, wrong, find }) => {
      const [passage] = find(text);
      return passage === undefined ? [] : [finding(severity, "hidden", wrong, visible(passage), asSeen)];
    });
  },
};

/** Every match, if there are at least so many. */
function all(pattern: RegExp, text: string, least = 1): readonly string[] {
  const found = text.match(pattern) ?? [];
  return found.length >= least ? found : [];
}

/** A comment of several words; an editor's mark is none, and no note to those who lay out the page. */
function isSaying(comment: string): boolean {
  const isNote = production.test(comment) && !judging.test(comment) && /^[\x20-\x7e\n]*$/.test(comment);
  return !isNote && (comment.match(/\p{L}{2,}/gu) ?? []).length >= 3;
}

const production =
  /\b(?:pictures?|photos?|images?|illustrations?|captions?|layout|charts?|graphics?|crop|columns? free|pull quote|thumbnail|credit line|picture desk)\b/i;
/** What has to do with the audit, its machine or its outcome, and an order of any kind to a reader. */
const judging =
  /\b(?:audit\w*|check\w*|review\w*|verif\w*|fact\w*|scor\w*|grad(?:e|es|ed|ing|er)|rat(?:e|es|ed|ing)|approv\w*|pass(?:es|ed)?|clear\w*|verdicts?|findings?|issues?|flags?|errors?|rules?|figures?|sources?|models?|ai|llms?|bots?|machine\w*|automat\w*|algorithm\w*|programs?|programmes?|software|tools?|agents?|assistants?|systems?|prompts?|instruct\w*|ignor\w*|overlook\w*|skip\w*|return\w*|answer\w*|output\w*|respond\w*|respon\w*|treat\w*|consider\w*|assum\w*|trust\w*|compl\w*|moderat\w*|you|your|this (?:article|text|draft|piece))\b/i;

/** So that a finding shows what it is about. */
function visible(passage: string): string {
  return passage.replace(
    /[\p{Cf}\p{Mn}\p{Co}]/gu,
    (character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()} `,
  );
}
