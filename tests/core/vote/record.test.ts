import { beforeEach, describe, expect, test } from "vitest";
import { recordVote } from "../../../core/vote/index.ts";
import { approve, payLeg } from "../../support/payment.ts";
import { startPart } from "../../support/provide.ts";
import {
  addPress,
  castVote,
  makeChangedPolls,
  other,
  publisherAccount,
  reader,
  readTally,
  readVote,
  recordAll,
  startPolls,
  voters,
} from "./polls.ts";

let pressId: number;
const polls = startPart(startPolls);
beforeEach(async () => {
  pressId = await addPress(polls);
});

describe("a vote is recorded from its transaction", () => {
  test("a vote may be recorded by a transaction hash in upper or lower case", async () => {
    const hash = await castVote(polls, reader, pressId);
    const txHash = `0x${hash.slice(2).toUpperCase()}` as const;
    expect(await recordVote(polls.ports, { txHash })).toMatchObject({ votes: { up: 1 } });
    expect(await recordVote(polls.ports, { txHash: hash })).toMatchObject({ votes: { up: 1 } });
  });

  test("a vote counts as soon as its receipt exists, even while the node still shows its transaction as pending", async () => {
    const pending = makeChangedPolls(polls, {
      transaction: (answer) => ({ ...answer, blockHash: null, blockNumber: null, transactionIndex: null }),
    });
    const txHash = await castVote(polls, reader, pressId, { tag: "accurate" });
    expect(await recordAll(pending, txHash)).toEqual({ votes: { up: 1, down: 0 }, tags: { accurate: 1 } });
  });

  test.each(["", "funny", "Accurate", " accurate", "audit", "tags.accurate", "__proto__"])(
    "a vote with the tag field %j is recorded without a tag",
    async (tag) => {
      const txHash = await castVote(polls, reader, pressId, { tag });
      expect(await recordVote(polls.ports, { txHash })).toEqual({ votes: { up: 1, down: 0 }, tags: {} });
      expect(await readVote(polls, pressId, reader)).toMatchObject({ tag: "" });
    },
  );

  test("a vote has the time of its block, or the time of its recording if the node does not give the block's time", async () => {
    const txHash = await castVote(polls, reader, pressId);
    const { blockNumber } = await polls.client.getTransactionReceipt({ hash: txHash });
    const { timestamp } = await polls.client.getBlock({ blockNumber });
    await recordVote(polls.ports, { txHash });
    const castAt = new Date(Number(timestamp) * 1000).toISOString();
    expect(await readVote(polls, pressId, reader)).toMatchObject({ at: castAt });

    const silent = makeChangedPolls(polls, {
      receipt: ({ logs, ...rest }) => ({
        ...rest,
        logs: Array.isArray(logs) ? logs.map((log: object) => ({ ...log, blockTimestamp: undefined })) : [],
      }),
    });
    const now = Date.parse("2030-01-02T03:04:05.678Z");
    const clock = { ...polls.ports.clock, now: () => now };
    await recordVote({ ...silent.ports, clock }, { txHash: await castVote(polls, other, pressId) });
    expect(await readVote(polls, pressId, other)).toMatchObject({ at: "2030-01-02T03:04:05.678Z" });
  });
});

describe("several votes of a wallet on a press count as one", () => {
  test.each([
    ["within a block", { block: 100, index: 9 }, { block: 100, index: 10 }],
    ["from block to block", { block: 99, index: 5 }, { block: 100, index: 0 }],
    ["into the hundreds of millions", { block: 99_999_999, index: 0 }, { block: 100_000_000, index: 0 }],
  ])("a vote that is later on the chain counts as newer, %s", async (_, before, after) => {
    const makePollsAt = ({ block, index }: typeof before) =>
      makeChangedPolls(polls, {
        receipt: (answer) => ({
          ...answer,
          blockNumber: `0x${block.toString(16)}`,
          transactionIndex: `0x${index.toString(16)}`,
        }),
      });
    const older = await castVote(polls, reader, pressId);
    const newer = await castVote(polls, reader, pressId, { value: -1n });
    await recordAll(makePollsAt(after), newer);
    await recordAll(makePollsAt(before), older);
    expect(await readTally(polls, pressId)).toEqual({ votes: { up: 0, down: 1 }, tags: {} });
  });

  test("a vote that a chain reorganisation has moved is counted once, at its new position", async () => {
    const txHash = await castVote(polls, reader, pressId, { tag: "accurate" });
    const moved = makeChangedPolls(polls, { receipt: (answer) => ({ ...answer, blockNumber: "0x1" }) });
    await recordAll(polls, txHash);
    expect(await recordAll(moved, txHash)).toEqual({ votes: { up: 1, down: 0 }, tags: { accurate: 1 } });
    expect((await readVote(polls, pressId, reader))?.position).toMatch(/^0{15}1-/);
  });
});

