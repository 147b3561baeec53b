import * as z from "zod";
import type { Address } from "../chain/hex.ts";
import { decodeCursor, encodeCursor } from "../cursor.ts";
import { toUsdg } from "../press/index.ts";
import type { SettlementItem } from "../record/payment.ts";
import type { Table } from "../table.ts";
import { type History, PaidLeg, Purchase, type Purchases, UnlockEntry, VoteEntry } from "./schema.ts";

/**
 * The maximum number of votes, of unlocks and of purchases on a page. A page has fewer purchases than votes: one request reads the payments
 * to the publishers of all purchases on the page, and a request can contain at most 100 keys.
 */
const pageSize = 200;
const purchasesPage = 100;

/**
 * The position at which a page ends: the time of the page's last entry and the rest of this entry's key; `null` if the list has no next
 * page.
 */
const Time = z.iso.datetime();
const VotePlace = z.tuple([Time, z.string().regex(/^[0-9-]{1,60}$/)]);
const PaidPlace = z.tuple([Time, z.int().nonnegative()]);
const HistoryPlace = z.tuple([VotePlace.nullable(), PaidPlace.nullable()]);

/**
 * A wallet's votes and unlocks, newest first (specification §4.7). A page has at most 200 votes and 200 unlocks. Entries with the same time
 * always have the same order. Votes and unlocks are each read with one query of an index, and both indexes may lag a moment behind the
 * table. The list leaves out the votes of publishers on their own presses. Throws `invalid_cursor` (`input`).
 */
export async function readHistory(
  { table }: { readonly table: Table },
  wallet: Address,
  cursor?: string,
): Promise<History> {
  const { vote, settlement } = table.entities;
  const [voted, paid] = decodeCursor(HistoryPlace, cursor) ?? [];
  const cast = vote.query.byVoter({ wallet });
  const bought = settlement.query.unlocks({ unlockedBy: wallet });
  const page = { order: "desc", limit: pageSize } as const;
  const nothing = { data: [], cursor: null };
  const [votes, unlocks] = await Promise.all([
    voted === null
      ? nothing
      : (voted === undefined ? cast : cast.lt({ at: voted[0], position: voted[1] })).go(page),
    paid === null
      ? nothing
      : (paid === undefined ? bought : bought.lt({ unlockedAt: paid[0], unlockedPress: paid[1] })).go(page),
  ]);
  const lastVote = votes.cursor === null ? undefined : votes.data.at(-1);
  const lastUnlock = unlocks.cursor === null ? undefined : unlocks.data.at(-1);
  const next = encodeCursor([
    lastVote === undefined ? null : [lastVote.at, lastVote.position],
    lastUnlock === undefined ? null : [lastUnlock.settledAt, lastUnlock.pressId],
  ]);
  return {
    votes: votes.data.map(({ txHash: tx, ...vote }) => VoteEntry.parse({ tx, ...vote })),
    unlocks: unlocks.data.map(({ txHash: tx, settledAt: at, priceUnits, ...unlock }) =>
      // An unlock costs the whole price of the press. The transaction and the time of an unlock are taken from the payment to the publisher
      // (design §2).
      UnlockEntry.parse({ tx, at, ...unlock, priceUsdg: toUsdg(priceUnits) }),
    ),
    ...((lastVote !== undefined || lastUnlock !== undefined) && { cursor: next }),
  };
}

/**
 * Returns a wallet's payments for each press: both payments of a complete purchase, or only the fee if the publisher is not paid yet. The
 * pages are ordered by the time at which the fee was paid. On each page, the latest payment comes first. Every purchase begins with its
 * fee. The function makes one query of an index that may lag a moment behind the table, and one request for the payments to publishers.
 * Throws `invalid_cursor` (`input`).
 */
export async function listPurchases(
  { table }: { readonly table: Table },
  wallet: Address,
  cursor?: string,
): Promise<Purchases> {
  const { settlement } = table.entities;
  const from = decodeCursor(PaidPlace, cursor);
  const query = settlement.query.listed({ listedAs: "fee", listedFor: wallet });
  const fees = await (from === undefined ? query : query.lt({ listedAt: from[0], listedPress: from[1] })).go({
    order: "desc",
    limit: purchasesPage,
  });
  const rests = await table.together(
    fees.data.map(({ pressId }) => settlement.get({ wallet, pressId, leg: "publisher" }).params()),
  );
  const found = fees.data.map((fee, index) => {
    const rest = rests[index] === undefined ? null : settlement.parse(rests[index]).data;
    return toPurchase(rest?.state === "settled" ? [fee, rest] : [fee]);
  });
  const last = fees.cursor === null ? undefined : fees.data.at(-1);
  return {
    purchases: found.toSorted(
      (a, b) => findLatestTime(b).localeCompare(findLatestTime(a)) || b.pressId - a.pressId,
    ),
    ...(last !== undefined && { cursor: encodeCursor([last.settledAt, last.pressId]) }),
  };
}

function toPurchase(items: readonly SettlementItem[]): Purchase {
  const payments = items
    .map(({ leg, txHash: tx, settledAt: at, signed: { amount: units, payTo } }) =>
      PaidLeg.parse({ leg, tx, at, units, payTo }),
    )
    .toSorted((a, b) => a.at.localeCompare(b.at));
  const unlocked = items.some(({ leg }) => leg === "publisher");
  // The facts about a live press never change, so every stored payment for a press contains the same facts about it.
  return Purchase.parse({ ...items[0], payments, unlocked });
}

function findLatestTime({ payments }: Purchase): string {
  return payments.at(-1)?.at ?? "";
}
