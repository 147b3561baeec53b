import { type ListedPress, type Press, pageSize } from "../../../core/press/schema.ts";
import { count } from "../format.ts";

export const orders = ["newest", "score", "cheapest"] as const;
type Order = (typeof orders)[number];

/** What a reader asked to see of the list. */
export type View = {
  readonly words: string;
  /** A ticker, or `undefined` for all of them. */
  readonly stock: string | undefined;
  readonly order: Order;
};

/** A view as the list's address carries it, without what is at its default. */
type ViewParams = {
  readonly q?: string;
  readonly stock?: string;
  readonly sort?: Exclude<Order, "newest">;
};

/** Reads the query of the list's address; what is missing or unknown is left out. */
export function parseView({ q, stock, sort }: Readonly<Record<string, unknown>>): ViewParams {
  const order = orders.filter((each) => each !== "newest").find((each) => each === sort);
  return {
    ...(typeof q === "string" && q !== "" && { q }),
    ...(typeof stock === "string" && stock !== "" && { stock }),
    ...(order !== undefined && { sort: order }),
  };
}

export function viewOf({ q, stock, sort }: ViewParams): View {
  return { words: q ?? "", stock, order: sort ?? "newest" };
}

export function paramsOf({ words, stock, order }: View): ViewParams {
  return parseView({ q: words, stock, sort: order });
}

export type StockCount = { readonly symbol: string; readonly presses: number };

/** The stocks that presses are about, with how many each, by symbol. */
export function stocksOf(presses: readonly Press[]): readonly StockCount[] {
  const counts = new Map<string, number>();
  for (const { stock } of presses) counts.set(stock, (counts.get(stock) ?? 0) + 1);
  return [...counts]
    .map(([symbol, presses]) => ({ symbol, presses }))
    .sort((a, b) => a.symbol.localeCompare(b.symbol, "en"));
}

/** The presses that a view shows, in its order; equal ones newest first. What a search has found stands by how well it fits. */
export function arrange(
  presses: readonly ListedPress[],
  { words, stock, order }: View,
): readonly ListedPress[] {
  const shown = presses.filter((press) => stock === undefined || press.stock === stock);
  if (words !== "" && order === "newest") return shown;
  return shown.toSorted((a, b) => compare[order](a, b) || newestFirst(a, b));
}

/** How many presses are shown, out of how many; the service lists only so many at once. */
export function tally(all: number, shown: number): string {
  const presses = count(all, "press", "presses");
  if (shown < all) return `${shown} of ${all === pageSize ? "the newest " : ""}${presses}`;
  return all === pageSize ? `The newest ${presses}` : presses;
}

const newestFirst = (a: Press, b: Press): number =>
  Date.parse(b.publishedAt) - Date.parse(a.publishedAt) || b.id - a.id;

const compare: Readonly<Record<Order, (a: Press, b: Press) => number>> = {
  newest: newestFirst,
  score: (a, b) => b.auditScore - a.auditScore,
  cheapest: (a, b) => Number(BigInt(a.priceUnits) - BigInt(b.priceUnits)),
};

const day = 24 * 60 * 60 * 1000;

/** Presses of a part of the first page at most. */
const most = 4;

/** Fewer presses than these are a first page by themselves. */
export const leastForParts = 4;

/** The parts of the first page that are the same for everybody. */
export type Front = {
  readonly lead: ListedPress | undefined;
  /** Of the last seven days, those that were read at all, most first. */
  readonly read: readonly ListedPress[];
  /** Of the last seven days, those that more readers liked than not, best first. */
  readonly rated: readonly ListedPress[];
};

/**
 * What stands above the list. The lead is the press of the last three days, else of the newest ten, that readers made most
 * of: a paid read counts one, a reader's vote three. Equal ones stand by their audits' scores, then the newest first. `presses` come
 * newest first; `now` is in milliseconds.
 */
export function frontOf(presses: readonly ListedPress[], now: number): Front {
  const since = (days: number) =>
    presses.filter(({ publishedAt }) => Date.parse(publishedAt) > now - days * day);
  const recent = since(3).length > 0 ? since(3) : presses.slice(0, 10);
  const week = since(7);
  return {
    lead: best(recent, (press) => press.reads + 3 * balance(press))[0],
    read: best(week, ({ reads }) => reads).filter(({ reads }) => reads > 0),
    rated: best(week, balance).filter((press) => balance(press) > 0),
  };
}

/** How many more readers liked than not: votes of wallets that have not paid cost next to nothing, and move nothing. */
function balance({ readerVotes }: ListedPress): number {
  return readerVotes.up - readerVotes.down;
}

function best(presses: readonly ListedPress[], of: (press: ListedPress) => number): readonly ListedPress[] {
  return presses
    .toSorted((one, other) => of(other) - of(one) || other.auditScore - one.auditScore)
    .slice(0, most);
}

/** Presses that are shown after one. */
const mostAfter = 3;

/**
 * What follows a press: by its author the next one after it, else the newest before it; and the newest others about its stock, or
 * the newest of all where there are none. `presses` come newest first.
 */
export function afterOf(press: Press, presses: readonly Press[]) {
  const others = presses.filter(({ id }) => id !== press.id);
  const own = others.filter(({ publisher }) => publisher === press.publisher);
  const next = own.findLast(({ publishedAt }) => publishedAt >= press.publishedAt) ?? own[0];
  const left = others.filter((other) => other !== next);
  const ofStock = left.filter(({ stock }) => stock === press.stock);
  return { next, related: (ofStock.length > 0 ? ofStock : left).slice(0, mostAfter) };
}
