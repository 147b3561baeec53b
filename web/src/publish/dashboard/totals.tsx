import type { Dashboard } from "../../../../core/press/schema.ts";
import { formatAmount } from "../../format.ts";
import { common } from "../../strings/common.ts";
import { publish as words } from "../../strings/publish.ts";

/** What all presses of a publisher have brought together. */
export function Totals({ totals }: Pick<Dashboard, "totals">) {
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
