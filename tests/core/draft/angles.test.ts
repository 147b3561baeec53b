import { expect, test } from "vitest";
import { listAngles } from "../../../core/draft/index.ts";
import { startPart } from "../../support/provide.ts";
import { startTestTable } from "../../support/table.ts";
import { makeNewcomer, makeNewsdesk, makeReport } from "./newsdesk.ts";

const storage = startPart(startTestTable);

const apple = { stock: "AAPL" };

test("an angle's detail is our own text, and quotes nothing from the report's summary", async () => {
  const desk = makeNewsdesk(storage.table);
  desk.reports = [{ ...makeReport(1), summary: "Their own words about the matter." }];
  expect(JSON.stringify(await listAngles(desk, makeNewcomer(), apple))).not.toContain("Their own words");
});

test("the five latest reports are offered as angles, newest first, and no link or title appears twice", async () => {
  const desk = makeNewsdesk(storage.table);
  const twin = { ...makeReport(9, 0.5), title: "REPORT 2 on suppliers" };
  desk.reports = [4, 2, 6, 1, 3, 5].map((number) => makeReport(number)).concat(twin, makeReport(1, 30));
  const { angles: offered } = await listAngles(desk, makeNewcomer(), apple);
  const links = offered.flatMap((angle) => (angle.kind === "headline" ? [angle.link] : []));
  expect(links).toEqual([9, 1, 3, 4, 5].map((number) => `https://wire.example/${number}`));
  expect(offered.map(({ id }) => id)).toEqual(["h0", "h1", "h2", "h3", "h4", "price", "fundamentals"]);
});

test.each([
  ["47 hours old is fresh", 47, true, 1],
  ["49 hours old is not, but can be written about", 49, false, 1],
  ["a week old is no angle any more", 169, false, 0],
  ["two days in the future has a wrong date", -48, false, 0],
])(
  "a news report is offered as an angle only while it is recent: a report that is %s",
  async (_what, hoursAgo, freshNews, count) => {
    const desk = makeNewsdesk(storage.table);
    desk.reports = [makeReport(1, hoursAgo)];
    const offered = await listAngles(desk, makeNewcomer(), apple);
    expect(offered.freshNews).toBe(freshNews);
    expect(offered.angles.filter(({ kind }) => kind === "headline")).toHaveLength(count);
  },
);

test("a report dated in the future counts as published now", async () => {
  const desk = makeNewsdesk(storage.table);
  desk.reports = [makeReport(1, -3)];
  const [first] = (await listAngles(desk, makeNewcomer(), apple)).angles;
  expect(first).toMatchObject({ publishedAt: "2026-11-20T12:00:00.000Z" });
});

test("when the news source is down, the price angle is still offered, and the outage is logged", async () => {
  const desk = makeNewsdesk(storage.table);
  desk.reports = undefined;
  const offered = await listAngles(desk, makeNewcomer(), apple);
  expect(offered.angles.map(({ id }) => id)).toEqual(["price"]);
  expect(offered).toMatchObject({ freshNews: false, outage: { code: "news_unavailable" } });
});

test("the fundamentals angle is not offered if there are no business reports", async () => {
  const desk = makeNewsdesk(storage.table);
  desk.reports = [{ ...makeReport(1), title: "A visit to the campus", summary: "It is green." }];
  const offered = await listAngles(desk, makeNewcomer(), apple);
  expect(offered.angles.map(({ id }) => id)).toEqual(["h0", "price"]);
});

test("the news angles are still offered if no price is known", async () => {
  const desk = makeNewsdesk(storage.table);
  desk.mid.now = undefined;
  const offered = await listAngles(desk, makeNewcomer(), { stock: "NVDA" });
  expect(offered.angles.map(({ id }) => id)).toEqual(["h0", "fundamentals"]);
});

test("an unknown stock is refused", async () => {
  await expect(
    listAngles(makeNewsdesk(storage.table), makeNewcomer(), { stock: "MOON" }),
  ).rejects.toMatchObject({
    kind: "input",
    code: "unknown_stock",
  });
});

test("an angle keeps its id and its wording while newer angles arrive, until a day after the angle was last shown", async () => {
  const desk = makeNewsdesk(storage.table);
  const wallet = makeNewcomer();
  const listHeadlineAngles = async () =>
    (await listAngles(desk, wallet, apple)).angles.flatMap((angle) =>
      angle.kind === "headline" ? [`${angle.id} ${angle.title}`] : [],
    );
  expect(await listHeadlineAngles()).toEqual(["h0 Report 1 on suppliers"]);
  desk.reports = [makeReport(2, 0), { ...makeReport(1), title: "Report 1, corrected" }];
  expect(await listHeadlineAngles()).toEqual(["h1 Report 2 on suppliers", "h0 Report 1 on suppliers"]);
  desk.reports = [makeReport(3, 0)];
  expect(await listHeadlineAngles()).toEqual(["h2 Report 3 on suppliers"]);
  desk.reports = [makeReport(1)];
  expect(await listHeadlineAngles()).toEqual(["h0 Report 1 on suppliers"]);
  desk.clock.pass(25 * 3_600_000);
  desk.reports = [makeReport(4, 0), makeReport(1)];
  expect(await listHeadlineAngles()).toEqual(["h0 Report 4 on suppliers", "h1 Report 1 on suppliers"]);
});

test("concurrent requests get the same id for the same report", async () => {
  const desk = makeNewsdesk(storage.table);
  const wallet = makeNewcomer();
  const offers = [1, 2, 3, 4].map((number) => {
    const own = { ...desk, news: { listHeadlines: async () => [makeReport(number), makeReport(9)] } };
    return listAngles(own, wallet, apple);
  });
  const shown = (await Promise.all(offers)).flatMap(({ angles: offered }) =>
    offered.flatMap((angle) => (angle.kind === "headline" ? [[angle.id, angle.link] as const] : [])),
  );
  const byId = new Map(shown);
  expect(byId.size).toBe(5);
  for (const [id, link] of shown) expect(byId.get(id)).toBe(link);
});
