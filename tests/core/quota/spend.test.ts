import { expect, test } from "vitest";
import { openReviewer } from "../../../core/adapter/model/reviewer.ts";
import { AppError } from "../../../core/error.ts";
import type { ModelAnswer, ModelUsage } from "../../../core/port/model.ts";
import { askWithinBudget, type ModelPricing } from "../../../core/quota/index.ts";
import { startPart } from "../../support/provide.ts";
import { startTestTable } from "../../support/table.ts";
import { startStandIn } from "../adapter/models.ts";
import { appleFacts, goodDraft } from "../audit/sample.ts";
import { makeManualClock } from "../press/newsroom.ts";

const makeUsage = (inputTokens: number, outputTokens = 0): ModelUsage => ({
  model: "m",
  inputTokens,
  outputTokens,
  counted: true,
});
/** An input token costs a millionth of a dollar, and an output token three millionths of a dollar. */
const terms: ModelPricing = {
  findPrice: () => ({ input: 0.001, output: 0.003 }),
  dailyUsd: { service: 1, newWallets: 1, wallet: 0.01, newWallet: 0.001 },
};
const makeAnswer = (...usage: readonly ModelUsage[]): ModelAnswer<string> => ({
  value: "ok",
  engine: "e",
  usage,
});
const failure = new AppError("upstream", "model_unavailable", "Down.");

let wallets = 0;
const database = startPart(startTestTable);

async function makeAccount({ published = false, dailyUsd = {} } = {}) {
  const wallet = `0x${(++wallets).toString(16).padStart(40, "0")}`;
  const { table } = database;
  if (published) await table.entities.publisher.put({ wallet, publishedAt: "2026-01-01" }).go();
  const clock = makeManualClock();
  // Each test account causes costs on a separate day, because all accounts share the daily budget of the service.
  clock.pass(wallets * 24 * 3_600_000);
  const ports = { table, clock, modelTerms: { ...terms, dailyUsd: { ...terms.dailyUsd, ...dailyUsd } } };
  const ask = (most: number, asked: ModelAnswer<string>) =>
    askWithinBudget(ports, wallet, [makeUsage(most)], async () => asked);
  const readSpent = async (owner = wallet) => {
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    const { data } = await table.entities.spend.get({ owner, day }).go({ consistent: true });
    return { spent: data?.spent, wasted: data?.wasted };
  };
  return { ports, wallet, clock, ask, readSpent };
}

test("the maximum cost of a model call is reserved first, and later replaced by the cost of the used tokens", async () => {
  const { ports, wallet, readSpent } = await makeAccount();
  const seen: unknown[] = [];
  await askWithinBudget(ports, wallet, [makeUsage(400, 100)], async () => {
    seen.push(await readSpent(), await readSpent("service"), await readSpent("new-wallets"));
    return makeAnswer(makeUsage(100, 10));
  });
  const reserved = { spent: 700, wasted: 0 };
  expect(seen).toEqual([reserved, reserved, reserved]);
  for (const owner of [wallet, "service", "new-wallets"]) {
    expect(await readSpent(owner)).toEqual({ spent: 130, wasted: 0 });
  }
});

test("model calls without a usable answer are not counted for the wallet, even if a call with a usable answer follows", async () => {
  const { ask, readSpent } = await makeAccount();
  await ask(900, makeAnswer(makeUsage(300), makeUsage(200), makeUsage(50)));
  expect(await readSpent()).toEqual({ spent: 50, wasted: 500 });
  await expect(ask(400, { failure, usage: [makeUsage(100)] })).rejects.toBe(failure);
  expect(await readSpent()).toEqual({ spent: 50, wasted: 600 });
  await expect(ask(900, { failure, usage: [] })).rejects.toMatchObject({ code: "model_limit" });
});

test("a model call that could exceed the day's budget is not made until the next day", async () => {
  const { ports, wallet, clock, ask } = await makeAccount();
  await ask(1_000, makeAnswer(makeUsage(600)));
  let asked = 0;
  const askAgain = () =>
    askWithinBudget(ports, wallet, [makeUsage(401)], async () => {
      asked += 1;
      return makeAnswer(makeUsage(1));
    });
  await expect(askAgain()).rejects.toMatchObject({
    kind: "limit",
    code: "model_limit",
    retryAfter: 12 * 3600,
  });
  expect(asked).toBe(0);
  await ask(400, makeAnswer(makeUsage(400)));
  clock.pass(12 * 3_600_000);
  await askAgain();
  expect(asked).toBe(1);
});

test("a review uses at most as many model calls and tokens as the reviewer announced", async () => {
  const models = await startStandIn({ spoil: "no_call" }, { spoil: "no_call" });
  const reviewer = openReviewer(models);
  const request = { draft: goodDraft, facts: appleFacts };
  const most = reviewer.most(request);
  const { usage } = await reviewer.review(request);
  expect(usage).toHaveLength(3);
  expect(usage.map(({ model }) => model)).toEqual(most.map(({ model }) => model));
  for (const [index, { inputTokens, outputTokens }] of usage.entries()) {
    expect(inputTokens).toBeLessThanOrEqual(most[index]?.inputTokens ?? 0);
    expect(outputTokens).toBeLessThanOrEqual(most[index]?.outputTokens ?? 0);
  }
});
