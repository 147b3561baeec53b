import * as z from "zod";
import type { Address } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import * as Market from "../market/index.ts";
import type { Clock } from "../port/clock.ts";
import type { MarketData } from "../port/market.ts";
import type { Settings } from "../port/settings.ts";
import * as Session from "../session/index.ts";
import type { Table } from "../table.ts";
import { transact } from "../transact.ts";
import * as Vote from "../vote/index.ts";
import type { PressItem } from "./entity.ts";
import { idIn, metaUrl, pathId } from "./links.ts";
import { toUsdg } from "./price.ts";
import {
  AuditSummary,
  type Dashboard,
  DashboardPress,
  type ListQuery,
  type OwnPress,
  Press,
  type PressDetail,
  type PressList,
  pageSize,
} from "./schema.ts";

type Ports = { readonly table: Table; readonly clock: Clock; readonly market: MarketData };

/**
 * A live press by its slug, with its text if the session behind `token` may have it: its publisher's, or that of a wallet
 * that has unlocked it (specification §2.2). Throws `missing` `unknown_press`.
 *
 * One request to the table, and with a living session one more; further ones only while the stock's price is due.
 */
export async function read(ports: Ports, slug: string, token: string | undefined): Promise<PressDetail> {
  const { press, marks, session } = await open(ports, slug, token);
  const shown = toPress(press);
  const [price, body] = await Promise.all([
    Market.priceFrom(ports, press.stock, Market.markIn(marks, press.stock)),
    session === undefined ? null : textFor(ports, press, shown.pressId, session.wallet),
  ]);
  return {
    press: { ...shown, priceNow: price ?? shown.priceAtPublish },
    audit: AuditSummary.parse(press.audit),
    unlocked: body !== null,
    body,
  };
}

/** The live press, all stocks' marks and the reader's session as of one moment. */
async function open(ports: Ports, slug: string, token: string | undefined) {
  const id = idIn(slug);
  if (id === undefined) throw unknown();
  const { press, marks, session } = await (token === undefined
    ? withoutSession(ports, id)
    : withSession(ports, id, token));
  return { press: live(press.item, slug), marks: marks.item, session };
}

async function withoutSession({ table, clock }: Ports, id: number) {
  const found = await transact(clock, () =>
    table.transaction
      .get((entities) => [entities.press.get({ id }).commit(), entities.marks.get(Market.marksKey).commit()])
      .go(),
  );
  if (found.canceled) throw busy();
  const [press, marks] = found.data;
  return { press, marks, session: undefined };
}

async function withSession({ table, clock }: Ports, id: number, token: string) {
  const found = await transact(clock, () =>
    table.transaction
      .get((entities) => [
        entities.press.get({ id }).commit(),
        entities.marks.get(Market.marksKey).commit(),
        entities.session.get(Session.sessionKey(token)).commit(),
      ])
      .go(),
  );
  if (found.canceled) throw busy();
  const [press, marks, session] = found.data;
  return { press, marks, session: Session.living(clock, session.item) };
}

function live(press: PressItem | null, slug: string): PressItem {
  if (press === null || press.status !== "live" || press.slug !== slug) throw unknown();
  return press;
}

async function textFor(
  { table, clock }: Ports,
  { id, publisher }: PressItem,
  pressId: number,
  wallet: Address,
): Promise<string | null> {
  const found = await transact(clock, () =>
    table.transaction
      .get(({ body, settlement }) => [
        body.get({ id }).commit(),
        settlement.get({ wallet, pressId, leg: "publisher" }).commit(),
      ])
      .go(),
  );
  if (found.canceled) throw busy();
  const [body, leg] = found.data;
  // A settled publisher leg is the unlock.
  if (publisher !== wallet && leg.item?.state !== "settled") return null;
  if (body.item === null) throw new Error(`Press ${id} has lost its text`);
  return body.item.body;
}

function unknown(): AppError {
  return new AppError("missing", "unknown_press", "There is no such press.");
}

/** Others kept writing what was to be read as of one moment. */
function busy(): AppError {
  return new AppError("upstream", "temporarily_unavailable", "This press is busy. Try again shortly.");
}

/** Where a page ended. */
type Place = { readonly publishedAt: string; readonly slug: string };

const PlaceText = z.tuple([z.iso.datetime(), z.string().regex(/^[0-9a-z-]{1,80}$/)]);

