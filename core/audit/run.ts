import type { Address } from "../chain/hex.ts";
import { AppError, makeBusyError } from "../error.ts";
import type { Settings } from "../port/settings.ts";
import type { AllPorts } from "../ports.ts";
import { makeMetaUrl } from "../press/index.ts";
import { auditHoldMs } from "../press/schema.ts";
import { askWithinBudget, type SpendPorts } from "../quota/index.ts";
import type { PressItem } from "../record/press.ts";
import { commit, isWriteRefused, transact } from "../transact.ts";
import {
  findRefusal,
  findStopReason,
  makeEditedError,
  makeMissingError,
  makeOutageError,
  makeRunningError,
} from "./error.ts";
import { makeReview, type Reading } from "./reading.ts";
import {
  type Audited,
  type AuditReport,
  type AuditWorkflow,
  auditLimit,
  type Evidence,
  type Review,
  type Reviewer,
} from "./schema.ts";
import { findStatus, readRunReport } from "./store.ts";

type HoldPorts = Pick<AllPorts, "table" | "clock">;

/** The maximum number of attempts to release a press. An attempt fails if another request changes the press at the same time. */
const releaseAttempts = 5;

/**
 * A press that is reserved for one audit run. `revision` is the text's revision when the run began, and `auditCount` is the number of
 * earlier runs that count.
 */
type RunHold = {
  readonly id: number;
  readonly run: string;
  readonly revision: number;
  readonly auditCount: number;
};

/**
 * Reserves a press for one audit run. The run does not yet count against the press's audit limit. Throws `unknown_press` (`missing`), also
 * for a press of another publisher. Throws `press_live` or `audit_running` (both `conflict`), and after eight audits `audit_limit`
 * (`limit`).
 */
export async function reservePress(
  ports: HoldPorts & Pick<AllPorts, "ids">,
  { id, wallet }: { readonly id: number; readonly wallet: Address },
): Promise<RunHold> {
  const { data: press } = await ports.table.entities.press.get({ id }).go({ consistent: true });
  if (press === null || press.publisher !== wallet) throw makeMissingError();
  const now = ports.clock.now();
  const lapsed = (press.auditRunUntil ?? 0) <= now;
  // An expired reservation was left behind by an audit run that crashed.
  const auditCount = press.auditCount - (lapsed ? countRefund(press) : 0);
  const reason = findRefusal({ ...press, auditCount }, now);
  if (reason !== undefined) throw reason;
  const run = ports.ids.uuid();
  const taken = await transact(ports.clock, () =>
    ports.table.transaction
      .write(({ press: presses }) => [
        presses
          .patch({ id })
          .set({ auditRun: run, auditRunUntil: now + auditHoldMs, auditCount })
          .remove(["auditAsked"])
          .where((attribute, { ne }) => ne(attribute.status, "live"))
          // The number of audits has not changed since it was read, so it is still below the limit.
          .where((attribute, { eq }) => eq(attribute.auditCount, press.auditCount))
          .where(
            ({ auditRunUntil }, { notExists, lte }) =>
              `(${notExists(auditRunUntil)} OR ${lte(auditRunUntil, now)})`,
          )
          .commit({ response: "all_old" }),
      ])
      .go(),
  );
  if (!taken.canceled) return { id, run, revision: press.revision, auditCount };
  const found = taken.data[0].item;
  throw (
    (isWriteRefused(taken, 0) && found != null ? findRefusal(found, now) : undefined) ?? makeRunningError()
  );
}

/**
 * Counts an audit run just before the model is asked. If this step of the run is repeated, the run still counts only once. Returns the
 * press. Throws `edited_meanwhile` or `press_live`, or `audit_running` if another run has reserved the press (all three `conflict`). Throws
 * `audit_limit` (`limit`) if the press has used all its audits.
 */
export async function countRun(
  ports: HoldPorts,
  { id, run, revision }: Evidence["order"],
): Promise<PressItem> {
  const { data: press } = await ports.table.entities.press.get({ id }).go({ consistent: true });
  if (press === null) throw makeMissingError();
  if (press.auditRun === run && press.revision === revision && press.auditAsked === revision) return press;
  const counted = await transact(ports.clock, () =>
    ports.table.transaction
      .write(({ press: presses }) => [
        presses
          .patch({ id })
          .add({ auditCount: 1 })
          .set({ auditAsked: revision })
          .where((attribute, { eq, ne, lt, notExists }) =>
            [
              eq(attribute.auditRun, run),
              eq(attribute.revision, revision),
              notExists(attribute.auditAsked),
              lt(attribute.auditCount, auditLimit),
              ne(attribute.status, "live"),
            ].join(" AND "),
          )
          .commit({ response: "all_old" }),
      ])
      .go(),
  );
  if (!counted.canceled) return press;
  const found = counted.data[0].item;
  if (!isWriteRefused(counted, 0) || found == null) throw makeBusyError(counted);
  throw findStopReason(found, { run, revision });
}

/**
 * Subtracts a run from the press's count of audits, because the model gave no usable review. The count does not change if the press is no
 * longer reserved for the run.
 */
