import type { DashboardPress } from "../../../../core/press/schema.ts";
import { formatAmount } from "../../format.ts";
import { common } from "../../strings/common.ts";
import { publish } from "../../strings/publish.ts";
import { live as words } from "../../strings/publish-live.ts";
import { Card } from "../../ui/card.tsx";
import { Pair, Pairs } from "../../ui/pairs.tsx";
import { formatUsdg, splitPrice } from "../../usdg.ts";

/** What a live press has brought, and what each further read brings. */
export function Earnings({ press }: { readonly press: DashboardPress }) {
  const { earnedUsdg, reads, priceUnits, votes } = press;
  return (
    <Card heading={words.earnings}>
      <div className="grid gap-4">
        <p className="figure text-3xl font-semibold tracking-tight">
          {formatAmount(earnedUsdg)} <span className="text-lg font-normal text-quiet">{common.unit}</span>
        </p>
        <Pairs>
          <Pair term={words.reads}>{reads.toLocaleString("en-US")}</Pair>
          <Pair term={words.perRead}>
            {formatUsdg(splitPrice(priceUnits).publisher)} {common.unit}
          </Pair>
          <Pair term={words.price}>
            {formatUsdg(priceUnits)} {common.unit}
          </Pair>
          <Pair term={words.votes}>{publish.votes(votes.up, votes.down)}</Pair>
        </Pairs>
      </div>
    </Card>
  );
}
