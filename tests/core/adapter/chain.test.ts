import { describe, expect, test } from "vitest";
import { openChain, type RoundTrip } from "../../../core/adapter/chain/index.ts";
import {
  call,
  expectFailure,
  makeChainSetup,
  makeNameAnswer,
  makeResponse,
  makeResult,
  troubles,
} from "./place.ts";
import { findDeadEndpoint, type NodeScript, startUpstream } from "./upstream.ts";

describe("a read goes from node to node until one node answers, no node is left, or the time limit has passed", () => {
  test("a read goes to the first node while that node is healthy", async () => {
    const [first, second] = [
      await startUpstream(makeNameAnswer("first")),
      await startUpstream(makeNameAnswer("second")),
    ];
    const chain = makeChainSetup().open(first, second);
    for (let time = 0; time < 3; time += 1) expect(await chain.batch([call])).toEqual(makeResult("first"));
    expect(second.count("eth_call")).toBe(0);
  });

  test.each(troubles)(
    "a read goes on to the next node when a node $trouble",
    async ({ trouble, say, times }) => {
      const [ill, well] = [await startUpstream(say), await startUpstream(makeNameAnswer("well"))];
      const { open, lines } = makeChainSetup({ times: { ...times, trip: 10_000 } });
      expect(await open(ill, well).batch([call, call])).toEqual([
        ...makeResult("well"),
        ...makeResult("well"),
      ]);
      // A read that loses its connection is repeated once on the same node, because the loss may not be the node's fault.
      expect(ill.count("eth_call")).toBe(trouble === "hangs up" ? 4 : 2);
      expect(lines).toMatchObject([
        { event: "chain_node_failed", fields: { host: new URL(ill.endpoint).host } },
      ]);
    },
  );

  test("a read goes on to the next node when no server listens at an address", async () => {
    const well = await startUpstream(makeNameAnswer("well"));
    const { open, lines } = makeChainSetup();
    const gone = await findDeadEndpoint();
    expect(await open(gone, well).batch([call])).toEqual(makeResult("well"));
    expect(lines).toMatchObject([{ fields: { host: new URL(gone).host, trouble: "unreached" } }]);
  });

  test("a read does not go on to the next node after an error of the chain itself", async () => {
    const first = await startUpstream(() => ({
      error: { code: 3, message: "execution reverted", data: "0x01" },
    }));
    const second = await startUpstream(makeNameAnswer("second"));
    expect(await makeChainSetup().open(first, second).batch([call])).toMatchObject([
      { status: "reverted", data: "0x01" },
    ]);
    expect(second.count("eth_call")).toBe(0);
  });

  describe("simultaneous reads for many payers share batches", () => {
    const makeCall = (id: string) => ({ method: "eth_call", params: [id, "latest"] });
    /**
     * The calls of twelve payers. Each payer makes one call that all payers make and three calls that no other payer makes, so there are 37
     * different calls.
     */
    const payers = Array.from({ length: 12 }, (_, payer) => [
      makeCall("all"),
      ...["a", "b", "c"].map((name) => makeCall(`${payer} ${name}`)),
    ]);
    const makeAnswers = (calls: (typeof payers)[number]) =>
      calls.map(({ params: [result] }) => ({ status: "ok", result }));
    const echo: NodeScript = ({ params: [said] }) => ({ result: said });

    test("simultaneous reads for many payers are sent in full batches, identical calls are sent once, and each payer gets its own answers", async () => {
      const node = await startUpstream(echo);
      const chain = makeChainSetup().open(node);
      const found = await Promise.all(payers.map((calls) => chain.batch(calls, { joined: true })));
      expect(found).toEqual(payers.map(makeAnswers));
      expect(node.calls.filter(({ method }) => method === "eth_call").length).toBe(37);
      const sizes = node.bodies.map((body) => JSON.parse(body)).filter(Array.isArray);
      expect(sizes.map(({ length }) => length).toSorted()).toEqual([17, 20]);
      const [first = []] = payers;
      expect(await chain.batch(first, { joined: true })).toEqual(makeAnswers(first));
      expect(node.count("eth_call")).toBe(41);
    });

    test.each([
      { what: "makes its batch fail", answer: makeResponse(503, "busy") },
      { what: "has an answer of megabytes", answer: { result: "0".repeat(9 * 1024 * 1024) } },
    ])(
      "if a call $what, the call fails only for its own payer, and the other payers' calls are repeated without that call",
      async ({ answer }) => {
        const node = await startUpstream((asked) => (asked.params[0] === "11 c" ? answer : echo(asked)));
        const chain = makeChainSetup().open(node);
        const found = await Promise.allSettled(payers.map((calls) => chain.batch(calls, { joined: true })));
        const served = payers.map((calls) => ({ status: "fulfilled", value: makeAnswers(calls) }));
        expect(found.slice(0, 11)).toEqual(served.slice(0, 11));
        expect(found[11]).not.toEqual(served[11]);
      },
    );
  });

  describe("a read of more than 20 calls is split into batches", () => {
    const calls = Array.from({ length: 45 }, (_, id) => ({ method: "eth_call", params: [{ id }, "latest"] }));
    const echo: NodeScript = ({ params: [said] }) => ({ result: said });
    /** Makes each batch fail that contains a call with one of the given ids. */
    const failOn =
      (...ids: readonly number[]): NodeScript =>
      (asked) =>
        ids.some((id) => JSON.stringify(asked.params[0]) === JSON.stringify({ id }))
          ? makeResponse(503, "busy")
          : echo(asked);

    test("a read of more than 20 calls goes out in batches of at most 20 and is answered in order", async () => {
      const node = await startUpstream(echo);
      const outcomes = await makeChainSetup().open(node).batch(calls);
      expect(outcomes).toEqual(calls.map(({ params: [result] }) => ({ status: "ok", result })));
      const sizes = node.bodies
        .map((body) => JSON.parse(body))
        .map((body) => Array.isArray(body) && body.length);
      expect(sizes.filter(Boolean)).toEqual([20, 20, 5]);
    });

    test("a read of more than 20 calls goes on to the next node when one of its batches gets no answer", async () => {
      const node = await startUpstream(failOn(25));
      const outcomes = await makeChainSetup().open(node).batch(calls);
      expect(outcomes.map(({ status }) => status)).toEqual(
        calls.map((_, id) => (id >= 20 && id < 40 ? "failed" : "ok")),
      );
    });

    test("a read of more than 20 calls is refused as unavailable when no batch gets an answer", async () => {
      const node = await startUpstream(failOn(3, 25, 44));
      expect(await expectFailure(makeChainSetup().open(node).batch(calls))).toMatchObject({
        code: "chain_unavailable",
      });
    });
  });

  test("a read fails as unavailable when every node fails, and the error gives the nodes' reasons without their addresses", async () => {
    const ill = await startUpstream(() => makeResponse(502, "<html>"));
    const error = await expectFailure(
      makeChainSetup()
        .open(`${await findDeadEndpoint()}/v1/secret-key`, `${ill.endpoint}/secret-key`)
        .batch([call]),
    );
    expect(error).toMatchObject({ kind: "upstream", code: "chain_unavailable" });
    expect(String(error.cause)).toMatch(/ECONNREFUSED.*HTTP 502/);
    expect(`${error.cause} ${JSON.stringify(error)}`).not.toContain("secret-key");
  });

  test("if the only node refuses a call because of its rate limit, the call fails with the node's own message", async () => {
    const limited = await startUpstream(({ method }) =>
      method === "eth_call" ? { error: { code: -32005, message: "slow down" } } : { result: "0x1" },
    );
    expect(
      await makeChainSetup()
        .open(limited)
        .batch([call, { method: "eth_gasPrice", params: [] }]),
    ).toEqual([
      { status: "failed", code: -32005, message: "slow down" },
      { status: "ok", result: "0x1" },
    ]);
  });

  test("a read ends within the time limit of its batch even if all nodes are silent", async () => {
    const nodes = await Promise.all([1, 2, 3, 4].map(() => startUpstream(() => "silence")));
    const urls = nodes.map(({ endpoint }) => endpoint);
    const begun = performance.now();
    const chain = openChain(urls, { times: { oneOfSeveral: 5_000, trip: 5_000, batch: 250 } });
    await expectFailure(chain.batch([call]));
    expect(performance.now() - begun).toBeLessThan(5_000);
    expect(nodes[3]?.count("eth_call")).toBe(0);
  });

  test("a read whose time limit has passed is not sent", async () => {
    const node = await startUpstream(makeNameAnswer("node"));
    const { open } = makeChainSetup();
    await expectFailure(open(node).batch([call], { until: 1_600_000_000_000 }));
    expect(node.trips()).toBe(0);
  });

  test("an answer larger than 8 MB counts as an error of every call in the request, and no other node is asked", async () => {
    const large = await startUpstream(() => ({ result: "0".repeat(9 * 1024 * 1024) }));
    const second = await startUpstream(makeNameAnswer("second"));
    const times = { oneOfSeveral: 60_000, batch: 60_000 };
    expect(await makeChainSetup({ times }).open(large, second).batch([call])).toEqual([
      { status: "failed", code: -32005, message: "The answer is too large. Ask for less in one request." },
    ]);
    expect(second.count("eth_call")).toBe(0);
  });
});

