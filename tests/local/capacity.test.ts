import { expect, test } from "vitest";
import { type CapacityLimits, makeCapacity, TooManyRuns } from "../../local/lambda.ts";
import { ask, makeRoute, startFrontWith } from "../support/front.ts";

const roomy: CapacityLimits = {
  gateway: { rate: 1_000, burst: 1_000 },
  routes: {},
  reserved: {},
  concurrency: 10,
};
const routes = [
  makeRoute({ id: "rpc", path: "/api/rpc" }),
  makeRoute({ id: "pay-treasury", path: "/api/pay/treasury" }),
  makeRoute({ id: "me", path: "/api/me" }),
];

/** A local front whose RPC relay answers only when the test releases the answers; all other routes answer at once. */
async function startSlowRelay(limits: CapacityLimits) {
  const released = Promise.withResolvers<void>();
  const front = await startFrontWith(
    routes,
    async ({ context }) => {
      if (context.functionName === "rpc") await released.promise;
      return { statusCode: 200, body: context.functionName };
    },
    { capacity: makeCapacity(limits) },
  );
  /** Sends `count` requests at once. The refused requests are answered, and the other requests wait. */
  async function flood(count: number, refusals: number) {
    const refused: Awaited<ReturnType<typeof ask>>[] = [];
    const all = Array.from({ length: count }, async () => {
      const answer = await ask(front, "/api/rpc");
      if (answer.status !== 200) refused.push(answer);
      return answer.status;
    });
    await expect.poll(() => refused.length).toBe(refusals);
    return { refused, all: Promise.all(all) };
  }
  return { front, flood, release: released.resolve };
}

test("without reservations a flood of slow requests uses up all concurrent runs, so that payments are refused too", async () => {
  const { front, flood, release } = await startSlowRelay(roomy);
  const { all } = await flood(15, 5);
  for (const path of ["/api/pay/treasury", "/api/me"]) {
    expect(await ask(front, path)).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
  }
  release();
  await all;
  expect(await ask(front, "/api/pay/treasury")).toMatchObject({ status: 200 });
});

test("a function with a limit uses only its own concurrent runs, and further requests are refused as Lambda refuses them", async () => {
  const { front, flood, release } = await startSlowRelay({
    ...roomy,
    reserved: { rpc: 3, "pay-treasury": 2 },
  });
  const { refused, all } = await flood(15, 12);
  for (const answer of refused) {
    expect(answer).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
    expect(JSON.parse(answer.body)).toMatchObject({ code: "at_capacity", retryAfter: 1 });
  }
  for (const path of ["/api/pay/treasury", "/api/me"]) {
    expect(await ask(front, path)).toMatchObject({ status: 200 });
  }
  release();
  expect((await all).filter((status) => status === 200)).toHaveLength(3);
  expect(await ask(front, "/api/rpc")).toMatchObject({ status: 200 });
  expect(front.reports).toEqual([]);
});

test("a route's throttle answers further requests to that route with 429, and does not affect other routes", async () => {
  const { front, flood, release } = await startSlowRelay({
    ...roomy,
    routes: { rpc: { rate: 0, burst: 4 } },
  });
  const { refused, all } = await flood(9, 5);
  for (const answer of refused) {
    expect(answer).toMatchObject({ status: 429, headers: { "retry-after": "1" } });
    expect(JSON.parse(answer.body)).toMatchObject({ code: "too_many_requests", retryAfter: 1 });
  }
  expect(await ask(front, "/api/me")).toMatchObject({ status: 200 });
  release();
  await all;
});

test("a failed run frees its capacity, and a refusal has the error name on which Step Functions retries", async () => {
  const { run } = makeCapacity({ ...roomy, reserved: { "audit-facts": 1 } });
  const failing = async () => {
    throw new Error("no");
  };
  await expect(run("audit-facts", failing)).rejects.toThrow("no");
  const held = Promise.withResolvers<string>();
  const first = run("audit-facts", () => held.promise);
  const refused = run("audit-facts", async () => "second");
  await expect(refused).rejects.toThrow(TooManyRuns);
  await expect(refused).rejects.toMatchObject({ name: "Lambda.TooManyRequestsException" });
  held.resolve("first");
  expect(await first).toBe("first");
});
