import { type ListedPress, type Press, pageSize } from "../../../core/press/schema.ts";
import { count } from "../format.ts";

const orders = ["newest", "score", "cheapest"] as const;
/** Search results are ordered by how well they fit, unless the reader chooses another order. */
const foundOrders = ["fit", ...orders] as const;
type SortOrder = (typeof foundOrders)[number];

/** A reader's filters and order of the list. */
export type View = {
  readonly words: string;
  /** A ticker, or `undefined` for all stocks. */
  readonly stock: string | undefined;
  readonly order: SortOrder;
};

/** A view in the list's address, without default values. */
type ViewParams = {
  readonly q?: string;
  readonly stock?: string;
  readonly sort?: SortOrder;
};

/** Parses the list's query and drops missing, unknown and default values. */
export function parseView({ q, stock, sort }: Readonly<Record<string, unknown>>): ViewParams {
  const words = typeof q === "string" ? q : "";
  const order = ordersFor(words).find((each) => each === sort);
  return {
    ...(words !== "" && { q: words }),
    ...(typeof stock === "string" && stock !== "" && { stock }),
    ...(order !== undefined && order !== ordersFor(words)[0] && { sort: order }),
  };
}

/** The orders of a list or of a search, the usual one first. */
export function ordersFor(words: string): readonly [SortOrder, ...SortOrder[]] {
  return words.trim() === "" ? orders : foundOrders;
}

export function viewOf({ q, stock, sort }: ViewParams): View {
  return { words: q ?? "", stock, order: sort ?? ordersFor(q ?? "")[0] };
}

export function paramsOf({ words, stock, order }: View): ViewParams {
  return parseView({ q: words, stock, sort: order });
}

/** The view with other words. A search begins with the best match, and its end with the newest. */
export function withWords(view: View, words: string): View {
  const isUsual = view.order === ordersFor(view.words)[0] || !ordersFor(words).includes(view.order);
  return { ...view, words, order: isUsual ? ordersFor(words)[0] : view.order };
}

export type StockCount = { readonly symbol: string; readonly presses: number };

/** The presses' stocks with the number of presses, by symbol. */
export function stocksOf(presses: readonly Press[]): readonly StockCount[] {
  const counts = new Map<string, number>();
  for (const { stock } of presses) counts.set(stock, (counts.get(stock) ?? 0) + 1);
  return [...counts]
    .map(([symbol, presses]) => ({ symbol, presses }))
    .sort((a, b) => a.symbol.localeCompare(b.symbol, "en"));
}

/** The presses of a view in its order, equal ones newest first. The service gives found presses by how well they fit. */
export function arrangePresses(
  presses: readonly ListedPress[],
  { stock, order }: View,
): readonly ListedPress[] {
  const shown = presses.filter((press) => stock === undefined || press.stock === stock);
  if (order === "fit") return shown;
  return shown.toSorted((a, b) => compare[order](a, b) || newestFirst(a, b));
}

/** How many presses are shown, out of how many. The service limits the length of its list. */
export function tally(all: number, shown: number): string {
  const presses = count(all, "article", "articles");
  if (shown < all) return `${shown} of ${all === pageSize ? "the newest " : ""}${presses}`;
  return all === pageSize ? `The newest ${presses}` : presses;
}

const newestFirst = (a: Press, b: Press): number =>
  Date.parse(b.publishedAt) - Date.parse(a.publishedAt) || b.id - a.id;

const compare: Readonly<Record<Exclude<SortOrder, "fit">, (a: Press, b: Press) => number>> = {
  newest: newestFirst,
  score: (a, b) => b.auditScore - a.auditScore,
  cheapest: (a, b) => Number(BigInt(a.priceUnits) - BigInt(b.priceUnits)),
};

/** With fewer presses the first page has no parts. */
export const leastForParts = 4;

/** The most presses that follow one. */
const mostAfter = 3;

/**
 * The presses after a press: the author's next one, or else the newest before it, and the newest others about
 * its stock, or else of all stocks. `presses` are newest first.
 */
export function afterOf(press: Press, presses: readonly Press[]) {
  const others = presses.filter(({ id }) => id !== press.id);
  const own = others.filter(({ publisher }) => publisher === press.publisher);
  const next = own.findLast(({ publishedAt }) => publishedAt >= press.publishedAt) ?? own[0];
  const left = others.filter((other) => other !== next);
  const ofStock = left.filter(({ stock }) => stock === press.stock);
  return { next, related: (ofStock.length > 0 ? ofStock : left).slice(0, mostAfter) };
}
