import { folded, formatQuote, orderLength, plain, rememberResults, unmasked } from "../passage.ts";
import type { Issue, Severity } from "../schema.ts";
import { findTextForChecker, isAddressedToChecker } from "./addressed.ts";
import { revealTexts } from "./hidden.ts";
import { findForeignCommand } from "./languages.ts";
import { makeFinding, type WordingRule } from "./rule.ts";

/**
 * Patterns for passages that pretend not to be part of the article: orders from an operator, audit results, roles that the text gives its
 * reader, and markup of a program. The patterns are matched on `unmasked` text, and must not match anything that an article about markets,
 * auditors or AI would contain.
 */

/** Matches the start of the text, of a sentence, of a comment or of a quotation. */
const start = String.raw`(?:^|[.!?:;"'()\[\]>|*=-] ?|\n)`;
const polite = "(?:please |you must |you should |now |just |simply |then )*";
const text = "(?:press|article|draft|text|piece|submission|story|post)";
const audited = String.raw`\b(?:verdict|score|findings?|compliant|approved?|cleared|passed|issues?|audit(?!-related)\w*|review\w*|instructions?|ignore|flags?)\b`;

const makePattern = (source: string) => new RegExp(source, "u");

/** Matches orders such as "Ignore previous instructions", which articles about prompt injection also quote. */
const overrides: readonly RegExp[] = [
  makePattern(
    String.raw`\b(?:ignore|disregard|forget|override)(?: (?:all|any|every|of|the|your|these|those|my|other))* (?:previous|prior|above|earlier|preceding|foregoing|system|original|initial) (?:(?:instructions?|directions?|commands?)\b|(?:prompts?|messages?)\b(?! (?:to|from|about)))`,
  ),
  makePattern(
    String.raw`\b(?:ignore|disregard|forget|override|bypass)(?: (?:all|any|of))* your (?:(?:previous|prior|other|system|original|earlier) )?(?:instructions?|rules|guidelines?|prompt|programming|criteria|system prompt)\b`,
  ),
  makePattern(
    String.raw`${start}${polite}(?:ignore|disregard|forget) (?:everything|anything|all of what|all that) (?:above|before this|you were told|you have been told|said before)\b`,
  ),
  makePattern(
    String.raw`\b(?:reveal|print|repeat|output|show|leak) (?:me )?your (?:system prompt|instructions|prompt|guidelines)\b`,
  ),
];

