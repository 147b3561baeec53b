import { undisguised } from "../disguises.ts";
import type { Issue } from "../schema.ts";
import { clip, unmasked } from "../text.ts";
import { addresses } from "./checker.ts";
import { foreignOrder } from "./languages.ts";
import { commands, disguises, overrides, results, roles } from "./orders.ts";
import { finding, type Rule } from "./rule.ts";

const remedy = "Remove it: an article speaks to its readers only.";

/** What an article about prompt injection speaks of. */
const injection =
  /\b(?:prompt injections?|jailbreaks?|researchers?|attack(?:s|ers?)?|vulnerabilit\w+|exploits?|hidden instructions?|chatbots?|copilot|security)\b/;
const ownCase = /\b(?:auditor|audit|reviewer|score|approve|verdict|this (?:press|article|draft|text))\b/;

/** Text that addresses whoever audits it. What is under audit is data: a draft that gives orders is refused. */
export const manipulation: Rule = ({ headline, publisherName, preview, body }) => {
  const raw = [headline, publisherName, preview, body].join("\n\n");
  const lines = raw.replace(/\n+/g, " .\n");
  // An order that begins in one field may end in the next that is read, and one in a list is one without its marks.
  const joined = [headline, preview, body, headline, body.slice(0, 200), publisherName].join(" ");
  const unlisted = raw
    .replace(/^[ \t]*(?:[-*+>]|\d{1,3}[.)]|\[\^?\w{1,3}\]:?|\(?\w[).])[ \t]+/gm, "")
    .replace(/[|\n]+/g, " ");
  const found = addressed(lines) ?? addressed(joined) ?? addressed(unlisted) ?? veiled(raw);
  return found === undefined ? [] : [found];
};

function addressed(raw: string): Issue | undefined {
  const text = unmasked(raw);
  const line = text.replace(/[*_~`#]/g, "").replace(/\s+/g, " ");
  return (
    first(disguises, text, "Markup that poses as part of the audit") ??
    first(commands, line, "The text speaks to its auditor") ??
    first(results, line.replaceAll("\\", ""), "The text gives itself a result of the audit") ??
    first(roles, line, "The text hands its auditor a role or a task") ??
    addresses.reduce<Issue | undefined>(
      (found, { wrong, patterns }) => found ?? first(patterns, line, wrong),
      undefined,
    ) ??
    foreign(raw) ??
    override(line)
  );
}

/** The same in what only a program reads, where nothing is quoted as an example. */
function veiled(raw: string): Issue | undefined {
  for (const { trick, text } of undisguised(raw)) {
    const line = unmasked(text).replace(/\s+/g, " ");
    const order =
      first(
        [
          ...commands,
          ...overrides,
          ...results,
          ...roles,
          ...disguises,
          ...addresses.flatMap(({ patterns }) => patterns),
        ],
        line,
        "",
      ) ?? foreign(text);
    if (order !== undefined) {
      return finding(
        "critical",
        "manipulation",
        `An order to the auditor, hidden by ${trick}`,
        clip(line),
        remedy,
      );
    }
  }
  return undefined;
}

function first(patterns: readonly RegExp[], text: string, wrong: string): Issue | undefined {
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match !== null) {
      return finding("critical", "manipulation", wrong, around(text, match.index, match[0].length), remedy);
    }
  }
  return undefined;
}

/** An order in another language. */
function foreign(raw: string): Issue | undefined {
  const order = foreignOrder(whole(raw));
  return order === undefined
    ? undefined
    : finding("critical", "manipulation", "The text gives its auditor orders", order.trim(), remedy);
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

/** An order to ignore instructions; one that an article about such attacks quotes is pointed out, no more. */
function override(line: string): Issue | undefined {
  const matches = overrides.flatMap((pattern) => [...line.matchAll(new RegExp(pattern, "gu"))]);
  const order = matches.find(({ index }) => !isExample(line, index)) ?? matches[0];
  if (order === undefined) return undefined;
  const passage = around(line, order.index, order[0].length);
  return isExample(line, order.index)
    ? finding(
        "medium",
        "manipulation",
        "An order to a model, quoted as an example",
        passage,
        "Paraphrase it.",
      )
    : finding("critical", "manipulation", "The text gives its auditor orders", passage, remedy);
}

function isExample(line: string, index: number): boolean {
  const before = line.slice(Math.max(0, index - 200), index);
  const after = line.slice(index, index + 200);
  const context = before + after;
  const quoted = before.split('"').length % 2 === 0 && after.includes('"');
  return quoted && injection.test(context) && !ownCase.test(context);
}

function around(text: string, index: number, length: number): string {
  return clip(text.slice(Math.max(0, index - 20), index + length + 40));
}
