import * as z from "zod";
import { HashInput } from "../chain/hex.ts";

/** The tags of a vote (specification §2.6). */
export const voteTags = [
  "accurate",
  "well-sourced",
  "insightful",
  "misleading",
  "outdated",
  "biased",
] as const;

/** A tag of a vote, or the empty string for a vote without a tag. */
export const VoteTag = z.enum(["", ...voteTags]);
export type VoteTag = z.infer<typeof VoteTag>;

export const VoteValue = z.literal([1, -1]);
export type VoteValue = z.infer<typeof VoteValue>;

/** The body of a request that records a confirmed vote (specification §4.6). */
export const RecordInput = z.object({ txHash: HashInput });
export type RecordInput = z.infer<typeof RecordInput>;

const Count = z.int().nonnegative();

/** The public counts of a press's votes. */
export const Tally = z.object({
  votes: z
    .object({ up: Count, down: Count })
    .describe("Onchain votes, without those of the publisher's own wallet."),
  tags: z
    .partialRecord(z.enum(voteTags), Count)
    .describe("The number of votes for each tag; a tag that no vote has is absent."),
});
export type Tally = Readonly<z.infer<typeof Tally>>;