export async function refundRun(ports: HoldPorts, { id, run }: Evidence["order"]): Promise<void> {
  const refunded = await commit(ports, ({ press }) => ({
    press: press
      .patch({ id })
      .add({ auditCount: -1 })
      .remove(["auditAsked"])
      .where((attribute, { eq, exists }) =>
        [eq(attribute.auditRun, run), exists(attribute.auditAsked)].join(" AND "),
      )
      .commit(),
  }));
  if (!refunded.done && refunded.refused.size === 0) throw makeBusyError(refunded);
}

/**
 * Releases a press after a failed audit run. If the run was counted, it is subtracted again from the press's count of audits. A run stays
 * counted if the publisher has edited the text since the run began, because the publisher's own edit has made the model's work useless. The
 * press does not change if it is no longer reserved for the run.
 */
export async function endReservation(
  ports: HoldPorts,
  { id, run }: Pick<RunHold, "id" | "run">,
): Promise<void> {
  for (let left = releaseAttempts; left > 0; left -= 1) {
    const { data: press } = await ports.table.entities.press.get({ id }).go({ consistent: true });
    if (press === null || press.auditRun !== run) return;
    const { revision, auditCount } = press;
    const released = await commit(ports, (entities) => ({
      press: entities.press
        .patch({ id })
        .set({ auditCount: auditCount - countRefund(press) })
        .remove(["auditRun", "auditRunUntil", "auditAsked"])
        .where((attribute, { eq }) =>
          [
            eq(attribute.auditRun, run),
            eq(attribute.revision, revision),
            eq(attribute.auditCount, auditCount),
          ].join(" AND "),
        )
        .commit(),
    }));
    if (released.done) return;
    if (released.refused.size === 0) throw makeBusyError(released);
  }
  throw makeBusyError(new Error("The run could not be released, because the press kept changing"));
}

/** The number that is subtracted from the count of audits when a run ends without a verdict. */
function countRefund({ auditAsked, revision }: PressItem): number {
  return auditAsked === revision ? 1 : 0;
}

type Ports = Pick<AllPorts, "table" | "clock" | "ids"> & {
  readonly settings: Pick<Settings, "origin">;
  readonly workflow: AuditWorkflow;
};

/**
 * Audits a publisher's own press (specification §3). If the run fails, throws `edited_meanwhile` or `stock_delisted` (both `conflict`),
 * `model_limit` (`limit`), or `model_budget_spent` or `audit_unavailable` (both `upstream`). Also throws the errors of `reservePress`. A
 * failed run leaves the draft unchanged and does not count.
 */
export async function run(
  ports: Ports,
  request: { readonly id: number; readonly wallet: Address },
): Promise<Audited> {
  const hold = await reservePress(ports, request);
  const failure = await ports.workflow.run({ id: hold.id, run: hold.run }).then(
    () => undefined,
    (cause: unknown) => ({ cause }),
  );
  const audit =
    failure === undefined
      ? await readRunReport(ports, hold)
      : await releaseFailedRun(ports, hold, failure.cause);
  if (audit === undefined)
    throw await explainRunFailure(ports, hold, failure?.cause ?? new Error("No report was stored"));
  return { status: findStatus(audit.verdict), audit, metaUrl: makeMetaUrl(ports.settings.origin, hold.id) };
}

/**
 * After an audit run has released its press, the run can store nothing more. If the run stored a result earlier, this result is valid even
 * if the answer with the result was lost.
 */
async function releaseFailedRun(
  ports: Ports,
  hold: RunHold,
  cause: unknown,
): Promise<AuditReport | undefined> {
  try {
    await endReservation(ports, hold);
    return await readRunReport(ports, hold);
  } catch (error) {
    throw makeOutageError(
      new AggregateError([cause, error], "The run failed, and its reservation could not be released"),
    );
  }
}

async function explainRunFailure(
  { table }: Ports,
  { id, revision, auditCount }: RunHold,
  cause: unknown,
): Promise<Error> {
  const { data: press } = await table.entities.press.get({ id }).go({ consistent: true });
  if (press !== null && press.revision !== revision) return makeEditedError(press.auditCount > auditCount);
  return cause instanceof AppError ? cause : makeOutageError(cause);
}

/**
 * Lets the model read a press. The model's work costs money, so the run counts as an audit before the model is asked. If the model gives no
 * review in the agreed form, the audit is no longer counted and never ends in a verdict.
 *
 * Throws the errors of `countRun` and `askWithinBudget`. If the model fails, the error is `model_busy` (`upstream`) or `model_unavailable`.
 */
export async function askModel(
  ports: SpendPorts & { readonly reviewer: Reviewer<Reading> },
  { order, draft, facts }: Evidence,
): Promise<{ readonly review: Review; readonly engine: string }> {
  const { publisher } = await countRun(ports, order);
  const { reviewer } = ports;
  const request = { draft, facts };
  try {
    const asked = await askWithinBudget(ports, publisher, reviewer.most(request), () =>
      reviewer.review(request),
    );
    return { review: makeReview(draft, asked.value), engine: asked.engine };
  } catch (error) {
    await refundRun(ports, order);
    throw error;
  }
}
