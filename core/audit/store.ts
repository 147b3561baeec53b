import type { AllPorts } from "../ports.ts";
import { auditScale } from "../press/schema.ts";
import type { PressItem } from "../record/press.ts";
import { isWriteRefused, transact } from "../transact.ts";
import { findStopReason, makeMissingError, makeOutageError } from "./error.ts";
import { listWords } from "./passage.ts";
import { listChecks } from "./rule/index.ts";
import { quotedOrder } from "./rule/manipulation.ts";
import {
  type AuditOrder,
  AuditReport,
  type FullReport,
  type Issue,
  type Review,
  type RunFindings,
  type Severity,
  type Verdict,
} from "./schema.ts";

type Ports = Pick<AllPorts, "table" | "clock">;

/**
 * Decides the verdict. One transaction then stores the press's status and the report, and releases the press. The audit run was already
 * counted when the model was asked. If this function is called again for the same run, it finds the stored report and changes nothing.
 * Throws `edited_meanwhile`, `press_live` or, if another run has reserved the press, `audit_running` (all three `conflict`); in each of
 * these cases nothing is stored.
 */
export async function saveAudit(ports: Ports, findings: RunFindings): Promise<AuditReport> {
  const { id, run, revision } = findings.order;
  const [earlier, { data: press }] = await Promise.all([
    readRunReport(ports, findings.order),
    ports.table.entities.press.get({ id }).go({ consistent: true }),
  ]);
  if (earlier !== undefined) return earlier;
  if (press === null) throw makeMissingError();
  const report = makeReport(findings, ports.clock.now());
  const { verdict, score, summary, engine, auditedAt } = report;
  const written = await transact(ports.clock, () =>
    ports.table.transaction
      .write(({ press: presses, audit }) => [
        presses
          .patch({ id })
          .set({
            status: findStatus(verdict),
            audit: { verdict, score, summary, engine, auditedAt, found: countAllowedFindings(report.issues) },
            publisherHolds: report.facts.publisherHolds,
          })
          .remove(["auditRun", "auditRunUntil", "auditAsked"])
          .where((attribute, { eq, ne }) =>
            [
              eq(attribute.auditRun, run),
              eq(attribute.revision, revision),
              eq(attribute.auditAsked, revision),
              ne(attribute.status, "live"),
            ].join(" AND "),
          )
          .commit({ response: "all_old" }),
        // While this run has reserved the press, no other run changes the number of audits.
        audit.create({ id, number: press.auditCount, revision, run, report }).commit(),
      ])
      .go(),
  );
  if (!written.canceled) return AuditReport.parse(report);
  const found = written.data[0].item;
  throw isWriteRefused(written, 0) && found != null
    ? findStopReason(found, findings.order)
    : makeOutageError(new Error(`Storing the audit was cancelled: ${written.data.map(({ code }) => code)}`));
}

/** The report that an audit run has stored, or `undefined` if the run has not stored a report yet. */
export async function readRunReport(
  { table }: Pick<Ports, "table">,
  { id, run }: AuditOrder,
): Promise<AuditReport | undefined> {
  const { data } = await table.entities.audit.query.byPress({ id }).go({ consistent: true });
  const found = data.find((audit) => audit.run === run);
  return found === undefined ? undefined : AuditReport.parse(found.report);
}

/** The numbers of findings of low and of medium severity; a live press cannot have findings of a higher severity. */
function countAllowedFindings(issues: readonly Issue[]) {
  const count = (severity: Issue["severity"]) => issues.filter((issue) => issue.severity === severity).length;
  return { low: count("low"), medium: count("medium") };
}

function makeReport({ facts, issues, review, engine }: RunFindings, now: number): FullReport {
  const decision = decide({ issues, review });
  const { claims, unsupported, dropped } = review;
  return {
    ...decision,
    facts,
    engine,
    auditedAt: new Date(now).toISOString(),
    checks: listChecks(decision.issues),
    reading: { claims, unsupported, dropped },
  };
}

const order: readonly Severity[] = ["critical", "high", "medium", "low"];

export type Decision = Pick<AuditReport, "verdict" | "score" | "summary" | "issues">;

/**
 * Decides the verdict on a press from the findings of the rules and of the model. A finding of the rules has the same weight as a finding
 * of the model. A fault that both the rules and the model found counts once, with the higher of the two severities. The model's opinion is
 * not part of the score. The issues are sorted by severity, the worst first.
 */
export function decide(findings: { readonly issues: readonly Issue[]; readonly review: Review }): Decision {
  const { review } = findings;
  const added = review.issues.filter(
    (issue) => !findings.issues.some((rule) => isSameIssue(rule, issue) && !isOutweighed(rule, issue)),
  );
  // A rule's finding about a sum is kept here, because one passage may contain two wrong sums. If the model proves that the same sum is
  // wrong, `removeRepeats` removes the less severe finding.
  const kept = findings.issues.filter(
    (rule) =>
      rule.check === "arithmetic" ||
      !added.some((issue) => isSameIssue(rule, issue) && isOutweighed(rule, issue)),
  );
  const issues = removeRepeats(
    [...kept, ...added].toSorted((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity)),
  );
  const score = computeScore(issues);
  return {
    verdict: makeVerdict(score, issues),
    score,
    summary: `${review.summary} ${describeFindings(
      issues.filter((issue) => !added.includes(issue)),
      issues.filter((issue) => added.includes(issue)),
    )}`,
    issues,
  };
}

