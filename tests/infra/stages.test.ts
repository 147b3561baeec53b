import { expect, test } from "vitest";
import * as Gas from "../../core/gas/index.ts";
import { splitPrice } from "../../core/press/schema.ts";

import { type Job, jobs } from "../../functions/jobs.ts";
import { type Access, type Route, routes } from "../../functions/routes.ts";
import { mainnet, makeTestnetSettings, testnet } from "../../infra/chains.ts";
import { findCapacityFault, findSettings, listMissingSettings } from "../../infra/stages.ts";
import config from "../../sst.config.ts";

const rows: readonly (Route | Job)[] = [...routes, ...jobs];
/** Access rights of the functions that outsiders can slow down or use without paying. */
const open = new Set<Access>(["chain:relay", "news", "model", "audit:run"]);
const stages = ["dev", "staging", "prod", "jane"];

test("only production works with real money", () => {
  const chains = stages.map((stage) => [stage, findSettings(stage).chain.id]);
  expect(chains).toEqual([
    ["dev", testnet.id],
    ["staging", testnet.id],
    ["prod", mainnet.id],
    ["jane", testnet.id],
  ]);
});

test("staging and production reserve function runs for payments, and limit the runs of every function that outsiders can slow down or use without paying", () => {
  for (const stage of ["staging", "prod"]) {
    const { reserved, routes: throttles } = findSettings(stage).limits;
    const { "pay-treasury": fee = 0, "pay-publisher": rest = 0, rpc = 0 } = reserved;
    expect(Math.min(fee, rest)).toBeGreaterThan(rpc);
    const slow = rows.filter(
      ({ access }) => !access.includes("relayers:sign") && access.some((one) => open.has(one)),
    );
    expect(slow.map(({ id }) => id)).toContain("rpc");
    for (const { id } of slow) expect(Object.keys(reserved)).toContain(id);
    for (const { id } of slow.filter((row) => "path" in row)) expect(Object.keys(throttles)).toContain(id);
    const needed = rows.filter(
      ({ access }) => access.includes("relayers:sign") || access.includes("mints:send"),
    );
    for (const { id } of needed.filter(({ id }) => id !== "press-minted"))
      expect(Object.keys(reserved)).toContain(id);
    // Anybody can request signed receipts. Each new receipt uses up one signature of KMS's quota, and payments need this quota, too.
    expect([reserved.receipts, Object.keys(throttles).includes("receipts")]).toEqual([3, true]);
  }
});

test("the daily allowance of gas beyond fees is 0.25 USDG in production and 1 USDG elsewhere; only production has a minimum price of a press other than 0.01 USDG", () => {
  const given = stages.map((stage) => [stage, findSettings(stage).gas.allowanceUsdg]);
  expect(Object.fromEntries(given)).toEqual({ dev: 1, staging: 1, prod: 0.25, jane: 1 });
  expect(stages.filter((stage) => findSettings(stage).minPriceUsdg !== 0.01)).toEqual(["prod"]);
});

test("a worker has at least as many reserved runs as its queue may start, because otherwise AWS would throttle the worker for ever", () => {
  for (const stage of stages) {
    const reserved = new Map(Object.entries(findSettings(stage).limits.reserved));
    for (const { id, trigger } of jobs) {
      if (trigger.kind !== "queue") continue;
      expect(reserved.get(id) ?? trigger.concurrency).toBeGreaterThanOrEqual(trigger.concurrency);
    }
  }
});

test("the reserved runs of a stage fit into the quota that the stage's settings name", () => {
  for (const stage of stages) {
    const settings = findSettings(stage);
    expect(findCapacityFault(settings, settings.quotas.concurrency)).toBeUndefined();
  }
  const { limits } = findSettings("jane");
  const one = { limits: { ...limits, reserved: { rpc: 1 } } };
  expect(findCapacityFault(one, 100)).toBe(
    "1 runs are reserved, and AWS keeps 100 of 100 for other functions",
  );
  expect(findCapacityFault(one, 101)).toBeUndefined();
});

test("the data of staging and production remains when the stage is removed", () => {
  expect(stages.filter((stage) => findSettings(stage).removal === "retain")).toEqual(["staging", "prod"]);
});

test("a stage with missing settings is not deployed, and each missing setting is named", async () => {
  const unzoned = { name: "press.test", zoneName: "press.test", zoneId: "Z000000000EXAMPLE" };
  expect(listMissingSettings({ ...findSettings("prod"), domain: unzoned })).toContain("domain");
  const bare = { ...findSettings("jane"), chain: makeTestnetSettings(undefined) };
  expect(listMissingSettings(bare)).toEqual([
    "treasury",
    "chain.contracts.usdg",
    "chain.stocks.beacon",
    "chain.stocks.tokens",
  ]);
  const app = { mode: "deploy", stage: "prod" } as const;
  expect(() => Reflect.apply(config.stacks, config, [app])).toThrow(
    /no treasury, no domain, no contact, no operator, no walletConnectProjectId, no alarms.email, no alarms.onCallUrl, no backup.copyTo .* prod/,
  );
});

test("SST's configuration names the app, the only region that CloudFront's firewall allows, and the permissions boundary of CDK's role", async () => {
  for (const stage of stages) {
    const named = { name: "press-market", region: "us-east-1" };
    const boundary = { cdk: { customPermissionsBoundary: `press-market-execution-${stage}` } };
    const isPersonal = !["dev", "staging", "prod"].includes(stage);
    expect(await config.config({ stage })).toEqual(isPersonal ? named : { ...named, ...boundary });
  }
});

test("the fee at prod's minimum price covers at least 125 % of a read's gas costs at a gas price of 0.1 gwei", () => {
  const { minPriceUsdg, gas } = findSettings("prod");
  const read = Number(2n * Gas.usualGas.leg) * 0.1e-9 * gas.ethPriceUsdg;
  const share = Number(splitPrice(1_000_000n).fee) / 1_000_000;
  expect(minPriceUsdg).toBe(Math.ceil(((1.25 * read) / share) * 100) / 100);
});
