import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import type { StockWeek } from "../../../core/market/schema.ts";
import type { ListedPress } from "../../../core/press/schema.ts";
import { chooseFront, type FrontPage } from "../../../core/rank/schema.ts";
import { marketWeek, pressList, queryHoldings, querySearch } from "../api/press.ts";
import { isFollowedPress, useFollows } from "../follow/follow.tsx";
import { countVotes, formatLongHex, formatUsdg } from "../format.ts";
import { useSession } from "../session/sign-in.tsx";
import { front as frontWords, list as words } from "../strings/reader.ts";
import { Button } from "../ui/button.tsx";
import { Select } from "../ui/choice.tsx";
import { Icon, StockMark } from "../ui/icon.tsx";
import { Age, ListSkeleton, Page, Section } from "../ui/page.tsx";
import { Failure, Notice, Score } from "../ui/status.tsx";
import { useConnection } from "../wallet/state.ts";
import { Byline, HeadlineLink, isFresh, PressCards, Price, Sparkline, useMarks } from "./card.tsx";
import { ListedCover } from "./cover.tsx";
import {
  arrangePresses,
  changeWords,
  countStocks,
  formatParams,
  formatTally,
  type ListView,
  leastForParts,
  listSortOrders,
  makeView,
  type StockCount,
} from "./view.ts";

const route = getRouteApi("/");

/** The page that lists the live presses. Search and filters are in the page's address, so that readers can share and revisit a search. */
export function ListPage() {
  const view = makeView(route.useSearch());
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(pressList);
  const { data: stocks } = useQuery(marketWeek);
  const isFront = view.words === "" && view.stock === undefined && view.order === "newest";
  const parts = useFrontParts(isFront ? (data ?? []) : [], stocks ?? []);
  const change = (changed: ListView) =>
    void navigate({ search: formatParams(changed), replace: true, resetScroll: false });
  return (
    <Page heading={words.title} lead={words.lead}>
      <Filters view={view} stocks={countStocks(data ?? [])} onChange={change} />
      {isFront && <FrontParts parts={parts} />}
      <div className="grid gap-5">
        {view.words.trim() !== "" ? (
          <Results view={view} onChange={change} />
        ) : data === undefined && error !== null ? (
          <Failure heading={words.failed} error={error} retry={() => void refetch()} />
        ) : (
          <PressList
            presses={data && arrangePresses(data, view)}
            all={data?.length ?? 0}
            above={isFront ? parts.all : undefined}
            view={view}
            onChange={change}
          />
        )}
      </div>
    </Page>
  );
}

type ViewProps = { readonly view: ListView; readonly onChange: (view: ListView) => void };

/** The results of a search, with the stocks and authors whose name matches. */
function Results({ view, onChange }: ViewProps) {
  const { data, error, refetch, isPlaceholderData } = useQuery(querySearch(view.words.trim(), view.stock));
  if (data === undefined && error !== null)
    return <Failure heading={words.searchFailed} error={error} retry={() => void refetch()} />;
  const { stocks = [], authors = [], corrected } = data ?? {};
  // While a search runs, the results of the previous search are shown.
  return (
    <div className="grid gap-4" aria-busy={isPlaceholderData}>
      {corrected !== undefined && !isPlaceholderData && (
        <p className="text-sm">{words.corrected(view.words.trim(), corrected)}</p>
      )}
      {stocks.length + authors.length > 0 && (
        <ul aria-label={words.named} className="flex flex-wrap gap-3">
          {stocks.map(({ symbol, name }) => (
            <li key={symbol}>
              <Link to="/stock/$symbol" params={{ symbol }} className={offer}>
                <StockMark symbol={symbol} size="small" /> {words.stockPage(symbol, name)}
              </Link>
            </li>
          ))}
          {authors.map(({ address, name }) => (
            <li key={`${address} ${name}`}>
              <Link to="/by/$address" params={{ address }} className={offer}>
                {words.authorPage(name, formatLongHex(address))}
              </Link>
            </li>
          ))}
        </ul>
      )}
      <PressList
        presses={data && arrangePresses(data.presses, view)}
        all={data?.presses.length ?? 0}
        view={view}
        onChange={onChange}
      />
    </div>
  );
}

