import * as z from "zod";
import { HashInput } from "../chain/hex.ts";
import { legNames } from "../payment/schema.ts";
import { NextCursor } from "../press/schema.ts";
import { VoteTag, VoteValue } from "../vote/schema.ts";

const Time = z.string().meta({ format: "date-time" });

const OfPress = { slug: z.string(), headline: z.string(), stock: z.string() };

/** The wallet's vote on a press (specification §2.7). */
export const VoteEntry = z.object({
  value: VoteValue,
  tag: VoteTag.describe("The text is empty for a vote without a tag."),
  tx: HashInput,
  at: Time,
  ...OfPress,
});
export type VoteEntry = Readonly<z.infer<typeof VoteEntry>>;

/** A press that the wallet has paid for (specification §2.7). */
export const UnlockEntry = z.object({
  tx: HashInput.describe("Transaction that paid the publisher."),
  at: Time,
  ...OfPress,
  priceUsdg: z.number().describe("The sum of both payments."),
});
export type UnlockEntry = Readonly<z.infer<typeof UnlockEntry>>;

/** A wallet's votes and unlocks, both newest first (specification §4.7). */
export const History = z.object({
  votes: z.array(VoteEntry).readonly(),
  unlocks: z.array(UnlockEntry).readonly(),
  cursor: NextCursor,
});
export type History = Readonly<z.infer<typeof History>>;

/** One of the two settled payments of a purchase. */
export const PaidLeg = z.object({
  leg: z.enum(legNames),
  tx: HashInput.describe("The transaction of this payment."),
  at: Time,
  units: z.string().describe("USDG base units."),
  payTo: z.string().describe("The wallet that was paid."),
});
export type PaidLeg = Readonly<z.infer<typeof PaidLeg>>;

/**
 * The payments of one purchase. As long as the payment to the publisher is due, a purchase contains only the payment of the fee; afterwards
 * it contains both payments.
 */
export const Purchase = z.object({
  pressId: z.int(),
  ...OfPress,
  priceUnits: z.string().describe("The price of both payments together, in USDG base units."),
  payments: z.array(PaidLeg).readonly().describe("The payments, in the order in which they were settled."),
  unlocked: z
    .boolean()
    .describe(
      "Whether the publisher has been paid for this purchase. Until the publisher is paid, the paid fee is kept for the press and is not charged again.",
    ),
});
export type Purchase = Readonly<z.infer<typeof Purchase>>;

/** The wallet's purchases, newest first. The list also includes purchases whose publisher is not paid yet. */
export const Purchases = z.object({ purchases: z.array(Purchase).readonly(), cursor: NextCursor });
export type Purchases = Readonly<z.infer<typeof Purchases>>;
