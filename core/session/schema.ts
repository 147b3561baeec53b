import * as z from "zod";
import { AddressInput, HexInput } from "../chain/hex.ts";

export const NonceInput = z.strictObject({ address: AddressInput });
export type NonceInput = z.infer<typeof NonceInput>;

export const VerifyInput = z.strictObject({
  address: AddressInput,
  nonce: z.string().min(8).max(128),
  /** Contract wallets sign with more than 65 bytes; 16 kB hold any known format. */
  signature: HexInput.refine((signature) => signature.length <= 32_770, "is too long"),
});
export type VerifyInput = z.infer<typeof VerifyInput>;
