import type { Address } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import * as Market from "../market/index.ts";
import * as Payment from "../payment/index.ts";
import type { Clock } from "../port/clock.ts";
import type { MarketData } from "../port/market.ts";
import type { Table } from "../table.ts";
import type { PressItem } from "./entity.ts";
import { AuditSummary, type Press, type PressDetail } from "./schema.ts";
import { idIn } from "./slug.ts";
import { toPress } from "./view.ts";

type Ports = { readonly table: Table; readonly clock: Clock; readonly market: MarketData };

/**
 * A live press by its slug, with its text if `reader` may have it: the publisher, or a wallet that has unlocked it
 * (specification §2.2). Throws `missing` `unknown_press`.
 */
export async function read(
  ports: Ports,
  slug: string,
  reader: () => Promise<Address | undefined>,
): Promise<PressDetail> {
  const [press, wallet] = await Promise.all([findLive(ports, slug), reader()]);
  const shown = toPress(press);
  const [mark, body] = await Promise.all([
    Market.markNow(ports, press.stock),
    wallet === undefined ? null : textFor(ports, shown, wallet),
  ]);
  return {
    press: { ...shown, priceNow: mark ?? shown.priceAtPublish },
    audit: AuditSummary.parse(press.audit),
    unlocked: body !== null,
    body,
  };
}

async function findLive({ table }: Pick<Ports, "table">, slug: string): Promise<PressItem> {
  const id = idIn(slug);
  const found =
    id === undefined ? null : (await table.entities.press.get({ id }).go({ consistent: true })).data;
  if (found === null || found.status !== "live" || found.slug !== slug) {
    throw new AppError("missing", "unknown_press", "There is no such press.");
  }
  return found;
}

async function textFor(ports: Ports, press: Press, wallet: Address): Promise<string | null> {
  const allowed = press.publisher === wallet || (await Payment.hasUnlocked(ports, wallet, press.pressId));
  return allowed ? textOf(ports, press.id) : null;
}

async function textOf({ table }: Pick<Ports, "table">, id: number): Promise<string> {
  const { data } = await table.entities.body.get({ id }).go({ consistent: true });
  if (data === null) throw new Error(`Press ${id} has lost its text`);
  return data.body;
}
