import { describe, expect, onTestFinished, test } from "vitest";
import { openFeedNews } from "../../../core/adapter/news.ts";
import { makeModelError } from "../../../core/draft/error.ts";
import { generate, listAngles, loadSources } from "../../../core/draft/index.ts";
import { type Draft, Generated } from "../../../core/draft/schema.ts";
import { save } from "../../../core/press/own.ts";
import { startMarket } from "../../../local/market/index.ts";
import { startPart } from "../../support/provide.ts";
import { alwaysLate, startTestTable } from "../../support/table.ts";
import { makeDraft } from "../press/newsroom.ts";
import { makeGoodDraft, makeNewcomer, makeNewsdesk, makeReport, type NewsDesk } from "./newsdesk.ts";

const apple = { stock: "AAPL" };
const onPrice = { ...apple, angleId: "price" };
const outage = makeModelError(new Error("down"));

test("the sources of a new draft are found even if eventually consistent reads do not show the draft yet", async () => {
  await using late = await startTestTable("embedded", alwaysLate);
  const desk = makeNewsdesk(late.table);
  const wallet = makeNewcomer();
  const { generationId } = await generate(desk, wallet, onPrice);
  expect((await loadSources(desk, wallet, generationId)).length).toBeGreaterThan(0);
});

const storage = startPart(startTestTable);

const readRemaining = async (newsDesk: NewsDesk, wallet: ReturnType<typeof makeNewcomer>) =>
  (await listAngles(newsDesk, wallet, apple)).remaining;

test("a draft about a news report is written from the report's text as the service suggested it, and is stored with this report", async () => {
  const desk = makeNewsdesk(storage.table);
  const wallet = makeNewcomer();
  await listAngles(desk, wallet, apple);
  desk.reports = [{ ...makeReport(2), title: "Something else" }];
  const generated = await generate(desk, wallet, { ...apple, angleId: "h0" });
  expect(Generated.parse(generated)).toEqual({
    generationId: expect.any(Number),
    draft: makeGoodDraft(),
    sources: [
      { title: "Report 1 on suppliers", source: "Example Wire", link: "https://wire.example/1" },
      { title: "AAPL quote", source: "Robinhood", link: "https://robinhood.com/stocks/AAPL" },
    ],
    remaining: 4,
  });
  const [task] = desk.tasks;
  expect(task).toMatchObject({
    stock: { symbol: "AAPL" },
    angle: { id: "h0", title: "Report 1 on suppliers" },
    facts: { quote: { mid: 327.2 } },
    now: "2026-11-20T12:00:00.000Z",
  });
  const { data } = await storage.table.entities.generation
    .get({ wallet, id: generated.generationId })
    .go({ consistent: true });
  expect(data).toMatchObject({
    state: "written",
    stock: "AAPL",
    engine: "answered draft-v0",
    draft: makeGoodDraft(),
    createdAt: "2026-11-20T12:00:00.000Z",
  });
  expect(data).not.toHaveProperty("expiresAt");
  const sources = await loadSources(desk, wallet, generated.generationId);
  expect(sources).toEqual(task?.facts.sources);
  expect(sources[0]?.text).toBe("2026-11-20T11:00:00.000Z: Report 1 on suppliers. Summary 1, on sales.");
  expect(sources[1]?.text).toContain("AAPL is at $327.20 a token");
});

test("if every feed is too slow, drafts are written from the quote", async () => {
  const market = await startMarket();
  onTestFinished(market.stop);
  const feeds = [{ symbol: undefined, url: `${market.endpoint}/news` }];
  const news = openFeedNews(feeds, { agent: "unknown/1.0", timeLimit: 200 });
  const desk = { ...makeNewsdesk(storage.table), news };
  const wallet = makeNewcomer();
  const offered = await listAngles(desk, wallet, apple);
  expect(offered).toMatchObject({ freshNews: false, outage: { code: "news_unavailable" } });
  expect(offered.angles.map(({ id }) => id)).toEqual(["price"]);
  const listSourceNames = async (angleId: string) =>
    (await generate(desk, wallet, { ...apple, angleId })).sources.map(({ source }) => source);
  expect(await listSourceNames("price")).toEqual(["Robinhood"]);
});

