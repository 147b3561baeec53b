import { describe, expect, test } from "vitest";
import type { RpcCall } from "../../../core/port/chain.ts";
import { call, expectFailure, makeChainSetup, makeNameAnswer, makeResponse, makeResult } from "./place.ts";
import { startUpstream } from "./upstream.ts";

describe("a node that failed is avoided for a while", () => {
  test("a node that failed is asked last during its cooldown, which doubles with each failure, up to 30 seconds", async () => {
    const [ill, well] = [
      await startUpstream(() => makeResponse(500, "")),
      await startUpstream(makeNameAnswer("well")),
    ];
    const { open, advanceClock } = makeChainSetup();
    const chain = open(ill, well);
    for (const rest of [1, 2, 4, 8, 16, 30, 30]) {
      const before = ill.count("eth_call");
      await chain.batch([call]);
      advanceClock(rest * 1000 - 1);
      await chain.batch([call]);
      expect(ill.count("eth_call")).toBe(before + 1);
      advanceClock(1);
    }
    ill.setScript(makeNameAnswer("ill no more"));
    expect(await chain.batch([call])).toEqual(makeResult("ill no more"));
    ill.setScript(() => makeResponse(500, ""));
    await chain.batch([call]);
    advanceClock(1000);
    const before = ill.count("eth_call");
    await chain.batch([call]);
    expect(ill.count("eth_call")).toBe(before + 1);
  });

  test("a node that failed is still asked when there is no other node", async () => {
    const node = await startUpstream(() => "hang up");
    const chain = makeChainSetup().open(node);
    await expectFailure(chain.batch([call]));
    node.setScript(makeNameAnswer("back"));
    expect(await chain.batch([call])).toEqual(makeResult("back"));
  });

  test("a node that failed gets a shorter time-out on its next request", async () => {
    const [slow, well] = [await startUpstream(() => "silence"), await startUpstream(makeNameAnswer("well"))];
    const { open, advanceClock } = makeChainSetup({ times: { oneOfSeveral: 1_000, trial: 30 } });
    const chain = open(slow, well);
    await chain.batch([call]);
    advanceClock(1000);
    const begun = performance.now();
    await chain.batch([call]);
    expect(performance.now() - begun).toBeLessThan(1_000);
  });
});

describe("a node that asks for a pause gets no requests during the pause", () => {
  const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
  test.each([
    ["7", 7_000],
    [inAnHour, 30_000],
    ["86400", 30_000],
  ] as const)(
    "if a node's Retry-After header is %s, the node gets no requests for that time, but for 30 seconds at most",
    async (after, rest) => {
      const [ill, well] = [
        await startUpstream(() => makeResponse(429, "too many", { "retry-after": after })),
        await startUpstream(makeNameAnswer("well")),
      ];
      const { open, advanceClock } = makeChainSetup();
      const chain = open(ill, well);
      await chain.batch([call]);
      well.setScript(() => "hang up");
      advanceClock(rest - 1);
      await expectFailure(chain.batch([call]));
      expect(ill.count("eth_call")).toBe(1);
      ill.setScript(makeNameAnswer("again"));
      advanceClock(3_000);
      expect(await chain.batch([call])).toEqual(makeResult("again"));
    },
  );

  test("a node that asked for a pause is not asked before the pause ends, even when there is no other node", async () => {
    const node = await startUpstream(() => makeResponse(429, "", { "retry-after": "5" }));
    const { open, advanceClock } = makeChainSetup();
    const chain = open(node);
    await expectFailure(chain.batch([call]));
    node.setScript(makeNameAnswer("again"));
    await expectFailure(chain.batch([call]));
    expect(node.count("eth_call")).toBe(1);
    advanceClock(5000);
    expect(await chain.batch([call])).toEqual(makeResult("again"));
  });

  test.each(["0", "soon", "Thu, 01 Jan 1970 00:00:00 GMT"])(
    "if a node's Retry-After header is %s, the node can be asked again at once",
    async (after) => {
      const node = await startUpstream(() => makeResponse(429, "", { "retry-after": after }));
      const chain = makeChainSetup().open(node);
      await expectFailure(chain.batch([call]));
      node.setScript(makeNameAnswer("again"));
      expect(await chain.batch([call])).toEqual(makeResult("again"));
    },
  );
});

