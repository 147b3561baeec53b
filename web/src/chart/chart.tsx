import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { formatDay, formatDollars, formatToMinute } from "../format.ts";
import { chart as words } from "../strings/reader.ts";
import { Drawing, DrawnLine } from "../ui/icon.tsx";
import { findDirection, Table } from "../ui/page.tsx";
import { computeScale, drawPath, findSample, lineOf, type PriceSample } from "./scale.ts";

type ChartProps = {
  /** The price samples of the chart, sorted by time. */
  readonly samples: readonly PriceSample[];
  /**
   * The price change that is shown beside the chart. The shown change also decides the line's colour, even if the line's first and last
   * prices differ by another percentage.
   */
  readonly percent: number | undefined;
  /** The chart's description for screen readers. */
  readonly label: string;
  /** A time that is marked in the chart, with its label. */
  readonly marker?: { readonly at: number; readonly name: string } | undefined;
};

const day = 24 * 60 * 60 * 1000;

/**
 * A chart of prices over time with both axes. Readers can show individual prices with a pointer or with the arrow keys. A table below the
 * chart lists the same prices. The chart's words and dots are HTML above a stretched drawing, so that the stretching does not distort the
 * words and dots.
 */
export function PriceChart({ samples, percent = 0, label, marker }: ChartProps) {
  const [read, setRead] = useState<number>();
  if (samples.length < 2) return <p className="text-sm text-quiet">{words.tooFew}</p>;
  const scale = computeScale(samples);
  const last = samples.length - 1;
  const shown = samples[Math.min(read ?? last, last)];
  const moment = shown && formatToMinute(new Date(shown.at).toISOString());
  const marked = marker && findSample(samples, marker.at);
  const direction = findDirection(percent);
  const spanned = (samples[last]?.at ?? 0) - (samples[0]?.at ?? 0);
  const move = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const places = samples.map((sample) => scale.place(sample).x);
    setRead(findNearest(places, (event.clientX - box.left) / box.width));
  };
  const step = (event: KeyboardEvent) => {
    const change = { ArrowLeft: -1, ArrowRight: 1, Home: -last, End: last }[event.key];
    if (change === undefined) return;
    event.preventDefault();
    setRead((now = last) => Math.min(last, Math.max(0, now + change)));
  };
  return (
    <figure className="grid gap-4">
      <p className="figure text-sm text-quiet" aria-live="polite">
        {read !== undefined && shown !== undefined && (
          <>
            <strong className="font-semibold text-ink">{formatDollars(shown.price)}</strong> {moment}
          </>
        )}
        {read === undefined && words.read}
      </p>
      <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-2 text-xs text-quiet">
        <div
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={last}
          aria-valuenow={Math.min(read ?? last, last)}
          aria-valuetext={shown && `${formatDollars(shown.price)}, ${moment}`}
          onPointerMove={move}
          // After the reader lifts a finger from the chart, the last price that was shown stays visible.
          onPointerDown={move}
          onPointerLeave={({ pointerType }) => pointerType === "mouse" && setRead(undefined)}
          onKeyDown={step}
          className="relative h-44 touch-pan-y"
        >
          <Drawing className="absolute inset-0 size-full overflow-visible">
            {scale.prices.map((price) => (
              <DrawnLine
                key={price}
                d={`M0 ${scale.place({ at: 0, price }).y * 1000}H1000`}
                className="stroke-line"
              />
            ))}
            {marked !== undefined && (
              <DrawnLine
                d={`M${scale.place(marked).x * 1000} 0V1000`}
                className="stroke-edge"
                strokeDasharray="4 4"
              />
            )}
            <DrawnLine d={drawPath(samples, scale)} className={lineOf[direction]} strokeWidth="2" />
          </Drawing>
          {marked !== undefined && marker !== undefined && (
            <Mark at={scale.place(marked)} name={marker.name} />
          )}
          {shown !== undefined && <Dot at={scale.place(shown)} className={`size-2.5 ${dots[direction]}`} />}
        </div>
        <div className="figure relative" aria-hidden="true">
          {/* The space for each label is as wide as the widest label. */}
          <span className="invisible">{formatDollars(scale.prices.at(-1) ?? 0)}</span>
          {scale.prices.map((price) => (
            <span
              key={price}
              className="absolute right-0 -translate-y-1/2"
              style={{ top: `${scale.place({ at: 0, price }).y * 100}%` }}
            >
              {formatDollars(price)}
            </span>
          ))}
        </div>
        <div className="figure flex justify-between gap-2 pt-2" aria-hidden="true">
          {scale.times.map((at, index) => (
            <span key={at} className={index % 3 === 0 ? undefined : "max-sm:hidden"}>
              {spanned <= 2 * day ? clock.format(at) : formatDate(at)}
            </span>
          ))}
        </div>
      </div>
      <Prices samples={samples} />
    </figure>
  );
}

type ChartPoint = { readonly x: number; readonly y: number };

const dots = { up: "bg-accent", down: "bg-bad", flat: "bg-quiet" } as const;

function Dot({ at, className }: { readonly at: ChartPoint; readonly className: string }) {
  return (
    <span
      aria-hidden="true"
      className={`absolute -translate-1/2 rounded-full ${className}`}
      style={{ left: `${at.x * 100}%`, top: `${at.y * 100}%` }}
    />
  );
}

function Mark({ at, name }: { readonly at: ChartPoint; readonly name: string }) {
  return (
    <>
      <Dot at={at} className="size-3 border-2 border-ink bg-card" />
      <span
        aria-hidden="true"
        className={`absolute bottom-0 px-1 ${at.x > 0.5 ? "-translate-x-full" : ""}`}
        style={{ left: `${at.x * 100}%` }}
      >
        {name}
      </span>
    </>
  );
}

/** The maximum number of rows in the table of prices. A table with more rows would be hard to read. */
const mostRows = 12;

function Prices({ samples }: { readonly samples: readonly PriceSample[] }) {
  const every = Math.ceil(samples.length / mostRows);
  const rows = samples.filter((_, index) => (samples.length - 1 - index) % every === 0).toReversed();
  return (
    <details className="text-sm">
      <summary className="mb-2 w-fit text-quiet hover:text-ink">{words.table}</summary>
      <Table label={words.table} head={[words.time, words.price]}>
        {rows.map(({ at, price }) => (
          <tr key={at}>
            <th scope="row">{formatToMinute(new Date(at).toISOString())}</th>
            <td>{formatDollars(price)}</td>
          </tr>
        ))}
      </Table>
    </details>
  );
}

function findNearest(places: readonly number[], share: number): number {
  return places.reduce(
    (best, place, index) => (Math.abs(place - share) < Math.abs((places[best] ?? 0) - share) ? index : best),
    0,
  );
}

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "UTC" });

function formatDate(at: number): string {
  return formatDay(new Date(at).toISOString()).replace(/ \d{4}$/, "");
}
