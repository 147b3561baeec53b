import { useMutation, useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useState } from "react";
import type { Dashboard, DashboardPress, Sale } from "../../../../core/press/schema.ts";
import { dashboard, priceNow } from "../../api/publish.ts";
import { formatAmount, formatDay, formatMoment } from "../../format.ts";
import { common } from "../../strings/common.ts";
import { live, publish as words } from "../../strings/publish.ts";
import { Button, ButtonLink, downloadFile } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Hex, ListSkeleton, Page } from "../../ui/page.tsx";
import { Badge, Failure, Notice, Score } from "../../ui/status.tsx";
import { Opening } from "../../ui/veil.tsx";
import { discardUnfinished, localDrafts } from "../editor/open-drafts.ts";
import { PublisherGate } from "../gate.tsx";
import { NextAction, StatusBadge, verdicts } from "../status.tsx";

/** Loaded when a text is discarded: it weighs a tenth of the page. */
const Dialog = lazy(async () => ({ default: (await import("../../ui/dialog.tsx")).Dialog }));

export function DashboardPage() {
  return (
    <Page title={words.title} lead={words.lead} actions={<WriteLink />}>
      <PublisherGate pitch={<Earnings />}>{(wallet) => <Presses wallet={wallet} />}</PublisherGate>
    </Page>
  );
}

/** The earnings of publishers, for a visitor who has not signed in. */
function Earnings() {
  return (
    <section aria-labelledby="earn" className="grid max-w-2xl gap-3">
      <h2 id="earn" className="headline text-title">
        {words.earnTitle}
      </h2>
      <ul className="grid list-disc gap-2 pl-5">
        {words.earn.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  );
}

function WriteLink() {
  return (
    <ButtonLink look="primary" size="large" to="/publish/edit">
      <Icon name="plus" />
      {words.write}
    </ButtonLink>
  );
}

function Presses({ wallet }: { readonly wallet: string }) {
  const { data, error, refetch } = useQuery(dashboard);
  if (data === undefined && error !== null) {
    return <Failure heading={words.failed} error={error} retry={() => void refetch()} />;
  }
  const changed = new Set(data?.manuscripts?.map(({ name }) => name));
  return (
    <div className="grid gap-8">
      {data === undefined ? <ListSkeleton /> : data.presses.length > 0 && <Totals totals={data.totals} />}
      <Unfinished wallet={wallet} data={data} />
      {data?.presses.length === 0 && <Empty />}
      {data !== undefined && data.presses.length > 0 && (
        <section aria-labelledby="presses" className="grid gap-4">
          <h2 id="presses" className="headline text-title">
            {words.presses}
          </h2>
          <ul className="grid gap-4">
            {data.presses.map((press) => (
              <OwnRow key={press.id} press={press} changed={changed.has(`press-${press.id}`)} />
            ))}
          </ul>
        </section>
      )}
      {data?.sales !== undefined && data.totals.live > 0 && <Payments wallet={wallet} sales={data.sales} />}
    </div>
  );
}

function Empty() {
  return (
    <Notice heading={words.emptyTitle}>
      <p className="max-w-2xl">{words.empty}</p>
      <ol className="grid gap-2">
        {words.emptySteps.map((step, at) => (
          <li key={step} className="flex gap-3">
            <span
              aria-hidden="true"
              className="grid size-6 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent"
            >
              {at + 1}
            </span>
            {step}
          </li>
        ))}
      </ol>
    </Notice>
  );
}

/** The total earnings of all presses of a publisher. */
function Totals({ totals }: Pick<Dashboard, "totals">) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-2xl border border-line bg-line shadow-card sm:grid-cols-[2fr_1fr_1fr]">
      <div className="grid gap-1 bg-card p-5 max-sm:col-span-2 sm:p-6">
        <dt className="text-sm text-quiet">{words.earned}</dt>
        <dd className="text-3xl font-semibold tracking-tight">
          {formatAmount(totals.earnedUsdg)}{" "}
          <span className="text-lg font-normal text-quiet">{common.unit}</span>
        </dd>
      </div>
      <Total name={words.reads} value={totals.reads} />
      <Total name={words.live} value={totals.live} />
    </dl>
  );
}

function Total({ name, value }: { readonly name: string; readonly value: number }) {
  return (
    <div className="grid content-between gap-1 bg-card p-5 sm:p-6">
      <dt className="text-sm text-quiet">{name}</dt>
      <dd className="text-2xl font-semibold">{value.toLocaleString("en-US")}</dd>
    </div>
  );
}

