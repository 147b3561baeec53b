import * as Payment from "../payment/index.ts";
import * as Vote from "../vote/index.ts";
import type { PressItem } from "./entity.ts";
import { toUsdg } from "./price.ts";
import { DashboardPress, Press } from "./schema.ts";

/** A live press as everybody sees it (specification §2.1). Throws for one that lacks what live presses have: a defect. */
export function toPress(item: PressItem): Press {
  return Press.parse({
    ...shared(item),
    auditScore: item.audit?.score,
    publisherHolds: item.publisherHolds ?? false,
  });
}

/** A press as its publisher sees it, live or not (specification §2.10). */
export function toDashboardPress(item: PressItem): DashboardPress {
  return DashboardPress.parse({
    ...shared(item),
    pressId: item.pressId ?? null,
    slug: item.slug ?? null,
    publishedAt: item.publishedAt ?? null,
    auditScore: item.audit?.score ?? null,
    publisherHolds: item.publisherHolds ?? null,
    priceAtPublish: item.priceAtPublish ?? null,
    mintTx: item.mintTx ?? null,
    earnedUsdg: toUsdg(earnings(item)),
  });
}

/** USDG base units: the settled publisher legs, each of which counted one read at a price that is frozen while live. */
export function earnings({ reads, priceUnits }: PressItem): bigint {
  return BigInt(reads) * Payment.legAmount("publisher", BigInt(priceUnits));
}

function shared(item: PressItem) {
  return {
    ...item,
    priceUsdg: toUsdg(item.priceUnits),
    ...Vote.tally(item),
    auditTx: item.auditTx ?? null,
  };
}
