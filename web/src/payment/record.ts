import * as z from "zod";
import { AddressForm, HashForm, sameAddress, UnitsForm } from "../api/request.ts";
import { kept } from "../store/kept.ts";

/** A payment that was signed and whose end is not known. It is kept before it is sent, and sent again as it is. */
const SignedForm = z.object({
  state: z.literal("signed"),
  /** The whole `payment-signature` header. */
  header: z.string(),
  amount: UnitsForm,
  payTo: AddressForm,
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
type Paid = Readonly<z.infer<typeof PaidForm>>;

const LegForm = z.discriminatedUnion("state", [SignedForm, PaidForm]).optional();
export type LegRecord = Signed | Paid | undefined;

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

/** A purchase that came to its text in this browser. */
export function purchaseOf(slug: string, wallet: string): PurchaseRecord | undefined {
  const known = drawer.all().map(([, record]) => record);
  return known.find(
    (record) =>
      record.slug === slug && sameAddress(record.wallet, wallet) && record.publisher?.state === "paid",
  );
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
  return begun.find(isUnanswered) ?? begun.find(({ fee }) => fee !== undefined);
}

/** Whether a signed payment is out whose end is not known. */
export function isUnanswered({ fee, publisher }: Pick<PurchaseRecord, "fee" | "publisher">): boolean {
  return fee?.state === "signed" || publisher?.state === "signed";
}
