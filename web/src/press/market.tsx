import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { PressDetail } from "../../../core/press/schema.ts";
import { stockPrices } from "../api/market.ts";
import { PriceChart } from "../chart/chart.tsx";
import { samplesSince } from "../chart/scale.ts";
import { formatDollars } from "../format.ts";
import { chart } from "../strings/market.ts";
import { press as words } from "../strings/reader.ts";
import { classes } from "../ui/button.tsx";
import { Card, Pair, Pairs } from "../ui/page.tsx";
import { Badge } from "../ui/status.tsx";
import { Change } from "../ui/text.tsx";

/** The stock token's price then and now, and whether the publisher had a stake in it. */
export function Market({ press }: Pick<PressDetail, "press">) {
  const { data } = useQuery(stockPrices(press.stock));
  const today = data?.quote;
  const published = { at: Date.parse(press.publishedAt), price: press.priceAtPublish };
  const now = {
    at: Math.max(Date.parse(today?.asOf ?? press.publishedAt), published.at + 1),
    price: press.priceNow,
  };
  const range = today && `${formatDollars(today.dayLow)} – ${formatDollars(today.dayHigh)}`;
  return (
    <Card
      heading={words.since(press.stock)}
      aside={today?.halted === true && <Badge tone="warn">{words.halted}</Badge>}
    >
      <div className="grid gap-4">
        <PriceChart
          samples={samplesSince(published, now, data)}
          label={words.chart(
            press.stock,
            formatDollars(press.priceAtPublish),
            formatDollars(press.priceNow),
            range ?? "–",
          )}
          marker={{ at: published.at, name: chart.published }}
        />
        <Pairs>
          <Pair term={words.atPublish}>{formatDollars(press.priceAtPublish)}</Pair>
          <Pair term={words.now}>
            <strong className="font-semibold">{formatDollars(press.priceNow)}</strong>{" "}
            <Change before={press.priceAtPublish} after={press.priceNow} />
          </Pair>
          {range !== undefined && <Pair term={words.dayRange}>{range}</Pair>}
        </Pairs>
        <p>
          <Link to="/stock/$symbol" params={{ symbol: press.stock }} className="link text-sm">
            {chart.more(press.stock)}
          </Link>
        </p>
        <p
          className={classes(
            "border-t border-line pt-4 text-sm",
            press.publisherHolds ? "text-warn" : "text-quiet",
          )}
        >
          {press.publisherHolds ? words.holds(press.stock) : words.holdsNot(press.stock)}
        </p>
      </div>
    </Card>
  );
}
