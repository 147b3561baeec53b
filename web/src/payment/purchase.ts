import { useQuery } from "@tanstack/react-query";
import * as z from "zod";
import type { Purchase as Bought } from "../../../core/history/schema.ts";
import type { Leg, MethodName } from "../../../core/payment/schema.ts";
import type { Press } from "../../../core/press/schema.ts";
import { purchases } from "../api/press.ts";
import { AddressForm, HashForm, queryClient, sameAddress, UnitsForm } from "../api/request.ts";
import { me } from "../api/session.ts";
import { splitPrice } from "../format.ts";
import { openDrawer } from "../store/kept.ts";
import { makeStore, useStore } from "../store/store.ts";

export const legs = ["fee", "publisher"] as const satisfies readonly Leg[];
export type { Leg };

export type Purchase = Pick<Press, "pressId" | "slug" | "headline" | "stock" | "priceUnits">;

/** The path that takes each leg (specification §4.4). */
export const legPaths: Readonly<Record<Leg, string>> = {
  fee: "/api/pay/treasury",
  publisher: "/api/pay/publisher",
};

/** A leg's expected price in base units. Terms with another price are shown before they are signed. */
export function legPrice({ priceUnits }: Pick<Purchase, "priceUnits">, leg: Leg): string {
  return splitPrice(priceUnits)[leg];
}

/** One way to pay in the service's offer (specification §4.4). Unknown fields are sent back unchanged. */
const AcceptForm = z.looseObject({
  scheme: z.string(),
  network: z.string(),
  amount: UnitsForm,
  asset: AddressForm,
  payTo: AddressForm,
  maxTimeoutSeconds: z.number().positive(),
  extra: z.looseObject({ assetTransferMethod: z.string() }),
});

/** The ways to pay that this site supports: Permit2, and the token's own transfer (EIP-3009). */
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

export type Terms = {
  readonly accepted: z.infer<typeof SignableForm>;
  readonly resource: TermsDocument["resource"];
  /**
   * The service's time of the offer, in seconds since the epoch, so that a wrong local clock does not spoil a
   * deadline.
   */
  readonly offeredAt: number;
};

/** The chain and the token of the service. */
type Currency = { readonly network: string; readonly asset: string };

/** The offered terms of one method, in the service's own token and on its chain. */
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

const signature = {
  /** The whole `payment-signature` header. */
  header: z.string(),
  amount: UnitsForm,
  payTo: AddressForm,
  /** The end of its validity by the service's clock, in seconds since the epoch. */
  until: z.number(),
};

/** A signed payment that was not sent, so nobody can charge it yet. */
const ReadyForm = z.object({ state: z.literal("ready"), ...signature });
type Ready = Readonly<z.infer<typeof ReadyForm>>;

/** A signed payment with an unknown outcome. It is stored before it is sent, and sent again unchanged. */
const SignedForm = z.object({
  state: z.literal("signed"),
  ...signature,
  /** The transaction, once the service has named it. */
  tx: HashForm.optional(),
});
export type Signed = Readonly<z.infer<typeof SignedForm>>;

/** A paid leg. Amount and payee are unknown if the service reports it from an earlier visit. */
const PaidForm = z.object({
  state: z.literal("paid"),
  tx: HashForm,
  amount: UnitsForm,
  payTo: AddressForm.optional(),
  at: z.string(),
});
export type Paid = Readonly<z.infer<typeof PaidForm>>;

export const LegForm = z.discriminatedUnion("state", [ReadyForm, SignedForm, PaidForm]).optional();
export type LegRecord = Ready | Signed | Paid | undefined;

/** This browser's record of one wallet's purchase of one press. */
const RecordForm = z.object({
  wallet: AddressForm,
  pressId: z.int(),
  slug: z.string(),
  headline: z.string(),
  priceUnits: UnitsForm,
  fee: LegForm,
  publisher: LegForm,
  /** The transaction of the approval for Permit2 until it is mined. */
  approval: HashForm.optional(),
});
export type PurchaseRecord = Readonly<z.infer<typeof RecordForm>>;

/** Purchases by press and wallet. Paid ones stay for their receipts. */
const drawer = openDrawer("payment", RecordForm);

function keyOf(pressId: number, wallet: string): string {
  return `${pressId}:${wallet.toLowerCase()}`;
}

