import { encodeAbiParameters } from "viem/utils";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Hex } from "../../../core/chain/hex.ts";
import { recordVote } from "../../../core/vote/index.ts";
import { alterNode, withholdCalls } from "../../support/interference.ts";
import { encodeVote, identityRegistry } from "../../support/payment.ts";
import { startPart } from "../../support/provide.ts";
import { type Log, makeLogChanger, readLogs, replaceTopic } from "./logs.ts";
import { addPress, castVote, makeChangedPolls, other, reader, readTally, startPolls } from "./polls.ts";

const notAVote = { kind: "input", code: "not_a_vote" };
const down = { kind: "upstream", code: "chain_unavailable" };

let pressId: number;
const polls = startPart(startPolls);
beforeAll(async () => {
  pressId = await addPress(polls);
});
afterEach(async () => {
  expect(await readTally(polls, pressId)).toEqual({ votes: { up: 0, down: 0 }, tags: {} });
});

describe("the service does not trust a node whose answers contradict each other", () => {
  let txHash: Hex;
  beforeAll(async () => {
    txHash = await castVote(polls, reader, pressId, { tag: "accurate" });
  });
  const foreign = `0x${"cd".repeat(32)}`;

  test.each([
    ["gives another transaction", { transaction: (answer: object) => ({ ...answer, hash: foreign }) }],
    ["gives another receipt", { receipt: (answer: object) => ({ ...answer, transactionHash: foreign }) }],
    ["names another sender", { transaction: (answer: object) => ({ ...answer, from: other.address }) }],
    ["has the receipt and not the transaction", { transaction: () => null }],
    [
      "gives a receipt without a place",
      { receipt: ({ transactionIndex: _, ...rest }: Record<string, unknown>) => rest },
    ],
  ])("a node that contradicts itself counts as unreachable: it %s", async (_, doctor) => {
    await expect(recordVote(makeChangedPolls(polls, doctor).ports, { txHash })).rejects.toMatchObject(down);
  });

  test.each([
    [
      "from another client",
      (log: Log) => ({ ...log, topics: replaceTopic(log.topics, 2, BigInt(other.address)) }),
    ],
    ["on another agent", (log: Log) => ({ ...log, topics: replaceTopic(log.topics, 1, 12_345n) })],
    ["by another contract", (log: Log) => ({ ...log, address: identityRegistry })],
    ["of another event", (log: Log) => ({ ...log, topics: replaceTopic(log.topics, 0, 1n) })],
    ["with a topic too few", (log: Log) => ({ ...log, topics: log.topics.slice(0, 3) })],
    ["of another value", (log: Log) => ({ ...log, data: encodeFeedback(-1n, "accurate") })],
    ["with another tag", (log: Log) => ({ ...log, data: encodeFeedback(1n, "biased") })],
  ])("a vote is not recorded if the registry's event is %s", async (_, change) => {
    const lying = makeChangedPolls(polls, { receipt: makeLogChanger(change) });
    await expect(recordVote(lying.ports, { txHash })).rejects.toMatchObject(notAVote);
  });

  test("a vote is not recorded if the registry logged two events, or no event", async () => {
    const twice = makeChangedPolls(polls, {
      receipt: (answer) => ({ ...answer, logs: [...readLogs(answer), ...readLogs(answer)] }),
    });
    await expect(recordVote(twice.ports, { txHash })).rejects.toMatchObject(notAVote);
    const none = makeChangedPolls(polls, { receipt: (answer) => ({ ...answer, logs: [] }) });
    await expect(recordVote(none.ports, { txHash })).rejects.toMatchObject(notAVote);
  });

  test.each(["0x", "0x12345678", encodeVote(0).slice(0, 200), `${encodeVote(0).slice(0, 10)}ff`])(
    "a vote is not recorded if its transaction has the calldata %s",
    async (input) => {
      const odd = makeChangedPolls(polls, { transaction: (answer) => ({ ...answer, input }) });
      await expect(recordVote(odd.ports, { txHash })).rejects.toMatchObject(notAVote);
    },
  );
});

describe("if a node fails, a vote is neither accepted nor refused", () => {
  const failed = { status: "failed", code: -32_005, message: "limit exceeded" } as const;
  const reverted = { status: "reverted", code: 3, message: "execution reverted", data: undefined } as const;

  test.each([0, 1])("a vote can be retried when the node refuses call %i of the RPC batch", async (which) => {
    const txHash = await castVote(polls, reader, pressId);
    for (const trouble of [failed, reverted]) {
      const ports = alterNode(polls.ports, /./, async (_, ask) => (await ask()).with(which, trouble));
      await expect(recordVote(ports, { txHash })).rejects.toMatchObject(down);
    }
  });

  test("a vote can be retried when the node answers only half of the calls or no call", async () => {
    const txHash = await castVote(polls, reader, pressId);
    const silent = withholdCalls(polls.ports, /./);
    await expect(recordVote(silent, { txHash })).rejects.toMatchObject(down);
    const half = alterNode(polls.ports, /./, async (_, ask) => (await ask()).slice(0, 1));
    await expect(recordVote(half, { txHash })).rejects.toMatchObject(down);
  });
});

/** The encoded data of a `NewFeedback` event. */
function encodeFeedback(value: bigint, tag: string): Hex {
  return encodeAbiParameters(
    [
      { type: "uint64" },
      { type: "int128" },
      { type: "uint8" },
      { type: "string" },
      { type: "string" },
      { type: "string" },
      { type: "string" },
      { type: "bytes32" },
    ],
    [1n, value, 0, tag, "", "", "", `0x${"00".repeat(32)}`],
  );
}
