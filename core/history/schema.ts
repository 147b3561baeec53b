import * as z from "zod";
import { HashInput } from "../chain/hex.ts";
import { VoteTag, VoteValue } from "../vote/schema.ts";

const Time = z.string().meta({ format: "date-time" });

const OfPress = { slug: z.string(), headline: z.string(), stock: z.string() };

/** Specification §2.7: the wallet's vote on a press. */
export const VoteEntry = z.object({
  value: VoteValue,
  tag: VoteTag.describe("Empty for none."),
  tx: HashInput,
  at: Time,
  ...OfPress,
});
export type VoteEntry = Readonly<z.infer<typeof VoteEntry>>;

/** Specification §2.7: a press that the wallet has paid for. */
export const UnlockEntry = z.object({
  tx: HashInput.describe("Transaction that paid the publisher."),
  at: Time,
  ...OfPress,
  priceUsdg: z.number().describe("Both payments together."),
});
export type UnlockEntry = Readonly<z.infer<typeof UnlockEntry>>;

/** Specification §4.7: both newest first. */
export const History = z.object({
  votes: z.array(VoteEntry).readonly(),
  unlocks: z.array(UnlockEntry).readonly(),
});
export type History = Readonly<z.infer<typeof History>>;
