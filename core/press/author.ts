import type { Address } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import type { Table } from "../table.ts";
import { withFindings } from "./read.ts";
import { type Author, type ListedPress, pageSize } from "./schema.ts";

type Ports = { readonly table: Table };

/**
 * What a wallet has published: its live presses, newest first, with what readers and audits made of them. Drafts are
 * neither shown nor counted. One request to the table, whose megabyte holds about 500 presses and drafts; `complete` says
 * whether that was all. Throws `missing` `unknown_author` for a wallet without a live press.
 */
export async function author(ports: Ports, address: Address): Promise<Author> {
  const { presses, complete } = await livePressesBy(ports, address);
  const [newest] = presses;
  const oldest = presses.at(-1);
  if (newest === undefined || oldest === undefined) {
    throw new AppError("missing", "unknown_author", "This wallet has published no press.");
  }
  const scores = presses.map(({ auditScore }) => auditScore);
  return {
    address,
    names: namesOf(presses),
    since: oldest.publishedAt,
    complete,
    totals: {
      presses: presses.length,
      reads: sum(presses, ({ reads }) => reads),
      votes: { up: sum(presses, ({ votes }) => votes.up), down: sum(presses, ({ votes }) => votes.down) },
    },
    audits: {
      lowest: Math.min(...scores),
      average: Math.round(sum(scores, (score) => score) / scores.length),
      highest: Math.max(...scores),
    },
    presses: presses.slice(0, pageSize),
  };
}

/** A wallet's live presses, newest first. One query. */
async function livePressesBy(
  { table }: Ports,
  address: Address,
): Promise<{ readonly presses: readonly ListedPress[]; readonly complete: boolean }> {
  const { data, cursor } = await table.entities.press.query
    .byPublisher({ publisher: address })
    .where(({ status }, { eq }) => eq(status, "live"))
    .go({ order: "desc" });
  const presses = data
    .map(withFindings)
    .toSorted((one, other) => (one.publishedAt < other.publishedAt ? 1 : -1));
  return { presses, complete: cursor === null };
}

/** Each byline with the time of its first press, the newest first. */
function namesOf(presses: readonly ListedPress[]): Author["names"] {
  const firsts = new Map<string, string>();
  for (const { publisherName, publishedAt } of presses.toReversed()) {
    if (!firsts.has(publisherName)) firsts.set(publisherName, publishedAt);
  }
  return [...firsts].map(([name, since]) => ({ name, since })).toReversed();
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
