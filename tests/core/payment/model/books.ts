import { payers, pressOwners } from "./ground.ts";
import { alike, type Charge, readCharges } from "./ledger.ts";
import { type Place, placeName, type Signed } from "./purse.ts";
import type { Run } from "./run.ts";
import { pressKey } from "./store.ts";
import { count, must } from "./violation.ts";

/**
 * Invariants 1, 3 and 6: what the chain says and what the table says are one, after every payer has returned. Throws
 * Violation.
 */
export async function booksAgree(run: Run): Promise<void> {
  const { table, ground, purse, relayers, tally, watch } = run;
  const charges = await readCharges(ground, purse, relayers);
  const begun = places(purse.all());
  for (const place of begun) await placeAgrees(run, place, charges);
  for (const press of pressOwners.keys()) {
    const unlocks = begun.filter((place) => place.press === press && place.leg === "publisher").length;
    const { data } = await table.entities.press.get(pressKey(press)).go({ consistent: true });
    must(data?.reads === unlocks, "lost unlock", `press ${press} counts ${data?.reads} reads of ${unlocks}`);
    count(tally, "unlocks", unlocks);
  }
  count(tally, "broadcasts", watch.total());
  count(tally, "broadcasts with others in a transaction", watch.shared());
}

/** A leg that its payer has come back for is paid once, and by what its record names. */
async function placeAgrees({ table, tally }: Run, place: Place, charges: readonly Charge[]): Promise<void> {
  const name = placeName(place);
  const own = charges.filter(({ signed }) => placeName(signed) === name);
  const ours = own.filter((charge) => charge.ours);
  must(ours.length <= 1, "double charge", `${name} is charged once by us, not ${ours.length} times`);
  const accepted = own.filter(({ signed }) => signed.broadcast).length;
  must(accepted <= 1, "double charge", `of the permits accepted for ${name} one is charged, not ${accepted}`);

  const { settlement, transfer } = table.entities;
  const key = { wallet: payers[place.payer]?.wallet ?? "0x", pressId: place.press, leg: place.leg };
  const { data } = await settlement.get(key).go({ consistent: true });
  must(data?.state === "settled", "lost unlock", `${name} is settled`);
  const paid = charges.filter((charge) => own.some((one) => alike(one, charge)));
  const named = paid.some(({ txHash }) => txHash === data.txHash);
  must(named, "lost unlock", `${name} is settled by a charge of its own`);
  // Of charges that look alike, either transfer may stand for either leg.
  const used = await Promise.all(paid.map((charge) => transfer.get(charge).go({ consistent: true })));
  const mine = used.filter(({ data }) => data?.pressId === place.press && data.leg === place.leg);
  must(mine.length === 1, "double charge", `one transfer pays for ${name}, not ${mine.length}`);

  count(tally, "charges on the chain", own.length);
  count(tally, "credited to somebody else's transaction", ours.length === 0 ? 1 : 0);
  count(tally, "permits never accepted that others settled besides", own.length - 1);
}

function places(all: readonly Signed[]): readonly Place[] {
  return [...new Map(all.map((one) => [placeName(one), one])).values()];
}
