import type { Sale } from "../../../../core/press/schema.ts";

type Day = {
  /** `YYYY-MM-DD`, UTC. */
  readonly date: string;
  readonly unlocks: number;
  readonly earned: number;
};

const length = 24 * 60 * 60_000;

/** So many UTC days up to `now`, the oldest first, with what each has brought. */
export function daysOf(sales: readonly Sale[], now: Date, count: number): readonly Day[] {
  const byDate = Map.groupBy(sales, ({ at }) => at.slice(0, 10));
  return Array.from({ length: count }, (_, at) => {
    const date = new Date(now.getTime() - (count - 1 - at) * length).toISOString().slice(0, 10);
    const sold = byDate.get(date) ?? [];
    // Base units: sums of decimal fractions drift.
    const units = sold.reduce((sum, { amountUsdg }) => sum + Math.round(amountUsdg * 1e6), 0);
    return { date, unlocks: sold.length, earned: units / 1e6 };
  });
}