/**
 * Live presses, newest first, at most 200 (specification §4.3). Where the query pages, by `limit` or `cursor`, the
 * answer names the next page's cursor as long as there is one. Throws `input` `invalid_cursor`.
 */
export async function list(ports: { readonly table: Table }, query: ListQuery): Promise<PressList> {
  const limit = query.limit ?? pageSize;
  const found = await shelf(ports, query, limit + 1);
  const presses = found.items.slice(0, limit).map(toPress);
  const last = presses.at(-1);
  const more = found.items.length > limit || found.cut;
  const paged = query.limit !== undefined || query.cursor !== undefined;
  return { presses, ...(paged && more && last !== undefined && { cursor: cursorAfter(last) }) };
}

/** One query of the index. `cut` when it stopped early, as DynamoDB does after one megabyte. */
async function shelf(
  { table }: { readonly table: Table },
  { stock, cursor }: ListQuery,
  limit: number,
): Promise<{ readonly items: readonly PressItem[]; readonly cut: boolean }> {
  const options = { order: "desc", limit } as const;
  const start = cursor === undefined ? undefined : placeOf(cursor);
  const { press } = table.entities;
  const query =
    stock === undefined
      ? press.query.live({ shelf: "live" })
      : press.query.liveByStock({ stockShelf: stock });
  const page = await (start === undefined ? query : query.lt(start)).go(options);
  return { items: page.data, cut: page.cursor !== null };
}

function cursorAfter({ publishedAt, slug }: Press): string {
  return Buffer.from(JSON.stringify([publishedAt, slug])).toString("base64url");
}

function placeOf(cursor: string): Place {
  try {
    const [publishedAt, slug] = PlaceText.parse(JSON.parse(Buffer.from(cursor, "base64url").toString()));
    return { publishedAt, slug };
  } catch (cause) {
    throw new AppError("input", "invalid_cursor", "cursor: is not one that a list has answered", { cause });
  }
}

type OwnPorts = {
  readonly table: Table;
  readonly clock: Clock;
  readonly settings: Pick<Settings, "origin">;
};

/**
 * One of the caller's presses with its text (design §2); `id` is the path's text. Throws `missing` `unknown_press`, also
 * for another's: whether it exists is not revealed; and `upstream` `temporarily_unavailable`.
 */
export async function own(ports: OwnPorts, wallet: Address, id: string | undefined): Promise<OwnPress> {
  const number = pathId(id);
  const [press, text] = number === undefined ? [] : await pressAndText(ports, number);
  if (press == null || press.publisher !== wallet) {
    throw new AppError("missing", "unknown_press", "You have no press with this id.");
  }
  if (text == null) throw new Error(`Press ${press.id} has lost its text`);
  const approved = press.status === "approved" || press.status === "live";
  return {
    press: toDashboardPress(press),
    body: text.body,
    metaUrl: approved ? metaUrl(ports.settings.origin, press.id) : null,
    auditCount: press.auditCount,
  };
}

/** Both at one moment: an editor must not get one revision's text with another's time. */
async function pressAndText({ table, clock }: OwnPorts, id: number) {
  const found = await transact(clock, () =>
    table.transaction
      .get((entities) => [entities.press.get({ id }).commit(), entities.body.get({ id }).commit()])
      .go(),
  );
  if (found.canceled) {
    throw new AppError("upstream", "temporarily_unavailable", "This press is busy. Try again shortly.");
  }
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
  return {
    presses: data.map(toDashboardPress),
    totals: {
      earnedUsdg: toUsdg(String(data.reduce((sum, { earnedUnits = 0 }) => sum + earnedUnits, 0))),
      live: data.filter(({ status }) => status === "live").length,
      reads: data.reduce((sum, { reads }) => sum + reads, 0),
    },
  };
}

/** A live press as everybody sees it (specification §2.1). Throws for one that lacks what live presses have: a defect. */
function toPress(item: PressItem): Press {
  return Press.parse({
    ...shared(item),
    auditScore: item.audit?.score,
    publisherHolds: item.publisherHolds ?? false,
  });
}

/** A press as its publisher sees it, live or not (specification §2.10). */
function toDashboardPress(item: PressItem): DashboardPress {
  return DashboardPress.parse({
    ...shared(item),
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

function shared(item: PressItem) {
  return {
    ...item,
    priceUsdg: toUsdg(item.priceUnits),
    ...Vote.tally(item),
    auditTx: item.auditTx ?? null,
  };
}
