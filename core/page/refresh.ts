import { createHash } from "node:crypto";
import type { Clock } from "../port/clock.ts";
import type { Pages } from "../port/pages.ts";
import type { Queue } from "../port/queue.ts";
import type { Table } from "../table.ts";
import type { Facts, Place } from "./facts.ts";
import { makePage } from "./make.ts";
import type { PageOrder } from "./schema.ts";

export type RefreshPorts = {
  readonly table: Table;
  readonly clock: Clock;
  readonly pages: Pages;
  readonly pageOrders: Queue<PageOrder>;
  readonly settings: Place;
};

export type Refreshed =
  | { readonly state: "no site" | "current" }
  | { readonly state: "complete" | "under way"; readonly ordered: number };

/** Presses of one request to the table; after each the round's progress is kept. */
const stride = 200;
/** Orders that are sent at once. */
const breadth = 20;

/**
 * Orders every page anew when pages have come to look different, by a new build of the site or by another way of making
 * them, and stops at `until` (milliseconds): the next run goes on from there. One that ends in the middle, or two at
 * once, order some pages twice, which changes nothing. Throws `upstream` `site_unavailable` or `queue_unavailable`.
 */
export async function refresh(ports: RefreshPorts, until: number): Promise<Refreshed> {
  const template = await ports.pages.template();
  if (template === undefined) return { state: "no site" };
  const look = lookOf(template, ports.settings);
  const { data: last } = await ports.table.entities.round.get({ name: "pages" }).go({ consistent: true });
  if (last?.look === look && last.complete) return { state: "current" };
  let cursor = last?.look === look ? last.cursor : undefined;
  let ordered = 0;
  do {
    const { ids, next } = await livePresses(ports.table, cursor);
    await orderAll(ports.pageOrders, ids);
    ordered += ids.length;
    cursor = next;
    await keep(ports, look, cursor);
  } while (cursor !== undefined && ports.clock.now() < until);
  return { state: cursor === undefined ? "complete" : "under way", ordered };
}

/** In the order in which they went live, so that what goes live meanwhile comes at the end. */
async function livePresses(table: Table, cursor: string | undefined) {
  const found = await table.entities.press.query
    .live({ shelf: "live" })
    .go({ order: "asc", limit: stride, attributes: ["id"], cursor: cursor ?? null });
  return { ids: found.data.map(({ id }) => id), next: found.cursor ?? undefined };
}

async function orderAll(orders: Queue<PageOrder>, ids: readonly number[]): Promise<void> {
  for (let from = 0; from < ids.length; from += breadth) {
    await Promise.all(ids.slice(from, from + breadth).map((id) => orders.send({ id })));
  }
}

async function keep({ table, clock }: RefreshPorts, look: string, cursor: string | undefined): Promise<void> {
  const changedAt = new Date(clock.now()).toISOString();
  await table.entities.round
    .put({
      name: "pages",
      look,
      complete: cursor === undefined,
      changedAt,
      ...(cursor !== undefined && { cursor }),
    })
    .go();
}

/** A press that shows every part of a page. */
const specimen: Facts = {
  slug: "specimen-1",
  headline: "Headline",
  preview: "Preview",
  stock: "AAPL",
  publisher: "0x0000000000000000000000000000000000000001",
  publisherName: "Byline",
  priceUnits: "1500000",
  publishedAt: "2026-01-01T00:00:00.000Z",
  readMinutes: 1,
  aiAssisted: true,
  publisherHolds: true,
  audit: { score: 100 },
};

/** What all pages have in common, as a digest: it changes with the site's document, its origin, and how pages are made. */
function lookOf(template: string, place: Place): string {
  return createHash("sha256")
    .update(makePage(template, specimen, place))
    .digest("hex");
}
