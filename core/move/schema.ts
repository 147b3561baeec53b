import * as z from "zod";
import { HexInput } from "../chain/hex.ts";
import { TransferAuthorization } from "../payment/schema.ts";

/**
 * Asks the service to move a wallet's USDG by the wallet's own signature and to pay the gas. A request without the signature only asks
 * whether the service would move the USDG.
 */
export const MoveInput = z.object({
  authorization: TransferAuthorization.describe(
    "USDG's TransferWithAuthorization (EIP-3009), valid for ten minutes at most.",
  ),
  signature: HexInput.refine(({ length }) => length === 132, "must be 65 bytes")
    .optional()
    .describe("The wallet's signature of the authorization. Without the signature, nothing is moved."),
});
export type MoveInput = z.infer<typeof MoveInput>;

/** The answer if the service would move the USDG. The gas is covered by the fees that the wallet has paid. */
export const MoveOffer = z.object({
  moved: z.literal(false),
  costUnits: z
    .string()
    .describe("The maximum cost of the gas, in USDG base units. The gas is paid from the fees."),
});
export type MoveOffer = z.infer<typeof MoveOffer>;

export const Moved = z.object({
  moved: z.literal(true),
  tx: z.string().describe("The transaction that moved the money."),
  already: z.literal(true).optional().describe("The money had been moved before; nothing was sent again."),
});
export type Moved = z.infer<typeof Moved>;