/** Patterns that match the text of a rule's finding and capture the number that the finding is about. */
const figurePatterns = [
  /^A (?:figure that does not add up: [^"\n]*?, |price that the quote does not support \()the text says ([^\s,:()]*\d[^,:()]*?)(?:[,:)]|$)/,
  /^None of the sources that the draft was written from gives ([^:]+):/,
  /^The (?:draft|headline|preview) says (.+?), (?:its source|the body) says otherwise/,
  /^Where does the text give this figure of the (?:headline|preview)\?: "([^"]+)"/,
];

/**
 * Keeps only the worst of several findings about one wrong number. One wrong number may break several rules in several places, but should
 * lower the score only once. If both the rules and the model remark on the sources, only one of the two remarks is kept.
 */
function removeRepeats(issues: readonly Issue[]): readonly Issue[] {
  const known = new Set<string>();
  return issues.filter(({ check, severity, detail }) => {
    if (check === "sources" && severity === "low") return !known.has(check) && known.add(check);
    const figure = figurePatterns
      .map((pattern) => pattern.exec(detail)?.[1])
      .find((one) => one !== undefined);
    if (figure === undefined) return true;
    const key = figure.toLowerCase().replace(/\s+/g, " ").trim();
    return !known.has(key) && known.add(key);
  });
}

/** The press's status after a verdict (specification §3). */
export function findStatus(
  verdict: Verdict,
): Extract<PressItem["status"], "approved" | "revise" | "rejected"> {
  return ({ approve: "approved", revise: "revise", reject: "rejected" } as const)[verdict];
}

/**
 * The verdict as defined in design §2, derived from the score and the issues. In the given list of issues, the worst issue must come first.
 */
export function makeVerdict(score: number, issues: readonly Issue[]): Verdict {
  const worst = issues[0]?.severity;
  if (worst === "critical") return "reject";
  if (score >= auditScale.approve && worst !== "high") return "approve";
  return score < auditScale.revise ? "reject" : "revise";
}

/** A text that must be changed before approval always scores lower than a text that need not be changed. */
function computeScore(issues: readonly Issue[]): number {
  const left = 100 - issues.reduce((total, { severity }) => total + auditScale.penalties[severity], 0);
  const isGrave = issues[0]?.severity === "high" || issues[0]?.severity === "critical";
  return Math.max(0, isGrave ? Math.min(left, auditScale.approve - 1) : left);
}

/**
 * Whether a model's finding is more severe than a rule's finding about the same passage, so that the model's finding counts. If a draft
 * only quotes an order to a model, the rule's remark always counts, because the rules allow such a quotation on purpose.
 */
function isOutweighed(rule: Issue, issue: Issue): boolean {
  return order.indexOf(issue.severity) < order.indexOf(rule.severity) && !isQuotedOrder(rule);
}

const isQuotedOrder = ({ detail }: Issue) => detail.startsWith(`${quotedOrder}:`);

/**
 * Whether a rule's and a model's finding have the same check and passage. If a draft quotes an order to a model, the rule's remark covers
 * only the quotation.
 */
function isSameIssue(rule: Issue, issue: Issue): boolean {
  if (rule.check !== issue.check) return false;
  const [ours, models] = [readQuotedText(rule), readQuotedText(issue)];
  if (ours === "" || models === "") return false;
  // If the model's finding shows only the beginning of its passage, the rest may lie outside the words that the draft quotes.
  if (isQuotedOrder(rule)) return ours.includes(models) && !issue.detail.includes('…"');
  return ours.includes(models) || models.includes(ours);
}

function readQuotedText({ detail }: Issue): string {
  const quoted = /"(.+)"/s.exec(detail)?.[1] ?? "";
  // The last word of a shortened passage may be incomplete.
  return listWords(quoted.endsWith("…") ? quoted.slice(0, quoted.lastIndexOf(" ")) : quoted).join(" ");
}

/** Writes a sentence about the number of the rules' findings and the number of the model's findings. */
function describeFindings(rules: readonly Issue[], model: readonly Issue[]): string {
  if (rules.length + model.length === 0) return "No issues found.";
  const byRules = rules.length === 0 ? "no issues" : countBySeverity(rules);
  return `The rules found ${byRules}. The model found ${model.length === 0 ? "nothing more" : countBySeverity(model)}.`;
}

function countBySeverity(issues: readonly Issue[]): string {
  return order
    .flatMap((severity) => {
      const count = issues.filter((issue) => issue.severity === severity).length;
      return count === 0 ? [] : [`${count} ${severity}`];
    })
    .join(", ");
}
