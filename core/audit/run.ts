import type { Address } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import type { Clock, Ids } from "../port/clock.ts";
import type { AuditWorkflow } from "../port/cloud.ts";
import type { Reviewer } from "../port/model.ts";
import type { Settings } from "../port/settings.ts";
import { metaUrl } from "../press/index.ts";
import { askPaid, type SpendPorts } from "../quota/index.ts";
import type { Table } from "../table.ts";
import { statusAfter } from "./decide.ts";
import { editedMeanwhile, unavailable } from "./error.ts";
import { begin, count, type Hold, refundRun, release } from "./hold.ts";
import { reviewOf } from "./reading.ts";
import type { Audited, AuditReport, Evidence, Review } from "./schema.ts";
import { stored } from "./store.ts";

type Ports = {
  readonly table: Table;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly settings: Pick<Settings, "origin">;
  readonly workflow: AuditWorkflow;
};

/**
 * Audits a publisher's own press (specification §3). Throws what `begin` throws, `conflict` `edited_meanwhile` or
 * `stock_delisted`, and `upstream` `audit_unavailable` when the run fails: then the draft is as it was and the run does not count.
 */
export async function run(
  ports: Ports,
  request: { readonly id: number; readonly wallet: Address },
): Promise<Audited> {
  const hold = await begin(ports, request);
  const failure = await ports.workflow.run({ id: hold.id, run: hold.run }).then(
    () => undefined,
    (cause: unknown) => ({ cause }),
  );
  const audit = failure === undefined ? await stored(ports, hold) : await salvage(ports, hold, failure.cause);
  if (audit === undefined)
    throw await blame(ports, hold, failure?.cause ?? new Error("No report was stored"));
  return { status: statusAfter(audit.verdict), audit, metaUrl: metaUrl(ports.settings.origin, hold.id) };
}

/** Once the hold is given back nothing more can be stored; what was stored before counts, though its answer was lost. */
async function salvage(ports: Ports, hold: Hold, cause: unknown): Promise<AuditReport | undefined> {
  try {
    await release(ports, hold);
    return await stored(ports, hold);
  } catch (error) {
    throw unavailable(new AggregateError([cause, error], "The run failed, and so did giving its hold back"));
  }
}

async function blame({ table }: Ports, { id, revision }: Hold, cause: unknown): Promise<Error> {
  const { data: press } = await table.entities.press.get({ id }).go({ consistent: true });
  if (press !== null && press.revision !== revision) return editedMeanwhile();
  return cause instanceof AppError ? cause : unavailable(cause);
}

/**
 * Has the model read a press, which is what counts as an audit and what costs money: the run is counted before, and
 * refunded when there is no review in the agreed form. An audit without one never ends in a verdict.
 *
 * Throws what `count` and `askPaid` throw: of the model's failures `upstream` `model_busy` or `model_unavailable`.
 */
export async function review(
  ports: SpendPorts & { readonly reviewer: Reviewer },
  { order, draft, facts }: Evidence,
): Promise<{ readonly review: Review; readonly engine: string }> {
  const { publisher } = await count(ports, order);
  const { reviewer } = ports;
  const request = { draft, facts };
  try {
    const asked = await askPaid(ports, publisher, reviewer.most(request), () => reviewer.review(request));
    return { review: reviewOf(draft, asked.value), engine: asked.engine };
  } catch (error) {
    await refundRun(ports, order);
    throw error;
  }
}
