import { expect, test } from "vitest";
import { type CapacityLimits, makeCapacity, TooManyRuns } from "../../local/lambda.ts";

const roomy: CapacityLimits = {
  gateway: { rate: 1_000, burst: 1_000 },
  routes: {},
  reserved: {},
  concurrency: 10,
};

test("a route admits its burst at once, then one request for each token that its rate adds, and other routes are not affected", () => {
  let now = 0;
  const limits = { ...roomy, routes: { rpc: { rate: 2, burst: 3 } } };
  const { admitRequest } = makeCapacity(limits, () => now);
  const admit = () => Array.from({ length: 4 }, () => admitRequest("rpc"));
  expect(admit()).toEqual([true, true, true, false]);
  now = 500;
  expect(admit()).toEqual([true, false, false, false]);
  expect(admitRequest("press-list")).toBe(true);
});

test("a failed run frees its capacity, and a run without free capacity is refused with the error name that makes Step Functions retry", async () => {
  const { run } = makeCapacity({ ...roomy, reserved: { "audit-facts": 1 } });
  const fail = async () => {
    throw new Error("no");
  };
  await expect(run("audit-facts", fail)).rejects.toThrow("no");
  const held = Promise.withResolvers<string>();
  const first = run("audit-facts", () => held.promise);
  const refused = run("audit-facts", async () => "second");
  await expect(refused).rejects.toThrow(TooManyRuns);
  await expect(refused).rejects.toMatchObject({ name: "Lambda.TooManyRequestsException" });
  held.resolve("first");
  expect(await first).toBe("first");
});
