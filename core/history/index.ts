import type { Address } from "../chain/hex.ts";
import type { SettlementItem } from "../payment/entity.ts";
import { toUsdg } from "../press/index.ts";
import type { Table } from "../table.ts";
import type { VoteItem } from "../vote/entity.ts";
import { type History, UnlockEntry, VoteEntry } from "./schema.ts";

/**
 * What a wallet has voted and unlocked, newest first; what happened at one time stands in one order always
 * (specification §4.7). One query of an index each, and another for every further megabyte: both may lag a moment
 * behind. Publishers' votes on their own presses are not votes.
 */
export async function history({ table }: { readonly table: Table }, wallet: Address): Promise<History> {
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

/** The price is the whole one; the transaction and the time are the publisher leg's (design §2). */
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
