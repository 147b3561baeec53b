import { useQuery } from "@tanstack/react-query";
import * as z from "zod";
import type { Purchase as Bought } from "../../../core/history/schema.ts";
import type { Leg, MethodName } from "../../../core/payment/schema.ts";
import { feePercent, type Press } from "../../../core/press/schema.ts";
import { purchases } from "../api/press.ts";
import { AddressForm, HashForm, isSameAddress, queryClient, UnitsForm } from "../api/request.ts";
import { me } from "../api/session.ts";
import { splitPrice } from "../format.ts";
import { makeStore, openLocalStore, useStore } from "../store.ts";

export const legs = ["fee", "publisher"] as const satisfies readonly Leg[];
export type { Leg };

export type Purchase = Pick<Press, "pressId" | "slug" | "headline" | "stock" | "priceUnits">;

/**
 * The expected amount of one payment, in base units. If the terms of payment contain an unexpected amount, the terms are shown to the
 * reader before the wallet signs them.
 */
export function computeLegPrice({ priceUnits }: Pick<Purchase, "priceUnits">, leg: Leg): string {
  return splitPrice(priceUnits)[leg];
}

/** Computes the price from the amount of one leg, in base units. Rounding may make the price wrong by at most nine base units. */
export function computePrice(amount: string, leg: Leg): string {
  return String((BigInt(amount) * 100n) / BigInt(leg === "fee" ? feePercent : 100 - feePercent));
}

/**
 * One payment method in the service's offer (specification §4.4). Fields of the offer that the site does not know are sent back unchanged.
 */
const AcceptForm = z.looseObject({
  scheme: z.string(),
  network: z.string(),
  amount: UnitsForm,
  asset: AddressForm,
  payTo: AddressForm,
  maxTimeoutSeconds: z.number().positive(),
  extra: z.looseObject({ assetTransferMethod: z.string() }),
});

/** The payment methods that this site supports: Permit2, and the token's own transfer (EIP-3009). */
const SignableForm = AcceptForm.extend({
  extra: z.discriminatedUnion("assetTransferMethod", [
    z.looseObject({ assetTransferMethod: z.literal("permit2"), spender: AddressForm }),
    z.looseObject({ assetTransferMethod: z.literal("eip3009"), name: z.string(), version: z.string() }),
  ]),
});

/** The document that contains the terms of payment, from an answer with status 402. */
export const TermsForm = z.object({
  x402Version: z.literal(2),
  error: z.string(),
  code: z.string().optional(),
  accepts: z.array(AcceptForm).min(1).readonly(),
  resource: z.looseObject({ url: z.string() }),
});
export type TermsDocument = Readonly<z.infer<typeof TermsForm>>;

export type Terms = {
  readonly accepted: z.infer<typeof SignableForm>;
  readonly resource: TermsDocument["resource"];
  /** The time of the offer in seconds since the epoch. The time is read from the service's clock, because the local clock may be wrong. */
  readonly offeredAt: number;
};

/** The chain and the token of the service. */
type Currency = { readonly network: string; readonly asset: string };

/** The terms that are offered for one payment method. The terms are used only if they name the service's own token and chain. */
export function findPayableTerms(
  document: TermsDocument,
  { network, asset }: Currency,
  { method, offeredAt }: { readonly method: MethodName; readonly offeredAt: number },
): Terms | undefined {
  const accepted = document.accepts
    .flatMap((each) => SignableForm.safeParse(each).data ?? [])
    .filter((each) => each.scheme === "exact" && each.extra.assetTransferMethod === method)
    .find((each) => each.network === network && isSameAddress(each.asset, asset));
  return accepted === undefined ? undefined : { accepted, resource: document.resource, offeredAt };
}

const signature = {
  /** The whole `payment-signature` header. */
  header: z.string(),
  amount: UnitsForm,
  payTo: AddressForm,
  /** The time at which the signature expires by the service's clock, in seconds since the epoch. */
  until: z.number(),
};

/** A signed payment that was not sent, so nobody can charge it yet. */
const ReadyForm = z.object({ state: z.literal("ready"), ...signature });

/**
 * A signed payment with an unknown outcome. A signed payment is stored before it is sent. If the payment is sent again, it is sent
 * unchanged.
 */
const SignedForm = z.object({
  state: z.literal("signed"),
  ...signature,
  /** The payment's transaction, once the service has named it. */
  tx: HashForm.optional(),
});
export type SignedRecord = Readonly<z.infer<typeof SignedForm>>;

/**
 * A completed payment. The payment's amount and payee are unknown if the payment was made on an earlier visit and only the service reports
 * it.
 */
const PaidForm = z.object({
  state: z.literal("paid"),
  tx: HashForm,
  amount: UnitsForm,
  payTo: AddressForm.optional(),
  at: z.string(),
});
export type PaidRecord = Readonly<z.infer<typeof PaidForm>>;

export const LegForm = z.discriminatedUnion("state", [ReadyForm, SignedForm, PaidForm]).optional();
export type LegRecord = Readonly<z.infer<typeof ReadyForm>> | SignedRecord | PaidRecord | undefined;

/** This browser's record of one wallet's purchase of one press. */
const RecordForm = z.object({
  wallet: AddressForm,
  pressId: z.int(),
  slug: z.string(),
  headline: z.string(),
  priceUnits: UnitsForm,
  fee: LegForm,
  publisher: LegForm,
  /** The transaction that approves Permit2. The record keeps this transaction until it is mined. */
  approval: HashForm.optional(),
});
export type PurchaseRecord = Readonly<z.infer<typeof RecordForm>>;

