import { useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import * as z from "zod";
import type { Purchase as Bought } from "../../../core/history/schema.ts";
import type { Leg, MethodName } from "../../../core/payment/schema.ts";
import type { Press } from "../../../core/press/schema.ts";
import { purchases } from "../api/press.ts";
import { AddressForm, HashForm, queryClient, sameAddress, UnitsForm } from "../api/request.ts";
import { me } from "../api/session.ts";
import { splitPrice } from "../format.ts";
import { kept } from "../store/kept.ts";

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

const signature = {
  /** The whole `payment-signature` header. */
  header: z.string(),
  amount: UnitsForm,
  payTo: AddressForm,
  /** The service's time until which it is good, in seconds since the epoch. */
  until: z.number(),
};

/** A payment that was signed and that nobody can charge for the moment: the service holds nothing of it. */
const ReadyForm = z.object({ state: z.literal("ready"), ...signature });
type Ready = Readonly<z.infer<typeof ReadyForm>>;

/** A payment that was signed and whose end is not known. It is kept before it is sent, and sent again as it is. */
const SignedForm = z.object({
  state: z.literal("signed"),
  ...signature,
  /** Its transaction, once the service has named one. */
  tx: HashForm.optional(),
});
export type Signed = Readonly<z.infer<typeof SignedForm>>;

/** A leg that is paid. What was paid to whom is unknown where the service says so of an earlier visit. */
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

/** What this browser knows of one wallet's purchase of one press. */
const RecordForm = z.object({
  wallet: AddressForm,
  pressId: z.int(),
  slug: z.string(),
  headline: z.string(),
  priceUnits: UnitsForm,
  fee: LegForm,
  publisher: LegForm,
  /** The transaction that lets Permit2 move the wallet's USDG, while it is not mined. */
  approval: HashForm.optional(),
});
export type PurchaseRecord = Readonly<z.infer<typeof RecordForm>>;

/** Purchases by press and wallet. What is paid stays, for its receipt. */
const drawer = kept("payment", RecordForm);

function keyOf(pressId: number, wallet: string): string {
  return `${pressId}:${wallet.toLowerCase()}`;
}

function recordOf(pressId: number, wallet: string): PurchaseRecord | undefined {
  return drawer.read(keyOf(pressId, wallet));
}

/** Throws `NotKept` where the browser keeps nothing. */
export function keepRecord(record: PurchaseRecord): void {
  drawer.write(keyOf(record.pressId, record.wallet), record);
}

export function forgetRecord(pressId: number, wallet: string): void {
  drawer.remove(keyOf(pressId, wallet));
}

/** A purchase of the press that was begun here and has not come to its text; one whose end is unknown before others. */
export function unfinished(pressId: number): PurchaseRecord | undefined {
  const begun = drawer
    .all()
    .map(([, record]) => record)
    .filter((record) => record.pressId === pressId && record.publisher?.state !== "paid");
  return begun.find(isUnanswered) ?? begun.find(({ fee }) => fee?.state === "paid");
}

/** Whether a signed payment is out whose end is not known. */
export function isUnanswered({ fee, publisher }: Pick<PurchaseRecord, "fee" | "publisher">): boolean {
  return fee?.state === "signed" || publisher?.state === "signed";
}

/** Seconds for which a signature that waits must still be good to be worth keeping. */
const leastLife = 60;

/**
 * What is known of a wallet's purchase of a press: by this browser and, where the wallet is signed in, by the service. So
 * another browser does not ask for a fee that is paid.
 */
export async function knownPurchase(purchase: Purchase, wallet: string): Promise<PurchaseRecord | undefined> {
  const { pressId, slug, headline, priceUnits } = purchase;
  const kept = recordOf(pressId, wallet);
  if (kept?.fee?.state === "signed" || kept?.fee?.state === "paid") return kept;
  const record =
    kept === undefined ? undefined : { ...kept, fee: usable(kept.fee), publisher: usable(kept.publisher) };
  const fee = paidLeg(await paidBy(pressId, wallet), "fee");
  if (fee === undefined) return record;
  return {
    wallet: AddressForm.parse(wallet),
    pressId,
    slug,
    headline,
    priceUnits,
    publisher: undefined,
    ...record,
    fee,
  };
}

function usable(leg: LegRecord): LegRecord {
  return leg?.state === "ready" && leg.until < Date.now() / 1000 + leastLife ? undefined : leg;
}

/** What the service says that the wallet has paid, if the session is the wallet's and the service answers. */
async function paidBy(pressId: number, wallet: string): Promise<Bought | undefined> {
  try {
    if ((await queryClient.ensureQueryData(me)) !== wallet.toLowerCase()) return undefined;
    const bought = await queryClient.fetchQuery(purchases);
    return bought.find((each) => each.pressId === pressId);
  } catch (error) {
    // Without it the wallet is asked, and the service takes nothing twice.
    console.warn("What was paid before could not be read.", error);
    return undefined;
  }
}

/** A payment as the service lists it, in the form in which this browser keeps its own. */
function paidLeg(bought: Pick<Bought, "payments"> | undefined, name: Leg): Paid | undefined {
  const found = bought?.payments.find(({ leg }) => leg === name);
  if (found === undefined) return undefined;
  const { tx, units, payTo, at } = found;
  return { state: "paid", tx: HashForm.parse(tx), amount: units, payTo: AddressForm.parse(payTo), at };
}

/** The fee that was paid for a press whose publisher is not, in this browser or by the signed-in wallet. */
export function useHalfPaid({ pressId }: Pick<Purchase, "pressId">): Paid | undefined {
  const { data: address } = useQuery(me);
  const { data } = useQuery({ ...purchases, enabled: typeof address === "string" });
  const here = unfinished(pressId)?.fee;
  if (here?.state === "paid") return here;
  const there = data?.find((each) => each.pressId === pressId);
  return there?.unlocked === false ? paidLeg(there, "fee") : undefined;
}

/** Presses whose payment is being sent: what pays tells it, so that a page that only shows a price does without that code. */
const sending = new Set<number>();
const listeners = new Set<() => void>();

export function setUnderWay(pressId: number, isSending: boolean): void {
  if (sending.has(pressId) === isSending) return;
  if (isSending) sending.add(pressId);
  else sending.delete(pressId);
  for (const listener of listeners) listener();
}

function watch(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether a payment for the press is being sent. */
export function useUnderWay(pressId: number): boolean {
  return useSyncExternalStore(watch, () => sending.has(pressId));
}
