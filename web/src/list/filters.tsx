import { list as words } from "../strings/list.ts";
import { Icon } from "../ui/icon.tsx";
import { Select } from "../ui/select.tsx";
import { orders, type StockCount, type View } from "./shelf.ts";

type FiltersProps = {
  readonly view: View;
  readonly stocks: readonly StockCount[];
  readonly onChange: (view: View) => void;
};

const orderOptions = orders.map((value) => ({ value, label: words.orders[value] }));

/** What of the list is shown, and in which order. */
export function Filters({ view, stocks, onChange }: FiltersProps) {
  const known = stocks.some(({ symbol }) => symbol === view.stock);
  const asked = view.stock === undefined || known ? [] : [{ symbol: view.stock, presses: 0 }];
  const stockOptions = [
    { value: "", label: words.allStocks },
    ...[...stocks, ...asked].map(({ symbol, presses }) => ({
      value: symbol,
      label: words.stockOption(symbol, presses),
    })),
  ];
  return (
    <search className="flex flex-wrap gap-3">
      <label className="relative min-w-0 flex-1 basis-64">
        <span className="sr-only">{words.search}</span>
        <Icon name="search" className="absolute top-1/2 left-4 -translate-y-1/2 text-quiet" />
        <input
          type="search"
          value={view.words}
          placeholder={words.searchHint}
          onChange={({ target }) => onChange({ ...view, words: target.value })}
          className="min-h-11 w-full rounded-full border border-edge bg-card pr-4 pl-10 text-base placeholder:text-quiet"
        />
      </label>
      <Select
        label={words.stock}
        value={view.stock ?? ""}
        options={stockOptions}
        onChange={(stock) => onChange({ ...view, stock: stock === "" ? undefined : stock })}
      />
      <Select
        label={words.sort}
        value={view.order}
        options={orderOptions}
        onChange={(order) => onChange({ ...view, order })}
      />
    </search>
  );
}
