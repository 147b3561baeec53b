import { S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openS3IndexStore } from "../../../core/adapter/search.ts";
import { unlist } from "../../../core/correction/index.ts";
import { fillIndex, search } from "../../../core/search/index.ts";
import { SearchQuery } from "../../../core/search/schema.ts";
import { chooseWords } from "../../../core/search/words.ts";
import { startBucket } from "../../../local/bucket.ts";
import { localAws } from "../../support/aws.ts";
import { startPart } from "../../support/provide.ts";
import { startTestTable } from "../../support/table.ts";
import { makeManualClock, makeMarket, publish, publisher } from "../press/newsroom.ts";

const clock = makeManualClock();
const place = { bucket: "search", file: "presses.db", clock };
const files = new Map<string, Buffer>();
let client: S3Client;

/** Makes new ports for the search, as a new container of the serverless function does. */
const makePorts = () => ({ table: storage.table, clock, index: openS3IndexStore(client, place) });

async function searchPresses(q: string, ports = makePorts(), options: Readonly<Record<string, string>> = {}) {
  const { presses, ...named } = await search(ports, SearchQuery.parse({ q, ...options }));
  return { ids: presses.map(({ pressId }) => pressId), ...named };
}
const findIds = async (q: string, options: Readonly<Record<string, string>> = {}) =>
  (await searchPresses(q, makePorts(), options)).ids;

const storage = startPart(startTestTable);
const bucket = startPart(() =>
  startBucket({
    buckets: {
      search: {
        read: async (key) => files.get(key),
        write: async (key, body) => void files.set(key, body),
      },
    },
  }),
);
beforeAll(async () => {
  client = new S3Client({ endpoint: bucket.endpoint, ...localAws });
  const makeStock = (name: string) => ({
    name: `${name} • Robinhood Token`,
    address: "0x",
    price: 1,
    at: 0,
    week: [1],
  });
  await storage.table.entities.overview
    .put({
      name: "overview",
      stocks: {
        AAPL: makeStock("Apple"),
        NVDA: makeStock("NVIDIA Corporation"),
        GOOGL: makeStock("Alphabet Class A"),
      },
    })
    .go();
  const room = { table: storage.table, clock, market: makeMarket({ now: 300 }) };
  await publish(room, 0);
  clock.pass(1000);
  await publish(room, 1, { stock: "NVDA", headline: "What data centres pay for power" });
  clock.pass(1000);
  await publish(room, 2, { headline: "A café's view of payment margins", publisherName: "Zoë Nestlé" });
  clock.pass(1000);
  await publish(room, 3, { stock: "NVDA", headline: "Chips and the margins of their makers" });
});
afterAll(() => client.destroy());

const both = "from the prepared index and a newer press";

describe.each(["before any index was prepared", both])("%s", (when) => {
  beforeAll(async () => {
    if (when === both) {
      clock.pass(70_000);
      expect(await fillIndex(makePorts())).toEqual({ read: expect.any(Number), isWhole: true });
      const room = { table: storage.table, clock, market: makeMarket({ now: 300 }) };
      await publish(room, 4, { headline: "Adverts pay for everything again" });
    }
  });

  test("presses with the searched words in the headline come before presses with the words in the preview, and each group has the newest press first", async () => {
    expect(await findIds("margins")).toEqual([3, 2, 0]);
    // The word "services" is in every preview.
    expect((await findIds("services")).slice(-4)).toEqual([3, 2, 1, 0]);
    expect(await findIds("chips margins")).toEqual([3]);
    expect(await findIds("chips power")).toEqual([]);
  });

  test("case, accents and word endings make no difference to the search", async () => {
    expect(await findIds("CAFE nestle")).toEqual([2]);
    expect(await findIds("chi mar")).toEqual([3]);
  });

  test("a search finds a company by its ticker, its name or a common name, and offers the company's stock", async () => {
    expect(await findIds("nvda")).toEqual([3, 1]);
    const { ids: ofCompany, stocks } = await searchPresses("nvidia corporation");
    expect([ofCompany, stocks]).toEqual([[3, 1], [{ symbol: "NVDA", name: "NVIDIA Corporation" }]]);
    expect((await searchPresses("google")).stocks).toEqual([{ symbol: "GOOGL", name: "Alphabet Class A" }]);
  });

  test("a search for a byline offers the author", async () => {
    const { authors } = await searchPresses("zoe");
    expect(authors).toEqual([{ address: expect.stringMatching(/^0x[0-9a-f]{40}$/), name: "Zoë Nestlé" }]);
  });

  test("typing errors in a search are corrected, and the answer shows the correction", async () => {
    expect(await searchPresses("nvidai")).toMatchObject({ ids: [3, 1], corrected: "nvidia" });
    expect(await searchPresses("chpis margins")).toMatchObject({ ids: [3], corrected: "chips margins" });
    expect(await searchPresses("qqqqqqq")).toEqual({ ids: [], stocks: [], authors: [] });
  });

  test("a search can be limited to the presses of one stock, also if the stock's ticker contains a dot", async () => {
    expect(await findIds("margins", { stock: "nvda" })).toEqual([3]);
    for (const stock of ["brk.b", "B"]) expect(await findIds("margins", { stock })).toEqual([]);
    expect(await findIds("margins", { limit: "2" })).toEqual([3, 2]);
  });
});

