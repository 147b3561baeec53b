import type { Sale } from "../../../../core/press/schema.ts";
import { formatAmount, formatDay, formatMoment } from "../../format.ts";
import { common } from "../../strings/common.ts";
import { publish as words } from "../../strings/publish.ts";
import { Hex } from "../../ui/text.tsx";

/** Days that the chart shows. */
const shown = 30;

type PaymentsProps = { readonly wallet: string; readonly sales: readonly Sale[] };

/** What readers have paid: by day, and each payment with who paid and its transaction. */
export function Payments({ wallet, sales }: PaymentsProps) {
  return (
    <section aria-labelledby="payments" className="grid gap-4">
      <div className="grid max-w-2xl gap-1">
        <h2 id="payments" className="headline text-title">
          {words.payments}
        </h2>
        <p className="text-sm text-quiet">{sales.length === 0 ? words.noPayments : words.inWallet}</p>
      </div>
      {sales.length > 0 && <Chart sales={sales} />}
      {sales.length > 0 && (
        <ol className="border-y border-line text-sm">
          {sales.map(({ at, wallet: payer, payTo, amountUsdg, tx, headline }) => (
            <li
              key={`${tx} ${payer} ${headline}`}
              className="grid gap-x-6 gap-y-1 border-t border-line py-3 first:border-t-0 sm:grid-cols-[minmax(0,1fr)_auto]"
            >
              <span className="min-w-0 font-medium">{headline}</span>
              <span className="figure font-semibold">
                {formatAmount(amountUsdg)} {common.unit}
              </span>
              <span className="flex flex-wrap items-center gap-x-4 gap-y-1 text-quiet sm:col-span-2">
                <time dateTime={at}>{formatMoment(at)}</time>
                <span>
                  {words.paidBy} <Hex kind="address" value={payer} />
                </span>
                {payTo.toLowerCase() !== wallet.toLowerCase() && (
                  <span>
                    {words.paidTo} <Hex kind="address" value={payTo} />
                  </span>
                )}
                <span>
                  {words.transaction} <Hex kind="transaction" value={tx} />
                </span>
              </span>
            </li>
          ))}
        </ol>
      )}
      <p className="max-w-2xl text-sm text-quiet">{words.counted}</p>
    </section>
  );
}

/** Earnings of the last days, the latest on the right. The list below it says the same in words. */
function Chart({ sales }: { readonly sales: readonly Sale[] }) {
  const days = daysOf(sales, new Date(), shown);
  const most = Math.max(...days.map(({ earned }) => earned));
  const unlocks = days.reduce((sum, day) => sum + day.unlocks, 0);
  const earned = formatAmount(days.reduce((sum, day) => sum + day.earned, 0));
  const width = 600 / shown;
  return (
    <figure className="grid gap-4 rounded-2xl border border-line bg-card p-5 shadow-card sm:p-6">
      <figcaption className="grid gap-1">
        <span className="text-sm text-quiet">{words.chartTitle(shown)}</span>
        <span className="figure flex flex-wrap items-baseline gap-x-3">
          <strong className="text-title font-semibold">
            {earned} {common.unit}
          </strong>
          <span className="text-sm text-quiet">{words.chartUnlocks(unlocks)}</span>
        </span>
      </figcaption>
      <svg
        role="img"
        aria-label={words.chart(unlocks, earned, shown)}
        viewBox="0 0 600 80"
        preserveAspectRatio="none"
        className="h-24 w-full"
      >
        {days.map((day, at) => {
          const height = most === 0 ? 0 : (day.earned / most) * 78;
          const isEmpty = height < 2;
          return (
            <rect
              key={day.date}
              x={at * width + 1}
              y={80 - Math.max(height, 2)}
              width={width - 2}
              height={Math.max(height, 2)}
              className={isEmpty ? "fill-line" : "fill-accent"}
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

type Day = {
  /** `YYYY-MM-DD`, UTC. */
  readonly date: string;
  readonly unlocks: number;
  readonly earned: number;
};

const dayMs = 24 * 60 * 60_000;

/** So many UTC days up to `now`, the oldest first, with what each has brought. */
export function daysOf(sales: readonly Sale[], now: Date, count: number): readonly Day[] {
  const byDate = Map.groupBy(sales, ({ at }) => at.slice(0, 10));
  return Array.from({ length: count }, (_, at) => {
    const date = new Date(now.getTime() - (count - 1 - at) * dayMs).toISOString().slice(0, 10);
    const sold = byDate.get(date) ?? [];
    // Base units: sums of decimal fractions drift.
    const units = sold.reduce((sum, { amountUsdg }) => sum + Math.round(amountUsdg * 1e6), 0);
    return { date, unlocks: sold.length, earned: units / 1e6 };
  });
}
