import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { recordVote } from "../../../core/vote/index.ts";
import { getPlatformAccount, platformIndexes } from "../../../local/devnet/accounts.ts";
import { encodeVote, register, reputationRegistry } from "../../support/payment.ts";
import { startPart } from "../../support/provide.ts";
import { deployContractWallet, execute } from "../../support/wallets.ts";
import { makeLogChanger, replaceTopic } from "./logs.ts";
import {
  addPress,
  castVote,
  makeChangedPolls,
  mineCall,
  other,
  reader,
  readTally,
  startPolls,
} from "./polls.ts";

const noVotes = { votes: { up: 0, down: 0 }, tags: {} };

let pressId: number;
const polls = startPart(startPolls);
beforeAll(async () => {
  pressId = await addPress(polls);
});
afterEach(async () => {
  expect(await readTally(polls, pressId)).toEqual(noVotes);
  const { data } = await polls.ports.table.entities.vote.scan.go();
  expect(data).toEqual([]);
});

const notAVote = { kind: "input", code: "not_a_vote" };

describe("a transaction that is not a vote is refused", () => {
  test("a pending transaction does not count as a vote until it is confirmed", async () => {
    const txHash = await castVote(polls, reader, pressId, { value: 5n });
    const pending = makeChangedPolls(polls, {
      transaction: (answer) => ({ ...answer, blockHash: null, blockNumber: null, transactionIndex: null }),
      receipt: () => null,
    });
    await expect(recordVote(pending.ports, { txHash })).rejects.toMatchObject({
      code: "transaction_unconfirmed",
    });
  });

  test("a transaction to another contract or without a recipient does not count as a vote", async () => {
    const elsewhere = await mineCall(polls, reader, other.address, encodeVote(pressId));
    await expect(recordVote(polls.ports, { txHash: elsewhere })).rejects.toMatchObject(notAVote);
    const { txHash } = await register(polls, reader, "https://x.example");
    await expect(recordVote(polls.ports, { txHash })).rejects.toMatchObject(notAVote);
    const created = await mineCall(polls, reader, undefined, "0x00");
    await expect(recordVote(polls.ports, { txHash: created })).rejects.toMatchObject(notAVote);
  });

  test("a contract wallet's vote is refused, because its transaction was not sent to the registry", async () => {
    const wallet = await deployContractWallet(polls, reader);
    const vote = { to: reputationRegistry, data: encodeVote(pressId) };
    const { status, logs, transactionHash } = await execute(polls, reader, wallet, vote);
    expect([status, logs.length]).toEqual(["success", 1]);
    await expect(recordVote(polls.ports, { txHash: transactionHash })).rejects.toMatchObject(notAVote);
  });

  test.each([
    ["0", { value: 0n }],
    ["2", { value: 2n }],
    ["-2", { value: -2n }],
    ["a tenth", { value: 1n, decimals: 1 }],
    ["1 with decimals", { value: 10n, decimals: 1 }],
    ["2^64 + 1", { value: 2n ** 64n + 1n }],
    ["the lowest number that the registry takes", { value: -(10n ** 38n) }],
  ])("feedback with the value %s does not count as a vote", async (_, said) => {
    const txHash = await castVote(polls, reader, pressId, said);
    await expect(recordVote(polls.ports, { txHash })).rejects.toMatchObject({
      kind: "input",
      code: "invalid_vote_value",
    });
  });

  test("the auditor's verdict does not count as a vote", async () => {
    const auditor = getPlatformAccount(platformIndexes.auditor);
    const txHash = await castVote(polls, auditor, pressId, { value: 70n, tag: "audit" });
    await expect(recordVote(polls.ports, { txHash })).rejects.toMatchObject({ code: "invalid_vote_value" });
  });

  test("feedback for an identity number beyond the possible range does not count as a vote", async () => {
    const txHash = await castVote(polls, reader, pressId);
    const beyond = 2n ** 256n - 1n;
    const odd = makeChangedPolls(polls, {
      transaction: (answer) => ({ ...answer, input: encodeVote(beyond) }),
      receipt: makeLogChanger((log) => ({ ...log, topics: replaceTopic(log.topics, 1, beyond) })),
    });
    await expect(recordVote(odd.ports, { txHash })).rejects.toMatchObject({ code: "unknown_press" });
  });
});
