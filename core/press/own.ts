import type { Address } from "../chain/hex.ts";
import { AppError, tableBusy } from "../error.ts";
import * as Manuscript from "../manuscript/index.ts";
import type { SettlementItem } from "../payment/entity.ts";
import type { Clock } from "../port/clock.ts";
import type { Settings } from "../port/settings.ts";
import type { Table } from "../table.ts";
import { transact } from "../transact.ts";
import type { PressItem } from "./entity.ts";
import { metaUrl, pathId } from "./links.ts";
import { commonFields } from "./read.ts";
import { type Dashboard, DashboardPress, type OwnPress, Sale, salesShown, toUsdg } from "./schema.ts";

/**
 * The caller's own press as it is now. Throws `missing` `unknown_press`, also for another's: whether it exists is not
 * revealed (design §2).
 */
export async function ownPress(
  { table }: { readonly table: Table },
  wallet: Address,
  id: number,
): Promise<PressItem> {
  const { data } = await table.entities.press.get({ id }).go({ consistent: true });
  return owned(data, wallet);
}

function owned(press: PressItem | null | undefined, wallet: Address): PressItem {
  if (press?.publisher === wallet) return press;
  throw new AppError("missing", "unknown_press", "You have no press with this id.");
}

type OwnPorts = {
  readonly table: Table;
  readonly clock: Clock;
  readonly settings: Pick<Settings, "origin">;
};

/**
 * One of the caller's presses with its text (design §2); `id` is the path's text. Throws `missing` `unknown_press`, and
 * `upstream` `table_busy`.
 */
export async function own(ports: OwnPorts, wallet: Address, id: string | undefined): Promise<OwnPress> {
  const number = pathId(id);
  const [press, text] = number === undefined ? [] : await pressAndText(ports, number);
  const found = owned(press, wallet);
  if (text == null) throw new Error(`Press ${found.id} has lost its text`);
  const approved = found.status === "approved" || found.status === "live";
  return {
    press: toDashboardPress(found),
    body: text.body,
    metaUrl: approved ? metaUrl(ports.settings.origin, found.id) : null,
    auditCount: found.auditCount,
  };
}

/** Both at one moment: an editor must not get one revision's text with another's time. */
async function pressAndText({ table, clock }: OwnPorts, id: number) {
  const found = await transact(clock, () =>
    table.transaction
      .get((entities) => [entities.press.get({ id }).commit(), entities.body.get({ id }).commit()])
      .go(),
  );
  if (found.canceled) throw tableBusy(found);
  return [found.data[0].item, found.data[1].item] as const;
}

/**
 * All presses of a publisher, the newest first, with what they have earned (specification §4.8). One query, and another
 * for every further megabyte.
 */
export async function dashboard({ table }: { readonly table: Table }, wallet: Address): Promise<Dashboard> {
  const { data } = await table.entities.press.query
    .byPublisher({ publisher: wallet })
    .go({ order: "desc", pages: "all" });
  return summed(data);
}

function toSale({ settledAt: at, wallet, signed, txHash: tx, slug, headline }: SettlementItem): Sale {
  return Sale.parse({
    at,
    wallet,
    payTo: signed.payTo,
    amountUsdg: toUsdg(signed.amount),
    tx,
    slug,
    headline,
  });
}

function summed(presses: readonly PressItem[]): Dashboard {
  return {
    presses: presses.map(toDashboardPress),
    totals: {
      earnedUsdg: toUsdg(String(presses.reduce((sum, { earnedUnits = 0 }) => sum + earnedUnits, 0))),
      live: presses.filter(({ status }) => status === "live").length,
      reads: presses.reduce((sum, { reads }) => sum + reads, 0),
    },
  };
}

/**
 * The same with the publisher's unfinished texts and last sales, for the site's dashboard. Two queries at once: the texts
 * stand in the presses' partition.
 */
export async function fullDashboard(
  { table }: { readonly table: Table },
  wallet: Address,
): Promise<Dashboard> {
  const { press, manuscript, settlement } = table.entities;
  const [found, sales] = await Promise.all([
    table.partition(press.query.byPublisher({ publisher: wallet }).params()),
    settlement.query.listed({ listedAs: "sale", listedFor: wallet }).go({ order: "desc", limit: salesShown }),
  ]);
  const presses = (found.get("press") ?? []).flatMap((item) => press.parse(item).data ?? []);
  const manuscripts = (found.get("manuscript") ?? []).flatMap((item) => manuscript.parse(item).data ?? []);
  return { ...summed(presses), manuscripts: Manuscript.listed(manuscripts), sales: sales.data.map(toSale) };
}

/** A press as its publisher sees it, live or not (specification §2.10). */
function toDashboardPress(item: PressItem): DashboardPress {
  return DashboardPress.parse({
    ...commonFields(item),
    pressId: item.pressId ?? null,
    slug: item.slug ?? null,
    publishedAt: item.publishedAt ?? null,
    auditScore: item.audit?.score ?? null,
    publisherHolds: item.publisherHolds ?? null,
    priceAtPublish: item.priceAtPublish ?? null,
    mintTx: item.mintTx ?? null,
    earnedUsdg: toUsdg(String(item.earnedUnits ?? 0)),
  });
}
