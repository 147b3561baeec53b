import type { AuditDraft, AuditFacts, Issue, Severity } from "../schema.ts";
import { clip } from "../text.ts";

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
  return { severity, check, detail: `${wrong}: "${clip(passage)}". ${remedy}` };
}
