import { useQuery } from "@tanstack/react-query";
import type { Sale } from "../../../../core/press/schema.ts";
import { allSales } from "../../api/publish.ts";
import { isSameAddress } from "../../api/request.ts";
import { formatAmount, formatToMinute } from "../../format.ts";
import { common } from "../../strings/common.ts";
import { numbers, publish as words } from "../../strings/publish.ts";
import { Button, downloadFile } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { ExplorerLink, Section, Table } from "../../ui/page.tsx";
import { QueryView } from "../../ui/status.tsx";
import { DayChart, listLastDays } from "./days.tsx";

type PaymentsProps = { readonly wallet: string; readonly sales: readonly Sale[] };

/** The readers' payments: a chart by day, a list of the latest payments, and the wallet's payments by month. */
export function Payments({ wallet }: Pick<PaymentsProps, "wallet">) {
  const query = useQuery(allSales);
  const isEmpty = query.data?.length === 0;
  return (
    <Section heading={words.payments} lead={isEmpty ? words.noPayments : words.inWallet}>
      {!isEmpty && (
        <QueryView query={query} failed={numbers.monthsFailed} loading={numbers.monthsLoading}>
          {(sales) => (
            <>
              <Chart wallet={wallet} sales={sales} />
              <LatestPayments wallet={wallet} sales={sales.slice(0, listed)} />
              <Months wallet={wallet} sales={sales} />
            </>
          )}
        </QueryView>
      )}
    </Section>
  );
}

/** The maximum number of payments in the list. The monthly downloads contain the wallet's earlier payments. */
const listed = 100;

/** The list of payments, each with its payer and transaction. */
function LatestPayments({ wallet, sales }: PaymentsProps) {
  return (
    <ol className="border-y border-line text-sm">
      {sales.map((sale) => (
        <li
          key={`${sale.tx} ${sale.wallet} ${sale.headline}`}
          className="grid gap-x-6 gap-y-1 border-t border-line py-3 first:border-t-0 sm:grid-cols-[minmax(0,1fr)_auto]"
        >
          <span className="min-w-0 font-medium">{sale.headline}</span>
          <span className="figure font-semibold">
            {formatAmount(sale.amountUsdg)} {common.unit}
          </span>
          <span className="flex flex-wrap items-center gap-x-4 gap-y-1 text-quiet sm:col-span-2">
            <time dateTime={sale.at}>{formatToMinute(sale.at)}</time>
            <span>
              {words.paidBy} <ExplorerLink kind="address" value={sale.wallet} />
            </span>
            {!isSameAddress(sale.payTo, wallet) && (
              <span>
                {words.paidTo} <ExplorerLink kind="address" value={sale.payTo} />
              </span>
            )}
            <span>
              {words.transaction} <ExplorerLink kind="transaction" value={sale.tx} />
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}

/** The columns, in order, of the table that publishers can download. */
const columns: Readonly<Record<string, (sale: Sale) => string | number>> = {
  time: ({ at }) => at,
  day: ({ at }) => at.slice(0, 10),
  press: ({ headline }) => headline,
  amount: ({ amountUsdg }) => amountUsdg,
  currency: () => common.unit,
  paidBy: ({ wallet }) => wallet,
  paidTo: ({ payTo }) => payTo,
  transaction: ({ tx }) => tx,
};

/** Writes the payments as CSV (RFC 4180). Headlines are escaped, so that a spreadsheet does not run a headline as a formula. */
export function formatCsv(sales: readonly Sale[]): string {
  const rows = sales.map((sale) => Object.values(columns).map((column) => column(sale)));
  return [Object.keys(columns), ...rows].map((row) => `${row.map(escapeCell).join(",")}\r\n`).join("");
}

function escapeCell(value: string | number): string {
  const text = /^[=+\-@\t\r]/.test(String(value)) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

type MonthlySales = {
  /** The UTC month as `YYYY-MM`. */
  readonly name: string;
  readonly sales: readonly Sale[];
  readonly earned: number;
};

/** The payments to the wallet itself. An article's earlier or later owner was paid for other sales of the article. */
function findOwnSales(sales: readonly Sale[], wallet: string): readonly Sale[] {
  return sales.filter(({ payTo }) => isSameAddress(payTo, wallet));
}

/** The payments to a wallet, grouped by UTC month, with the latest month first. */
export function groupByMonth(sales: readonly Sale[], wallet: string): readonly MonthlySales[] {
  return [...Map.groupBy(findOwnSales(sales, wallet), ({ at }) => at.slice(0, 7))]
    .map(([name, of]) => ({ name, sales: of, earned: sumSales(of) }))
    .toSorted((one, other) => (one.name < other.name ? 1 : -1));
}

/** Adds amounts without rounding. The amounts are added in base units, because adding decimal fractions is not exact. */
function sumSales(sales: readonly Sale[]): number {
  return sales.reduce((sum, { amountUsdg }) => sum + Math.round(amountUsdg * 1e6), 0) / 1e6;
}

/** All payments, grouped by month. Publishers can download a table of each month. */
function Months({ wallet, sales }: PaymentsProps) {
  return (
    <div className="grid gap-3">
      <h3 className="text-lg font-semibold">{numbers.months}</h3>
      <Table label={numbers.months} head={numbers.monthColumns}>
        {groupByMonth(sales, wallet).map((month) => (
          <tr key={month.name}>
            <th scope="row">{numbers.month(month.name)}</th>
            <td>{month.sales.length.toLocaleString("en-US")}</td>
            <td>{formatAmount(month.earned)}</td>
            <td>
              <Button
                size="small"
                onClick={() => downloadFile(`payments-${month.name}.csv`, "text/csv", formatCsv(month.sales))}
              >
                <Icon name="down" /> {numbers.csv}
                <span className="sr-only">{words.about(numbers.month(month.name))}</span>
              </Button>
            </td>
          </tr>
        ))}
      </Table>
      {numbers.tax.map((line) => (
        <p key={line} className="max-w-2xl text-sm text-quiet">
          {line}
        </p>
      ))}
    </div>
  );
}

/** The number of days in the chart. */
const shown = 30;

/** The chart of the wallet's earnings on the most recent days, with the latest day on the right. */
function Chart({ wallet, sales }: PaymentsProps) {
  const days = listDays(sales, wallet, new Date(), shown);
  const unlocks = days.reduce((sum, day) => sum + day.unlocks, 0);
  const earned = formatAmount(days.reduce((sum, day) => sum + day.earned, 0));
  return (
    <DayChart
      title={words.chartTitle(shown)}
      amount={`${earned} ${common.unit}`}
      aside={words.chartUnlocks(unlocks)}
      label={words.chart(unlocks, earned, shown)}
      days={days.map(({ date, earned: value }) => ({ date, value }))}
    />
  );
}

type DailySales = {
  /** The UTC day as `YYYY-MM-DD`. */
  readonly date: string;
  readonly unlocks: number;
  readonly earned: number;
};

/** The UTC days up to `now` with the wallet's earnings of each day, oldest first. */
export function listDays(
  sales: readonly Sale[],
  wallet: string,
  now: Date,
  count: number,
): readonly DailySales[] {
  const byDate = Map.groupBy(findOwnSales(sales, wallet), ({ at }) => at.slice(0, 10));
  return listLastDays(now, count).map((date) => {
    const sold = byDate.get(date) ?? [];
    return { date, unlocks: sold.length, earned: sumSales(sold) };
  });
}
