import { parseRssFeed } from "feedsmith";
import { beforeAll, describe, expect, test } from "vitest";
import { makeFeed } from "../../../core/discovery/index.ts";
import { startPart } from "../../support/provide.ts";
import { startTestTable } from "../../support/table.ts";
import { makeDraft, makeManualClock, makeMarket, publish, readPress } from "../press/newsroom.ts";
import { settings } from "../session/settings.ts";

/** A text with markup, an entity, the end of a CDATA section, and characters that XML forbids. */
const hostile =
  "<script>alert(1)</script> & &amp; ]]> \u0001\u000b \ud83d\udcc8 fills the eighty characters of a preview";

const storage = startPart(startTestTable);
beforeAll(async () => {
  const room = { table: storage.table, clock: makeManualClock(), market: makeMarket({ now: 300 }) };
  const { id } = await publish(room, 0, { headline: "Margins, part 0", stock: "NVDA" });
  const { press } = storage.table.entities;
  const first = await readPress(storage.table, id);
  const copies = Array.from({ length: 51 }, (_, index) => {
    const part = index + 1;
    const stock = part % 10 === 0 ? "NVDA" : "AAPL";
    const slug = `margins-part-${part}-${(id + part).toString(36)}`;
    const publishedAt = new Date(room.clock.now() + part * 2 * 60 * 60 * 1000).toISOString();
    const own = { id: id + part, pressId: part, slug, stock, stockShelf: stock, publishedAt };
    const headline = `Margins, part ${part}`;
    const last = { headline: "Margins & <b>more</b> ]]>", preview: hostile };
    return { ...first, ...own, headline, ...(part === 51 && last) };
  });
  await press.put(copies).go();
});

const read = async (stock?: string) => makeFeed({ table: storage.table, settings }, { stock });

describe("the RSS feed shows the newest live presses", () => {
  test("the feed contains the newest 50 live presses, newest first, with the fields that readers may see without payment", async () => {
    const { items = [], ...channel } = parseRssFeed(await read());
    expect(channel).toMatchObject({
      title: "Press Market",
      link: "https://news.example.com/",
      language: "en",
      lastBuildDate: "Tue, 24 Nov 2026 18:00:00 GMT",
      atom: {
        links: [{ rel: "self", href: "https://news.example.com/feed.xml", type: "application/rss+xml" }],
      },
    });
    expect(items).toHaveLength(50);
    expect(items[1]).toEqual({
      title: "Margins, part 50",
      // The link of a press in a feed has a parameter by which the service counts views from feeds. The press's permanent URL lacks the
      // parameter by which views from feeds are counted.
      link: "https://news.example.com/press/margins-part-50-1f?from=feed",
      description: makeDraft().preview,
      guid: { value: "https://news.example.com/press/margins-part-50-1f", isPermaLink: true },
      pubDate: "Tue, 24 Nov 2026 16:00:00 GMT",
      categories: [{ name: "NVDA" }],
      dc: { creators: ["Margin Notes"] },
      media: {
        thumbnails: [
          { url: "https://news.example.com/cards/margins-part-50-1f.png", width: 1200, height: 630 },
        ],
      },
    });
    expect(items.at(-1)?.title).toBe("Margins, part 2");
  });

  test("the feed of a stock contains only that stock's presses, and states the feed's own address", async () => {
    const { items = [], title, atom } = parseRssFeed(await read("NVDA"));
    expect(title).toBe("Press Market: NVDA");
    expect(items.map(({ guid }) => guid?.value?.split("-").at(-2))).toEqual([
      "50",
      "40",
      "30",
      "20",
      "10",
      "0",
    ]);
    expect(atom?.links?.[0]?.href).toBe("https://news.example.com/feed.xml?stock=NVDA");
  });

  test("the feed is valid even if there is no press", async () => {
    const { items, title } = parseRssFeed(await read("MOON"));
    expect({ items, title }).toEqual({ items: undefined, title: "Press Market: MOON" });
  });

  test("the feed stays well-formed and harmless, whatever a publisher writes", async () => {
    const text = await read();
    const [newest] = parseRssFeed(text).items ?? [];
    expect(newest?.title).toBe("Margins & <b>more</b> ]]>");
    // Feed readers treat the text of an entry as HTML, so the feed must escape the text to show what the publisher wrote.
    expect(newest?.description).toBe(
      "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &amp;amp; ]]&gt;  \ud83d\udcc8 fills the eighty characters of a preview",
    );
    for (const unprintable of ["\u0001", "\u000b"]) expect(text).not.toContain(unprintable);
  });
});
