import * as z from "zod";
import { AddressInput, HexInput } from "../chain/hex.ts";

export const NonceInput = z.strictObject({ address: AddressInput });
export type NonceInput = z.infer<typeof NonceInput>;

/** What a wallet signs to sign in (specification §4.2). */
export const Challenge = z
  .object({
    nonce: z.string().describe("Good for ten minutes and one use."),
    message: z
      .string()
      .describe("EIP-4361 message of several lines: sign it exactly as it is (personal_sign)."),
  })
  .readonly();
export type Challenge = z.infer<typeof Challenge>;

export const VerifyInput = z.strictObject({
  address: AddressInput,
  nonce: z.string().min(8).max(128),
  /** Contract wallets sign with more than 65 bytes; 16 kB hold any known format. */
  signature: HexInput.refine((signature) => signature.length <= 32_770, "is too long"),
});
export type VerifyInput = z.infer<typeof VerifyInput>;

/** A wallet that has signed in. */
export const SignedIn = z.object({ address: z.string().describe("Lower-case.") });

/** Whose session it is. */
export const Caller = z.object({
  address: z.string().nullable().describe("Lower-case; null without a session."),
});

/** A session that was ended. */
export const SignedOut = z.object({ address: z.null() });
