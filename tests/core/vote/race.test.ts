import { beforeAll, beforeEach, expect, test } from "vitest";
import * as z from "zod";
import { AppError } from "../../../core/error.ts";
import { recordVote } from "../../../core/vote/index.ts";
import { startPart } from "../../support/provide.ts";
import { makeConflict } from "../../support/table.ts";
import {
  addPress,
  castAll,
  makeChangedPolls,
  other,
  type Polls,
  reader,
  readTally,
  readVote,
  recordAll,
  startPolls,
  voters,
} from "./polls.ts";

const Writing = z.object({ TransactItems: z.array(z.object({ Put: z.unknown().optional() })).min(2) });

let pressId: number;
let meddle: ((write: () => Promise<void>, items: number) => Promise<void>) | undefined;
const polls = startPart(startPolls);
beforeAll(async () => {
  // Intercepts every table write of a vote and its counts.
  polls.store.database.client.middlewareStack.add(
    (next) => async (request) => {
      const parsed = Writing.safeParse(request.input);
      if (!parsed.success || meddle === undefined) return next(request);
      let answer: Awaited<ReturnType<typeof next>> | undefined;
      await meddle(async () => {
        answer = await next(request);
      }, parsed.data.TransactItems.length);
      if (answer === undefined) throw new Error("Nothing was written");
      return answer;
    },
    { step: "initialize", name: "meddling" },
  );
});
beforeEach(async () => {
  meddle = undefined;
  pressId = await addPress(polls);
});

test("each of many concurrent votes counts once, even if three requests record each vote at the same moment", async () => {
  const hashes = await castAll(
    polls,
    voters.map((account, index) => ({
      account,
      pressId,
      said: { value: index % 3 === 0 ? -1n : 1n, tag: index % 2 === 0 ? "accurate" : "biased" },
    })),
  );
  await Promise.all([...hashes, ...hashes, ...hashes].map((txHash) => recordPatiently(polls, txHash)));
  expect(await readTally(polls, pressId)).toEqual({
    votes: { up: 4, down: 3 },
    tags: { accurate: 4, biased: 3 },
  });
});

test("if many votes of one wallet are recorded at once, only the newest vote is stored and counted", async () => {
  const tags = ["accurate", "biased", "", "insightful", "outdated", "accurate"];
  const hashes = await castAll(
    polls,
    tags.map((tag, index) => ({
      account: reader,
      pressId,
      said: { value: index % 2 === 0 ? 1n : -1n, tag },
    })),
  );
  await Promise.all([...hashes.toReversed(), ...hashes].map((txHash) => recordPatiently(polls, txHash)));
  expect(await readTally(polls, pressId)).toEqual({ votes: { up: 0, down: 1 }, tags: { accurate: 1 } });
  expect(await readVote(polls, pressId, reader)).toMatchObject({ txHash: hashes.at(-1) });
});

test("if another request replaces the stored vote just before a vote is written, the vote is compared with the new stored vote", async () => {
  const [older = "0x", newer = "0x"] = await castAll(polls, [
    { account: reader, pressId, said: { tag: "accurate" } },
    { account: reader, pressId, said: { value: -1n, tag: "biased" } },
  ]);
  meddle = async (write) => {
    meddle = undefined;
    await recordVote(polls.ports, { txHash: newer });
    await write();
  };
  const answer = { votes: { up: 0, down: 1 }, tags: { biased: 1 } };
  expect(await recordVote(polls.ports, { txHash: older })).toEqual(answer);
  expect(await readTally(polls, pressId)).toEqual(answer);
});

test("if a chain reorganisation moves the stored vote to a block after the new vote's block while the new vote is written, the stored vote stays the newest", async () => {
  const [moved = "0x", rival = "0x"] = await castAll(polls, [
    { account: reader, pressId, said: { tag: "accurate" } },
    { account: reader, pressId, said: { value: -1n, tag: "biased" } },
  ]);
  const moveToBlock = (number: number) =>
    makeChangedPolls(polls, {
      receipt: (answer) => ({ ...answer, blockNumber: `0x${number.toString(16)}` }),
    });
  await recordVote(moveToBlock(5).ports, { txHash: moved });
  meddle = async (write) => {
    meddle = undefined;
    await recordVote(moveToBlock(9).ports, { txHash: moved });
    await write();
  };
  const answer = { votes: { up: 1, down: 0 }, tags: { accurate: 1 } };
  expect(await recordVote(moveToBlock(7).ports, { txHash: rival })).toEqual(answer);
  expect(await readTally(polls, pressId)).toEqual(answer);
  const kept = await readVote(polls, pressId, reader);
  expect(kept).toMatchObject({ txHash: moved, position: expect.stringMatching(/^0{15}9-/) });
});

test("conflicting table transactions are retried, and no vote is lost or counted twice", async () => {
  let writes = 0;
  meddle = async (write, items) => {
    writes += 1;
    if (writes % 2 === 1) throw makeConflict(items, items - 1);
    await write();
  };
  const hashes = await castAll(polls, [
    { account: reader, pressId, said: { tag: "accurate" } },
    { account: other, pressId, said: { tag: "accurate" } },
    { account: reader, pressId, said: { value: -1n, tag: "" } },
  ]);
  await recordAll(polls, ...hashes);
  expect(writes).toBe(6);
  expect(await readTally(polls, pressId)).toEqual({ votes: { up: 1, down: 1 }, tags: { accurate: 1 } });
});

test("a vote whose write conflicts again and again is answered with a busy error, and nothing is stored", async () => {
  const [txHash = "0x"] = await castAll(polls, [{ account: reader, pressId }]);
  meddle = async (_, items) => {
    throw makeConflict(items, items - 1);
  };
  const impatient = { ...polls.ports, clock: { ...polls.ports.clock, sleep: async () => undefined } };
  await expect(recordVote(impatient, { txHash })).rejects.toMatchObject({
    kind: "upstream",
    code: "table_busy",
    retryAfter: 1,
  });
  meddle = undefined;
  expect(await readVote(polls, pressId, reader)).toBeUndefined();
  expect(await readTally(polls, pressId)).toEqual({ votes: { up: 0, down: 0 }, tags: {} });
  expect(await recordAll(polls, txHash)).toEqual({ votes: { up: 1, down: 0 }, tags: {} });
});

test.each(["before", "after"] as const)(
  "if a process dies %s its write, the vote and the counts stay consistent",
  async (when) => {
    const [txHash = "0x"] = await castAll(polls, [{ account: reader, pressId, said: { tag: "accurate" } }]);
    meddle = async (write) => {
      if (when === "after") await write();
      throw new Error("The process ended");
    };
    await expect(recordVote(polls.ports, { txHash })).rejects.toThrow("The process ended");
    meddle = undefined;
    const counted = when === "after" ? 1 : 0;
    expect((await readTally(polls, pressId)).votes.up).toBe(counted);
    expect((await readVote(polls, pressId, reader)) === undefined).toBe(counted === 0);
    const answer = { votes: { up: 1, down: 0 }, tags: { accurate: 1 } };
    expect(await recordVote(polls.ports, { txHash })).toEqual(answer);
  },
);

/** Records a vote, and repeats the request after a busy error as a client does. */
async function recordPatiently(polls: Polls, txHash: `0x${string}`): Promise<void> {
  for (let repeats = 0; repeats < 20; repeats += 1) {
    try {
      await recordVote(polls.ports, { txHash });
      return;
    } catch (error) {
      if (!(error instanceof AppError && error.code === "table_busy")) throw error;
      await polls.ports.clock.sleep(50);
    }
  }
  throw new Error("Never recorded");
}
