import * as z from "zod";

export { receiptDomain, receiptTypes } from "../../client/typed-data.ts";

/** What a receipt says, in the extension's words (§5.2). */
export const ReceiptPayload = z.object({
  version: z.literal(1),
  network: z.string().describe("The chain (CAIP-2)."),
  resourceUrl: z
    .string()
    .describe("The paid address of the 402, and after # the press: `https://…/api/pay/publisher#pressId=7`."),
  payer: z.string().describe("Checksum form (EIP-55)."),
  issuedAt: z.int().describe("Seconds since the epoch: when the payment was settled."),
  transaction: z.string().describe("Hash of the transaction that paid, in lower case."),
});
export type ReceiptPayload = Readonly<z.infer<typeof ReceiptPayload>>;

/** A receipt as it travels (§3.1). It is always the same bytes. */
export const SignedReceipt = z.object({
  format: z.literal("eip712"),
  payload: ReceiptPayload,
  signature: z.string().describe("65 bytes of hex: r, s and v."),
});
export type SignedReceipt = Readonly<z.infer<typeof SignedReceipt>>;

/** The receipts of every payment that one transaction settled, in the order of its logs. */
export const ReceiptList = z.object({ receipts: z.array(SignedReceipt).readonly() });
export type ReceiptList = z.infer<typeof ReceiptList>;

/** Who signs receipts. Each other signature is somebody else's. */
export const ReceiptSigner = z.object({
  address: z.string().describe("Checksum form (EIP-55)."),
  kid: z.string().describe("The same as a DID (did:pkh), as the extension names keys."),
});
export type ReceiptSigner = Readonly<z.infer<typeof ReceiptSigner>>;
