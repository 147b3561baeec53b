import { type ListedPress, type Press, pageSize } from "../../../core/press/schema.ts";
import { formatCount } from "../format.ts";

const orders = ["newest", "score", "cheapest"] as const;
/** Search results are sorted by relevance, unless the reader chooses another order. */
const foundOrders = ["fit", ...orders] as const;
type SortOrder = (typeof foundOrders)[number];

/** The filters and the order that a reader has chosen for the list. */
export type ListView = {
  readonly words: string;
  /** The ticker of the chosen stock, or `undefined` for all stocks. */
  readonly stock: string | undefined;
  readonly order: SortOrder;
};

/** The query in the list's web address: the reader's filters and order, without default values. */
type ViewParams = {
  readonly q?: string;
  readonly stock?: string;
  readonly sort?: SortOrder;
};

/** Parses the query in the list's web address. The result contains only known values that differ from the default. */
export function parseView({ q, stock, sort }: Readonly<Record<string, unknown>>): ViewParams {
  const words = typeof q === "string" ? q : "";
  const order = listSortOrders(words).find((each) => each === sort);
  return {
    ...(words !== "" && { q: words }),
    ...(typeof stock === "string" && stock !== "" && { stock }),
    ...(order !== undefined && order !== listSortOrders(words)[0] && { sort: order }),
  };
}

/** The orders in which a reader can sort a list or search results. The default order comes first. */
export function listSortOrders(words: string): readonly [SortOrder, ...SortOrder[]] {
  return words.trim() === "" ? orders : foundOrders;
}

export function makeView({ q, stock, sort }: ViewParams): ListView {
  return { words: q ?? "", stock, order: sort ?? listSortOrders(q ?? "")[0] };
}

export function formatParams({ words, stock, order }: ListView): ViewParams {
  return parseView({ q: words, stock, sort: order });
}

/**
 * Returns the view with the given search words. If the reader has chosen a sort order that the new words allow too, this order is kept.
 * Otherwise, the results of a search are sorted by relevance, and without a search the newest presses come first.
 */
export function changeWords(view: ListView, words: string): ListView {
  const isUsual = view.order === listSortOrders(view.words)[0] || !listSortOrders(words).includes(view.order);
  return { ...view, words, order: isUsual ? listSortOrders(words)[0] : view.order };
}

export type StockCount = { readonly symbol: string; readonly presses: number };

/** The stocks of the presses with the number of presses for each stock, sorted by symbol. */
export function countStocks(presses: readonly Press[]): readonly StockCount[] {
  const counts = new Map<string, number>();
  for (const { stock } of presses) counts.set(stock, (counts.get(stock) ?? 0) + 1);
  return [...counts]
    .map(([symbol, presses]) => ({ symbol, presses }))
    .sort((a, b) => a.symbol.localeCompare(b.symbol, "en"));
}

/**
 * The presses that match the reader's filters (`ListView`), in the chosen order. Presses with the same rank are sorted newest first. The
 * service returns search results sorted by relevance.
 */
export function arrangePresses(
  presses: readonly ListedPress[],
  { stock, order }: ListView,
): readonly ListedPress[] {
  const shown = presses.filter((press) => stock === undefined || press.stock === stock);
  if (order === "fit") return shown;
  return shown.toSorted((a, b) => compare[order](a, b) || compareNewest(a, b));
}

/** The text that says how many of all presses are shown. The list may be incomplete, because the service limits its length. */
export function formatTally(total: number, shown: number): string {
  const presses = formatCount(total, "article", "articles");
  if (shown < total) return `${shown} of ${total === pageSize ? "the newest " : ""}${presses}`;
  return total === pageSize ? `The newest ${presses}` : presses;
}

const compareNewest = (a: Press, b: Press): number =>
  Date.parse(b.publishedAt) - Date.parse(a.publishedAt) || b.id - a.id;

const compare: Readonly<Record<Exclude<SortOrder, "fit">, (a: Press, b: Press) => number>> = {
  newest: compareNewest,
  score: (a, b) => b.auditScore - a.auditScore,
  cheapest: (a, b) => Number(BigInt(a.priceUnits) - BigInt(b.priceUnits)),
};

/** The minimum number of presses for which the first page has sections. */
export const leastForParts = 4;

/** The maximum number of suggestions at the end of a press. */
const mostAfter = 3;

/**
 * The suggestions after a press. The first suggestion is the press that the author published next; if there is no later press, the first
 * suggestion is the author's newest earlier press. The other suggestions are the newest presses about the same stock, or about all stocks
 * if no other press is about the same stock. `presses` is sorted, with the newest press first.
 */
export function findNextPresses(press: Press, presses: readonly Press[]) {
  const others = presses.filter(({ id }) => id !== press.id);
  const own = others.filter(({ publisher }) => publisher === press.publisher);
  const next = own.findLast(({ publishedAt }) => publishedAt >= press.publishedAt) ?? own[0];
  const left = others.filter((other) => other !== next);
  const ofStock = left.filter(({ stock }) => stock === press.stock);
  return { next, related: (ofStock.length > 0 ? ofStock : left).slice(0, mostAfter) };
}
