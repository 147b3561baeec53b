import { getAddress, hashTypedData } from "viem/utils";
import * as z from "zod";
import { receiptDomain, receiptTypes } from "../../client/typed-data.ts";
import { type Hex, toAddress } from "../chain/hex.ts";

export { offerDomain, offerTypes, receiptDomain, receiptTypes } from "../../client/typed-data.ts";

/** The payload of a receipt (x402's offer-receipt, §5.2). */
export const ReceiptPayload = z.object({
  version: z.literal(1),
  network: z.string().describe("The chain (CAIP-2)."),
  resourceUrl: z
    .string()
    .describe(
      "The address of the paid endpoint, and after `#` the press: `https://…/api/pay/publisher#pressId=7`.",
    ),
  payer: z.string().describe("Checksum form (EIP-55)."),
  issuedAt: z.int().describe("Seconds since the epoch: when the payment was settled."),
  transaction: z.string().describe("Hash of the transaction that paid, in lower case."),
});
export type ReceiptPayload = Readonly<z.infer<typeof ReceiptPayload>>;

/** The facts about a settled payment. */
export function makeReceiptPayload(settled: {
  readonly network: string;
  readonly resourceUrl: string;
  readonly wallet: string;
  readonly txHash: string;
  readonly settledAt: string;
}): ReceiptPayload {
  const { network, resourceUrl, wallet, txHash, settledAt } = settled;
  return {
    version: 1,
    network,
    resourceUrl,
    payer: getAddress(toAddress(wallet)),
    issuedAt: Math.floor(Date.parse(settledAt) / 1000),
    transaction: txHash,
  };
}

export function hashReceipt(payload: ReceiptPayload): Hex {
  const message = { ...payload, version: BigInt(payload.version), issuedAt: BigInt(payload.issuedAt) };
  return hashTypedData({
    domain: receiptDomain,
    types: receiptTypes,
    primaryType: "Receipt",
    message,
  });
}

/** A signed receipt (x402's offer-receipt, §3.1), whose bytes never change. */
export const SignedReceipt = z.object({
  format: z.literal("eip712"),
  payload: ReceiptPayload,
  signature: z.string().describe("65 bytes of hex: r, s and v."),
});
export type SignedReceipt = Readonly<z.infer<typeof SignedReceipt>>;

/** The receipts of every payment that one transaction settled, in the order of its logs. */
export const ReceiptList = z.object({ receipts: z.array(SignedReceipt).readonly() });
export type ReceiptList = z.infer<typeof ReceiptList>;

/** The signer of receipts. If a receipt is signed by any other key, it is not from this service. */
export const ReceiptSigner = z.object({
  address: z.string().describe("Checksum form (EIP-55)."),
  kid: z
    .string()
    .describe("The same address as a DID (did:pkh), the form in which the extension names keys."),
});
export type ReceiptSigner = Readonly<z.infer<typeof ReceiptSigner>>;
