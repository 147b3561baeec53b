import type { Address, Hex } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import type { Clock } from "../port/clock.ts";
import type { Table } from "../table.ts";
import { refused, transact } from "../transact.ts";
import type { RefusalCode } from "./refusal.ts";

/** A publisher's word that a transaction minted a press. By press and transaction, so that nobody blocks another's. */
export type Claim = { readonly id: number; readonly txHash: Hex; readonly wallet: Address };

/** What became of a claim. */
export type ClaimState =
  | { readonly state: "pending"; readonly dueAt: number }
  | { readonly state: "refused"; readonly code: RefusalCode }
  | { readonly state: "done" };

/** Milliseconds after which a message that has not been heard of counts as lost. */
export const grace = 60_000;

/** Seconds for which a claim is kept. */
const lifetime = 7 * 24 * 60 * 60;

type Ports = { readonly table: Table; readonly clock: Clock };

/**
 * Takes a claim on, unless it is already: `true` for the one who must send its message. A refused claim may be made
 * again, for the publisher may have changed what was wrong with it.
 */
export async function take({ table, clock }: Ports, claim: Claim): Promise<boolean> {
  const now = clock.now();
  const record = recordOf(clock, claim, { state: "pending", dueAt: now + grace });
  const outcome = await transact(clock, () =>
    table.transaction
      .write(({ mint }) => [
        mint
          .put(record)
          .where(
            ({ state, dueAt }, { notExists, ne, lte }) =>
              `${notExists(state)} OR ${ne(state, "pending")} OR ${lte(dueAt, now)}`,
          )
          .commit(),
      ])
      .go(),
  );
  if (outcome.canceled && !refused(outcome, 0)) {
    throw new AppError("upstream", "press_busy", "This cannot be taken on right now. Try again shortly.", {
      retryAfter: 1,
    });
  }
  return !outcome.canceled;
}

/** Writes down what became of a claim. */
export async function note({ table, clock }: Ports, claim: Claim, state: ClaimState): Promise<void> {
  await table.entities.mint.put(recordOf(clock, claim, state)).go();
}

function recordOf(clock: Clock, { id, txHash, wallet }: Claim, state: ClaimState) {
  const expiresAt = Math.floor(clock.now() / 1000) + lifetime;
  return { id, txHash, wallet, dueAt: clock.now(), ...state, expiresAt };
}
