import type { PressItem } from "../press/entity.ts";
import { type Tally, type VoteTag, voteTags } from "./schema.ts";

/** A press's votes as everybody sees them: a tag that no vote has any more is not among them. */
export function tally({
  votesUp,
  votesDown,
  tags,
}: Pick<PressItem, "votesUp" | "votesDown" | "tags">): Tally {
  const counted = voteTags.map((tag) => [tag, tags[tag] ?? 0] as const).filter(([, count]) => count > 0);
  return { votes: { up: votesUp, down: votesDown }, tags: Object.fromEntries(counted) };
}

type Said = { readonly value: number; readonly tag: string };

/** By how much a press's counts change. */
type Change = {
  readonly up: number;
  readonly down: number;
  readonly tags: readonly { readonly tag: Exclude<VoteTag, "">; readonly by: number }[];
};

/** What changes when a vote takes the place of the same wallet's earlier one, or of none. */
export function changeFrom(before: Said | undefined, after: Said): Change {
  const difference = (holds: (said: Said) => boolean) =>
    Number(holds(after)) - Number(before !== undefined && holds(before));
  return {
    up: difference(({ value }) => value === 1),
    down: difference(({ value }) => value === -1),
    tags: voteTags
      .map((tag) => ({ tag, by: difference((said) => said.tag === tag) }))
      .filter(({ by }) => by !== 0),
  };
}
