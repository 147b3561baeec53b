import { useQuery } from "@tanstack/react-query";
import type { Quote } from "../../../core/market/schema.ts";
import type { PressDetail } from "../../../core/press/schema.ts";
import { quote } from "../api/press.ts";
import { formatChange, formatDollars } from "../format.ts";
import { press as words } from "../strings/reader.ts";
import { classes } from "../ui/button.tsx";
import { Card, Pair, Pairs } from "../ui/page.tsx";
import { Badge } from "../ui/status.tsx";

/** The stock token's price then and now, and whether the publisher had a stake in it. */
export function Market({ press }: Pick<PressDetail, "press">) {
  const { data: today } = useQuery(quote(press.stock));
  const change = formatChange(press.priceAtPublish, press.priceNow);
  const range = today && `${formatDollars(today.dayLow)} – ${formatDollars(today.dayHigh)}`;
  return (
    <Card
      heading={words.since(press.stock)}
      aside={today?.halted === true && <Badge tone="warn">{words.halted}</Badge>}
    >
      <div className="grid gap-4">
        <Drawing
          prices={{ before: press.priceAtPublish, now: press.priceNow, range: today }}
          label={words.chart(
            press.stock,
            formatDollars(press.priceAtPublish),
            formatDollars(press.priceNow),
            range ?? "–",
          )}
        />
        <Pairs>
          <Pair term={words.atPublish}>{formatDollars(press.priceAtPublish)}</Pair>
          <Pair term={words.now}>
            <strong className="font-semibold">{formatDollars(press.priceNow)}</strong>{" "}
            {change !== undefined && (
              <span className={press.priceNow < press.priceAtPublish ? "text-bad" : "text-accent"}>
                {change}
              </span>
            )}
          </Pair>
          {range !== undefined && <Pair term={words.dayRange}>{range}</Pair>}
        </Pairs>
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

const width = 280;
const height = 88;
const left = 10;
const right = width - 18;

/** A line from the price at publication to the one of now, which stands in the day's range. */
function Drawing({ prices, label }: { readonly prices: Prices; readonly label: string }) {
  const { before, now, range } = chartOf(prices, height);
  return (
    <svg viewBox={`0 0 ${width} ${height}`} className="w-full text-accent" role="img" aria-label={label}>
      {range !== undefined && (
        <rect
          x={right - 7}
          y={range.top - 3}
          width="14"
          height={range.bottom - range.top + 6}
          rx="7"
          className="fill-accent-soft"
        />
      )}
      <path d={`M${left} ${before}H${right}`} className="stroke-line" strokeDasharray="3 4" fill="none" />
      <path d={`M${left} ${before}L${right} ${now}`} stroke="currentColor" strokeWidth="2" fill="none" />
      <circle cx={left} cy={before} r="4" className="fill-card" stroke="currentColor" strokeWidth="2" />
      <circle cx={right} cy={now} r="5" fill="currentColor" />
    </svg>
  );
}

type Prices = {
  readonly before: number;
  readonly now: number;
  readonly range: Pick<Quote, "dayLow" | "dayHigh"> | undefined;
};

/** Heights in a drawing of the given height, from its upper edge. */
type Chart = {
  readonly before: number;
  readonly now: number;
  readonly range: { readonly top: number; readonly bottom: number } | undefined;
};

/** Part of the drawing's height that is left free above the highest and below the lowest price. */
const margin = 0.14;

/** Where prices stand in a drawing: all of them on one scale, so that what looks far apart is. */
export function chartOf({ before, now, range }: Prices, height: number): Chart {
  const all = [before, now, ...(range === undefined ? [] : [range.dayLow, range.dayHigh])];
  const low = Math.min(...all);
  const spread = Math.max(...all) - low;
  const inner = height * (1 - 2 * margin);
  const place = (price: number) =>
    spread === 0 ? height / 2 : height * margin + inner * (1 - (price - low) / spread);
  return {
    before: place(before),
    now: place(now),
    range: range && { top: place(range.dayHigh), bottom: place(range.dayLow) },
  };
}
