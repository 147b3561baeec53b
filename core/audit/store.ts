import type { Clock } from "../port/clock.ts";
import type { Table } from "../table.ts";
import { refused, transact } from "../transact.ts";
import { decide, statusAfter } from "./decide.ts";
import { obstacle, unavailable, unknownPress } from "./error.ts";
import { checksRun } from "./rule/index.ts";
import { type AuditOrder, AuditReport, type Findings, type FullReport, type Issue } from "./schema.ts";

type Ports = { readonly table: Table; readonly clock: Clock };

/**
 * Decides, and stores status and report and gives the hold back, all in one transaction. The run was counted when its
 * model was asked. A repeated call finds its own work and changes nothing. Throws `conflict` `edited_meanwhile`,
 * `press_live`, or `audit_running` when the hold has passed to another run; then nothing is stored.
 */
export async function store(ports: Ports, findings: Findings): Promise<AuditReport> {
  const { id, run, revision } = findings.order;
  const [earlier, { data: press }] = await Promise.all([
    stored(ports, findings.order),
    ports.table.entities.press.get({ id }).go({ consistent: true }),
  ]);
  if (earlier !== undefined) return earlier;
  if (press === null) throw unknownPress();
  const report = reportOn(findings, ports.clock.now());
  const { verdict, score, summary, engine, auditedAt } = report;
  const written = await transact(ports.clock, () =>
    ports.table.transaction
      .write(({ press: presses, audit }) => [
        presses
          .patch({ id })
          .set({
            status: statusAfter(verdict),
            audit: { verdict, score, summary, engine, auditedAt, found: foundIn(report.issues) },
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
        // Nobody else counts while this run holds the press.
        audit.create({ id, number: press.auditCount, revision, run, report }).commit(),
      ])
      .go(),
  );
  if (!written.canceled) return AuditReport.parse(report);
  const found = written.data[0].item;
  throw refused(written, 0) && found != null
    ? obstacle(found, findings.order)
    : unavailable(new Error(`Storing the audit was cancelled: ${written.data.map(({ code }) => code)}`));
}

/** The report that a run has stored, or `undefined` while it has not. */
export async function stored(
  { table }: Pick<Ports, "table">,
  { id, run }: AuditOrder,
): Promise<AuditReport | undefined> {
  const { data } = await table.entities.audit.query.byPress({ id }).go({ consistent: true });
  const found = data.find((audit) => audit.run === run);
  return found === undefined ? undefined : AuditReport.parse(found.report);
}

/** How much of what a live press may have was found. */
function foundIn(issues: readonly Issue[]) {
  const count = (severity: Issue["severity"]) => issues.filter((issue) => issue.severity === severity).length;
  return { low: count("low"), medium: count("medium") };
}

function reportOn({ facts, issues, review, engine }: Findings, now: number): FullReport {
  const decision = decide({ issues, review });
  const { claims, unsupported, dropped } = review;
  return {
    ...decision,
    facts,
    engine,
    auditedAt: new Date(now).toISOString(),
    checks: checksRun(decision.issues),
    reading: { claims, unsupported, dropped },
  };
}
