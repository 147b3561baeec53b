import type { PressItem } from "./entity.ts";
import { toUsdg } from "./price.ts";
import { Press } from "./schema.ts";

/** A live press as everybody sees it (specification §2.1). Throws for one that lacks what live presses have: a defect. */
export function toPress(item: PressItem): Press {
  return Press.parse({
    ...item,
    priceUsdg: toUsdg(item.priceUnits),
    auditScore: item.audit?.score,
    publisherHolds: item.publisherHolds ?? false,
    votes: { up: item.votesUp, down: item.votesDown },
    auditTx: item.auditTx ?? null,
  });
}
