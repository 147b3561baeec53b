import * as z from "zod";
import { AddressForm, HashForm, UnitsForm } from "../api/request.ts";
import { kept } from "../store/kept.ts";

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

export function recordOf(pressId: number, wallet: string): PurchaseRecord | undefined {
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
