import { encodedProse } from "../encoded.ts";
import { comments, directions, invisible, unseen } from "../legible.ts";
import type { Severity } from "../schema.ts";
import { finding, type Rule } from "./rule.ts";

const remedy = "Take it out: what is audited is what readers get.";

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
export const hidden: Rule = ({ headline, publisherName, preview, body }) => {
  const text = [headline, publisherName, preview, body].join("\n\n");
  return traces.flatMap(({ severity, wrong, find }) => {
    const [passage] = find(text);
    return passage === undefined ? [] : [finding(severity, "hidden", wrong, visible(passage), remedy)];
  });
};

/** Every match, if there are at least so many. */
function all(pattern: RegExp, text: string, least = 1): readonly string[] {
  const found = text.match(pattern) ?? [];
  return found.length >= least ? found : [];
}

/** A comment of several words; an editor's mark is none. */
function isSaying(comment: string): boolean {
  return (comment.match(/\p{L}{2,}/gu) ?? []).length >= 3;
}

/** So that a finding shows what it is about. */
function visible(passage: string): string {
  return passage.replace(
    /[\p{Cf}\p{Mn}\p{Co}]/gu,
    (character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()} `,
  );
}
