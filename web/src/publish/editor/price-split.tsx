import { common } from "../../strings/common.ts";
import { editor as words } from "../../strings/publish-editor.ts";
import { Pair, Pairs } from "../../ui/pairs.tsx";
import { formatUsdg, splitPrice } from "../../usdg.ts";
import { unitsOf } from "./text.ts";

/** What a price comes to for its publisher and for the platform. */
export function PriceSplit({ price }: { readonly price: string }) {
  const units = unitsOf(price);
  if (units === undefined) return <p className="text-sm text-quiet">{words.splitNone}</p>;
  const { fee, publisher } = splitPrice(units);
  return (
    <section aria-label={words.split} className="rounded-xl bg-sunk px-3.5 py-2.5">
      <Pairs>
        <Pair term={words.splitYou}>
          <strong className="font-semibold">{formatUsdg(publisher)}</strong> {common.unit}
        </Pair>
        <Pair term={words.splitFee}>
          {formatUsdg(fee)} {common.unit}
        </Pair>
      </Pairs>
    </section>
  );
}
