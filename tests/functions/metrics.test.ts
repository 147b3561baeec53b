import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Metric, type MetricName, metrics, namespace } from "../../functions/metrics.ts";
import { liveThrough } from "./observed/day.ts";
import { type House, startHouse } from "./observed/house.ts";
import type { Measurement } from "./observed/output.ts";

const table: Readonly<Record<string, Metric>> = metrics;
let house: House;
let written: readonly Measurement[];
beforeAll(async () => {
  house = await startHouse();
  await liveThrough(house);
  written = house.output.measurements();
});
afterAll(() => house.stop());

/** What was written under a name, added up by the values of its dimensions. */
function sums(name: MetricName): Readonly<Record<string, number>> {
  const found = written.filter((one) => one.name === name);
  const groups = Map.groupBy(found, ({ dimensions: { service: _, ...rest } }) =>
    Object.values(rest).join(" "),
  );
  return Object.fromEntries(
    [...groups].map(([key, all]) => [key, all.reduce((sum, { value }) => sum + value, 0)]),
  );
}

test("a day of all activities writes every metric of the table, and no other", () => {
  expect([...new Set(written.map(({ name }) => name))].sort()).toEqual(Object.keys(metrics).sort());
});

test("each metric is written in the table's unit, per dimension and in total", () => {
  for (const one of written) {
    const { unit, dimensions = [] } = table[one.name] ?? {};
    expect(one).toMatchObject({ namespace, unit });
    const expected = dimensions.length === 0 ? [["service"]] : [["service", ...dimensions], ["service"]];
    expect(one.sets).toEqual(expected);
  }
});

test("no dimension identifies a wallet, a transaction, a press or a request", () => {
  const values = new Set(written.flatMap(({ dimensions: { service: _, ...rest } }) => Object.values(rest)));
  expect(values.size).toBeLessThan(50);
  for (const value of values) expect(value).toMatch(/^([a-z0-9_.-]{1,40}|127\.0\.0\.1:\d+)$/);
  for (const value of values) expect(value).not.toMatch(/0x|[0-9a-f]{8}-/);
});

describe("the metrics of that day", () => {
  test.each<[MetricName, Readonly<Record<string, number>>]>([
    ["SignIn", { "": 1 }],
    ["DraftSaved", { "": 1 }],
    ["GenerationEnded", { written: 1, refunded: 1 }],
    ["AuditEnded", { approve: 1, outage: 1 }],
    ["ModelErrors", { draft: 2, audit: 2 }],
    ["Misquotes", { "": 0 }],
    ["MintRefused", { wrong_identity_uri: 1 }],
    ["MintConfirmed", { "": 1 }],
    ["WentLive", { "": 1 }],
    ["VerdictPosted", { posted: 1 }],
    ["VoteRecorded", { "": 1 }],
    ["RelayedCalls", { "": 1 }],
    ["LegSettled", { fee: 1, publisher: 1 }],
    ["TextDelivered", { "": 1 }],
    ["SettlementFailed", { permit2_allowance_required: 1, released: 1 }],
    ["GasBurned", { plain: expect.any(Number) }],
    ["RelayersBusy", { "": 1 }],
    ["Defects", { "": 1 }],
    [
      "Unavailable",
      {
        audit_unavailable: 1,
        chain_unavailable: 1,
        model_unavailable: 1,
        payments_unavailable: 1,
        settlement_pending: 1,
        temporarily_unavailable: 1,
      },
    ],
  ])("the metric %s counts %j", (name, expected) => {
    expect(sums(name)).toEqual(expected);
  });

  test("each refused payment is counted by its code, including the offered terms", () => {
    expect(sums("PaymentRefused")).toEqual({
      payment_required: expect.any(Number),
      malformed_payment_header: 1,
      permit2_allowance_required: 1,
    });
  });

  test("round trips to a node are timed by its host, and unanswered ones count as errors", () => {
    const host = new URL(house.node.endpoint).host;
    expect(sums("RpcTime")[host]).toBeGreaterThan(0);
    // A transaction whose answer is lost is sent once more.
    expect(sums("RpcErrors")).toEqual({ [host]: 4 });
    const answered = written.filter(({ name, value }) => name === "RpcErrors" && value === 0);
    expect(answered.length).toBeGreaterThan(10);
  });

  test("the model's tokens are priced at the stage's prices, by task", () => {
    const tokens = sums("ModelTokens");
    for (const task of ["audit", "draft"]) {
      const [input = 0, output = 0] = [tokens[`${task} input`], tokens[`${task} output`]];
      expect(Math.min(input, output)).toBeGreaterThan(10);
      expect(sums("ModelCost")[task]).toBeCloseTo((input * 0.5 + output * 1.5) / 1000, 9);
    }
  });

  test("an unanswered settlement counts as pending, and every key's gas is reported", () => {
    const latest = (name: MetricName) => written.filter((one) => one.name === name).at(-1)?.value;
    expect(latest("SettlementsUnderWay")).toBe(1);
    expect(latest("SettlementAge")).toBeGreaterThan(0);
    expect(latest("SettledNotDelivered")).toBe(0);
    const relayers = new Set(
      written.flatMap(({ name, dimensions }) => (name === "RelayerRunway" ? [dimensions.relayer] : [])),
    );
    expect([...relayers]).toEqual(["0", "1", "2", "3", "4", "5", "6", "7"]);
    expect(latest("AuditorRunway")).toBeGreaterThan(100);
  });

  test("each metric line is the log record of its event, with the ids of its call", () => {
    for (const { line } of written) expect(line.requestId).toEqual(expect.any(String));
    const live = written.find(({ name }) => name === "WentLive")?.line;
    expect(live).toMatchObject({ function: "mint-confirm", press: "1" });
  });
});

test("metrics are off on a developer's machine", async () => {
  vi.stubEnv("POWERTOOLS_METRICS_DISABLED", "true");
  // A process reads that once.
  vi.resetModules();
  const { measure } = await import("../../functions/lib/meter.ts");
  const before = house.output.text();
  measure({ SignIn: 1 });
  vi.stubEnv("POWERTOOLS_METRICS_DISABLED", "false");
  expect(house.output.text()).toBe(before);
});
