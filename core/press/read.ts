import type { Address } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import * as Market from "../market/index.ts";
import type { Clock } from "../port/clock.ts";
import type { MarketData } from "../port/market.ts";
import * as Session from "../session/index.ts";
import type { Table } from "../table.ts";
import { transact } from "../transact.ts";
import type { PressItem } from "./entity.ts";
import { AuditSummary, type PressDetail } from "./schema.ts";
import { idIn } from "./slug.ts";
import { toPress } from "./view.ts";

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