/** A publisher's own press in the dashboard: its state, its earnings, and the next step. */
function OwnRow({ press, changed }: { readonly press: DashboardPress; readonly changed: boolean }) {
  const { status, publishedAt, updatedAt, auditScore } = press;
  const { data: price } = useQuery(priceNow);
  const isBelowGas = price !== undefined && press.priceUsdg < price.carryingUsdg;
  const time = publishedAt ?? updatedAt;
  const when = formatMoment(time);
  return (
    <li className="grid gap-5 rounded-2xl border border-line bg-card p-5 shadow-card sm:p-6 lg:grid-cols-[minmax(0,1fr)_auto]">
      <div className="grid min-w-0 content-start gap-2">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-xs text-quiet">
          <StatusBadge status={status} />
          {press.unlistedAt !== null && <Badge tone="warn">{live.offSale}</Badge>}
          <Badge>{press.stock}</Badge>
          {press.aiAssisted && <Badge>{words.ai}</Badge>}
          {changed && status !== "live" && <Badge tone="warn">{words.unfinishedChanges}</Badge>}
          <time dateTime={time}>{publishedAt === null ? words.saved(when) : words.published(when)}</time>
        </p>
        <h3 className="font-serif text-title font-bold">{press.headline}</h3>
      </div>
      <div className="flex flex-wrap items-center gap-3 lg:justify-end">
        <NextAction press={press} />
        {status === "approved" && (
          <ButtonLink look="plain" to="/publish/edit" search={{ id: String(press.id) }}>
            {words.edit}
            <span className="sr-only">{words.about(press.headline)}</span>
          </ButtonLink>
        )}
      </div>
      <dl className="grid grid-cols-2 gap-x-8 gap-y-4 border-t border-line pt-4 text-sm min-[520px]:flex min-[520px]:flex-wrap lg:col-span-2">
        <Fact name={words.price}>
          {formatAmount(press.priceUsdg)} {common.unit}
        </Fact>
        <Fact name={words.score}>
          {auditScore === null ? (
            <span className="text-quiet">{words.noScore}</span>
          ) : (
            <Score score={auditScore} verdict={verdicts[status]} />
          )}
        </Fact>
        {status === "live" && (
          <>
            <Fact name={words.earned}>
              <strong className="font-semibold">
                {formatAmount(press.earnedUsdg)} {common.unit}
              </strong>
            </Fact>
            <Fact name={words.reads}>
              {press.reads.toLocaleString("en-US")}
              <span className="block text-xs text-quiet">
                {words.votes(press.votes.up, press.votes.down)}
              </span>
            </Fact>
          </>
        )}
      </dl>
      {isBelowGas && (
        <p className="text-sm text-warn lg:col-span-2">{words.belowGas(formatAmount(price.carryingUsdg))}</p>
      )}
    </li>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="grid content-start gap-1">
      <dt className="text-xs text-quiet">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

type Unsaved = {
  readonly name: string;
  readonly headline: string;
  readonly changedAt: string;
  /** Whether only this browser has the text. */
  readonly onlyHere: boolean;
};

/** Texts that are no press yet: manuscripts on the service, and texts that only this browser has. */
function unfinishedOf(wallet: string, data: Dashboard | undefined): readonly Unsaved[] {
  const edited = new Set(
    data?.presses.flatMap(({ id, status }) => (status === "live" ? [] : [`press-${id}`])),
  );
  // A changed draft is shown at its press instead.
  const kept = data?.manuscripts?.filter(({ name }) => !edited.has(name)) ?? [];
  const local = localDrafts(wallet).filter(({ local: name }) => kept.every((each) => each.name !== name));
  return [
    ...local.map(({ local: name, copy }) => ({
      name,
      headline: copy.text.headline,
      changedAt: copy.changedAt,
      onlyHere: true,
    })),
    ...kept.map(({ name, headline, updatedAt }) => ({
      name,
      headline,
      changedAt: updatedAt,
      onlyHere: false,
    })),
  ].toSorted((one, other) => Date.parse(other.changedAt) - Date.parse(one.changedAt));
}

type UnfinishedProps = { readonly wallet: string; readonly data: Dashboard | undefined };

function Unfinished({ wallet, data }: UnfinishedProps) {
  const [asked, setAsked] = useState<Unsaved>();
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: ({ name }: Unsaved) => discardUnfinished(wallet, name),
    onSuccess: () => setAsked(undefined),
  });
  const drafts = unfinishedOf(wallet, data);
  if (drafts.length === 0) return null;
  const ask = (draft: Unsaved | undefined) => {
    reset();
    setAsked(draft);
  };
  return (
    <section aria-labelledby="unsaved" className="grid gap-4">
      <div className="grid gap-1">
        <h2 id="unsaved" className="headline text-title">
          {words.unsavedTitle}
        </h2>
        <p className="text-sm text-quiet">{words.unsaved}</p>
      </div>
      <ul className="rounded-2xl border border-dashed border-edge">
        {drafts.map((draft) => (
          <li
            key={draft.name}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line p-5 first:border-t-0"
          >
            <div className="grid min-w-0 gap-1">
              <p className="font-serif text-lg font-bold">{titleOf(draft)}</p>
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-xs text-quiet">
                {words.changed(formatMoment(draft.changedAt))}
                {draft.onlyHere && <Badge tone="warn">{words.onlyHere}</Badge>}
              </p>
            </div>
            <div className="flex flex-wrap gap-2">
              {!draft.name.startsWith("press-") && (
                <ButtonLink to="/publish/edit" search={{ draft: draft.name }}>
                  {words.continueWriting}
                  <span className="sr-only">{words.about(titleOf(draft))}</span>
                </ButtonLink>
              )}
              <Button look="plain" onClick={() => ask(draft)}>
                {words.discard}
                <span className="sr-only">{words.about(titleOf(draft))}</span>
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {asked !== undefined && (
        <Suspense fallback={<Opening onClose={() => ask(undefined)} />}>
          <Dialog open onClose={() => ask(undefined)} title={words.discardTitle} lead={words.discardLead}>
            {error !== null && (
              <p role="alert" className="text-bad">
                {error.message}
              </p>
            )}
            <div className="flex flex-wrap justify-end gap-3">
              <Button onClick={() => ask(undefined)}>{common.cancel}</Button>
              <Button look="danger" busy={isPending} onClick={() => mutate(asked)}>
                {words.discard}
              </Button>
            </div>
          </Dialog>
        </Suspense>
      )}
    </section>
  );
}

function titleOf({ headline }: Unsaved): string {
  return headline.trim() === "" ? words.untitled : headline.trim();
}

/** The number of days in the chart. */
const shown = 30;

type PaymentsProps = { readonly wallet: string; readonly sales: readonly Sale[] };

/** Readers' payments: by day, and each with its payer and transaction. */
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
      {sales.length > 0 && (
        <p>
          <Button size="small" onClick={() => downloadFile("payments.csv", "text/csv", csvOf(sales))}>
            <Icon name="down" /> {words.csv}
          </Button>
        </p>
      )}
      <p className="max-w-2xl text-sm text-quiet">{words.counted}</p>
    </section>
  );
}

/** The columns of the downloaded table, in order. */
const columns: Readonly<Record<string, (sale: Sale) => string | number>> = {
  time: ({ at }) => at,
  press: ({ headline }) => headline,
  amountUsdg: ({ amountUsdg }) => amountUsdg,
  paidBy: ({ wallet }) => wallet,
  paidTo: ({ payTo }) => payTo,
  transaction: ({ tx }) => tx,
};

/** The payments as CSV (RFC 4180). A spreadsheet does not run a headline as a formula. */
export function csvOf(sales: readonly Sale[]): string {
  const rows = sales.map((sale) => Object.values(columns).map((column) => column(sale)));
  return [Object.keys(columns), ...rows].map((row) => `${row.map(cellOf).join(",")}\r\n`).join("");
}

function cellOf(value: string | number): string {
  const text = /^[=+\-@\t\r]/.test(String(value)) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The earnings of the last days, the latest on the right. The list below has the same numbers. */
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

/** The UTC days up to `now`, oldest first, with their earnings. */
export function daysOf(sales: readonly Sale[], now: Date, count: number): readonly Day[] {
  const byDate = Map.groupBy(sales, ({ at }) => at.slice(0, 10));
  return Array.from({ length: count }, (_, at) => {
    const date = new Date(now.getTime() - (count - 1 - at) * dayMs).toISOString().slice(0, 10);
    const sold = byDate.get(date) ?? [];
    // Sums base units, because decimal fractions drift.
    const units = sold.reduce((sum, { amountUsdg }) => sum + Math.round(amountUsdg * 1e6), 0);
    return { date, unlocks: sold.length, earned: units / 1e6 };
  });
}
