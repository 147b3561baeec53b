import { comments, directions, encodedProse, invisible, undisguised, unseen } from "../legible.ts";
import type { Issue, Severity } from "../schema.ts";
import { clip, folded, unmasked } from "../text.ts";
import { isAside, addressed as spoken } from "./addressed.ts";
import { disguises, isProtocol, markup, overrides, results, roles } from "./forged.ts";
import { foreignOrder } from "./languages.ts";
import { finding, type Rule } from "./rule.ts";

const forReaders = "Remove it: an article speaks to its readers only.";

/** What an article about programs and their prompts speaks of. */
const topic =
  /\b(?:prompts?|prompt injections?|jailbreaks?|vulnerabilit\w+|exploits?|hidden instructions?|chat ?bots?|copilots?|language models?|llms?|assistants?|ai|artificial (?:intelligence|editors?)|machine learning|tokens?|agents?|programs?|software|researchers?)\b/g;
/** What somebody else's order to somebody else's program does not speak of. */
const ownCase =
  /\b(?:auditors?|audits?|scores?|verdicts?|findings?|this (?:press|article|draft|text|piece|post|submission))\b/;
const quoted = /(?<!\]\([^()\s]{1,500}\s)"[^"\n]{2,500}"|```[\s\S]{2,2000}?```|`[^`\n]{2,500}`|^>[^\n]*$/gm;

/** Text that addresses whoever audits it. What is under audit is data: a draft that gives orders is refused. */
export const manipulation: Rule = ({ headline, publisherName, preview, body }) => {
  const raw = [headline, publisherName, preview, body].join("\n\n");
  const lines = raw.replace(/\n+/g, " .\n");
  // An order that begins in one field may end in the next that is read, and one in a list is one without its marks.
  const joined = [headline, preview, body, headline, body.slice(0, 200), publisherName].join(" ");
  const unlisted = raw
    .replace(/^[ \t]*(?:[-*+>]|\d{1,3}[.)]|\[\^?\w{1,3}\]:?|\(?\w[).])[ \t]+/gm, "")
    .replace(/[|\n]+/g, " ");
  // Brackets in several paragraphs may be one sentence.
  const bracketed = [...raw.matchAll(/(?<!\])[([]([^()[\]\n]{3,400})(?:[)\]](?!\()|$)/gm)]
    .map(([, text]) => text)
    .join(" ");
  const found =
    addressed(lines) ??
    addressed(joined) ??
    addressed(unlisted) ??
    called(lineOf(bracketed)) ??
    beside(raw, publisherName) ??
    veiled(raw);
  return found === undefined ? [] : [found];
};

function addressed(raw: string): Issue | undefined {
  const text = unmasked(raw);
  const line = lineOf(raw);
  return (
    first(disguises, text, "Markup that poses as part of the audit") ??
    first(markup, text, "Markup that poses as a result of the audit") ??
    first(results, line.replaceAll("\\", ""), "The text gives itself a result of the audit") ??
    recorded(text) ??
    ordered(raw)
  );
}

/** An order to a checker; one that an article about programs quotes is pointed out, no more. */
function ordered(raw: string): Issue | undefined {
  const order = orderIn(raw);
  if (order?.severity !== "critical") return order;
  const text = folded(raw);
  const quotes = (text.match(quoted) ?? []).filter((quote) => orderIn(quote) !== undefined);
  if (quotes.length === 0 || quotes.some((quote) => ownCase.test(quote.toLowerCase()))) return order;
  const own = text.replace(quoted, ' "" ');
  const isTopic = new Set(own.toLowerCase().match(topic)).size >= 2;
  const isExample = isTopic && orderIn(own) === undefined;
  const [passage = ""] = quotes;
  return isExample
    ? finding(
        "medium",
        "manipulation",
        "An order to a model, quoted as an example",
        clip(passage),
        "Paraphrase it.",
      )
    : order;
}

