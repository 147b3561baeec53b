import * as z from "zod";
import { AddressInput, HexInput, lower } from "../chain/hex.ts";

/** Body of both pay endpoints (specification §4.4). 0 is a valid id. */
export const PayInput = z.strictObject({ pressId: z.int().nonnegative() });
export type PayInput = z.infer<typeof PayInput>;

export type Leg = "fee" | "publisher";

/** One way to pay, as x402 version 2 writes it. */
export type PaymentRequirements = {
  readonly scheme: "exact";
  readonly network: string;
  /** USDG base units. */
  readonly amount: string;
  readonly asset: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  readonly extra: {
    readonly assetTransferMethod: "permit2";
    readonly spender: string;
    readonly name: "USDG";
  };
};

/** The 402 document (specification §4.4, design §2). `code` is stable; `error` is for people. */
export type PaymentRequired = {
  readonly x402Version: 2;
  readonly error: string;
  readonly code: string;
  readonly accepts: readonly PaymentRequirements[];
  readonly resource: { readonly url: string };
  readonly extensions: {
    readonly "payment-identifier": { readonly info: { readonly required: false }; readonly schema: object };
  };
};

/** The `payment-response` header's content. `transaction` is empty when nothing was broadcast. */
export type PaymentReceipt = {
  readonly success: boolean;
  readonly transaction: string;
  readonly network: string;
  readonly payer: string;
  /** Why it failed: a protocol code. */
  readonly errorReason?: string;
};

const Uint256 = z
  .string()
  .regex(/^[0-9]{1,78}$/, "must be a decimal integer")
  .transform((text) => BigInt(text))
  .refine((value) => value < 2n ** 256n, "must be below 2^256");
const Account = AddressInput.transform(lower);

/** x402's payment-identifier extension: a name for this attempt, of the payer's making. */
const PaymentId = z.string().regex(/^[A-Za-z0-9_-]{16,128}$/);

/** What a payer sends: which terms were accepted, and the signed permit. Unknown fields are left alone. */
export const PaymentPayload = z.object({
  x402Version: z.literal(2),
  accepted: z.object({
    scheme: z.string(),
    network: z.string(),
    amount: z.string(),
    asset: z.string(),
    payTo: z.string(),
  }),
  payload: z.object({
    /** Contract wallets may sign with more than 65 bytes. */
    signature: HexInput.refine((signature) => signature.length <= 8194, "is too long"),
    permit2Authorization: z.object({
      permitted: z.object({ token: Account, amount: Uint256 }),
      from: Account,
      spender: Account,
      nonce: Uint256,
      deadline: Uint256,
      witness: z.object({ to: Account, validAfter: Uint256 }),
    }),
  }),
  extensions: z
    .object({
      "payment-identifier": z.object({ info: z.object({ id: PaymentId.optional() }) }).optional(),
    })
    .nullish(),
});
export type PaymentPayload = z.infer<typeof PaymentPayload>;
