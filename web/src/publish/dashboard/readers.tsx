import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { DashboardPress, Sale } from "../../../../core/press/schema.ts";
import type { DayOfViews } from "../../../../core/views/schema.ts";
import { allSales, readers } from "../../api/publish.ts";
import { formatDay } from "../../format.ts";
import { numbers as words } from "../../strings/publish.ts";
import { Select } from "../../ui/choice.tsx";
import { Bullets, Section, Table } from "../../ui/page.tsx";
import { QueryView } from "../../ui/status.tsx";
import { DayChart, listLastDays } from "./days.tsx";

/**
 * Shows how often the wallet's articles were opened and unlocked on each day, and the sites from which readers came, over all days
 * together.
 */
export function Readers({ presses }: { readonly presses: readonly DashboardPress[] }) {
  const viewed = useQuery(readers);
  const sold = useQuery(allSales);
  const [slug, setSlug] = useState("");
  const options = presses.flatMap((press) =>
    press.slug === null ? [] : [{ value: press.slug, label: press.headline }],
  );
  const isShown = (of: { readonly slug: string }) => slug === "" || of.slug === slug;
  const choice = options.length > 1 && (
    <Select
      label={words.article}
      value={slug}
      options={[{ value: "", label: words.all }, ...options]}
      onChange={setSlug}
    />
  );
  return (
    <Section heading={words.readers} lead={words.readersLead} aside={choice}>
      <QueryView query={viewed} failed={words.readersFailed} loading={words.readersLoading}>
        {({ views, followers }) => (
          <>
            <p>{words.followers(followers)}</p>
            <Numbers views={views.filter(isShown)} sales={sold.data?.filter(isShown)} />
          </>
        )}
      </QueryView>
      <details className="max-w-2xl text-sm text-quiet">
        <summary className="cursor-pointer font-medium">{words.unknownTitle}</summary>
        <Bullets items={words.unknown} />
      </details>
    </Section>
  );
}

/** The number of days that the chart shows. */
const shown = 30;

type NumbersProps = {
  readonly views: readonly DayOfViews[];
  /** The payments of readers; `undefined` until they are loaded. */
  readonly sales: readonly Sale[] | undefined;
};

function Numbers({ views: all, sales }: NumbersProps) {
  const dates = listLastDays(new Date(), shown);
  const [first = ""] = dates;
  const recent = all.filter(({ day }) => day >= first);
  const unlocked = sales?.filter(({ at }) => at.slice(0, 10) >= first);
  const days = dates.map((date) => ({
    date,
    value: countViews(recent.filter(({ day }) => day === date)),
    unlocks: unlocked?.filter(({ at }) => at.startsWith(date)).length,
  }));
  const total = countViews(recent);
  const used = days.filter(({ value, unlocks = 0 }) => value + unlocks > 0).toReversed();
  return (
    <div className="grid gap-4">
      <DayChart
        title={words.chartTitle(shown)}
        amount={words.views(total)}
        aside={words.ofViews(unlocked?.length, total)}
        label={words.chart(total, shown)}
        days={days}
      />
      {total > 0 && (
        <div className="grid content-start gap-4 lg:grid-cols-2">
          <Table label={words.sources} head={words.sourceColumns}>
            {countSources(recent).map(([name, number]) => (
              <tr key={name}>
                <th scope="row" className="[overflow-wrap:anywhere]">
                  {name}
                </th>
                <td>{number.toLocaleString("en-US")}</td>
                <td>{words.share(number, total)}</td>
              </tr>
            ))}
          </Table>
          <Table label={words.byDay} head={words.dayColumns}>
            {used.map(({ date, value, unlocks }) => (
              <tr key={date}>
                <th scope="row" className="whitespace-nowrap">
                  {formatDay(date)}
                </th>
                <td>{value.toLocaleString("en-US")}</td>
                <td>{unlocks?.toLocaleString("en-US") ?? "–"}</td>
                <td>{unlocks === undefined ? "–" : words.share(unlocks, value)}</td>
              </tr>
            ))}
          </Table>
        </div>
      )}
    </div>
  );
}

/** The name and the number of views of each source, the most frequent source first; sources without a view are left out. */
export function countSources(days: readonly DayOfViews[]): readonly (readonly [string, number])[] {
  const numbers = new Map<string, number>();
  const add = (name: string, number: number) => numbers.set(name, (numbers.get(name) ?? 0) + number);
  for (const view of days) {
    for (const kind of ["direct", "site", "feed", "agent", "otherHosts"] as const)
      add(words.kinds[kind], view[kind]);
    for (const [host, number] of view.hosts) add(host, number);
  }
  return [...numbers].filter(([, number]) => number > 0).toSorted(([, one], [, other]) => other - one);
}

function countViews(days: readonly DayOfViews[]): number {
  return countSources(days).reduce((sum, [, number]) => sum + number, 0);
}