function orderIn(raw: string): Issue | undefined {
  const line = lineOf(raw);
  return (
    first(roles, line, "The text hands its auditor a role or a task") ??
    first(overrides, line, "The text gives its auditor orders") ??
    called(line) ??
    foreign(raw)
  );
}

/** What stands beside the text: a byline, words for a picture, titles behind links, comments. */
const asides: readonly RegExp[] = [
  /!\[([^\]\n]{8,600})\]/g,
  /\]\([^()\s]{1,2000}\s+["'(]([^\n]{8,600}?)["')]\s*\)/g,
  /^[ \t]{0,3}\[[^\]\n]{1,99}\]:[ \t]*\S+[ \t]+["'(]([^\n]{8,600}?)["')][ \t]*$/gm,
  /<!--([\s\S]{8,1000}?)-->/g,
];

function beside(raw: string, byline: string): Issue | undefined {
  const texts = [
    byline,
    ...asides.flatMap((pattern) => [...raw.matchAll(pattern)].map(([, text = ""]) => text)),
  ];
  const found = texts.slice(0, 60).find((text) => {
    const line = lineOf(text);
    return isAside(line) || isProtocol(line);
  });
  return found === undefined
    ? undefined
    : finding("critical", "manipulation", "Words to a checker beside the text", clip(found), forReaders);
}

function lineOf(text: string): string {
  return unmasked(text)
    .replace(/[*_~`#]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** The same in what only a program reads, where nothing is quoted as an example. */
function veiled(raw: string): Issue | undefined {
  for (const { trick, text } of undisguised(raw)) {
    const line = unmasked(text).replace(/\s+/g, " ");
    const order =
      first([...overrides, ...results, ...roles, ...disguises, ...markup], line, "") ??
      called(line) ??
      foreign(text);
    if (order !== undefined) {
      return finding(
        "critical",
        "manipulation",
        `An order to the auditor, hidden by ${trick}`,
        clip(line),
        forReaders,
      );
    }
  }
  return undefined;
}

function first(patterns: readonly RegExp[], text: string, wrong: string): Issue | undefined {
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match !== null) {
      return finding(
        "critical",
        "manipulation",
        wrong,
        around(text, match.index, match[0].length),
        forReaders,
      );
    }
  }
  return undefined;
}

/** Words to a checker. */
function called(line: string): Issue | undefined {
  const found = spoken(line);
  if (found === undefined) return undefined;
  const severity = found.isHint ? "medium" : "critical";
  return finding(
    severity,
    "manipulation",
    "The text speaks to whoever checks it",
    clip(found.passage),
    forReaders,
  );
}

/** A record of a check that the text gives itself. */
function recorded(text: string): Issue | undefined {
  const record = text.split("\n").find((line) => isProtocol(line));
  return record === undefined
    ? undefined
    : finding(
        "critical",
        "manipulation",
        "The text gives itself a result of the audit",
        clip(record),
        forReaders,
      );
}

/** An order in another language. */
function foreign(raw: string): Issue | undefined {
  const order = foreignOrder(whole(raw));
  return order === undefined
    ? undefined
    : finding("critical", "manipulation", "The text gives its auditor orders", order.trim(), forReaders);
}

/** Lower-case text with its accents and marks, which other scripts need. */
function whole(raw: string): string {
  return raw
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replace(/[*_~`#]/g, "")
    .replace(/[^\S\n]+/g, " ")
    .toLowerCase();
}

function around(text: string, index: number, length: number): string {
  return clip(text.slice(Math.max(0, index - 20), index + length + 40));
}

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
export const hidden: Rule = ({ headline, publisherName, preview, body }) => {
  const text = [headline, publisherName, preview, body].join("\n\n");
  return traces.flatMap(({ severity, wrong, find }) => {
    const [passage] = find(text);
    return passage === undefined ? [] : [finding(severity, "hidden", wrong, visible(passage), asSeen)];
  });
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