test("a draft on the price angle gets the news that may have moved the price, and a draft on the fundamentals angle gets the business reports", async () => {
  const desk = makeNewsdesk(storage.table);
  const wallet = makeNewcomer();
  const idle = { ...makeReport(5, 0.5), title: "A visit to the campus", summary: "It is green." };
  desk.reports = [idle, ...[1, 2, 3, 4].map((number) => makeReport(number))];
  await listAngles(desk, wallet, apple);
  const listLinks = async (angleId: string) =>
    (await generate(desk, wallet, { ...apple, angleId })).sources.map(({ link }) => link);
  expect(await listLinks("price")).toEqual([
    "https://robinhood.com/stocks/AAPL",
    ...[5, 1, 2].map((number) => `https://wire.example/${number}`),
  ]);
  expect(await listLinks("fundamentals")).toEqual([
    ...[1, 2, 3].map((number) => `https://wire.example/${number}`),
    expect.stringContaining("sec.gov"),
    "https://robinhood.com/stocks/AAPL",
  ]);
});

test("the price angle is accepted even if the caller has not listed the angles before, and an angle of another stock or caller is refused", async () => {
  const desk = makeNewsdesk(storage.table);
  const wallet = makeNewcomer();
  await listAngles(desk, wallet, apple);
  const stranger = makeNewcomer();
  expect((await generate(desk, stranger, onPrice)).remaining).toBe(4);
  for (const [caller, stock, angleId] of [
    [stranger, "AAPL", "h0"],
    [wallet, "NVDA", "h0"],
    [wallet, "AAPL", "h1"],
    [wallet, "AAPL", "__proto__"],
    [stranger, "AAPL", "fundamentals"],
  ] as const) {
    await expect(generate(desk, caller, { stock, angleId })).rejects.toMatchObject({
      kind: "input",
      code: "unknown_angle",
    });
  }
  await expect(generate(desk, wallet, { stock: "MOON", angleId: "price" })).rejects.toMatchObject({
    code: "unknown_stock",
  });
  expect(await readRemaining(desk, wallet)).toBe(5);
});

test("if ten drafts are requested at once, exactly five are written, and a sixth is written only after midnight UTC", async () => {
  const desk = makeNewsdesk(storage.table);
  const wallet = makeNewcomer();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, () => generate(desk, wallet, onPrice)),
  );
  const written = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  const refusals = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
  expect(written).toHaveLength(5);
  expect(new Set(written.map(({ generationId }) => generationId)).size).toBe(5);
  for (const refusal of refusals) {
    expect(refusal).toMatchObject({ kind: "limit", code: "generation_limit", retryAfter: 12 * 3600 });
  }
  expect(desk.tasks).toHaveLength(5);
  expect(await readRemaining(desk, wallet)).toBe(0);
  desk.clock.pass(12 * 3_600_000);
  expect((await generate(desk, wallet, onPrice)).remaining).toBe(4);
});

test("if a draft is counted before midnight and fails after midnight, it no longer counts in the quota of the earlier day", async () => {
  const desk = makeNewsdesk(storage.table);
  const wallet = makeNewcomer();
  desk.write = async () => {
    desk.clock.pass(12 * 3_600_000);
    throw outage;
  };
  await expect(generate(desk, wallet, onPrice)).rejects.toBe(outage);
  const { data } = await storage.table.entities.quota.query.byDay({ wallet }).go();
  expect(data).toMatchObject([{ day: "2026-11-20", used: 0 }]);
});

test("a request that crashed no longer counts in the quota after a minute, and a late answer to the request is not counted a second time", async () => {
  const desk = makeNewsdesk(storage.table);
  const wallet = makeNewcomer();
  const late = Promise.withResolvers<Draft>();
  desk.write = () => late.promise;
  const dying = Promise.allSettled(Array.from({ length: 5 }, () => generate(desk, wallet, onPrice)));
  await expect.poll(() => desk.tasks.length).toBe(5);
  desk.write = async () => makeGoodDraft();
  await expect(generate(desk, wallet, onPrice)).rejects.toMatchObject({ code: "generation_limit" });
  desk.clock.pass(60_000);
  expect((await generate(desk, wallet, onPrice)).remaining).toBe(4);
  late.resolve(makeGoodDraft());
  for (const outcome of await dying) {
    expect(outcome).toMatchObject({ status: "rejected", reason: { code: "model_unavailable" } });
  }
  expect(await readRemaining(desk, wallet)).toBe(4);
});