function recordOf(pressId: number, wallet: string): PurchaseRecord | undefined {
  return drawer.read(keyOf(pressId, wallet));
}

/** Throws `NotKept` if the browser stores nothing. */
export function keepRecord(record: PurchaseRecord): void {
  drawer.write(keyOf(record.pressId, record.wallet), record);
}

export function forgetRecord(pressId: number, wallet: string): void {
  drawer.remove(keyOf(pressId, wallet));
}

/**
 * A purchase of the press that this browser began and did not finish, preferably one with an unknown outcome.
 */
export function findUnfinished(pressId: number): PurchaseRecord | undefined {
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

/** Seconds that a waiting signature must still be valid to be kept. */
const leastLife = 60;

/**
 * Merges what this browser and, for a signed-in wallet, the service know of a purchase. So another browser
 * does not ask for a paid fee.
 */
export async function readPurchase(purchase: Purchase, wallet: string): Promise<PurchaseRecord | undefined> {
  const { pressId, slug, headline, priceUnits } = purchase;
  const kept = recordOf(pressId, wallet);
  if (kept?.fee?.state === "signed" || kept?.fee?.state === "paid") return kept;
  const record =
    kept === undefined
      ? undefined
      : { ...kept, fee: dropExpiring(kept.fee), publisher: dropExpiring(kept.publisher) };
  const bought = await fetchPaid(pressId, wallet);
  const fee = paidLeg(bought, "fee");
  if (fee === undefined) return record;
  return {
    wallet: AddressForm.parse(wallet),
    pressId,
    slug,
    headline,
    publisher: undefined,
    ...record,
    // The rest is due at the price at which the fee was paid.
    priceUnits: bought?.priceUnits ?? priceUnits,
    fee,
  };
}

function dropExpiring(leg: LegRecord): LegRecord {
  return leg?.state === "ready" && leg.until < Date.now() / 1000 + leastLife ? undefined : leg;
}

/**
 * The service's record of what the wallet has paid, if the session is the wallet's and the service answers.
 */
async function fetchPaid(pressId: number, wallet: string): Promise<Bought | undefined> {
  try {
    if ((await queryClient.ensureQueryData(me)) !== wallet.toLowerCase()) return undefined;
    const bought = await queryClient.fetchQuery(purchases);
    return bought.find((each) => each.pressId === pressId);
  } catch (error) {
    // Without that record the wallet is asked, and the service never charges a leg twice.
    console.warn("What was paid before could not be read.", error);
    return undefined;
  }
}

/** A payment from the service's list, in the form of this browser's records. */
function paidLeg(bought: Pick<Bought, "payments"> | undefined, name: Leg): Paid | undefined {
  const found = bought?.payments.find(({ leg }) => leg === name);
  if (found === undefined) return undefined;
  const { tx, units, payTo, at } = found;
  return { state: "paid", tx: HashForm.parse(tx), amount: units, payTo: AddressForm.parse(payTo), at };
}

/** A paid fee, and what is left to pay in base units: of the price at which the fee was paid. */
type HalfPaid = { readonly fee: Paid; readonly left: string };

/**
 * The paid fee of a press whose publisher's part is unpaid, known to this browser or to the signed-in
 * wallet's records.
 */
export function useHalfPaid({ pressId }: Pick<Purchase, "pressId">): HalfPaid | undefined {
  const { data: address } = useQuery(me);
  const { data } = useQuery({ ...purchases, enabled: typeof address === "string" });
  const begun = findUnfinished(pressId);
  if (begun?.fee?.state === "paid") return { fee: begun.fee, left: legPrice(begun, "publisher") };
  const there = data?.find((each) => each.pressId === pressId);
  const fee = there?.unlocked === false ? paidLeg(there, "fee") : undefined;
  return there === undefined || fee === undefined ? undefined : { fee, left: legPrice(there, "publisher") };
}

/**
 * Presses with a payment on its way. The payment reports here, so that a page that shows only a price need
 * not load its code.
 */
const sending = makeStore<ReadonlySet<number>>(new Set());

export function setUnderWay(pressId: number, isSending: boolean): void {
  const known = sending.get();
  if (known.has(pressId) === isSending) return;
  const others = [...known].filter((each) => each !== pressId);
  sending.set(new Set(isSending ? [...others, pressId] : others));
}

export function useUnderWay(pressId: number): boolean {
  return useStore(sending).has(pressId);
}
