import type { Issue } from "../schema.ts";
import { clip, unmasked } from "../text.ts";
import { commands, disguises, overrides } from "./orders.ts";
import { finding, type Rule } from "./rule.ts";

const remedy = "Remove it: an article speaks to its readers only.";

/** Letters from the Unicode tag block, which show nothing. Flags of regions have up to six. */
const invisible = /[\u{E0020}-\u{E007E}]{8,}/u;

/** What an article about prompt injection speaks of. */
const injection =
  /\b(?:prompt injections?|jailbreaks?|researchers?|attack(?:s|ers?)?|vulnerabilit\w+|exploits?|hidden instructions?|chatbots?|copilot|security)\b/;
const ownCase = /\b(?:auditor|audit|reviewer|score|approve|verdict|this (?:press|article|draft|text))\b/;

/** Text that addresses whoever audits it. What is under audit is data: a draft that gives orders is refused. */
export const manipulation: Rule = ({ headline, publisherName, preview, body }) => {
  const raw = [headline, publisherName, preview, body].join("\n\n");
  const text = unmasked(raw);
  const line = text.replace(/[*_~`#]/g, "").replace(/\s+/g, " ");
  const found =
    first(disguises, text, "Markup that poses as part of the audit") ??
    first(commands, line, "The text speaks to its auditor") ??
    override(line) ??
    hidden(raw);
  return found === undefined ? [] : [found];
};

function first(patterns: readonly RegExp[], text: string, wrong: string): Issue | undefined {
  const match = patterns.map((pattern) => pattern.exec(text)).find((candidate) => candidate !== null);
  return match === undefined || match === null
    ? undefined
    : finding("critical", "manipulation", wrong, around(text, match.index, match[0].length), remedy);
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

function hidden(raw: string): Issue | undefined {
  if (!invisible.test(raw)) return undefined;
  const detail = `The text carries invisible letters that only a program reads. ${remedy}`;
  return { severity: "critical", check: "manipulation", detail };
}

function around(text: string, index: number, length: number): string {
  return clip(text.slice(Math.max(0, index - 20), index + length + 40));
}