const offer =
  "inline-flex min-h-11 items-center gap-2 rounded-full border border-edge bg-card px-4 text-sm font-semibold hover:border-accent";

type PressListProps = ViewProps & {
  /** The presses in the chosen order; `undefined` while they are loading. */
  readonly presses: readonly ListedPress[] | undefined;
  /** The number of all presses. */
  readonly all: number;
  /** The presses that are shown in the sections above the list. The list does not repeat these presses. */
  readonly above?: ReadonlySet<ListedPress> | undefined;
};

function PressList({ presses, all, above = none, view, onChange }: PressListProps) {
  const rest = presses?.filter((press) => !above.has(press));
  const isSearch = view.words.trim() !== "";
  return (
    <section aria-label={words.presses} aria-busy={presses === undefined} className="grid gap-4">
      <p role="status" className="text-sm text-quiet">
        {presses === undefined ? words.loading : formatTally(all, presses.length)}
        {above.size > 0 && words.above(above.size)}
      </p>
      {presses === undefined && <ListSkeleton />}
      {all === 0 && presses !== undefined && !isSearch && (
        <Notice heading={words.emptyTitle}>
          <p>{words.empty}</p>
        </Notice>
      )}
      {presses?.length === 0 && (all > 0 || isSearch) && (
        <Notice heading={words.nothingTitle}>
          <p>{isSearch ? words.nothingFound : words.nothing}</p>
          <Button onClick={() => onChange({ ...changeWords(view, ""), stock: undefined })}>
            {words.showAll}
          </Button>
        </Notice>
      )}
      {rest !== undefined && rest.length > 0 && <PressCards presses={rest} />}
    </section>
  );
}

const none: ReadonlySet<ListedPress> = new Set();