describe("a node that lags behind is asked after the other nodes", () => {
  test("a node whose lag was noticed is asked after all other nodes until it has caught up, and then takes its earlier place again", async () => {
    const [late, newer] = [
      await startUpstream(makeNameAnswer("late", 69)),
      await startUpstream(makeNameAnswer("newer", 100)),
    ];
    const { open, advanceClock, lines } = makeChainSetup();
    const chain = open(late, newer);
    await expect.poll(async () => chain.batch([call])).toEqual(makeResult("newer"));
    expect(lines).toEqual([
      { event: "chain_node_behind", fields: { host: new URL(late.endpoint).host, blocks: 31 } },
    ]);
    newer.setScript(() => "hang up");
    expect(await chain.batch([call])).toEqual(makeResult("late"));
    newer.setScript(makeNameAnswer("newer", 100));
    late.setScript(makeNameAnswer("late", 99));
    advanceClock(10_000);
    await expect.poll(async () => chain.batch([call])).toEqual(makeResult("late"));
    expect(late.count("eth_blockNumber")).toBe(2);
  });

  test("a node that is up to 30 blocks behind does not count as lagging", async () => {
    const [first, second] = [
      await startUpstream(makeNameAnswer("first", 70)),
      await startUpstream(makeNameAnswer("second", 100)),
    ];
    const { open, lines } = makeChainSetup();
    const chain = open(first, second);
    await chain.batch([call]);
    await expect.poll(() => first.count("eth_blockNumber") + second.count("eth_blockNumber")).toBe(2);
    for (let time = 0; time < 5; time += 1) expect(await chain.batch([call])).toEqual(makeResult("first"));
    expect(lines).toEqual([]);
  });

  test("if one of three nodes claims to be far ahead, the other two do not count as lagging", async () => {
    const nodes = [
      await startUpstream(makeNameAnswer("honest", 100)),
      await startUpstream(makeNameAnswer("honest", 101)),
      await startUpstream(makeNameAnswer("liar", 1_000_000)),
    ];
    const { open, lines } = makeChainSetup();
    const chain = open(...nodes);
    await chain.batch([call]);
    await expect.poll(() => nodes.every((node) => node.count("eth_blockNumber") === 1)).toBe(true);
    for (let time = 0; time < 5; time += 1) expect(await chain.batch([call])).toEqual(makeResult("honest"));
    expect(lines).toEqual([]);
  });

  test("a node is not checked for lag if it is the only node, and the check for lag delays no request", async () => {
    const alone = await startUpstream(makeNameAnswer("alone"));
    await makeChainSetup().open(alone).batch([call]);
    expect(alone.calls).toEqual([call]);

    const deaf = await startUpstream(({ method }) =>
      method === "eth_blockNumber" ? "silence" : { result: "deaf" },
    );
    const second = await startUpstream(makeNameAnswer("second"));
    const { open } = makeChainSetup({ times: { look: 30_000 } });
    const begun = performance.now();
    expect(await open(deaf, second).batch([call])).toEqual(makeResult("deaf"));
    expect(performance.now() - begun).toBeLessThan(30_000);
  });
});

describe("a node of another chain is never used", () => {
  const makeChainAnswer = (chainId: string, name: string) => (asked: RpcCall) =>
    asked.method === "eth_chainId" ? { result: chainId } : makeNameAnswer(name)(asked);

  test("a node of another chain is not used, even when it is the only node, and its chain is checked again later", async () => {
    const [foreign, ours] = [
      await startUpstream(makeChainAnswer("0xb626", "foreign")),
      await startUpstream(makeChainAnswer("0x1237", "ours")),
    ];
    const { open, advanceClock, lines } = makeChainSetup({ chainId: 4663 });
    expect(await open(foreign, ours).batch([call])).toEqual(makeResult("ours"));
    expect(lines).toMatchObject([
      { fields: { trouble: "foreign", reason: "The node belongs to chain 46630" } },
    ]);

    const alone = open(foreign);
    await expectFailure(alone.batch([call]));
    foreign.setScript(makeChainAnswer("0x1237", "put right"));
    await expectFailure(alone.batch([call]));
    advanceClock(30_000);
    expect(await alone.batch([call])).toEqual(makeResult("put right"));
  });

  test("a node of another chain is detected by one extra call in the first request to the node", async () => {
    const node = await startUpstream(makeChainAnswer("0x1237", "ours"));
    const chain = makeChainSetup({ chainId: 4663 }).open(node);
    for (let time = 0; time < 3; time += 1) await chain.batch([call]);
    expect(node.count("eth_chainId")).toBe(1);
  });
});
