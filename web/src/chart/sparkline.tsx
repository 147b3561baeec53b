import { useQuery } from "@tanstack/react-query";
import { marketWeek } from "../api/market.ts";
import { formatChange } from "../format.ts";
import { chart as words } from "../strings/market.ts";
import { pathOf, scaleOf } from "./scale.ts";

/**
 * How a stock's week went: a small line, and its change in words. Nothing while it is not known: the pages with lists of many
 * stocks ask for all weeks at once, and others have a chart of their own.
 */
export function Sparkline({ symbol }: { readonly symbol: string }) {
  const { data } = useQuery({ ...marketWeek, enabled: false });
  const stock = data?.find((candidate) => candidate.symbol === symbol);
  const [first] = stock?.week ?? [];
  if (stock === undefined || first === undefined || stock.week.length < 2) return null;
  const samples = stock.week.map((price, at) => ({ at, price }));
  return (
    <span className="inline-flex items-center gap-2 text-xs text-quiet">
      <svg
        viewBox="0 0 1000 1000"
        preserveAspectRatio="none"
        className="h-6 w-16 overflow-visible"
        fill="none"
        aria-hidden="true"
      >
        <path
          d={pathOf(samples, scaleOf(samples))}
          className="stroke-accent"
          strokeWidth="1.5"
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <span className="figure whitespace-nowrap">{words.week(formatChange(first, stock.price) ?? "")}</span>
    </span>
  );
}
