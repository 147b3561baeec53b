import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ListedPress } from "../../../core/press/schema.ts";
import { marketWeek } from "../api/market.ts";
import { pressList } from "../api/press.ts";
import { list as words } from "../strings/reader.ts";
import { Button } from "../ui/button.tsx";
import { Select } from "../ui/choice.tsx";
import { Icon } from "../ui/icon.tsx";
import { ListSkeleton, Page } from "../ui/page.tsx";
import { Failure, Notice } from "../ui/status.tsx";
import { PressCard, useReader } from "./card.tsx";
import { frontOf, leastForParts } from "./front.ts";
import { FrontParts } from "./front-parts.tsx";
import {
  arrange,
  type Names,
  orders,
  paramsOf,
  type StockCount,
  stocksOf,
  tally,
  type View,
  viewOf,
} from "./view.ts";

const route = getRouteApi("/");

/** The live presses. What is searched for stands in the address, so that it can be shared and gone back to. */
export function ListPage() {
  const view = viewOf(route.useSearch());
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(pressList);
  const { data: stocks } = useQuery(marketWeek);
  const names = new Map(stocks?.map(({ symbol, name }) => [symbol, name]));
  const isFront = view.words === "" && view.stock === undefined && view.order === "newest";
  const front = isFront && (data?.length ?? 0) >= leastForParts ? frontOf(data ?? [], Date.now()) : undefined;
  const change = (changed: View) =>
    void navigate({ search: paramsOf(changed), replace: true, resetScroll: false });
  return (
    <Page heading={words.title} lead={words.lead}>
      {isFront && data !== undefined && <FrontParts presses={data} stocks={stocks ?? []} front={front} />}
      <div className="grid gap-5">
        <Filters view={view} stocks={stocksOf(data ?? [])} onChange={change} />
        {data === undefined && error !== null ? (
          <Failure heading={words.failed} error={error} retry={() => void refetch()} />
        ) : (
          <PressList presses={data} lead={front?.lead} view={view} names={names} onChange={change} />
        )}
      </div>
    </Page>
  );
}

type PressListProps = {
  /** `undefined` while they are on their way. */
  readonly presses: readonly ListedPress[] | undefined;
  /** It stands above the list already. */
  readonly lead: ListedPress | undefined;
  readonly view: View;
  readonly names: Names;
  readonly onChange: (view: View) => void;
};

function PressList({ presses, lead, view, names, onChange }: PressListProps) {
  const shown = arrange(presses ?? [], view, names);
  const { markOf } = useReader();
  return (
    <section aria-label={words.presses} aria-busy={presses === undefined} className="grid gap-4">
      <p role="status" className="text-sm text-quiet">
        {presses === undefined ? words.loading : tally(presses.length, shown.length)}
      </p>
      {presses === undefined && <ListSkeleton />}
      {presses?.length === 0 && (
        <Notice heading={words.emptyTitle}>
          <p>{words.empty}</p>
        </Notice>
      )}
      {presses !== undefined && presses.length > 0 && shown.length === 0 && (
        <Notice heading={words.nothingTitle}>
          <p>{words.nothing}</p>
          <Button onClick={() => onChange({ ...view, words: "", stock: undefined })}>{words.showAll}</Button>
        </Notice>
      )}
      {shown.length > 0 && (
        <ul className="grid gap-4 lg:grid-cols-2">
          {shown
            .filter((press) => press !== lead)
            .map((press) => (
              <PressCard key={press.id} press={press} mark={markOf(press)} />
            ))}
        </ul>
      )}
    </section>
  );
}

type FiltersProps = {
  readonly view: View;
  readonly stocks: readonly StockCount[];
  readonly onChange: (view: View) => void;
};

const orderOptions = orders.map((value) => ({ value, label: words.orders[value] }));

/** What of the list is shown, and in which order. */
function Filters({ view, stocks, onChange }: FiltersProps) {
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
