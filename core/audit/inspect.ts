import type { Draft, Source } from "../draft/schema.ts";
import type { Quote, Stock } from "../market/schema.ts";
import { clip } from "./passage.ts";
import { arithmetic } from "./rule/arithmetic.ts";
import { dates } from "./rule/dates.ts";
import { figures } from "./rule/figures.ts";
import { hidden, manipulation } from "./rule/manipulation.ts";
import { outlets } from "./rule/outlets.ts";
import { advice, disclosure, promises, pump } from "./rule/promotion.ts";
import type { Rule } from "./rule/rule.ts";
import { copied, echo, grounding, sources } from "./rule/sources.ts";
import { headline, preview, reversal } from "./rule/teaser.ts";
import type { AuditDraft, AuditFacts, Issue } from "./schema.ts";

/** Design §6: the checks that need no model. */
const checks: readonly Rule[] = [
  manipulation,
  hidden,
  promises,
  advice,
  disclosure,
  figures,
  arithmetic,
  dates,
  grounding,
  headline,
  reversal,
  preview,
  sources,
  outlets,
  pump,
  copied,
  echo,
];

/** Everything that the rules find in a draft: always the same for the same draft and facts. */
export function inspect(draft: AuditDraft, facts: AuditFacts): readonly Issue[] {
  return checks.flatMap((check) => check(draft, facts));
}

/** What no draft of ours may be found at fault with: what rules can compute, and what a writer took over. */
const ours: ReadonlySet<string> = new Set([
  "arithmetic",
  "figures",
  "dates",
  "copied",
  "sources",
  "promises",
  "advice",
  "pump",
  "manipulation",
  "hidden",
]);

type Known = {
  readonly stock: Stock;
  /** Without a quote nothing can be said of prices, and the rules are not asked. */
  readonly quote?: Quote | undefined;
  readonly sources: readonly Source[];
  /** ISO 8601 UTC. */
  readonly now: string;
};

/**
 * What our own audit's rules would find in an AI draft before it is handed out, or `undefined`. So a draft of ours is not
 * refused for what its publisher did not write.
 */
export function faultOfOwn(draft: Draft, { stock, quote, sources, now }: Known): string | undefined {
  if (quote === undefined) return undefined;
  const audited = { ...draft, stock: stock.symbol, publisherName: "", aiAssisted: true };
  const facts = { quote, stock, sources, gatheredAt: now };
  const issues = inspect(audited, {
    ...facts,
    publisherHolds: false,
    publisherBalance: "0",
    similar: [],
  });
  const fault = issues.find(({ severity, check }) => severity !== "low" && ours.has(check));
  return fault === undefined ? undefined : clip(fault.detail, 300);
}
