import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { readCompany, type StockPrices } from "../../../core/market/schema.ts";
import { marketWeek, queryStockPresses, queryStockPrices } from "../api/press.ts";
import { isMissingError } from "../api/request.ts";
import { PriceChart } from "../chart/chart.tsx";
import { listCloses, listWeekSamples, type PriceSample } from "../chart/scale.ts";
import { FollowButton } from "../follow/follow.tsx";
import { formatDollars, formatToMinute } from "../format.ts";
import { PressCards } from "../list/card.tsx";
import { MissingPage } from "../shell/shell.tsx";
import { stock as words } from "../strings/listing.ts";
import { press } from "../strings/reader.ts";
import { Choice } from "../ui/choice.tsx";
import { StockMark } from "../ui/icon.tsx";
import {
  Card,
  ChangeInPeriod,
  ExplorerLink,
  ListSkeleton,
  Page,
  Pair,
  Section,
  TermList,
} from "../ui/page.tsx";
import { Badge, QueryView } from "../ui/status.tsx";

const route = getRouteApi("/stock/$symbol");

/** The page of a stock: its price, its chart, and the presses about the stock. */
export function StockPage() {
  const symbol = route.useParams().symbol.toUpperCase();
  const query = useQuery(queryStockPrices(symbol));
  const { data, error } = query;
  const { data: known } = useQuery({ ...marketWeek, enabled: false });
  if (isMissingError(error)) return <MissingPage />;
  const token = data?.stock.name ?? known?.find((one) => one.symbol === symbol)?.name;
  const name = token && readCompany({ name: token });
  const feed = `/feed.xml?stock=${symbol}`;
  return (
    <Page
      title={name === undefined ? symbol : words.title(symbol, name)}
      heading={
        <span className="flex items-center gap-4">
          <StockMark symbol={symbol} /> {name ?? symbol}
        </span>
      }
      lead={words.lead(symbol)}
      actions={<FollowButton followed={{ kind: "stock", id: symbol }} name={name ?? symbol} feed={feed} />}
    >
      <QueryView query={query} failed={words.failed} loading={words.loading}>
        {(prices) => <Prices prices={prices} />}
      </QueryView>
      <Presses symbol={symbol} />
    </Page>
  );
}

type ChartPeriod = keyof typeof words.ranges;

function Prices({ prices }: { readonly prices: StockPrices }) {
  const [range, setRange] = useState<ChartPeriod>("week");
  const { stock, quote } = prices;
  const change = prices.changes[range];
  const samples = listSamples(prices, range);
  return (
    <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <section aria-label={words.range} className="grid min-w-0 gap-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="figure text-2xl font-semibold">
            {formatDollars(quote.mid)}{" "}
            {change !== undefined && (
              <span className="text-base">
                <ChangeInPeriod change={change} />
              </span>
            )}
          </p>
          <Choice label={words.range} value={range} options={rangeOptions} onChange={setRange} />
        </div>
        <PriceChart
          key={range}
          samples={samples}
          percent={change?.percent}
          label={words.chart(
            stock.symbol,
            words.ranges[range],
            formatDollars(change?.from ?? quote.mid),
            formatDollars(quote.mid),
          )}
        />
      </section>
      <Card
        heading={words.quote}
        className="self-start"
        aside={quote.halted && <Badge tone="warn">{press.halted}</Badge>}
      >
        <TermList>
          <Pair term={press.now}>{formatDollars(quote.mid)}</Pair>
          <Pair term={press.dayRange}>
            {formatDollars(quote.dayLow)} – {formatDollars(quote.dayHigh)}
          </Pair>
          <Pair term={words.volume}>{quote.volume.toLocaleString("en-US")}</Pair>
          <Pair term={words.asOf}>
            <time dateTime={quote.asOf}>{formatToMinute(quote.asOf)}</time>
          </Pair>
          <Pair term={words.token}>
            <ExplorerLink kind="address" value={stock.address} />
          </Pair>
        </TermList>
      </Card>
    </div>
  );
}

const rangeOptions = (["day", "week", "year"] as const).map((value) => ({
  value,
  label: words.ranges[value],
}));

/** The recorded prices of a period, up to the current price. The price change of the period is computed from the period's first price. */
function listSamples(prices: StockPrices, range: ChartPeriod): readonly PriceSample[] {
  const now = { at: Date.parse(prices.quote.asOf), price: prices.quote.mid };
  const change = prices.changes[range];
  if (change === undefined) return [now];
  const start = { at: Date.parse(change.since), price: change.from };
  const recorded = range === "year" ? listCloses(prices) : listWeekSamples(prices);
  return [start, ...recorded.filter(({ at }) => at > start.at && at < now.at), now];
}

function Presses({ symbol }: { readonly symbol: string }) {
  const query = useQuery(queryStockPresses(symbol));
  return (
    <Section heading={words.presses(symbol)}>
      <QueryView query={query} failed={words.pressesFailed} loading={<ListSkeleton />}>
        {(presses) =>
          presses.length === 0 ? <p className="text-quiet">{words.none}</p> : <PressCards presses={presses} />
        }
      </QueryView>
    </Section>
  );
}
