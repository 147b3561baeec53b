import { getAddress } from "viem/utils";
import * as Payment from "../../core/payment/index.ts";
import type { Leg } from "../../core/payment/schema.ts";
import type { Settings } from "../../core/port/settings.ts";
import { toUsdg } from "../../core/press/price.ts";
import { limits } from "../../core/press/schema.ts";
import type { Json } from "./schemas.ts";

/**
 * What directories of paid endpoints read before they ask for terms: `x-payment-info`, in the form with nested `price`
 * and a list of protocols, and with the flat fields of the form before it. The 402 has the last word.
 */
export function paymentInfo({ chainId, contracts }: Settings, leg: Leg): Json {
  const min = share(leg, limits.priceUnits.min);
  const max = share(leg, limits.priceUnits.max);
  return {
    authMode: "payment-required",
    price: { mode: "dynamic", currency: "USD", min, max },
    pricingMode: "range",
    minPrice: min,
    maxPrice: max,
    protocols: [
      {
        x402: {
          version: 2,
          scheme: "exact",
          network: `eip155:${chainId}`,
          asset: getAddress(contracts.usdg),
          assetTransferMethod: "permit2",
        },
      },
    ],
  };
}

function share(leg: Leg, priceUnits: bigint): string {
  return String(toUsdg(Payment.legAmount(leg, priceUnits)));
}
