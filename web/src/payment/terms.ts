import * as z from "zod";
import type { Leg, MethodName } from "../../../core/payment/schema.ts";
import type { Press } from "../../../core/press/schema.ts";
import { AddressForm, sameAddress, UnitsForm } from "../api/request.ts";
import { splitPrice } from "../format.ts";

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

/** One way to pay, as the service offers it (specification §4.4). What is not named here is sent back unchanged. */
const AcceptForm = z.looseObject({
  scheme: z.string(),
  network: z.string(),
  amount: UnitsForm,
  asset: AddressForm,
  payTo: AddressForm,
  maxTimeoutSeconds: z.number().positive(),
  extra: z.looseObject({ assetTransferMethod: z.string() }),
});

/** The ways that this site can sign: by Permit2, and by the token's own transfer (EIP-3009). */
const SignableForm = AcceptForm.extend({
  extra: z.discriminatedUnion("assetTransferMethod", [
    z.looseObject({ assetTransferMethod: z.literal("permit2"), spender: AddressForm }),
    z.looseObject({ assetTransferMethod: z.literal("eip3009"), name: z.string(), version: z.string() }),
  ]),
});

/** The document of a 402. */
export const TermsForm = z.object({
  x402Version: z.literal(2),
  error: z.string(),
  code: z.string().optional(),
  accepts: z.array(AcceptForm).min(1).readonly(),
  resource: z.looseObject({ url: z.string() }),
});
export type TermsDocument = Readonly<z.infer<typeof TermsForm>>;

/** Terms that can be signed. */
export type Terms = {
  readonly accepted: z.infer<typeof SignableForm>;
  readonly resource: TermsDocument["resource"];
  /** The service's time when it offered them, in seconds since the epoch: a wrong clock here must not spoil a deadline. */
  readonly offeredAt: number;
};

/** The chain and the token that the service says it takes. */
type Currency = { readonly network: string; readonly asset: string };

/** The terms of one method among those offered, in the service's own token and on its chain. */
export function payableTerms(
  document: TermsDocument,
  { network, asset }: Currency,
  { method, offeredAt }: { readonly method: MethodName; readonly offeredAt: number },
): Terms | undefined {
  const accepted = document.accepts
    .flatMap((each) => SignableForm.safeParse(each).data ?? [])
    .filter((each) => each.scheme === "exact" && each.extra.assetTransferMethod === method)
    .find((each) => each.network === network && sameAddress(each.asset, asset));
  return accepted === undefined ? undefined : { accepted, resource: document.resource, offeredAt };
}
