import type { Draft, Source } from "../../draft/schema.ts";
import type { Quote, Stock } from "../../market/schema.ts";
import { clip } from "../passage.ts";
import type { AuditDraft, AuditFacts, CheckRun, Issue } from "../schema.ts";
import { advice } from "./advice.ts";
import { arithmetic } from "./arithmetic.ts";
import { copied } from "./copied.ts";
import { dates } from "./dates.ts";
import { disclosure } from "./disclosure.ts";
import { figures } from "./figures.ts";
import { headline, preview } from "./headline.ts";
import { hidden } from "./hidden.ts";
import { manipulation } from "./manipulation.ts";
import { outlets } from "./outlets.ts";
import { price } from "./price.ts";
import { promises } from "./promises.ts";
import { pump } from "./pump.ts";
import type { Rule, WordingRule } from "./rule.ts";
import { sources } from "./sources.ts";
import { subject } from "./subject.ts";

/**
 * Every check that needs no model (design §6). Each rule of the audit is one object in a file of its own, and has one line in the list
 * `rules`.
 */
export const rules: readonly Rule[] = [
  arithmetic,
  figures,
  dates,
  subject,
  hidden,
  copied,
  manipulation,
  outlets,
  sources,
  headline,
  preview,
  promises,
  advice,
  pump,
  disclosure,
  price,
];

/** All findings of the rules in a draft. The same draft and facts always give the same findings. */
export function applyRules(draft: AuditDraft, facts: AuditFacts): readonly Issue[] {
  return rules.flatMap((rule) => applyRule(rule, draft, facts));
}

/**
 * The findings of one rule. If a rule has `onlyRemarks`, each of its findings gets the severity `low`, whatever severity the rule itself
 * gave.
 */
function applyRule(rule: Rule, draft: AuditDraft, facts: AuditFacts): readonly Issue[] {
  const found = rule.find(draft, facts);
  return rule.onlyRemarks ? found.map((issue) => ({ ...issue, severity: "low" })) : found;
}

type RuleFacts = {
  readonly stock: Stock;
  /** The stock's quote. If there is no quote, the rules do not run, because the prices in the text cannot be judged. */
  readonly quote?: Quote | undefined;
  readonly sources: readonly Source[];
  /** The time of the check, in ISO 8601 and UTC. */
  readonly now: string;
};

/**
 * The first fault that the audit's rules find in a draft that our own AI wrote, or `undefined`. The check runs before the publisher gets
 * the draft, so that the audit does not later refuse words that the publisher did not write.
 */
export function findDraftFault(draft: Draft, { stock, quote, sources, now }: RuleFacts): string | undefined {
  if (quote === undefined) return undefined;
  const audited = { ...draft, stock: stock.symbol, publisherName: "", aiAssisted: true };
  const facts = { quote, stock, sources, gatheredAt: now, publisherHolds: false, publisherBalance: "0" };
  const fault = rules
    .filter(({ holdsOurs }) => holdsOurs)
    .flatMap((rule) => applyRule(rule, audited, { ...facts, similar: [] }))
    // In a publisher's own text, a figure that no source gives causes only a remark; our own AI draft must not contain such a figure.
    .find(({ severity, check }) => severity !== "low" || check === "figures" || check === "copied");
  return fault === undefined ? undefined : clip(fault.detail, 300);
}

/** The rules that can judge a few sentences without the text around them. */
const ofWording: readonly WordingRule[] = [arithmetic, hidden, manipulation, promises, advice, pump];

/**
 * The finding that makes the service refuse a note on a live press; `undefined` if the note has no fault. The note is refused if the same
 * words in a draft would cause a finding that alone prevents approval.
 */
export function findNoteFault(
  text: string,
  { symbol, name }: Pick<Stock, "symbol" | "name">,
): Issue | undefined {
  const draft = {
    headline: "",
    stock: symbol,
    publisherName: "",
    preview: "",
    body: text,
    aiAssisted: false,
  };
  const facts = { stock: { symbol, name, address: "" } };
  return ofWording
    .flatMap((rule) => rule.find(draft, facts))
    .find(({ severity }) => severity === "high" || severity === "critical");
}

/** The checks that only a model makes. Each check has a name for readers and a phrase that says what the check cannot judge. */
const read: readonly (readonly [check: string, label: string, cannotJudge: string])[] = [
  ["allegations", "Accusations", "whether an allegation is true"],
  ["quotes", "Quotations", "whether a person said it"],
  ["contradiction", "Contradictions", "which of two passages is the right one"],
  ["balance", "Balance", "risks that neither the text nor the model knows of"],
  ["substance", "Substance", "how new the text is to a reader"],
];

/** Every check of an audit, with a phrase that says what the check cannot judge. */
const checks: readonly Omit<CheckRun, "found">[] = [
  ...rules.map(({ check, label, by, cannotJudge }) => ({ check, label, by, cannotJudge })),
  ...read.map(([check, label, cannotJudge]) => ({ check, label, by: "model" as const, cannotJudge })),
];

/** The checks that ran, each with the number of its findings, which may be zero. */
export function listChecks(issues: readonly Issue[]): readonly CheckRun[] {
  return checks.map((one) => ({ ...one, found: issues.filter(({ check }) => check === one.check).length }));
}
