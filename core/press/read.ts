import * as z from "zod";
import type { Address } from "../chain/hex.ts";
import { AppError, tableBusy } from "../error.ts";
import * as Market from "../market/index.ts";
import type { Clock } from "../port/clock.ts";
import type { MarketData } from "../port/market.ts";
import * as Session from "../session/index.ts";
import type { Table } from "../table.ts";
import { transact } from "../transact.ts";
import * as Vote from "../vote/index.ts";
import type { PressItem } from "./entity.ts";
import { idIn } from "./links.ts";
import {
  AuditSummary,
  type ListedPress,
  type ListQuery,
  Press,
  type PressDetail,
  type PressList,
  pageSize,
  toUsdg,
} from "./schema.ts";

type Ports = { readonly table: Table; readonly clock: Clock; readonly market: MarketData };

/**
 * A live press by its slug, with its text if the reader may have it: its publisher, or a wallet that has unlocked it
 * (specification §2.2). The reader is a session's token or a signed read, which the text uses up. Throws `missing`
 * `unknown_press`, and for a signed read `auth` `invalid_nonce`.
 *
 * One request to the table; with a living session or a signed read one more, and one that uses it up; further ones only
 * while the stock's price is due.
 */
export async function read(
  ports: Ports,
  slug: string,
  reader: string | Session.SignedRead | undefined,
): Promise<PressDetail> {
  const signed = typeof reader === "object" ? reader : undefined;
  const { press, marks, session } = await open(ports, slug, typeof reader === "string" ? reader : undefined);
  const shown = toPress(press);
  const wallet = signed?.wallet ?? session?.wallet;
  const [price, body] = await Promise.all([
    Market.priceFrom(ports, press.stock, Market.markIn(marks, press.stock)),
    wallet === undefined ? null : textFor(ports, press, shown.pressId, wallet),
  ]);
  if (signed !== undefined && body !== null) await Session.spendRead(ports, signed);
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
  if (found.canceled) throw tableBusy(found);
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
  if (found.canceled) throw tableBusy(found);
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
  if (found.canceled) throw tableBusy(found);
  const [body, leg] = found.data;
  // A settled publisher leg is the unlock.
  if (publisher !== wallet && leg.item?.state !== "settled") return null;
  if (body.item === null) throw new Error(`Press ${id} has lost its text`);
  return body.item.body;
}

function unknown(): AppError {
  return new AppError("missing", "unknown_press", "There is no such press.");
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
  const found = await livePresses(ports, query, limit + 1);
  const presses = found.items.slice(0, limit).map(query.with === "findings" ? withFindings : toPress);
  const last = presses.at(-1);
  const more = found.items.length > limit || found.cut;
  const paged = query.limit !== undefined || query.cursor !== undefined;
  return { presses, ...(paged && more && last !== undefined && { cursor: cursorAfter(last) }) };
}

/** One query of the index. `cut` when it stopped early, as DynamoDB does after one megabyte. */
async function livePresses(
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

/** A live press as everybody sees it (specification §2.1). Throws for one that lacks what live presses have: a defect. */
function toPress(item: PressItem): Press {
  return Press.parse({
    ...commonFields(item),
    auditScore: item.audit?.score,
    publisherHolds: item.publisherHolds ?? false,
  });
}

/** The same with what its audit found, where that was kept. */
export function withFindings(item: PressItem): ListedPress {
  const { found } = item.audit ?? {};
  const press = toPress(item);
  return found === undefined
    ? press
    : { ...press, findings: { low: found.low ?? 0, medium: found.medium ?? 0 } };
}

/** What both views of a press have. */
export function commonFields(item: PressItem) {
  return {
    ...item,
    priceUsdg: toUsdg(item.priceUnits),
    ...Vote.tally(item),
    readerVotes: Vote.readerVotes(item),
    auditTx: item.auditTx ?? null,
  };
}
