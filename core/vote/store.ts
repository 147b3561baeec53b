import type { Clock } from "../port/clock.ts";
import type { Table } from "../table.ts";
import { refused, transact } from "../transact.ts";
import type { VoteItem } from "./entity.ts";
import { busy } from "./refusal.ts";
import { changeFrom } from "./tally.ts";

/**
 * Puts a vote in the place of the one that was read, or of none, and changes the press's counts by what that makes of
 * them, all in one transaction. `false` when the kept vote is no longer the one that was read: the counts would be
 * wrong, so nothing is changed. Only the vote is held to a condition: votes of others never make this one wait.
 *
 * Throws `upstream` `press_busy` when other transactions keep touching the press.
 */
export async function replace(
  { table, clock }: { readonly table: Table; readonly clock: Clock },
  id: number,
  kept: VoteItem | undefined,
  next: VoteItem,
): Promise<boolean> {
  const { up, down, tags } = changeFrom(kept, next);
  const outcome = await transact(clock, () =>
    table.transaction
      .write(({ vote, press }) => [
        vote
          .put(next)
          .where((stored, { notExists, eq }) =>
            kept === undefined
              ? notExists(stored.txHash)
              : `${eq(stored.txHash, kept.txHash)} AND ${eq(stored.position, kept.position)}`,
          )
          .commit(),
        press
          .patch({ id })
          .data((stored, { add }) => {
            add(stored.votesUp, up);
            add(stored.votesDown, down);
            for (const { tag, by } of tags) add(stored.tags[tag], by, 0);
          })
          .commit(),
      ])
      .go(),
  );
  if (!outcome.canceled) return true;
  if (refused(outcome, 0)) return false;
  if (refused(outcome, 1)) throw new Error(`A vote was cast on press ${id}, which is not there`);
  throw busy(outcome);
}
