import type { Address } from "../chain/hex.ts";
import { toUsdg } from "../press/index.ts";
import type { SettlementItem } from "../record/payment.ts";
import type { VoteItem } from "../record/press.ts";
import type { Table } from "../table.ts";
import { type History, PaidLeg, Purchase, type Purchases, UnlockEntry, VoteEntry } from "./schema.ts";

/**
 * A wallet's votes and unlocks, newest first, in a stable order for equal times (specification §4.7). One query of an index each, and
 * another for every further megabyte. Both indexes may lag a moment behind. Publishers' votes on their own presses do not count.
 */
export async function readHistory({ table }: { readonly table: Table }, wallet: Address): Promise<History> {
  const { vote, settlement } = table.entities;
  const newestFirst = { order: "desc", pages: "all" } as const;
  const [votes, unlocks] = await Promise.all([
    vote.query.byVoter({ wallet }).go(newestFirst),
    settlement.query.unlocks({ unlockedBy: wallet }).go(newestFirst),
  ]);
  return { votes: votes.data.map(toVote), unlocks: unlocks.data.map(toUnlock) };
}

function toVote({ value, tag, txHash: tx, at, slug, headline, stock }: VoteItem): VoteEntry {
  return VoteEntry.parse({ value, tag, tx, at, slug, headline, stock });
}

/** The price is the whole price. The transaction and the time are those of the publisher leg (design §2). */
function toUnlock({
  txHash: tx,
  settledAt: at,
  slug,
  headline,
  stock,
  priceUnits,
}: SettlementItem): UnlockEntry {
  return UnlockEntry.parse({ tx, at, slug, headline, stock, priceUsdg: toUsdg(priceUnits) });
}

/**
 * A wallet's purchases with their payments, the latest first, including those of which only the fee is paid. One query of an index for each
 * leg, and another for every further megabyte. Both indexes may lag a moment behind.
 */
export async function listPurchases(
  { table }: { readonly table: Table },
  wallet: Address,
): Promise<Purchases> {
  const { settlement } = table.entities;
  const newestFirst = { order: "desc", pages: "all" } as const;
  const [unlocks, fees] = await Promise.all([
    settlement.query.unlocks({ unlockedBy: wallet }).go(newestFirst),
    settlement.query.listed({ listedAs: "fee", listedFor: wallet }).go(newestFirst),
  ]);
  const byPress = Map.groupBy([...fees.data, ...unlocks.data], ({ pressId }) => pressId);
  const found = [...byPress.values()].map(toPurchase);
  return { purchases: found.toSorted((a, b) => latest(b).localeCompare(latest(a)) || b.pressId - a.pressId) };
}

function toPurchase(items: readonly SettlementItem[]): Purchase {
  const payments = items
    .map(({ leg, txHash: tx, settledAt: at, signed: { amount: units, payTo } }) =>
      PaidLeg.parse({ leg, tx, at, units, payTo }),
    )
    .toSorted((a, b) => a.at.localeCompare(b.at));
  const unlocked = items.some(({ leg }) => leg === "publisher");
  // A live press's facts are frozen, so each of its settlements has the same.
  return Purchase.parse({ ...items[0], payments, unlocked });
}

function latest({ payments }: Purchase): string {
  return payments.at(-1)?.at ?? "";
}
