import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { Press } from "../../../core/press/schema.ts";
import { pressList } from "../api/press.ts";
import { formatDay } from "../format.ts";
import { common } from "../strings/common.ts";
import { list as words } from "../strings/reader.ts";
import { Button } from "../ui/button.tsx";
import { Select } from "../ui/choice.tsx";
import { Icon } from "../ui/icon.tsx";
import { ListSkeleton, Page } from "../ui/page.tsx";
import { Badge, Failure, Notice, Score } from "../ui/status.tsx";
import { formatUsdg } from "../usdg.ts";
import { Labels } from "./labels.tsx";
import { arrange, orders, paramsOf, type StockCount, stocksOf, tally, type View, viewOf } from "./view.ts";

const route = getRouteApi("/");

/** The live presses. What is searched for stands in the address, so that it can be shared and gone back to. */
export function ListPage() {
  const view = viewOf(route.useSearch());
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(pressList);
  const change = (changed: View) =>
    void navigate({ search: paramsOf(changed), replace: true, resetScroll: false });
  return (
    <Page heading={words.title} lead={words.lead}>
      <div className="grid gap-5">
        <Filters view={view} stocks={stocksOf(data ?? [])} onChange={change} />
        {data === undefined && error !== null ? (
          <Failure heading={words.failed} error={error} retry={() => void refetch()} />
        ) : (
          <PressList presses={data} view={view} onChange={change} />
        )}
      </div>
    </Page>
  );
}

type PressListProps = {
  /** `undefined` while they are on their way. */
  readonly presses: readonly Press[] | undefined;
  readonly view: View;
  readonly onChange: (view: View) => void;
};

function PressList({ presses, view, onChange }: PressListProps) {
  const shown = arrange(presses ?? [], view);
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
        <ul className="grid gap-4">
          {shown.map((press) => (
            <PressRow key={press.id} press={press} />
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

/** A press in a list. The whole row leads to it. */
function PressRow({ press }: { readonly press: Press }) {
  return (
    <li className="group relative grid gap-x-8 gap-y-4 rounded-2xl border border-line bg-card p-5 shadow-card transition-colors hover:border-edge sm:p-6 md:grid-cols-[1fr_auto]">
      <article className="grid min-w-0 gap-2">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-xs text-quiet">
          <Badge tone="accent">{press.stock}</Badge>
          <time dateTime={press.publishedAt}>{formatDay(press.publishedAt)}</time>
          <span>{words.minutes(press.readMinutes)}</span>
          <Labels press={press} />
        </p>
        <h2 className="font-serif text-title font-bold">
          <Link
            to="/press/$slug"
            params={{ slug: press.slug }}
            className="group-hover:text-accent after:absolute after:inset-0 after:rounded-2xl"
          >
            {press.headline}
          </Link>
        </h2>
        <p className="line-clamp-3 max-w-2xl text-quiet">{press.preview}</p>
        <p className="text-sm text-quiet">{words.by(press.publisherName)}</p>
      </article>
      <dl className="flex items-center gap-6 max-md:border-t max-md:border-line max-md:pt-4 md:flex-col md:items-end md:justify-between md:text-right">
        <div>
          <dt className="sr-only">{words.price}</dt>
          <dd className="text-lg font-semibold">
            {formatUsdg(press.priceUnits)}{" "}
            <span className="text-sm font-normal text-quiet">{common.unit}</span>
          </dd>
        </div>
        <div className="flex items-center gap-3">
          <dt className="text-xs text-quiet">{words.audit}</dt>
          <dd>
            <Score score={press.auditScore} />
          </dd>
        </div>
        <div className="text-xs text-quiet max-md:ml-auto max-md:text-right">
          <dt className="sr-only">{words.readers}</dt>
          <dd>{words.reads(press.reads)}</dd>
          <dd>{words.votes(press.votes.up, press.votes.down)}</dd>
        </div>
      </dl>
    </li>
  );
}
