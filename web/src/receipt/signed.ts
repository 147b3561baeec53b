import { isAddressEqual, recoverTypedDataAddress } from "viem/utils";
import * as z from "zod";
import type { PaidLeg } from "../../../core/history/schema.ts";
import {
  ReceiptList,
  receiptDomain,
  receiptTypes,
  type SignedReceipt,
} from "../../../core/receipt/schema.ts";
import { AddressForm, getJson } from "../api/request.ts";
import { discoveryPath } from "../site.ts";

/** A payment for a press, from the history of the session's wallet. */
export type PressPayment = {
  readonly payment: PaidLeg;
  readonly pressId: number;
  readonly payer: string;
  /** The chain (CAIP-2). */
  readonly network: string;
  readonly origin: string;
};

const Service = z.object({ receipts: z.object({ signer: z.object({ address: AddressForm }) }) });
const SignatureForm = z.templateLiteral(["0x", z.string().regex(/^[0-9a-f]{130}$/)]);

/**
 * Whether the service has signed a receipt for exactly this payment. The receipt must be signed by the signer in the discovery document and
 * must name this payment's payer, press, part of the price, chain and transaction. This browser verifies the receipt itself, and does not
 * ask the service to verify it. Throws ApiProblem.
 */
export async function hasReceipt(paid: PressPayment, signal?: AbortSignal): Promise<boolean> {
  const [{ receipts }, service] = await Promise.all([
    getJson(`/api/receipts/${paid.payment.tx}`, ReceiptList, signal),
    getJson(discoveryPath, Service, signal),
  ]);
  const { address } = service.receipts.signer;
  const found = receipts.find(
    ({ payload }) => payload.resourceUrl === makeResourceUrl(paid) && isReceiptFor(paid, payload),
  );
  return found !== undefined && (await isFromSigner(address, found));
}

const paths = { fee: "/api/pay/treasury", publisher: "/api/pay/publisher" } as const;

/** The URL in a receipt. The URL names the press and the paid part of the price (fee or publisher's part). */
function makeResourceUrl({ origin, payment, pressId }: PressPayment): string {
  return `${origin}${paths[payment.leg]}#pressId=${pressId}`;
}

function isReceiptFor({ payment, payer, network }: PressPayment, said: SignedReceipt["payload"]): boolean {
  const wallet = AddressForm.safeParse(said.payer);
  return (
    wallet.success &&
    isAddressEqual(wallet.data, AddressForm.parse(payer)) &&
    said.network === network &&
    said.transaction === payment.tx.toLowerCase() &&
    said.issuedAt === Math.floor(Date.parse(payment.at) / 1000)
  );
}

async function isFromSigner(
  signer: z.infer<typeof AddressForm>,
  { payload, signature }: SignedReceipt,
): Promise<boolean> {
  const bytes = SignatureForm.safeParse(signature);
  if (!bytes.success) return false;
  const by = await recoverTypedDataAddress({
    domain: receiptDomain,
    types: receiptTypes,
    primaryType: "Receipt",
    message: { ...payload, version: BigInt(payload.version), issuedAt: BigInt(payload.issuedAt) },
    signature: bytes.data,
  }).catch(() => undefined);
  return by !== undefined && isAddressEqual(by, signer);
}