test("credentials in a node's address go into a header, and never into the log", async () => {
  const node = await startUpstream(makeNameAnswer("node"));
  const { open, lines } = makeChainSetup();
  const url = node.endpoint.replace("http://", "http://us%40er:pass@");
  expect(await open(`${url}/v1/secret-key`).batch([call])).toEqual(makeResult("node"));
  const expected = Buffer.from("us@er:pass").toString("base64");
  expect(node.headers[0]?.authorization).toBe(`Basic ${expected}`);
  node.setScript(() => "hang up");
  await expectFailure(open(`${url}/v1/secret-key`).batch([call]));
  expect(lines).toHaveLength(1);
  expect(JSON.stringify(lines)).not.toMatch(/secret-key|pass|us%40er/);
});

test("every round trip to a node is counted, and its record names the node's host and tells whether the node answered", async () => {
  const trips: RoundTrip[] = [];
  const [ill, well] = [await startUpstream(() => "hang up"), await startUpstream(makeNameAnswer("well"))];
  await openChain([ill.endpoint, well.endpoint], { tripEnded: (trip) => void trips.push(trip) }).batch([
    call,
  ]);
  await expect.poll(() => trips.length).toBe(4);
  const listTrips = (host: string) => trips.filter((trip) => trip.host === new URL(host).host);
  expect(listTrips(ill.endpoint).map(({ answered }) => answered)).toEqual([false, false]);
  expect(listTrips(well.endpoint).map(({ answered }) => answered)).toEqual([true, true]);
});
