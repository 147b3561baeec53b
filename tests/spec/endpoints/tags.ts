import { expect } from "vitest";
import * as z from "zod";
import { prove, proveEach } from "../holds.ts";
import { read, signInOnce } from "../world/ask.ts";
import { castVote, recordVote, voteAndCount } from "../world/ballot.ts";
import { makeOnce } from "../world/scene.ts";
import { makeVoter, press, readVotes } from "./town.ts";

/** A voter who votes again in each row's test. */
const voter = makeOnce(makeVoter);

proveEach<string>(
  {
    "2.6 accurate": "accurate",
    "2.6 well-sourced": "well-sourced",
    "2.6 insightful": "insightful",
    "2.6 misleading": "misleading",
    "2.6 outdated": "outdated",
    "2.6 biased": "biased",
  },
  async (tag) => {
    const { slug, pressId } = await press();
    const before = (await readVotes(slug)).tags[tag] ?? 0;
    expect((await voteAndCount(await voter(), pressId, { tag })).tags[tag]).toBe(before + 1);
    expect(await readTag()).toBe(tag);
  },
);

prove("2.6 no tag", async () => {
  const others = await countTagsOfOthers();
  expect(await voteAndCountTag("")).toBe(others);
  expect(await readTag()).toBe("");
});

prove("2.6 unknown tag", async () => {
  const others = await countTagsOfOthers();
  expect(await voteAndCountTag("no tag of ours")).toBe(others);
  expect(await readTag()).toBe("");
});

/** Casts a vote with the given tag. Returns how many of the press's votes have one of the known tags. */
async function voteAndCountTag(tag: string): Promise<number> {
  const { tags } = await voteAndCount(await voter(), (await press()).pressId, { tag });
  return Object.values(tags).reduce((sum, count) => sum + count, 0);
}

/** Counts the press's votes with a known tag, without the vote of the test's own voter. */
async function countTagsOfOthers(): Promise<number> {
  return (await voteAndCountTag("biased")) - 1;
}

/** Returns the tag of the vote in the voter's history. */
async function readTag(): Promise<string | undefined> {
  const History = z.object({ votes: z.array(z.object({ tag: z.string() })) });
  const { votes } = await read(History, "/api/me/history", { cookie: await signInOnce(await voter()) });
  return votes[0]?.tag;
}

prove("2.6 value", async () => {
  const { pressId } = await press();
  const account = await makeVoter();
  const statuses: number[] = [];
  for (const value of [1, -1, 2] as const) {
    statuses.push((await recordVote(await castVote(account, pressId, { value }))).status);
  }
  expect(statuses).toEqual([200, 200, 400]);
});
