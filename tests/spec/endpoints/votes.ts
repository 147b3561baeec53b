import { parseEventLogs } from "viem/utils";
import { expect } from "vitest";
import * as z from "zod";
import { identityAbi } from "../../../core/chain/abi.ts";
import { getTestAccount } from "../../../local/devnet/accounts.ts";
import { prove, proveEach } from "../holds.ts";
import { ask, read, signInOnce, wire } from "../world/ask.ts";
import { castVote, recordVote, Tally, voteAndCount } from "../world/ballot.ts";
import { register, rival, transferPress, writer } from "../world/desk.ts";
import { makeOnce } from "../world/scene.ts";
import { chain, service } from "../world/service.ts";
import { makeVoter, other, press, readVotes } from "./town.ts";

const History = z.object({ votes: z.array(z.object({ tx: z.string(), value: z.int() })) });

/** Runs the function `work` with the press's id. Returns how `work` changed the counts of the press's votes. */
async function readChange(work: (pressId: number) => Promise<unknown>) {
  const { slug, pressId } = await press();
  const { votes: before } = await readVotes(slug);
  await work(pressId);
  const { votes: after } = await readVotes(slug);
  return { up: after.up - before.up, down: after.down - before.down };
}

prove("4.6 giveFeedback", async () => {
  const voter = await makeVoter();
  expect(await readChange((pressId) => voteAndCount(voter, pressId))).toEqual({ up: 1, down: 0 });
});

prove("4.6 agentId", async () => {
  const voter = await makeVoter();
  const { slug, pressId } = await other();
  const { votes } = await readVotes(slug);
  expect(await readChange(() => voteAndCount(voter, pressId))).toEqual({ up: 0, down: 0 });
  expect((await readVotes(slug)).votes).toEqual({ ...votes, up: votes.up + 1 });
});

prove("4.6 valueDecimals", async () => {
  const voter = await makeVoter();
  const txHash = await castVote(voter, (await press()).pressId, { decimals: 2 });
  expect((await recordVote(txHash)).status).toBe(400);
});

prove("4.6 tag1", async () => {
  const voter = await makeVoter();
  const { slug, pressId } = await press();
  const before = (await readVotes(slug)).tags["well-sourced"] ?? 0;
  const { tags } = await voteAndCount(voter, pressId, { tag: "well-sourced" });
  expect(tags["well-sourced"]).toBe(before + 1);
});

prove("4.6 other arguments", async () => {
  const voter = await makeVoter();
  const url = `${(await service()).origin}/press/${(await press()).slug}`;
  expect(await readChange((pressId) => voteAndCount(voter, pressId, { value: -1, url }))).toEqual({
    up: 0,
    down: 1,
  });
});

prove("4.6 record", async () => {
  const voter = await makeVoter();
  const { pressId } = await press();
  expect(await recordVote(await castVote(voter, pressId))).toMatchObject({ status: 200 });
  for (const body of [{}, { txHash: "0x12" }]) {
    expect((await ask("/api/votes/record", { body })).status).toBe(400);
  }
});

prove("4.6 reply", async () => {
  const voter = await makeVoter();
  const { slug, pressId } = await press();
  const { body } = await recordVote(await castVote(voter, pressId, { tag: "insightful" }));
  const tally = Tally.parse(body);
  expect(tally).toEqual(await readVotes(slug));
  expect(tally.votes.up).toBeGreaterThan(0);
  expect(tally.tags.insightful).toBeGreaterThan(0);
});

const failed = makeOnce(async () => castVote(writer, (await press()).pressId));
const elsewhere = makeOnce(async () =>
  castVote(await makeVoter(), (await press()).pressId, { to: getTestAccount(8).address }),
);
const tooMuch = makeOnce(async () => castVote(await makeVoter(), (await press()).pressId, { value: 2 }));

/** A vote for an identity that does not belong to one of our presses. */
const unlisted = makeOnce(async () => {
  const hash = await register(rival, "https://example.com/something-else");
  const { logs } = await (await chain()).getTransactionReceipt({ hash });
  const [minted] = parseEventLogs({ abi: identityAbi, eventName: "Registered", logs });
  if (minted === undefined) throw new Error("Nothing was minted.");
  return castVote(await makeVoter(), Number(minted.args.agentId));
});

const makeUnknownHash = async () => `0x${"9".repeat(64)}` as const;

type RefusedVote = readonly [txHash: () => Promise<`0x${string}`>, status: number, code: string];

proveEach<RefusedVote>(
  {
    "4.6 rule 1: succeeded": [failed, 400, "transaction_failed"],
    "4.6 rule 1: registry": [elsewhere, 400, "not_a_vote"],
    "4.6 rule 1: live press": [unlisted, 404, "unknown_press"],
    "4.6 rule 1: value": [tooMuch, 400, "invalid_vote_value"],
    "4.6 rule 5: unconfirmed": [makeUnknownHash, 400, "transaction_unconfirmed"],
    "4.6 rule 5: no vote": [async () => (await press()).mintTx, 400, "not_a_vote"],
    "4.6 rule 5: value": [tooMuch, 400, "invalid_vote_value"],
    "4.6 rule 5: not listed": [unlisted, 404, "unknown_press"],
    "7 404 votes/record": [unlisted, 404, "unknown_press"],
  },
  async ([txHash, status, code]) => {
    const answer = await recordVote(await txHash());
    expect(answer).toMatchObject({ status, body: { code } });
  },
);

prove("7 400 votes/record", async () => {
  for (const txHash of [await makeUnknownHash(), await elsewhere(), await tooMuch()]) {
    const change = await readChange(async () => expect((await recordVote(txHash)).status).toBe(400));
    expect(change).toEqual({ up: 0, down: 0 });
  }
});

prove("4.6 rule 2", async () => {
  const voter = await makeVoter();
  const txHash = await castVote(voter, (await press()).pressId);
  // The session that registers the vote does not belong to the voter's wallet.
  const cookie = await signInOnce(rival);
  await ask("/api/votes/record", { body: { txHash }, cookie });
  const { votes } = await read(History, "/api/me/history", { cookie: await signInOnce(voter) });
  expect(votes).toEqual([{ tx: txHash, value: 1 }]);
  expect((await read(History, "/api/me/history", { cookie })).votes).toEqual([]);
  expect(txHash).toMatch(wire.hash);
});

prove("4.6 rule 3", async () => {
  const voter = await makeVoter();
  const change = await readChange(async (pressId) => {
    await voteAndCount(voter, pressId, { value: 1 });
    const older = await castVote(voter, pressId, { value: 1 });
    const newer = await castVote(voter, pressId, { value: -1 });
    await recordVote(newer);
    await recordVote(older);
  });
  expect(change).toEqual({ up: 0, down: 1 });
});

prove("4.6 rule 4", async () => {
  // The registry refuses feedback from a press's owner, but accepts feedback from a publisher who has sold the press.
  const { slug, pressId } = await other();
  await transferPress(writer, pressId, getTestAccount(8).address);
  const before = await readVotes(slug);
  const answer = await recordVote(await castVote(writer, pressId, { tag: "accurate" }));
  expect(answer).toMatchObject({ status: 200, body: before });
  expect(await readVotes(slug)).toEqual(before);
});
