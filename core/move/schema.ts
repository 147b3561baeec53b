import * as z from "zod";
import { HexInput } from "../chain/hex.ts";
import { TransferAuthorization } from "../payment/schema.ts";

/** Asks for a move of a wallet's USDG by its own signature, at our gas. Without the signature: whether we would. */
export const MoveInput = z.object({
  authorization: TransferAuthorization.describe(
    "USDG's TransferWithAuthorization (EIP-3009), good for ten minutes at most.",
  ),
  signature: HexInput.refine(({ length }) => length === 132, "must be 65 bytes")
    .optional()
    .describe("Of the authorization, by the wallet's key. Without one nothing is moved."),
});
export type MoveInput = z.infer<typeof MoveInput>;

/** It would be moved, and its gas is carried by the fees that the wallet has paid. */
export const MoveOffer = z.object({
  moved: z.literal(false),
  costUnits: z.string().describe("What the gas takes of these fees at most, in USDG base units."),
});
export type MoveOffer = z.infer<typeof MoveOffer>;

export const Moved = z.object({
  moved: z.literal(true),
  tx: z.string().describe("The transaction that moved it."),
  already: z.literal(true).optional().describe("It had been moved before; nothing was sent again."),
});
export type Moved = z.infer<typeof Moved>;
