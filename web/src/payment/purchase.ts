import type { Leg } from "../../../core/payment/schema.ts";
import type { Press } from "../../../core/press/schema.ts";
import { splitPrice } from "../usdg.ts";

export const legs = ["fee", "publisher"] as const satisfies readonly Leg[];
export type { Leg };

/** What is bought. */
export type Purchase = Pick<Press, "pressId" | "slug" | "headline" | "stock" | "priceUnits">;

/** Where a leg is paid (specification §4.4). */
export const legPaths: Readonly<Record<Leg, string>> = {
  fee: "/api/pay/treasury",
  publisher: "/api/pay/publisher",
};

/** What a leg is expected to cost, in base units: terms that differ are shown before they are signed. */
export function legPrice({ priceUnits }: Pick<Purchase, "priceUnits">, leg: Leg): string {
  return splitPrice(priceUnits)[leg];
}