/** The stored purchases, by press and wallet. Paid purchases stay stored, because their receipts are shown later. */
const drawer = openLocalStore("payment", RecordForm);

function makeKey(pressId: number, wallet: string): string {
  return `${pressId}:${wallet.toLowerCase()}`;
}

/** Stores the record of a purchase. Throws `NotKept` if the browser cannot store the change. */
export function keepRecord(record: PurchaseRecord): void {
  drawer.write(makeKey(record.pressId, record.wallet), record);
}

export function forgetRecord(pressId: number, wallet: string): void {
  drawer.remove(makeKey(pressId, wallet));
}

/**
 * A purchase of the press that was begun in this browser and is not finished. If there are several such purchases, the function returns a
 * purchase with an unknown outcome before a purchase whose fee is paid.
 */
export function findOpenRecord(pressId: number): PurchaseRecord | undefined {
  const begun = drawer
    .all()
    .map(([, record]) => record)
    .filter((record) => record.pressId === pressId && record.publisher?.state !== "paid");
  return begun.find(isUnanswered) ?? begun.find(({ fee }) => fee?.state === "paid");
}

/** Whether a payment with an unknown outcome was sent. */
export function isUnanswered({ fee, publisher }: Pick<PurchaseRecord, "fee" | "publisher">): boolean {
  return fee?.state === "signed" || publisher?.state === "signed";
}

/**
 * The minimum remaining validity of an unsent signature, in seconds. A signature whose remaining validity is shorter than this minimum is
 * discarded.
 */
const leastLife = 60;

/**
 * Merges this browser's record of a purchase with the service's record, if the wallet is signed in. The records are merged so that a fee
 * that was paid in another browser is not requested again.
 */
export async function readPurchase(purchase: Purchase, wallet: string): Promise<PurchaseRecord | undefined> {
  const { pressId, slug, headline, priceUnits } = purchase;
  const kept = drawer.read(makeKey(pressId, wallet));
  if (kept?.fee?.state === "signed" || kept?.fee?.state === "paid") return kept;
  const record =
    kept === undefined
      ? undefined
      : { ...kept, fee: dropExpiringLeg(kept.fee), publisher: dropExpiringLeg(kept.publisher) };
  const bought = await fetchPurchase(pressId, wallet);
  const fee = findPaidLeg(bought, "fee");
  if (fee === undefined) return record;
  return {
    wallet: AddressForm.parse(wallet),
    pressId,
    slug,
    headline,
    publisher: undefined,
    ...record,
    // The publisher leg is due at the price at which the fee was paid.
    priceUnits: bought?.priceUnits ?? priceUnits,
    fee,
  };
}

function dropExpiringLeg(leg: LegRecord): LegRecord {
  return leg?.state === "ready" && leg.until < Date.now() / 1000 + leastLife ? undefined : leg;
}

/** The service's record of the wallet's payments, if the session belongs to the wallet and the service answers. */
async function fetchPurchase(pressId: number, wallet: string): Promise<Bought | undefined> {
  try {
    if ((await queryClient.ensureQueryData(me)) !== wallet.toLowerCase()) return undefined;
    const bought = await queryClient.fetchQuery(purchases);
    return bought.find((each) => each.pressId === pressId);
  } catch (error) {
    // Without the service's record, the wallet may be asked to sign again, but the service never charges the same payment twice.
    console.warn("The wallet's earlier payments could not be read.", error);
    return undefined;
  }
}

/** A payment from the service's list, in the form of this browser's records. */
function findPaidLeg(bought: Pick<Bought, "payments"> | undefined, name: Leg): PaidRecord | undefined {
  const found = bought?.payments.find(({ leg }) => leg === name);
  if (found === undefined) return undefined;
  const { tx, units, payTo, at } = found;
  return { state: "paid", tx: HashForm.parse(tx), amount: units, payTo: AddressForm.parse(payTo), at };
}

/**
 * A paid fee, and the part of the price that remains to be paid, in base units. The fee's payment has fixed the price of the press for this
 * wallet.
 */
type PaidFee = { readonly fee: PaidRecord; readonly left: string };

/**
 * The paid fee of a press whose publisher leg is unpaid, from this browser's records or from the service's records of the signed-in
 * wallet.
 */
export function usePaidFee({ pressId }: Pick<Purchase, "pressId">): PaidFee | undefined {
  const { data: address } = useQuery(me);
  const { data } = useQuery({ ...purchases, enabled: typeof address === "string" });
  const begun = findOpenRecord(pressId);
  if (begun?.fee?.state === "paid") return { fee: begun.fee, left: computeLegPrice(begun, "publisher") };
  const there = data?.find((each) => each.pressId === pressId);
  const fee = there?.unlocked === false ? findPaidLeg(there, "fee") : undefined;
  return there === undefined || fee === undefined
    ? undefined
    : { fee, left: computeLegPrice(there, "publisher") };
}

/**
 * The presses for which a payment is running. Running payments update this store, so a page that shows only a price does not have to load
 * the code for payments.
 */
const sending = makeStore<ReadonlySet<number>>(new Set());

export function setSending(pressId: number, isSending: boolean): void {
  const known = sending.get();
  if (known.has(pressId) === isSending) return;
  const others = [...known].filter((each) => each !== pressId);
  sending.set(new Set(isSending ? [...others, pressId] : others));
}

export function useSending(pressId: number): boolean {
  return useStore(sending).has(pressId);
}
