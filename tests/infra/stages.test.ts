import { expect, test } from "vitest";
import { mainnet as known } from "../../core/chain/deployment.ts";
import { lower } from "../../core/chain/hex.ts";
import { mainnet, testnet, testnetWith } from "../../infra/chains.ts";
import { missingIn, settingsOf } from "../../infra/stages.ts";
import config from "../../sst.config.ts";
import { synthesize } from "./assembly.ts";

const stages = ["dev", "staging", "prod", "jane"];
const wallet = "0x00000000000000000000000000000000000000fe";

test("mainnet has the contracts that core knows", () => {
  expect(mainnet.id).toBe(known.chainId);
  expect(mainnet.name).toBe(known.name);
  expect(mainnet.explorer).toBe(known.explorer);
  const lowered = Object.fromEntries(
    Object.entries(mainnet.contracts).map(([name, address]) => [name, lower(address)]),
  );
  expect(lowered).toEqual(known.contracts);
  expect({
    beacon: lower(mainnet.stocks.beacon),
    feeds: mainnet.stocks.feeds.map(({ token, feed }) => ({ token: lower(token), feed: lower(feed) })),
  }).toEqual(known.stocks);
});

test("only production works with real money", () => {
  const chains = stages.map((stage) => [stage, settingsOf(stage).chain.id]);
  expect(chains).toEqual([
    ["dev", testnet.id],
    ["staging", testnet.id],
    ["prod", mainnet.id],
    ["jane", testnet.id],
  ]);
});

test("data of staging and production outlives its stage", () => {
  expect(stages.filter((stage) => settingsOf(stage).removal === "retain")).toEqual(["staging", "prod"]);
});

test("nothing is deployed with what an owner has not filled in, and each gap is named", async () => {
  expect(missingIn(settingsOf("prod"))).toEqual(["treasury", "domain", "alarms.email"]);
  const bare = { ...settingsOf("jane"), chain: testnetWith(undefined) };
  expect(missingIn(bare)).toEqual([
    "treasury",
    "chain.contracts.usdg",
    "chain.stocks.beacon",
    "chain.stocks.tokens",
  ]);
  const app = { mode: "deploy", stage: "prod" } as const;
  expect(() => Reflect.apply(config.stacks, config, [app])).toThrow(
    /no treasury, no domain, no alarms.email .* prod/,
  );
});

test("a test stage takes its USDG, its stocks and their feeds from the file of test chains", () => {
  const own = (digit: string) => `0x${digit.repeat(40)}` as const;
  const stocks = [{ symbol: "AAPL", token: own("3"), feed: own("4") }];
  const deployed = {
    issuer: own("0"),
    usdg: own("1"),
    stockBeacon: own("2"),
    stockImplementation: own("5"),
    stocks,
  };
  const chain = testnetWith(deployed);
  expect(missingIn({ ...settingsOf("jane"), chain })).toEqual(["treasury"]);
  expect(chain).toMatchObject({ id: 46_630, contracts: { usdg: own("1") } });
  expect(chain.stocks).toEqual({
    beacon: own("2"),
    tokens: [own("3")],
    feeds: [{ token: own("3"), feed: own("4") }],
  });
});

test("a stage whose gaps are filled has none, and is made", async () => {
  const fill = (settings: ReturnType<typeof settingsOf>) =>
    ({
      ...settings,
      treasury: wallet,
      domain: { name: "press.test", zoneName: "press.test", zoneId: "Z1" },
      alarms: { email: "somebody@press.test", budgetUsd: 10, modelUsdPerHour: 1 },
    }) as const;
  expect(missingIn(fill(settingsOf("prod")))).toEqual([]);
  const unzoned = { name: "press.test", zoneName: "press.test", zoneId: "Z000000000EXAMPLE" };
  expect(missingIn({ ...fill(settingsOf("prod")), domain: unzoned })).toEqual(["domain"]);
  expect((await synthesize("prod", fill)).size).toBe(6);
});

test("the configuration names the app and the one region that CloudFront's firewall allows", async () => {
  for (const stage of stages) {
    expect(await config.config({ stage })).toEqual({ name: "press-market", region: "us-east-1" });
  }
});