test.each([
  '"',
  '" OR "',
  "*",
  "title:x",
  "NEAR(a b)",
  "%",
  "_",
  "' OR 1=1 --",
  "\u0000",
  "-",
  "a".repeat(200),
])("the search text %j is taken literally and not as a command", async (q) => {
  expect((await searchPresses(q)).ids).toEqual([]);
});

test("presses about a stock with a dot in its ticker, and presses in scripts with accents or vowel signs of their own, are found", async () => {
  const index = makePorts().index.makeIndex(
    ["삼성 실적", "हिन्दी समाचार", "новый отчёт", "ราคาหุ้น"].map((headline, id) => ({
      ...{ id, publishedAt: new Date(id * 1000).toISOString(), headline, preview: "" },
      ...{ publisher, publisherName: "", stock: id === 0 ? "BRK.B" : "B", company: "" },
    })),
  );
  const find = (q: string, stock?: string) =>
    index.find({
      words: chooseWords(q).map((text) => ({ text, isPrefix: false })),
      ...{ inTitle: true, stock, limit: 9 },
    });
  for (const [id, q] of ["삼성", "हिन्दी", "новый", "ราคาหุ้น"].entries())
    expect([q, find(q)]).toEqual([q, [id]]);
  expect([find("brk.b"), find("삼성", "BRK.B"), find("новый", "BRK.B")]).toEqual([[0], [0], []]);
});

test("a new press is found within seconds, and a press that is no longer live is never found", async () => {
  const ports = makePorts();
  expect((await searchPresses("adverts", ports)).ids).toEqual([4]);
  clock.pass(1);
  const { id } = await publish({ table: storage.table, clock, market: makeMarket({ now: 300 }) }, 5, {
    headline: "Adverts, a second look at them",
  });
  clock.pass(5_001);
  expect((await searchPresses("adverts", ports)).ids).toEqual([5, 4]);
  await storage.table.entities.press.patch({ id }).set({ status: "draft" }).go();
  expect((await searchPresses("adverts", ports)).ids).toEqual([4]);
});

test("presses that are unlisted after they were indexed do not take the places of listed presses", async () => {
  const room = { table: storage.table, clock, market: makeMarket({ now: 300 }) };
  await publish(room, 10, { headline: "Ferries wait for the storm" });
  const newer: number[] = [];
  for (const number of [11, 12]) {
    clock.pass(1000);
    newer.push((await publish(room, number, { headline: "Ferries in the storm" })).id);
  }
  clock.pass(70_000);
  await fillIndex(makePorts());
  for (const id of newer) await unlist(room, publisher, { id, unlisted: true });
  expect(await findIds("ferries", { limit: "2" })).toEqual([10]);
  expect(await findIds("ferries", { limit: "1" })).toEqual([10]);
});

test("if there are no new presses, a run of the index job stores nothing; if the index is lost, a run rebuilds it", async () => {
  clock.pass(70_000);
  await fillIndex(makePorts());
  const [before] = files.values();
  await fillIndex(makePorts());
  expect([...files.values()][0]).toBe(before);
  files.clear();
  await fillIndex(makePorts());
  expect(await findIds("margins")).toEqual([3, 2, 0]);
});

test("a search uses the index that it opened at its start, even if a newer index exists", async () => {
  const { index } = makePorts();
  const opened = await index.open();
  const room = { table: storage.table, clock, market: makeMarket({ now: 300 }) };
  await publish(room, 6, { headline: "Dividends that nobody expected this year" });
  clock.pass(70_000);
  await fillIndex(makePorts());
  const words = [{ text: "dividends", isPrefix: false }];
  const wanted = { words, inTitle: true, limit: 1 };
  expect((await index.open())?.find(wanted)).toHaveLength(1);
  expect(opened?.find(wanted)).toEqual([]);
});

test("a press that was unlisted before it was indexed, and is listed again later, can be found from the next day on, at its old position", async () => {
  const room = { table: storage.table, clock, market: makeMarket({ now: 300 }) };
  const { id } = await publish(room, 7, { headline: "Harbours that wait for their ships" });
  await unlist(room, publisher, { id, unlisted: true });
  clock.pass(3_600_000);
  await publish(room, 8, { headline: "Railways that wait for their trains" });
  clock.pass(1);
  await publish(room, 9);
  clock.pass(70_000);
  await fillIndex(makePorts());
  await unlist(room, publisher, { id, unlisted: false });
  clock.pass(86_400_000 - (clock.now() % 86_400_000));
  await fillIndex(makePorts());
  expect(await findIds("wait for their")).toEqual([8, 7]);
});

test("while the index store is unreachable, a container that has loaded no index answers that the search is unavailable", async () => {
  const ports = makePorts();
  await searchPresses("margins", ports);
  const away = new S3Client({ endpoint: "http://127.0.0.1:1", ...localAws, maxAttempts: 1 });
  await expect(
    search({ ...ports, index: openS3IndexStore(away, place) }, SearchQuery.parse({ q: "a" })),
  ).rejects.toMatchObject({ code: "search_unavailable" });
  away.destroy();
});
