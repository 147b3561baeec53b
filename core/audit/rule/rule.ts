import { literally, quotation } from "../passage.ts";
import type { AuditDraft, AuditFacts, Issue, Severity } from "../schema.ts";

/** A check without a model: what it finds in a draft, given what is known outside it. Nothing is good news. */
export type Rule = (draft: AuditDraft, facts: AuditFacts) => readonly Issue[];

/** A finding about a passage, which it quotes: first what is wrong, last what to do. */
export function finding(
  severity: Severity,
  check: string,
  wrong: string,
  passage: string,
  remedy: string,
): Issue {
  return { severity, check, detail: `${wrong}: ${quotation(passage)} ${remedy}` };
}

/** What a company's name ends with and nobody writes. */
const suffix =
  /[\s,]+(?:inc|corp|corporation|company|co|plc|ltd|limited|holdings?|group|platforms?|class [a-c]|n\.?v|s\.?a|etf|trust)\.?$/i;

/** First words that many names share. */
const common = /^(?:the|first|united|american|general|bank|global|international|national|new|advanced)$/i;

/** The names under which an article speaks of its stock: symbol, company, and the company's first word. */
export function namesOf({ stock }: Pick<AuditFacts, "stock">): readonly string[] {
  const company = shortened(stock.name.replace(/\s*•.*$/, ""));
  const [first = ""] = company.split(/\s+/);
  const names = [stock.symbol, company, ...(first.length >= 4 && !common.test(first) ? [first] : [])];
  return [...new Set([...names, ...names.slice(1).map(inSentences)])].filter((name) => name !== "");
}

/** "NVIDIA" is written "Nvidia" in most texts. */
function inSentences(name: string): string {
  return /^\p{Lu}{5,}$/u.test(name) ? name.charAt(0) + name.slice(1).toLowerCase() : name;
}

function shortened(name: string): string {
  const short = name.replace(suffix, "");
  return short === name || short === "" ? name : shortened(short);
}

/** The same as alternatives of a regular expression. */
export function namePattern(facts: Pick<AuditFacts, "stock">): string {
  return namesOf(facts).map(literally).join("|");
}

/** Upper-case words that are no tickers. */
const acronyms = new Set(
  "USD USDG US UK EU UTC EST ET CEO CFO CTO EPS SEC ETF AI GDP CPI FED IPO Q1 Q2 Q3 Q4 YOY PE API NYSE PC TV UN FDA FTC DOJ EV ERC NFT II III IT AM PM OK FAQ PDF".split(
    " ",
  ),
);

/** Whether the passage names another ticker than the stock's. */
export function namesOthers(passage: string, { stock }: Pick<AuditFacts, "stock">): boolean {
  const tickers = passage.match(/\b[A-Z]{2,5}\b/g) ?? [];
  return tickers.some((ticker) => ticker !== stock.symbol && !acronyms.has(ticker));
}