/** The controls for the filters and the order of the list. */
function Filters({ view, stocks, onChange }: ViewProps & { readonly stocks: readonly StockCount[] }) {
  // The typed words that are not in the page's URL yet. If the field showed only the words of the URL, the caret would jump to the end.
  const [typed, setTyped] = useState<string>();
  if (typed === view.words) setTyped(undefined);
  const known = stocks.some(({ symbol }) => symbol === view.stock);
  const asked = view.stock === undefined || known ? [] : [{ symbol: view.stock, presses: 0 }];
  const orderOptions = listSortOrders(view.words).map((value) => ({ value, label: words.orders[value] }));
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
          value={typed ?? view.words}
          placeholder={words.searchHint}
          onChange={({ target }) => {
            setTyped(target.value);
            onChange(changeWords(view, target.value));
          }}
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

/** The sections that are shown above the list while the reader does not search. No press is in two sections. */
type ListParts = FrontPage<ListedPress> & {
  readonly followed: readonly ListedPress[];
  readonly held: readonly ListedPress[];
  /** The symbols of the stocks that the wallet holds. */
  readonly symbols: readonly string[];
  readonly all: ReadonlySet<ListedPress>;
};

/**
 * The sections of the first page for this reader. If the marketplace has few presses, only the sections about the reader's own stocks and
 * follows are shown.
 */
function useFrontParts(presses: readonly ListedPress[], stocks: readonly StockWeek[]): ListParts {
  const followed = useFollows();
  const symbols = useHoldings(presses, stocks);
  const front = presses.length >= leastForParts ? chooseFront(presses, Date.now()) : undefined;
  const all = new Set<ListedPress>();
  const take = (found: readonly (ListedPress | undefined)[]) => {
    const fresh = found.filter((press) => press !== undefined).filter((press) => !all.has(press));
    for (const press of fresh.slice(0, most)) all.add(press);
    return fresh.slice(0, most);
  };
  return {
    lead: take([front?.lead])[0],
    followed: take(presses.filter((press) => isFollowedPress(followed, press))),
    held: take(presses.filter(({ stock }) => symbols.includes(stock))),
    read: take(front?.read ?? []),
    rated: take(front?.rated ?? []),
    symbols,
    all,
  };
}

/**
 * The stocks that the reader holds. If the connected wallet differs from the signed-in wallet, the result shows the stocks of the connected
 * wallet.
 */
function useHoldings(presses: readonly ListedPress[], stocks: readonly StockWeek[]): readonly string[] {
  const { address } = useSession();
  const wallet = useConnection()?.address ?? address ?? undefined;
  const about = stocks.filter(({ symbol }) => presses.some(({ stock }) => stock === symbol));
  const { data = [] } = useQuery({
    ...queryHoldings(wallet ?? "", about),
    enabled: wallet !== undefined && about.length > 0,
  });
  return data;
}

/** The maximum number of presses in a section of the first page. */
const most = 4;

function FrontParts({ parts }: { readonly parts: ListParts }) {
  const { lead, followed, held, read, rated, symbols } = parts;
  const fresh = followed.filter(isFresh).length;
  const news = fresh === 0 ? frontWords.nothingNew : frontWords.fresh(fresh);
  return (
    <>
      {lead !== undefined && <Lead press={lead} />}
      <FrontSection heading={frontWords.followed} lead={news} presses={followed} />
      <FrontSection heading={frontWords.held} lead={frontWords.heldLead(symbols.join(", "))} presses={held} />
      {(read.length > 0 || rated.length > 0) && (
        <div className="grid gap-8 md:grid-cols-2">
          <FrontSection heading={frontWords.read} presses={read} />
          <FrontSection heading={frontWords.rated} presses={rated} />
        </div>
      )}
    </>
  );
}

type FrontSectionProps = {
  readonly heading: string;
  readonly lead?: string;
  readonly presses: readonly ListedPress[];
};

function FrontSection({ presses, ...section }: FrontSectionProps) {
  return (
    presses.length > 0 && (
      <Section {...section}>
        <Rows presses={presses} />
      </Section>
    )
  );
}

function Lead({ press }: { readonly press: ListedPress }) {
  const findMark = useMarks();
  return (
    <section
      aria-label={frontWords.lead}
      className="group relative rounded-3xl border border-line bg-card p-6 shadow-card hover:border-edge sm:p-10"
    >
      <ListedCover
        press={press}
        className="-mx-6 -mt-6 mb-6 h-24 rounded-t-3xl sm:-mx-10 sm:-mt-10 sm:mb-8 sm:h-32"
      />
      <div className="grid gap-4">
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
          <span className="font-semibold text-accent">{frontWords.lead}</span>
          <span className="font-semibold">{press.stock}</span>
          <span className="flex max-sm:hidden">
            <Sparkline symbol={press.stock} />
          </span>
          {findMark(press)}
          <span className="ml-auto">
            <Price units={press.priceUnits} />
          </span>
        </p>
        <h2 className="headline max-w-4xl text-display">
          <HeadlineLink press={press} />
        </h2>
        <p className="max-w-3xl text-lg text-quiet">{press.preview}</p>
        <div className="flex items-center gap-4 text-sm text-quiet">
          <Score score={press.auditScore} />
          <p className="flex flex-wrap gap-x-4 gap-y-1">
            {press.findings !== undefined && <span>{words.findings(press.findings)}</span>}
            <span className="font-medium text-ink">
              <Byline press={press} />
            </span>
            <Age time={press.publishedAt} />
            <span>{words.reads(press.reads)}</span>
          </p>
        </div>
      </div>
    </section>
  );
}

function Rows({ presses }: { readonly presses: readonly ListedPress[] }) {
  const findMark = useMarks();
  return (
    <ol className="grid divide-y divide-line border-y border-line">
      {presses.map((press) => (
        <li key={press.id} className="group relative grid gap-1 py-3">
          <p className="flex flex-wrap items-center gap-x-3 text-xs text-quiet">
            <span className="font-semibold text-ink">{press.stock}</span>
            <Age time={press.publishedAt} />
            <span>{words.reads(press.reads)}</span>
            <span>{countVotes(press.readerVotes)}</span>
            <span className="figure">{words.costs(formatUsdg(press.priceUnits))}</span>
            {findMark(press)}
          </p>
          <h3 className="headline text-lg">
            <HeadlineLink press={press} />
          </h3>
        </li>
      ))}
    </ol>
  );
}
