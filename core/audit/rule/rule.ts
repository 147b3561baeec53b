import { escapePattern, formatQuote, isQuotedSpeech, plain, splitSentences, unmasked } from "../passage.ts";
import type { Quantity } from "../quantity.ts";
import type { AuditDraft, AuditFacts, CheckRun, Issue, Severity } from "../schema.ts";

/**
 * One check that needs no model. Each rule has a file of its own. `find` reads only the draft and the facts from outside the draft, and
 * returns an empty list if the draft has no fault.
 */
export type Rule<Facts = AuditFacts> = {
  /** The rule's name in reports, in kebab case. */
  readonly check: string;
  /** The rule's name for readers. */
  readonly label: string;
  /**
   * Who makes the check: the rule alone, or the rule and the model. If both the rule and the model make this check, the model's findings
   * have the same check name as the rule's findings.
   */
  readonly by: CheckRun["by"];
  /** The question that the rule cannot judge, worded so that it can stand at the end of a sentence. */
  readonly cannotJudge: string;
  /** If set, each finding of the rule is only a remark. The findings of rules without `onlyRemarks` can prevent a draft's approval. */
  readonly onlyRemarks?: true;
  /** If set, the model must write the service's own AI draft again after a finding of this rule. */
  readonly holdsOurs?: true;
  readonly find: (draft: AuditDraft, facts: Facts) => readonly Issue[];
};

/** A rule about wording, which needs no facts except the stock's names. */
export type WordingRule = Rule<Pick<AuditFacts, "stock">>;

/** Makes a finding about a passage: first the fault, then the quoted passage, and last the remedy. */
export function makeFinding(
  severity: Severity,
  check: string,
  fault: string,
  passage: string,
  remedy: string,
): Issue {
  return { severity, check, detail: `${fault}: ${formatQuote(passage)} ${remedy}` };
}

/** The end of a clause whose denial does not reach the words after it, and words that contain "no" but deny nothing. */
const assured =
  /^.*(?::(?! ?[\w.]{1,6}\)|\d)|, but\b)|\b(?:no|without|little) (?:doubt|question(?! of\b)|wonder)\b/gi;

/**
 * Whether the author's own words match a pattern. Only the first match is judged: this match does not count if it stands in a quotation, or
 * if its clause matches `denied` before it.
 */
export function isOwnWording(sentence: string, pattern: RegExp, denied?: RegExp): boolean {
  const match = pattern.exec(sentence);
  if (match === null || isQuotedSpeech(sentence, match.index)) return false;
  return denied?.test(sentence.slice(0, match.index).replace(assured, "")) !== true;
}

/** Makes at most three findings, each about a sentence in which the author's own words match a pattern, and each with a remedy. */
export function findWording(
  { headline, preview, body }: Pick<AuditDraft, "headline" | "preview" | "body">,
  { check, wrong, remedy }: { readonly check: string; readonly wrong: string; readonly remedy: string },
  patterns: readonly RegExp[],
  denied?: RegExp,
): readonly Issue[] {
  return [headline, preview, body]
    .flatMap((text) => splitSentences(plain(text)))
    .filter((sentence) => {
      const forms = [sentence, unmasked(sentence)];
      return patterns.some((pattern) => forms.some((form) => isOwnWording(form, pattern, denied)));
    })
    .slice(0, 3)
    .map((sentence) => makeFinding("high", check, wrong, sentence, remedy));
}

/** Endings such as "Inc." that articles leave out of company names. */
const suffix =
  /(?<![\s,])[\s,]+(?:inc|corp|corporation|company|co|plc|ltd|limited|holdings?|group|platforms?|class [a-c]|n\.?v|s\.?a|etf|trust)\.?$/i;

/** First words that many company names share. */
const common = /^(?:the|first|united|american|general|bank|global|international|national|new|advanced)$/i;

/** The names by which an article may call its stock: the symbol, the company's name, and the first word of that name. */
export function listStockNames({ stock }: Pick<AuditFacts, "stock">): readonly string[] {
  const company = shortenName(stock.name.replace(/\s*•.*$/, ""));
  const [first = ""] = company.split(/\s+/);
  const names = [stock.symbol, company, ...(first.length >= 4 && !common.test(first) ? [first] : [])];
  return [...new Set([...names, ...names.slice(1).map(toSentenceCase)])].filter((name) => name !== "");
}

/** Converts a company name in capitals to the usual spelling, such as "NVIDIA" to "Nvidia". */
function toSentenceCase(name: string): string {
  return /^\p{Lu}{5,}$/u.test(name) ? name.charAt(0) + name.slice(1).toLowerCase() : name;
}

function shortenName(name: string): string {
  const short = name.replace(suffix, "");
  return short === name || short === "" ? name : shortenName(short);
}

/** The stock's names as alternatives of a regular expression. */
export function makeNamePattern(facts: Pick<AuditFacts, "stock">): string {
  return listStockNames(facts).map(escapePattern).join("|");
}

/** Upper-case words that are not tickers. */
const acronyms = new Set(
  "USD USDG US UK EU UTC EST ET CEO CFO CTO EPS SEC ETF AI GDP CPI FED IPO Q1 Q2 Q3 Q4 YOY PE API NYSE PC TV UN FDA FTC DOJ EV ERC NFT II III IT AM PM OK FAQ PDF".split(
    " ",
  ),
);

/** Whether the passage names the ticker of another stock. */
export function hasOtherTicker(passage: string, { stock }: Pick<AuditFacts, "stock">): boolean {
  const tickers = passage.match(/\b[A-Z]{2,5}\b/g) ?? [];
  return tickers.some((ticker) => ticker !== stock.symbol && !acronyms.has(ticker));
}

const steps = [
  [1e12, " trillion"],
  [1e9, " billion"],
  [1e6, " million"],
] as const;
const signs: Readonly<Record<string, string>> = { USD: "$", EUR: "€", GBP: "£", JPY: "¥", INR: "₹" };

/** Formats a calculated result in the usual form of an article, such as "$4.9 billion". */
export function writeFigure(value: number, { kind, currency }: Pick<Quantity, "kind" | "currency">): string {
  if (kind === "percent") return `${formatNumber(value)}%`;
  const [size, name] = steps.find(([least]) => Math.abs(value) >= least) ?? [1, ""];
  const number = size === 1 ? formatNumber(value) : formatNumber(value / size);
  const sign = kind === "money" ? (signs[currency] ?? `${currency} `) : "";
  return `${sign}${number}${name}`;
}

function formatNumber(value: number): string {
  const digits = Math.abs(value) >= 1000 ? 0 : Math.abs(value) >= 100 ? 1 : 2;
  return value.toLocaleString("en-US", { maximumFractionDigits: digits });
}