describe("the votes of wallets that have unlocked the press are also counted separately", () => {
  const countReaderVotes = async () => {
    const { data } = await polls.store.table.entities.press.get({ id: pressId + 1000 }).go();
    return { up: data?.readerUp ?? 0, down: data?.readerDown ?? 0 };
  };
  const buy = async (account = reader, id = pressId) => {
    await approve(polls, account);
    for (const leg of ["fee", "publisher"] as const) await payLeg(polls, account, leg, id);
  };

  test("votes of wallets that have unlocked the press are counted separately, and a wallet's vote changes when the wallet votes again", async () => {
    await recordVote(polls.ports, { txHash: await castVote(polls, other, pressId) });
    expect(await countReaderVotes()).toEqual({ up: 0, down: 0 });
    await buy();
    await recordVote(polls.ports, { txHash: await castVote(polls, reader, pressId) });
    expect(await countReaderVotes()).toEqual({ up: 1, down: 0 });
    await recordVote(polls.ports, { txHash: await castVote(polls, reader, pressId, { value: -1n }) });
    expect(await countReaderVotes()).toEqual({ up: 0, down: 1 });
    expect((await readTally(polls, pressId)).votes).toEqual({ up: 1, down: 1 });
  });

  test("the vote of a wallet that has paid only the fee does not count as a buyer's vote", async () => {
    await approve(polls, reader);
    await payLeg(polls, reader, "fee", pressId);
    await recordVote(polls.ports, { txHash: await castVote(polls, reader, pressId) });
    expect(await countReaderVotes()).toEqual({ up: 0, down: 0 });
  });

  test("a vote from before the purchase counts once as a buyer's vote when it is recorded again after the purchase", async () => {
    const txHash = await castVote(polls, reader, pressId);
    await recordVote(polls.ports, { txHash });
    expect(await countReaderVotes()).toEqual({ up: 0, down: 0 });
    await buy();
    await Promise.all([1, 2, 3].map(() => recordVote(polls.ports, { txHash })));
    expect(await countReaderVotes()).toEqual({ up: 1, down: 0 });
    expect((await readTally(polls, pressId)).votes).toEqual({ up: 1, down: 0 });
  });

  test("a vote is weighted with the fees that its wallet has paid; a repeated recording updates the weight, and the author's own reads do not count", async () => {
    const readStanding = async () => {
      const { data } = await polls.store.table.entities.press.get({ id: pressId + 1000 }).go();
      return {
        reads: data?.reads ?? 0,
        otherReads: data?.otherReads ?? 0,
        readFees: data?.readFees ?? 0,
        upFees: data?.upFees ?? 0,
        downFees: data?.downFees ?? 0,
        voterFees: data?.voterFees ?? 0,
      };
    };
    const buyer = voters[5] ?? other;
    await buy(publisherAccount);
    await buy(buyer);
    const read = { reads: 2, otherReads: 1, readFees: 25_000 };
    expect(await readStanding()).toEqual({ ...read, upFees: 0, downFees: 0, voterFees: 0 });

    await buy(buyer, await addPress(polls));
    const txHash = await castVote(polls, buyer, pressId);
    await recordVote(polls.ports, { txHash });
    expect(await readStanding()).toEqual({ ...read, upFees: 50_000, downFees: 0, voterFees: 25_000 });

    await buy(buyer, await addPress(polls));
    await Promise.all([1, 2, 3].map(() => recordVote(polls.ports, { txHash })));
    expect(await readStanding()).toEqual({ ...read, upFees: 75_000, downFees: 0, voterFees: 25_000 });
    await recordVote(polls.ports, { txHash: await castVote(polls, buyer, pressId, { value: -1n }) });
    expect(await readStanding()).toEqual({ ...read, upFees: 0, downFees: 75_000, voterFees: 25_000 });

    // When 90 days have passed since a wallet paid its fees, only the fee for the press itself counts for the wallet's vote.
    const later = Date.now() + 91 * 24 * 60 * 60 * 1000;
    const clock = { ...polls.ports.clock, now: () => later };
    await recordVote({ ...polls.ports, clock }, { txHash: await castVote(polls, buyer, pressId) });
    expect(await readStanding()).toEqual({ ...read, upFees: 25_000, downFees: 0, voterFees: 25_000 });
  });
});
