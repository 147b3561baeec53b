import { isHex, verifyTypedData } from "viem/utils";
import type { PaidLeg } from "../../../core/history/schema.ts";
import { payAt } from "../../../core/press/schema.ts";
import {
  ReceiptList,
  receiptDomain,
  receiptTypes,
  type SignedReceipt,
} from "../../../core/receipt/schema.ts";
import { type Address, AddressForm, ApiProblem, getJson, isSameAddress } from "../api/request.ts";

/** A payment for a press, from the history of the session's wallet. */
export type PressPayment = {
  readonly payment: PaidLeg;
  readonly pressId: number;
  readonly payer: string;
  /** The id of the chain (CAIP-2). */
  readonly network: string;
  readonly origin: string;
  /** The address of the service's key for receipts; `undefined` while the discovery document lacks the address. */
  readonly signer: string | undefined;
};

/**
 * Finds the receipt for exactly this payment, and verifies its signature. The receipt must name this payment's site, press, part of the
 * price, payer, chain, transaction and time. The result is `missing` if the service has no such receipt, and `forged` if another key has
 * signed the receipt. This browser verifies the receipt itself. Throws ApiProblem, or ZodError if the discovery document names no signer.
 */
export async function verifyReceipt(
  paid: PressPayment,
  signal?: AbortSignal,
): Promise<"verified" | "missing" | "forged"> {
  const { receipts } = await getJson(`/api/receipts/${paid.payment.tx}`, ReceiptList, signal).catch(
    (error: unknown) => {
      if (error instanceof ApiProblem && error.kind === "missing") return { receipts: [] };
      throw error;
    },
  );
  const signer = AddressForm.parse(paid.signer);
  const found = receipts.find(({ payload }) => isReceiptFor(paid, payload));
  if (found === undefined) return "missing";
  return (await isFromSigner(signer, found)) ? "verified" : "forged";
}

function isReceiptFor(paid: PressPayment, said: SignedReceipt["payload"]): boolean {
  const { payment, pressId, payer, network, origin } = paid;
  return (
    // The URL names the press and the paid part of the price (fee or publisher's part).
    said.resourceUrl === `${origin}${payAt[payment.leg]}#pressId=${pressId}` &&
    isSameAddress(said.payer, payer) &&
    said.network === network &&
    said.transaction === payment.tx.toLowerCase() &&
    said.issuedAt === Math.floor(Date.parse(payment.at) / 1000)
  );
}

async function isFromSigner(signer: Address, { payload, signature }: SignedReceipt): Promise<boolean> {
  if (!isHex(signature)) return false;
  return verifyTypedData({
    address: signer,
    domain: receiptDomain,
    types: receiptTypes,
    primaryType: "Receipt",
    message: { ...payload, version: BigInt(payload.version), issuedAt: BigInt(payload.issuedAt) },
    signature,
  }).catch(() => false);
}
