import { getAddress } from "viem/utils";
import { usdgDomain } from "../chain/deployment.ts";
import type { Address } from "../chain/hex.ts";
import type { Settings } from "../port/settings.ts";
import { type Leg, type MethodExtra, type MethodName, methodNames, type PaymentRequired } from "./schema.ts";

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

/** What the terms say of each way to pay, beside the ticket. */
const extras: Readonly<Record<MethodName, (settings: Settings) => MethodExtra>> = {
  permit2: ({ contracts }) => ({
    assetTransferMethod: "permit2",
    spender: getAddress(contracts.exactProxy),
    name: "USDG",
  }),
  eip3009: () => ({ assetTransferMethod: "eip3009", ...usdgDomain }),
};

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

/**
 * The 402 document with fresh terms (specification §4.4): an entry of `accepts` for each method. `ticket`: 256 random
 * bits, base64url, of this offer alone.
 */
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
    accepts: methodNames.map((method) => ({
      scheme: "exact" as const,
      network: network(settings),
      amount: String(due.amount),
      asset: getAddress(contracts.usdg),
      payTo: getAddress(due.payTo),
      maxTimeoutSeconds,
      extra: { ...extras[method](settings), ticket },
    })),
    resource: { url: `${origin}${paths[due.leg]}` },
    extensions: { "payment-identifier": { info: { required: false }, schema: identifierSchema } },
  };
}

/** The same terms with one way to pay alone, for clients that sign the first entry that they find. */
export function offeringOnly(terms: PaymentRequired, method: MethodName): PaymentRequired {
  return { ...terms, accepts: terms.accepts.filter(({ extra }) => extra.assetTransferMethod === method) };
}
