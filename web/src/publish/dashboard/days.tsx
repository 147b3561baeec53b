import { formatDay } from "../../format.ts";

const dayMs = 24 * 60 * 60_000;

/** The UTC days up to and including `now`, oldest first, as `YYYY-MM-DD`. */
export function listLastDays(now: Date, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) =>
    new Date(now.getTime() - (count - 1 - at) * dayMs).toISOString().slice(0, 10),
  );
}

type DayChartProps = {
  readonly title: string;
  readonly amount: string;
  readonly aside: string;
  /** The label for screen readers. */
  readonly label: string;
  readonly days: readonly { readonly date: string; readonly value: number }[];
};

/** A chart with a bar for each day, the latest day on the right. */
export function DayChart({ title, amount, aside, label, days }: DayChartProps) {
  const most = Math.max(...days.map(({ value }) => value));
  const width = 600 / days.length;
  return (
    <figure className="grid gap-4 rounded-2xl border border-line bg-card p-5 shadow-card sm:p-6">
      <figcaption className="grid gap-1">
        <span className="text-sm text-quiet">{title}</span>
        <span className="figure flex flex-wrap items-baseline gap-x-3">
          <strong className="text-title font-semibold">{amount}</strong>
          <span className="text-sm text-quiet">{aside}</span>
        </span>
      </figcaption>
      <svg
        role="img"
        aria-label={label}
        viewBox="0 0 600 80"
        preserveAspectRatio="none"
        className="h-24 w-full"
      >
        {days.map(({ date, value }, at) => {
          const height = most === 0 ? 0 : (value / most) * 78;
          return (
            <rect
              key={date}
              x={at * width + 1}
              y={80 - Math.max(height, 2)}
              width={width - 2}
              height={Math.max(height, 2)}
              className={height < 2 ? "fill-line" : "fill-accent"}
            />
          );
        })}
      </svg>
      <p
        className="figure flex justify-between gap-4 text-xs whitespace-nowrap text-quiet"
        aria-hidden="true"
      >
        <DayLabel date={days[0]?.date} />
        <DayLabel date={days.at(-1)?.date} />
      </p>
    </figure>
  );
}

function DayLabel({ date }: { readonly date: string | undefined }) {
  return date !== undefined && <span>{formatDay(date)}</span>;
}