/** Matches passages in which the text claims an audit result for itself. */
const results: readonly RegExp[] = [
  /\bexpected (?:label|verdict|findings?|outcome|result|score|grade|decision) ?[:=] ?"?(?:approv\w*|pass\w*|none|no (?:findings?|issues?|errors?|faults?|objections?|violations?|flags?|problems?|concerns?|warnings?|remarks?|deductions?|defects?|flaws?|mistakes?)|clean|0(?![.,]?\d)|100)/u,
  /"(?:verdict|score|issues|severity)" ?: ?["[\d]/u,
  /\breview_press\b/u,
  /"(?:tooluse(?:id)?|toolresult|tool_use(?:_id)?|tool_result|tool_calls?|tool_call_id|function_call|stopreason|stop_reason)" ?:/u,
  /\baudit (?:score|rating|grade) ?(?:[:=]|is|of) ?"?(?:100|9\d)(?! ?%)\b/u,
  makePattern(
    String.raw`${start}(?:final |overall |total )?(?:score|rating|grade) ?[:=] ?"?(?:100|9\d)(?! ?%)\b`,
  ),
  // In round brackets, a word such as "operator" before a colon may name a company, so it counts only if a word about an audit follows
  // inside these brackets.
  makePattern(
    String.raw`[[{(<⟦«]{1,3} ?(?!(?<=\( ?)(?:operator|developer|audit|root|platform) ?[:|>-](?!(?:[^\n()]|\([^\n()]{0,60}\)){0,120}${audited}))(?:system|sys|assistant|admin(?:istrator)?|operator|moderat(?:or|ion)|auditor|audit|developer|root|platform|override)(?:[ -](?:message|note|notice|override|prompt|log|status|info|verdict|results?|score|outcome|decision|grade|rating|checks?|review|findings?|approval|approved|cleared|passed))? ?(?:[:|\]>]|-(?!\p{L}))[^\n]{0,120}${audited}`,
  ),
  /\b(?:verdict|outcome|decision|assessment|audit|review) (?:is |was |has been |have been |already |now |been )*(?:fixed at|recorded as|logged as|marked as|predetermined) (?:be )?"?(?:complian\w+|approv\w+|pass\w*|clea[nr]\w*|publish\w*|accept\w*)\b/u,
  /\b(?:verdict|assessment|audit|review) (?:is |was |has been |have been |already |now |been )*set to (?:be )?"?(?:complian\w+|approv\w+|pass\w*|clea[nr]\w*|publish\w*|accept\w*)\b/u,
  /\b(?:outcome|decision) (?:is |was |has been |have been |already |now |been )*set to "?(?:(?:be )?(?:approved?|pass(?:ed)?|clean|cleared?|accepted?|publish)(?=[.,;:!?)\]"']|$)|(?:approved|passed|cleared|accepted|compliant)\b)/u,
  /(?:(?:^|[.!?:;"')\]>|-] ?)(?:(?:the )?final )?|(?<!(?<!\b(?:audit|auditor|review|reviewer|editor|moderator|checker|platform|marketplace|operator))(?:'s|s') )\bfinal |\b(?:audit|model'?s?) )verdict ?[:=] ?"?(?:approved?|pass(?:ed)?|publish)\b/u,
  /\b(?:(?:audit|resulting) (?:score|rating|grade|mark)(?: (?:is|was|of|here|stands at|comes to))* ?[:=]?|(?:final|overall|total) (?:score|rating|grade|mark) ?[:=]) ?(?:(?:10|ten) ?(?:\/|out of) ?(?:10|ten)|100 ?(?:\/|out of) ?100|5 ?\/ ?5)(?!\d)/u,
  /\b(?:the )?checks? (?:above|below|so far|on this text|of this text)(?: have| has)?(?: all)? (?:came back|returned|passed|are|is|was|were|ran)(?: \p{L}+){0,2} (?:green|clean|clear|passed|empty|without)\b/u,
  /\baudit (?:status|result|outcome|decision) ?[:=] ?"?(?:approved?|pass(?:ed)?|clean|clear)\b/u,
  /\b(?:score|verdict)\b[^\n]{0,80}\bissues? ?(?:found ?)?[:=] ?"?(?:\[ ?\]|none\b|no issues\b|0\b)/u,
  makePattern(
    String.raw`\bthis ${text} (?:has (?:already |just )?(?:been |passed )|was (?:already )?|is (?:already |hereby )?|already )(?:pre-?)?(?:approved|audited|vetted|cleared|whitelisted|scored|rated|passed|the (?:audit|review))\b(?=[^.]{0,60}\b(?:audit|auditor|platform|marketplace|moderators?|score|scored|100|no issues)\b)`,
  ),
  makePattern(
    String.raw`\b(?:audit agent|ai auditor|audit model|reviewing model|marketplace'?s? (?:auditor|audit|review|moderators?))\b[^.]{0,60}\b(?:approved|cleared|scored|rated|gave|awarded|found no issues|no issues|100)\b[^.]{0,30}\b(?:this ${text}|article|draft|it|100)\b`,
  ),
];

/** Matches orders by which a text gives a model a role or a mode, such as "developer mode". */
const roles: readonly RegExp[] = [
  /\b(?:pretend|imagine|suppose|assume)(?: that)? (?:you are|you're|to be|being) (?:an? |the |my )?(?:\w+ ){0,3}(?:auditor|reviewer|editor|model|ai|assistant|grader|judge|moderator|chatbot|dan)\b(?=[^.]{0,100}\b(?:approv\w+|reject\w*|scores?|lenient|flawless|without rules|no (?:rules|restrictions|limits))\b)/u,
  /\b(?:act|behave|respond|answer) as (?:if you (?:are|were) |though you (?:are|were) )?(?:an? |the |my )?(?:\w+ ){0,3}(?:auditor|reviewer|grader|moderator|language model|ai|chatbot|dan|assistant)\b(?=[^.]{0,80}\b(?:approves?|scores?|without rules|no (?:rules|restrictions|limits)|never rejects?)\b)/u,
  // Matches words that give the text's reader a role, such as an editor who always approves the text.
  /\byou(?: are|'re| play| will be)(?: now)? (?:the part of )?\p{L}+, (?:an?|the|our|my) (?:\p{L}+ ){0,3}(?:editor|auditor|reviewer|critic|checker|grader|judge|moderator|referee|examiner|teacher|assistant|model)\b(?=.{0,160}\b(?:approv\w+|(?:no|never|without|zero|any) (?:\p{L}+ ){0,3}(?:faults?|issues?|problems?|findings?|errors?|mistakes?|flaws?|reject\w*)|perfect|flawless|full marks|100|10\/10)\b)/u,
  /\byou(?: are|'re) (?:now in|now entering|switched to) (?:debug|developer|test|god|dan|unrestricted|admin|jailbreak)[ -]mode\b/u,
  /\b(?:audit|auditor|review|reviewer|grading) (?:is|are|runs?|enters?) (?:now )?in (?:debug|developer|test|maintenance|dry[ -]run|training) mode\b/u,
  /\bfrom now on,? you (?:are (?:an? |the )?(?:\w+ )?(?:auditor|reviewer|ai|model|assistant|\w*bot|dan)|(?:will|must) (?:act|approve|answer|respond|score))\b/u,
  /\byour (?:new|real|actual) (?:role|task|instructions?) (?:is|are|:)/u,
  /\bi am (?:the|an?|your) (?:\w+ )?(?:developer|administrator|admin|operator|owner|creator|engineer) (?:of|at|from|behind|for) (?:this|the|your) (?:marketplace|platform|site|service|audit|model|system)\b/u,
  makePattern(
    String.raw`(?:\b(?:concatenate|join|combine|decode|decrypt|translate|reverse)|${start}${polite}read) (?:the|these|both|this|it|them|a and b)\b[^.]{0,60}\b(?:strings?|text|parts|halves|base64|code|letters|words|variables?|message)\b[^.]{0,40}\b(?:and|then) (?:obey|execute|follow|carry out|comply)\b`,
  ),
];

/** Matches markup that pretends that the article ends and that something else begins. */
const disguises: readonly RegExp[] = [
  // Matches tags such as `<verdict>`, which a page of text never contains.
  /<\/?(?:evaluation|verdict|findings?|issues?|score|audit\w*|review\w*|assessment|decision|moderation|grade|rating|approval|checks?|checker|compliance|classification|judg(?:e)?ment|outcome|policy|user|prompt|context|override|response|message|status|result)s?(?: [^<>]{0,200})?\/?>/u,
  /<\/? ?(?:press|facts|system|assistant|instructions?|system[_-]prompt|tool_(?:use|result|call)s?|function_calls?|admin|developer|auditor|reviewer)\b[^<>]{0,80}>/u,
  /<\|[a-z_]{2,20}\|>/u,
  /\[\/?(?:inst|system|sys|admin|auditor|assistant|tool_result|end of (?:press|article|data|document))\]|<<\/?sys>>/u,
  /(?:^|\n)\s{0,9}(?:#{1,6} ?)?(?:system|developer|admin) (?:prompt|message|instructions?|override) ?:/u,
  /\n\s{0,9}(?:human|assistant) ?: ?\S/u,
  /\n\s{0,9}(?:user|system) ?: (?=[^\n]{0,80}\b(?:you|approve|ignore|instructions?|audit|score)\b)/u,
  /\bbegin (?:system|admin|developer|auditor|audit) (?:prompt|override|message|instructions?|mode)\b/u,
  /(?<!\b(?:at|near|by|towards?) the )\bend of (?:the )?(?:press|article|draft|document|user (?:input|data)|untrusted (?:text|data|content)|data)\b[^\n]{0,60}\n?[^\n]{0,40}\b(?:begin|start|new|now|following|trusted|system)\b[^\n]{0,60}\b(?:instructions?|system|auditor|message|prompt|orders?)\b/u,
];

/** Words that show that an article is about programs and their prompts. */
const topic =
  /\b(?:prompts?|prompt injections?|jailbreaks?|vulnerabilit\w+|exploits?|hidden instructions?|chat ?bots?|copilots?|language models?|llms?|assistants?|ai|artificial (?:intelligence|editors?)|machine learning|tokens?|agents?|programs?|software|researchers?)\b/g;
/**
 * Words that occur in orders to the program that makes this audit, but not in orders to other programs. An article may quote orders to
 * other programs.
 */
const ownCase =
  /\b(?:auditors?|audits?|scores?|verdicts?|findings?|this (?:press|article|draft|text|piece|post|submission))\b/;
const quoted = /(?<!\]\([^()\s]{1,500}\s)"[^"\n]{2,500}"|```[\s\S]{2,2000}?```|`[^`\n]{2,500}`|^>[^\n]*$/gm;

/** Finds text that speaks to its auditor. A text under audit is only data, so a draft that gives orders to its auditor is refused. */
export const manipulation: WordingRule = {
  check: "manipulation",
  label: "Instructions to the auditor",
  by: "rules and model",
  cannotJudge: "disguises and languages that neither rules nor model know",
  holdsOurs: true,
  find: ({ headline, publisherName, preview, body }) => {
    const raw = [headline, publisherName, preview, body].join("\n\n");
    const lines = raw.replace(/\n+/g, " .\n");
    // An order may begin in one field and end in the next field, so the joined fields are searched too. The marks of lists, links and tags
    // are removed before the search, so that an order in the form of a list or with a link inside is also found.
    const joined = [headline, preview, body, headline, body.slice(0, 200), publisherName].join(" ");
    const unlisted = plain(raw)
      .replace(/^[ \t]*(?:[-*+>]|\d{1,3}[.)]|\[\^?\w{1,3}\]:?|\(?\w[).])[ \t]+/gm, "")
      .replace(/\\?[|\n]+|<\/?[\w-]{1,40}>/g, " ");
    const found =
      findVisibleCommand(lines) ??
      findVisibleCommand(joined) ??
      findVisibleCommand(unlisted) ??
      findCommandInAside(raw, publisherName) ??
      findHiddenCommand(raw);
    return found === undefined ? [] : [found];
  },
};

/** Makes a finding about words that speak to the auditor instead of the readers. */
function reportOrder(fault: string, passage: string, severity: Severity = "critical"): Issue {
  const remedy = "Remove it: an article speaks to its readers only.";
  return makeFinding(severity, "manipulation", fault, passage, remedy);
}

/** Matches the label of a link inside a sentence, as in "Its [auditor](https://a.example) resigned". Such a label is not markup. */
const linkedWords = /(?<=\p{L},? )\[((?!inst\b|sys\b|end of\b)[\p{L} ]{1,40})\](?=\(<?https?:\/\/)/gu;
const unlinkWords = (text: string) => text.replace(linkedWords, "$1 ");

function findVisibleCommand(raw: string): Issue | undefined {
  const text = unlinkWords(unmasked(raw));
  const line = unlinkWords(lineOf(raw));
  return (
    findMatch(disguises, text, "Markup that pretends to be part of the audit") ??
    findMatch(results, line.replaceAll("\\", ""), "The text states its own audit result") ??
    findCommandIssue(raw)
  );
}

/** The beginning of the remark about a quoted order in an article about programs. No finding of the model replaces this remark. */
export const quotedOrder = "An order to a model, quoted as an example";

/** Finds an order to the program that makes the audit. If an article about programs quotes an order, the order leads only to a remark. */
function findCommandIssue(raw: string): Issue | undefined {
  const order = findCommand(raw);
  if (order?.severity !== "critical") return order;
  const text = folded(raw);
  const quotes = (text.match(quoted) ?? []).filter((quote) => findCommand(quote) !== undefined);
  if (quotes.length === 0 || quotes.some((quote) => ownCase.test(quote.toLowerCase()))) return order;
  const own = text.replace(quoted, ' "" ');
  const isTopic = new Set(own.toLowerCase().match(topic)).size >= 2;
  const isExample = isTopic && findCommand(own) === undefined;
  // The marks around the passage are removed, so that the passage is shortened at the same word as the model's excerpt.
  const [passage = ""] = quotes.map((quote) => quote.replace(/^[">`\s]+|(?<!["`\s])["`\s]+$/g, ""));
  const detail = `${quotedOrder}: ${formatQuote(passage, orderLength)} Paraphrase it.`;
  return isExample ? { severity: "low", check: "manipulation", detail } : order;
}

function findCommand(raw: string): Issue | undefined {
  const line = lineOf(raw);
  return (
    findMatch(roles, line, "The text gives its auditor a role or a task") ??
    findMatch(overrides, line, "The text gives its auditor orders") ??
    findAppeal(line) ??
    checkForeignText(raw)
  );
}

/** Matches texts beside the article: descriptions of pictures, titles of links, comments. */
const asides: readonly RegExp[] = [
  /!\[([^\]\n]{8,600})\]/g,
  /\]\([^()\s]{1,2000}\s+["'(]([^\n]{8,600}?)["')]\s*\)/g,
  /^[ \t]{0,3}\[[^\]\n]{1,99}\]:[ \t]*\S+[ \t]+["'(]([^\n]{8,600}?)["')][ \t]*$/gm,
  /<!--([\s\S]{8,1000}?)-->/g,
];

function findCommandInAside(raw: string, byline: string): Issue | undefined {
  const texts = [
    byline,
    ...asides.flatMap((pattern) => [...raw.matchAll(pattern)].map(([, text = ""]) => text)),
  ];
  const found = texts.slice(0, 60).find((text) => isAddressedToChecker(lineOf(text)));
  return found === undefined
    ? undefined
    : reportOrder(
        "Words to a checker in a byline, a link's title, a picture's description or a comment",
        found,
      );
}

const lineOf = rememberResults(
  (text: string): string =>
    unmasked(text)
      .replace(/[*_~`#]/g, "")
      .replace(/\s+/g, " ")
      .trim(),
  64,
);

/**
 * Finds an order in text that only a program reads. Hidden text does not quote orders as examples, so every order in hidden text is a
 * fault.
 */
function findHiddenCommand(raw: string): Issue | undefined {
  for (const { trick, text } of revealTexts(raw)) {
    const line = unlinkWords(unmasked(text)).replace(/\s+/g, " ");
    const order =
      findMatch([...overrides, ...results, ...roles, ...disguises], line, "") ??
      findAppeal(line) ??
      checkForeignText(text);
    if (order !== undefined) return reportOrder(`An order to the auditor, hidden by ${trick}`, line);
  }
  return undefined;
}

function findMatch(patterns: readonly RegExp[], text: string, fault: string): Issue | undefined {
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match === null) continue;
    return reportOrder(fault, text.slice(Math.max(0, match.index - 20), match.index + match[0].length + 40));
  }
  return undefined;
}

/** Finds words that speak to the program or person that checks the text. */
function findAppeal(line: string): Issue | undefined {
  const found = findTextForChecker(line);
  if (found === undefined) return undefined;
  return reportOrder(
    "The text speaks to the program or person that checks it",
    found.passage,
    found.isHint ? "low" : "critical",
  );
}

const orderAbroad = rememberResults(
  (raw: string) => ({ order: findForeignCommand(toLowerCaseText(raw)) }),
  64,
);

/** Finds an order to the program that makes the audit, if the order is not in English. */
function checkForeignText(raw: string): Issue | undefined {
  const { order } = orderAbroad(raw);
  return order === undefined ? undefined : reportOrder("The text gives its auditor orders", order);
}

/** Converts a text to lower case but keeps accents and marks, which change the meaning of words in other writing systems. */
function toLowerCaseText(raw: string): string {
  return raw
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replace(/[*_~`#]/g, "")
    .replace(/[^\S\n]+/g, " ")
    .toLowerCase();
}
