import type { Hex } from "../chain/hex.ts";
import type { Clock } from "../port/clock.ts";
import type { PressItem } from "../press/entity.ts";
import { slugFor } from "../press/index.ts";
import type { Table } from "../table.ts";
import { refused, transact } from "../transact.ts";

/** The identity that the chain vouches for, and the stock token's price now in USD. */
export type Mint = { readonly txHash: Hex; readonly agentId: number; readonly mark: number };

export type Publication =
  | { readonly status: "done"; readonly wentLive: true }
  | { readonly status: "refused"; readonly code: "transaction_already_used" }
  | { readonly status: "later"; readonly otherwise: "confirmation_timed_out"; readonly isOurs: true };

/**
 * Makes an approved press live in one transaction, which also spends the mint transaction and the identity: each serves
 * for one press. `changed` when the press is no longer what was looked at.
 */
export async function goLive(
  { table, clock }: { readonly table: Table; readonly clock: Clock },
  press: PressItem,
  { txHash, agentId, mark }: Mint,
): Promise<Publication | "changed"> {
  const { id, revision, headline, stock, priceUnits, publisher, sketch } = press;
  const slug = slugFor(headline, id);
  const publishedAt = new Date(clock.now()).toISOString();
  const outcome = await transact(clock, () =>
    table.transaction
      .write((entities) => [
        entities.press
          .patch({ id })
          .set({
            status: "live",
            shelf: "live",
            stockShelf: stock,
            slug,
            pressId: agentId,
            publishedAt,
            updatedAt: publishedAt,
            priceAtPublish: mark,
            mintTx: txHash,
          })
          .remove(["sketch"])
          .where((stored, { eq }) => `${eq(stored.status, "approved")} AND ${eq(stored.revision, revision)}`)
          .commit(),
        entities.agent
          .create({ pressId: agentId, id, priceUnits, slug, headline, stock, publisher })
          .commit(),
        entities.minted.create({ txHash, id }).commit(),
        // A run belongs to the press that had it first, so that nobody's item grows.
        ...(sketch?.hashes ?? []).map((hash) =>
          entities.run
            .upsert({ hash })
            .ifNotExists({ id, publisher, headline, size: sketch?.size ?? 0 })
            .commit(),
        ),
      ])
      .go(),
  );
  if (!outcome.canceled) return { status: "done", wentLive: true };
  if (refused(outcome, 0)) return "changed";
  if (refused(outcome, 1) || refused(outcome, 2)) {
    return { status: "refused", code: "transaction_already_used" };
  }
  return { status: "later", otherwise: "confirmation_timed_out", isOurs: true };
}
