import type { Address } from "../chain/hex.ts";
import type { Table } from "../table.ts";
import { toUsdg } from "./price.ts";
import type { Dashboard } from "./schema.ts";
import { earnings, toDashboardPress } from "./view.ts";

/**
 * All presses of a publisher, the newest first, with what they have earned (specification §4.8). One query, and another
 * for every further megabyte.
 */
export async function dashboard({ table }: { readonly table: Table }, wallet: Address): Promise<Dashboard> {
  const { data } = await table.entities.press.query
    .byPublisher({ publisher: wallet })
    .go({ order: "desc", pages: "all" });
  return {
    presses: data.map(toDashboardPress),
    totals: {
      earnedUsdg: toUsdg(data.reduce((sum, item) => sum + earnings(item), 0n)),
      live: data.filter(({ status }) => status === "live").length,
      reads: data.reduce((sum, { reads }) => sum + reads, 0),
    },
  };
}
