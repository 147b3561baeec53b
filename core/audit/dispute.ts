import type { Address } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import type { Clock } from "../port/clock.ts";
import type { Table } from "../table.ts";
import { refused, transact } from "../transact.ts";
import { unknownPress } from "./error.ts";
import { type Dispute, type Disputed, type DisputeInput, FullReport } from "./schema.ts";

type Ports = { readonly table: Table; readonly clock: Clock };

/** Changes of a report's answers: more than any report has findings, so that correcting one is no trouble. */
const changeLimit = 60;
const attempts = 3;

/**
 * Lets a publisher answer a finding of the latest report on a press of their own, in one sentence; `text` null takes the
 * answer back. It is kept beside the report and shown with it. It changes neither verdict nor score. Once the press is
 * live nothing changes any more: the verdict on the chain carries the hash of the report with its answers.
 *
 * Throws `missing` `unknown_press`, `conflict` `press_live`, `report_changed` or `dispute_overtaken`, `input`
 * `unknown_finding`, and `limit` `dispute_limit`.
 */
export async function dispute(ports: Ports, wallet: Address, input: DisputeInput): Promise<Disputed> {
  for (let left = attempts; left > 0; left -= 1) {
    const { audit, disputes, changes } = await found(ports.table, wallet, input);
    const others = disputes.filter(({ issue }) => issue !== input.issue);
    const at = new Date(ports.clock.now()).toISOString();
    const answered =
      input.text === null
        ? others
        : [...others, { issue: input.issue, text: input.text, at }].toSorted(
            (one, other) => one.issue - other.issue,
          );
    const written = await transact(ports.clock, () =>
      ports.table.transaction
        .write(({ press, audit: audits }) => [
          press
            .check({ id: input.id })
            .where(({ status }, { ne }) => ne(status, "live"))
            .commit(),
          audits
            .patch({ id: input.id, number: audit })
            .set({ disputes: [...answered], disputeChanges: changes + 1 })
            .where(({ disputeChanges }, { eq, notExists }) =>
              changes === 0 ? notExists(disputeChanges) : eq(disputeChanges, changes),
            )
            .commit(),
        ])
        .go(),
    );
    if (!written.canceled) return { disputes: answered };
    // A press that went live meanwhile is told of by the next look at it.
    if (!refused(written, 0) && !refused(written, 1)) throw overtaken();
  }
  throw overtaken();
}

/** The report that is answered, and its answers so far. */
async function found({ entities }: Table, wallet: Address, { id, auditedAt, issue }: DisputeInput) {
  const [{ data: press }, { data: audits }] = await Promise.all([
    entities.press.get({ id }).go({ consistent: true }),
    entities.audit.query.byPress({ id }).go({ order: "desc", limit: 1, consistent: true }),
  ]);
  if (press === null || press.publisher !== wallet) throw unknownPress();
  if (press.status === "live") {
    throw new AppError(
      "conflict",
      "press_live",
      "This press is live: its report has a hash on the chain and is final.",
    );
  }
  const [latest] = audits;
  const report = latest === undefined ? undefined : FullReport.parse(latest.report);
  if (latest === undefined || report?.auditedAt !== auditedAt) {
    throw new AppError("conflict", "report_changed", "This is not the latest report. Read it again.");
  }
  if (report.issues[issue] === undefined) {
    throw new AppError("input", "unknown_finding", `issue: the report has ${report.issues.length} findings.`);
  }
  const changes = latest.disputeChanges ?? 0;
  if (changes >= changeLimit) {
    throw new AppError(
      "limit",
      "dispute_limit",
      `The answers to this report have been changed ${changeLimit} times. The next audit begins anew.`,
      { retryAfter: 86_400 },
    );
  }
  const disputes: readonly Dispute[] = latest.disputes ?? [];
  return { audit: latest.number, disputes, changes };
}

function overtaken(): AppError {
  return new AppError("conflict", "dispute_overtaken", "The press was changed meanwhile. Try again.", {
    retryAfter: 1,
  });
}
