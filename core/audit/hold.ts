import type { Address } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import type { Clock } from "../port/clock.ts";
import type { Ids } from "../port/ids.ts";
import type { Table } from "../table.ts";
import { refused, transact } from "../transact.ts";
import { refusal, running, unknownPress } from "./error.ts";
import { auditLimit } from "./schema.ts";

/** Milliseconds after which a hold lapses by itself: well past the state machine's own time limit. */
export const holdTime = 60_000;

/** A press taken for one run. `revision` is the text's when the run began. */
export type Hold = { readonly id: number; readonly run: string; readonly revision: number };

/**
 * Takes a press for one audit run. Throws `missing` `unknown_press` (also for another publisher's), `conflict`
 * `press_live` or `audit_running`, and `limit` `audit_limit` after eight audits.
 */
export async function begin(
  ports: { readonly table: Table; readonly clock: Clock; readonly ids: Ids },
  { id, wallet }: { readonly id: number; readonly wallet: Address },
): Promise<Hold> {
  const { data: press } = await ports.table.entities.press.get({ id }).go({ consistent: true });
  if (press === null || press.publisher !== wallet) throw unknownPress();
  const now = ports.clock.now();
  const reason = refusal(press, now);
  if (reason !== undefined) throw reason;
  const run = ports.ids.uuid();
  const taken = await transact(ports.clock, () =>
    ports.table.transaction
      .write(({ press }) => [
        press
          .patch({ id })
          .set({ auditRun: run, auditRunUntil: now + holdTime })
          .where((attribute, { ne }) => ne(attribute.status, "live"))
          .where((attribute, { lt }) => lt(attribute.auditCount, auditLimit))
          .where(
            ({ auditRunUntil }, { notExists, lte }) =>
              `(${notExists(auditRunUntil)} OR ${lte(auditRunUntil, now)})`,
          )
          .commit({ response: "all_old" }),
      ])
      .go(),
  );
  if (!taken.canceled) return { id, run, revision: press.revision };
  const found = taken.data[0].item;
  throw (refused(taken, 0) && found != null ? refusal(found, now) : undefined) ?? running();
}

/** Gives a hold back after a run that failed: count and status stay as they were. A hold that is gone already stays gone. */
export async function release(
  ports: { readonly table: Table; readonly clock: Clock },
  { id, run }: Pick<Hold, "id" | "run">,
): Promise<void> {
  const released = await transact(ports.clock, () =>
    ports.table.transaction
      .write(({ press }) => [
        press
          .patch({ id })
          .remove(["auditRun", "auditRunUntil"])
          .where((attribute, { eq }) => eq(attribute.auditRun, run))
          .commit(),
      ])
      .go(),
  );
  if (released.canceled && !refused(released, 0)) {
    throw new AppError("upstream", "table_busy", "The press is busy right now. Try again shortly.", {
      cause: new Error(`Releasing the run was cancelled: ${released.data[0].code}`),
    });
  }
}
