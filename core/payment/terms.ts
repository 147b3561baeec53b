import { getAddress } from "viem/utils";
import type { Address } from "../chain/hex.ts";
import type { Settings } from "../port/settings.ts";
import type { Leg, PaymentRequired } from "./schema.ts";

/** Percent of the price that goes to the platform (specification §8). */
const feePercent = 10n;

/** Seconds that a payment may take, as the terms say (specification §8). */
const maxTimeoutSeconds = 300;

/** What each leg charges, in base units: the fee rounded down, the owner gets the rest. */
export function legAmount(leg: Leg, priceUnits: bigint): bigint {
  const fee = (priceUnits * feePercent) / 100n;
  return leg === "fee" ? fee : priceUnits - fee;
}

/** What must be paid now, and to whom. */
export type Due = { readonly leg: Leg; readonly amount: bigint; readonly payTo: Address };

const paths: Readonly<Record<Leg, string>> = {
  fee: "/api/pay/treasury",
  publisher: "/api/pay/publisher",
};

/** The x402 network id of the stage's chain (CAIP-2). */
export function network(settings: Settings): string {
  return `eip155:${settings.chainId}`;
}

/** Why terms are offered: a stable code and a sentence for people. */
export type Reason = { readonly code: string; readonly error: string };

/** What a client may add to `info`, in the form in which x402 extensions say so. */
const identifierSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    required: { type: "boolean" },
    id: { type: "string", minLength: 16, maxLength: 128, pattern: "^[A-Za-z0-9_-]+$" },
  },
  required: ["required"],
};

/** The 402 document with fresh terms (specification §4.4). `ticket`: 256 random bits, base64url, of this offer alone. */
export function paymentRequired(
  settings: Settings,
  due: Due,
  reason: Reason,
  ticket: string,
): PaymentRequired {
  const { contracts, origin } = settings;
  return {
    x402Version: 2,
    error: reason.error,
    code: reason.code,
    accepts: [
      {
        scheme: "exact",
        network: network(settings),
        amount: String(due.amount),
        asset: getAddress(contracts.usdg),
        payTo: getAddress(due.payTo),
        maxTimeoutSeconds,
        extra: {
          assetTransferMethod: "permit2",
          spender: getAddress(contracts.exactProxy),
          name: "USDG",
          ticket,
        },
      },
    ],
    resource: { url: `${origin}${paths[due.leg]}` },
    extensions: { "payment-identifier": { info: { required: false }, schema: identifierSchema } },
  };
}
