import { describe, expect, test } from "vitest";
import { Unsent } from "../../../core/chain/call.ts";
import type { RpcCall } from "../../../core/port/chain.ts";
import {
  call,
  expectFailure,
  makeChainSetup,
  makeNameAnswer,
  makeResponse,
  makeResult,
  sending,
  troubles,
} from "./place.ts";
import { findDeadEndpoint, type NodeScript, startUpstream } from "./upstream.ts";

describe("a broadcast goes on to another node only if the earlier node cannot have processed the broadcast", () => {
  test.each(troubles.filter(({ trouble }) => !/limited|429/.test(trouble)))(
    "a broadcast is not sent to a second node when the first node $trouble, because the first node may have received it",
    async ({ say, times = {} }) => {
      const [ill, well] = [await startUpstream(say), await startUpstream(makeNameAnswer("well"))];
      const chain = makeChainSetup({ times }).open(ill, well);
      const error = await expectFailure(chain.batch([sending]));
      expect(error.code).toBe("chain_unavailable");
      expect(error.cause).not.toBeInstanceOf(Unsent);
      expect([ill.count(sending.method), well.count(sending.method)]).toEqual([1, 0]);
    },
  );

  test.each(troubles.filter(({ trouble }) => /limited|429/.test(trouble)))(
    "a broadcast goes on to the next node when a node $trouble, because that node has not processed the broadcast",
    async ({ say }) => {
      const [ill, well] = [await startUpstream(say), await startUpstream(makeNameAnswer("well"))];
      expect(await makeChainSetup().open(ill, well).batch([sending])).toEqual(makeResult("well"));
      expect(well.count(sending.method)).toBe(1);
    },
  );

  test("a broadcast goes on to the next node when no server listens at an address, and fails when no server listens at any address", async () => {
    const well = await startUpstream(makeNameAnswer("well"));
    expect(
      await makeChainSetup()
        .open(await findDeadEndpoint(), well)
        .batch([sending]),
    ).toEqual(makeResult("well"));
    const error = await expectFailure(
      makeChainSetup()
        .open(await findDeadEndpoint(), await findDeadEndpoint())
        .batch([sending]),
    );
    expect(error.cause).toBeInstanceOf(Unsent);
  });

  test("a broadcast does not go on to the next node when a node refused one call of the batch", async () => {
    const ill = await startUpstream(({ method }) =>
      method === "eth_call" ? { error: { code: -32005, message: "limit" } } : { result: "0xhash" },
    );
    const second = await startUpstream(makeNameAnswer("second"));
    expect(await makeChainSetup().open(ill, second).batch([sending, call])).toMatchObject([
      { status: "ok", result: "0xhash" },
      { status: "failed", code: -32005 },
    ]);
    expect(second.count(sending.method)).toBe(0);
  });

  test("a broadcast goes to a healthy node, and never to a node that has just failed", async () => {
    const [ill, well] = [await startUpstream(() => "hang up"), await startUpstream(makeNameAnswer("well"))];
    const { open, advanceClock } = makeChainSetup();
    const chain = open(ill, well);
    await chain.batch([call]);
    advanceClock(60_000);
    expect(await chain.batch([sending])).toEqual(makeResult("well"));
    expect(ill.count(sending.method)).toBe(0);
  });
});

describe("a node without eth_sendRawTransactionSync gets plain broadcasts", () => {
  const makeSyncBroadcast = (bytes: string) => ({ method: "eth_sendRawTransactionSync", params: [bytes] });
  const makeBroadcast = (bytes: string) => ({ method: "eth_sendRawTransaction", params: [bytes] });
  const answerAsOldNode = ({ method }: RpcCall) =>
    method === "eth_sendRawTransactionSync"
      ? { error: { code: -32601, message: "unknown" } }
      : makeNameAnswer("old")({ method, params: [] });

  test("a node that once refused eth_sendRawTransactionSync gets plain broadcasts, and the other nodes still get eth_sendRawTransactionSync", async () => {
    const [first, second] = [
      await startUpstream(answerAsOldNode),
      await startUpstream(makeNameAnswer("second")),
    ];
    const { open, advanceClock } = makeChainSetup();
    const chain = open(first, second);
    expect(await chain.batch([makeSyncBroadcast("0x01")])).toMatchObject([{ status: "failed" }]);
    expect(await chain.batch([makeBroadcast("0x01")])).toEqual(makeResult("old"));
    expect(await chain.batch([makeSyncBroadcast("0x02")])).toEqual(makeResult("old"));
    expect(first.count("eth_sendRawTransactionSync")).toBe(1);

    first.setScript(() => makeResponse(429, "too many"));
    expect(await chain.batch([makeSyncBroadcast("0x03")])).toEqual(makeResult("second"));
    expect(second.count("eth_sendRawTransactionSync")).toBe(1);

    first.setScript(makeNameAnswer("old"));
    advanceClock(5 * 60_000);
    await chain.batch([call]);
    await chain.batch([makeSyncBroadcast("0x04")]);
    expect(first.count("eth_sendRawTransactionSync")).toBe(2);
  });

  test("a node that answers eth_sendRawTransactionSync with an HTTP error counts as a node without this method if another node accepts the same bytes", async () => {
    const forbidSyncSend: NodeScript = ({ method, params }) =>
      method === "eth_sendRawTransactionSync"
        ? makeResponse(403, "Forbidden")
        : makeNameAnswer("first")({ method, params });
    const [first, second] = [
      await startUpstream(forbidSyncSend),
      await startUpstream(makeNameAnswer("second")),
    ];
    const { open, advanceClock } = makeChainSetup();
    const chain = open(first, second);
    await expectFailure(chain.batch([makeSyncBroadcast("0x01")]));
    expect(await chain.batch([makeBroadcast("0x01")])).toEqual(makeResult("second"));
    advanceClock(1_000);
    await chain.batch([call]);
    expect(await chain.batch([makeSyncBroadcast("0x02")])).toEqual(makeResult("first"));
    expect(first.count("eth_sendRawTransactionSync")).toBe(1);
  });

  test("a node that refuses certain bytes is not treated as a node without eth_sendRawTransactionSync", async () => {
    const full = await startUpstream(() => ({ error: { code: -32000, message: "txpool is full" } }));
    const chain = makeChainSetup().open(full);
    await chain.batch([makeSyncBroadcast("0x01")]);
    await chain.batch([makeBroadcast("0x01")]);
    full.setScript(makeNameAnswer("taken"));
    await chain.batch([makeBroadcast("0x02")]);
    await chain.batch([makeSyncBroadcast("0x03")]);
    expect(full.count("eth_sendRawTransactionSync")).toBe(2);
  });
});
