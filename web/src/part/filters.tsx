import type { Order, View } from "../shelf.ts";
import { orders } from "../shelf.ts";

type FiltersProps = {
  readonly view: View;
  readonly stocks: readonly { readonly symbol: string; readonly presses: number }[];
  readonly onChange: (view: View) => void;
};

const orderNames: Readonly<Record<Order, string>> = {
  newest: "Newest first",
  score: "Highest audit score",
  cheapest: "Lowest price",
};

/** Search, stock and order of the list. */
export function Filters({ view, stocks, onChange }: FiltersProps) {
  return (
    <search className="filters">
      <label className="filter-words">
        <span>Search</span>
        <input
          type="search"
          value={view.words}
          placeholder="Headline, preview or publisher"
          autoComplete="off"
          onChange={({ target }) => onChange({ ...view, words: target.value })}
        />
      </label>
      <label>
        <span>Stock</span>
        <select
          value={view.stock ?? ""}
          onChange={({ target }) => onChange({ ...view, stock: target.value || undefined })}
        >
          <option value="">All stocks</option>
          {stocks.map(({ symbol, presses }) => (
            <option key={symbol} value={symbol}>
              {symbol} ({presses})
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>Sort</span>
        <select
          value={view.order}
          onChange={({ target }) =>
            onChange({ ...view, order: orders.find((order) => order === target.value) ?? "newest" })
          }
        >
          {orders.map((order) => (
            <option key={order} value={order}>
              {orderNames[order]}
            </option>
          ))}
        </select>
      </label>
    </search>
  );
}