describe("an unusable draft is not stored", () => {
  const twelve = "one two three four five six seven eight nine ten eleven twelve";
  const copying = makeGoodDraft({ body: `${makeGoodDraft().body} They say ${twelve}.` });
  async function makeReadyDesk() {
    const desk = makeNewsdesk(storage.table);
    const wallet = makeNewcomer();
    desk.reports = [{ ...makeReport(1), summary: `Well: ${twelve}!` }];
    await listAngles(desk, wallet, apple);
    return { desk, generated: () => generate(desk, wallet, { ...apple, angleId: "h0" }), wallet };
  }

  test.each([
    ["copies a source", copying, "words in a row are copied from Example Wire"],
    [
      "links what is no source",
      makeGoodDraft({ body: `${makeGoodDraft().body} [x](https://elsewhere.example/1)` }),
      "https://elsewhere.example/1",
    ],
  ])(
    "if a draft is unusable because it %s, the request ends as an outage with the reason and uses up no quota",
    async (_what, bad, reason) => {
      const { desk, generated, wallet } = await makeReadyDesk();
      desk.write = async () => bad;
      await expect(generated()).rejects.toMatchObject({ kind: "upstream", code: "model_unavailable" });
      expect(desk.faults).toEqual([expect.stringContaining(reason)]);
      expect(await readRemaining(desk, wallet)).toBe(5);
    },
  );

  test("a request whose draft would fail our own audit is answered as an outage and uses up no quota", async () => {
    const { desk, generated, wallet } = await makeReadyDesk();
    desk.inspect = (draft) => (draft.body === makeGoodDraft().body ? "The sum is wrong." : undefined);
    await expect(generated()).rejects.toMatchObject({ kind: "upstream", code: "model_unavailable" });
    expect(desk.faults).toEqual(["The sum is wrong."]);
    expect(await readRemaining(desk, wallet)).toBe(5);
  });

  test("a draft that was unusable is requested again within the gateway's time limit", async () => {
    const { desk, generated } = await makeReadyDesk();
    const limits: number[] = [];
    desk.write = async (_task, timeLimit) => {
      limits.push(timeLimit);
      return copying;
    };
    await expect(generated()).rejects.toMatchObject({ code: "model_unavailable" });
    expect(limits).toEqual([24_000]);
  });
});

describe("a save with a generationId marks the draft as AI-assisted", () => {
  async function generateDraft() {
    const desk = makeNewsdesk(storage.table);
    const wallet = makeNewcomer();
    const { generationId } = await generate(desk, wallet, onPrice);
    return { desk, wallet, generationId };
  }
  const readPress = async (id: number) =>
    (await storage.table.entities.press.get({ id }).go({ consistent: true })).data;

  test("a save with a generationId marks the draft as AI-assisted permanently, and a save without a generationId does not remove the mark", async () => {
    const { desk, wallet, generationId } = await generateDraft();
    const { id } = await save(desk, wallet, makeDraft({ generationId }));
    expect(await readPress(id)).toMatchObject({ aiAssisted: true, generationId });
    await save(desk, wallet, makeDraft({ id }));
    expect(await readPress(id)).toMatchObject({ aiAssisted: true, generationId });
  });

  test("a save with a generationId marks a draft that was first saved without a generationId", async () => {
    const { desk, wallet, generationId } = await generateDraft();
    const { id } = await save(desk, wallet, makeDraft());
    expect(await readPress(id)).toMatchObject({ aiAssisted: false });
    await save(desk, wallet, makeDraft({ id, generationId }));
    expect(await readPress(id)).toMatchObject({ aiAssisted: true, generationId });
  });

  test("a save is refused if its generationId belongs to another wallet or stock, or to an unfinished or missing draft", async () => {
    const { desk, wallet, generationId } = await generateDraft();
    const stranger = makeNewcomer();
    const unfinished = Promise.withResolvers<never>();
    desk.write = () => unfinished.promise;
    const writing = expect(generate(desk, wallet, onPrice)).rejects.toBe(outage);
    await expect.poll(() => desk.tasks.length).toBe(2);
    const { data } = await storage.table.entities.generation.query.byWallet({ wallet }).go();
    const writingId = data.find(({ state }) => state === "writing")?.id ?? 0;
    for (const [caller, input] of [
      [stranger, makeDraft({ generationId })],
      [wallet, makeDraft({ generationId, stock: "NVDA" })],
      [wallet, makeDraft({ generationId: writingId })],
      [wallet, makeDraft({ generationId: 987_654 })],
    ] as const) {
      await expect(save(desk, caller, input)).rejects.toMatchObject({
        kind: "input",
        code: "unknown_generation",
      });
      const own = await storage.table.entities.press.query.byPublisher({ publisher: caller }).go();
      expect(own.data).toEqual([]);
    }
    unfinished.reject(outage);
    await writing;
  });
});
