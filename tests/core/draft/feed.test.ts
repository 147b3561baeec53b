import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { makeUserAgent, openFeedNews } from "../../../core/adapter/news.ts";
import { startMarket } from "../../../local/market/index.ts";
import { listen } from "../../../local/stand-in.ts";
import { startPart } from "../../support/provide.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let answer: Answer;
let asked: (string | undefined)[];

const server = startPart(() =>
  listen(
    createServer((request, response) => {
      asked.push(request.url);
      answer(request, response);
    }),
  ),
);
beforeEach(() => {
  asked = [];
});

const agent = makeUserAgent("https://press.example", "desk@press.example");
const makeFeed = (path = "/news") => ({ symbol: undefined, url: `${server.endpoint}${path}` });
const listHeadlines = (symbol = "AAPL") =>
  openFeedNews([makeFeed()], { agent, freshFor: 0 }).listHeadlines(symbol);

/** Reads the news from a feed that consists of the given text. */
async function read(text: string | Buffer, type = "application/rss+xml") {
  answer = (_, response) => response.writeHead(200, { "content-type": type }).end(text);
  return listHeadlines();
}

const makeRss = (items: string, title = "The Feed") =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>${title}</title>${items}</channel></rss>`;
const date = "<pubDate>Fri, 20 Nov 2026 10:00:00 GMT</pubDate>";
const link = "<link>https://wire.example/1</link>";

describe("an RSS feed is read", () => {
  test("an RSS feed yields title, summary, source, link and time of each item", async () => {
    const items = await read(
      makeRss(
        `<item><title>Apple &amp; suppliers</title><link>https://wire.example/1?a=1&amp;b=2</link>${date}<source url="https://wire.example">Wire</source><description>In short.</description></item>
         <item><title>Second</title><guid>https://wire.example/2</guid><dc:date>2026-11-20T09:00:00+02:00</dc:date></item>`,
      ),
    );
    expect(items).toEqual([
      {
        title: "Apple & suppliers",
        summary: "In short.",
        source: "Wire",
        link: "https://wire.example/1?a=1&b=2",
        publishedAt: "2026-11-20T10:00:00.000Z",
      },
      {
        title: "Second",
        summary: "",
        source: "The Feed",
        link: "https://wire.example/2",
        publishedAt: "2026-11-20T07:00:00.000Z",
      },
    ]);
  });

  test.each([
    ["CDATA with HTML", "<![CDATA[A <b>bold</b>&nbsp;move &amp; more]]>", "A bold move & more"],
    ["escaped HTML", "A &lt;i&gt;quiet&lt;/i&gt; move", "A quiet move"],
    [
      "HTML that is escaped twice",
      "&amp;lt;script&amp;gt;alert(1)&amp;lt;/script&amp;gt;Move",
      "alert(1) Move",
    ],
    ["a comment and an attribute with an angle bracket", "A<!-- no > yes --> move", "A move"],
    ["a tag that is never closed", "A move &lt;img src=x onerror=alert(1)", "A move"],
    ["line breaks, control and direction marks", "A\n\tmove&#x202e; on&#x7;", "A move on"],
    ["plain angle brackets and ampersands", "AT&amp;T: 3 &lt; 4", "AT&T: 3 < 4"],
  ])("an RSS title with %s is read as text", async (_what, title, expected) => {
    const [item] = await read(makeRss(`<item><title>${title}</title>${link}${date}</item>`));
    expect(item?.title).toBe(expected);
  });

  test.each([
    ["no date", `<item><title>x</title>${link}</item>`],
    ["a date that is none", `<item><title>x</title>${link}<pubDate>soon</pubDate></item>`],
    ["no title", `<item>${link}${date}<description>x</description></item>`],
    ["a title of nothing but tags", `<item><title>&lt;b&gt;&lt;/b&gt;</title>${link}${date}</item>`],
    ["no link", `<item><title>x</title>${date}<guid isPermaLink="false">17</guid></item>`],
    ["a link that runs code", `<item><title>x</title><link>javascript:alert(1)</link>${date}</item>`],
    [
      "a link of a kilobyte",
      `<item><title>x</title><link>https://a.example/${"x".repeat(1000)}</link>${date}</item>`,
    ],
  ])("an RSS feed leaves out an item with %s", async (_what, item) => {
    const good = `<item><title>good</title>${link}${date}</item>`;
    expect((await read(makeRss(item + good))).map(({ title }) => title)).toEqual(["good"]);
  });

  test("the text of an RSS item is cut to the length that may be cited", async () => {
    const long = "word ".repeat(4_000);
    const [item] = await read(
      makeRss(`<item><title>${long}</title>${link}${date}<description>${long}</description></item>`),
    );
    expect(item?.title.length).toBeLessThanOrEqual(200);
    expect(item?.summary.length).toBeLessThanOrEqual(600);
    expect(item?.summary).toMatch(/^word .* word…$/);
  });

  test("an RSS feed without items yields no news", async () => {
    expect(await read(makeRss(""))).toEqual([]);
  });
});

test("an Atom feed with any namespace prefix yields its entries, each with its alternate link, even if the link is relative", async () => {
  const makeEntries = (a: string) =>
    `<${a}entry><${a}title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">A <b>bold</b> move</div></${a}title>
     <${a}link rel="self" href="https://wire.example/self"/><${a}link href="/story/1"/>
     <${a}updated>2026-11-20T09:00:00Z</${a}updated><${a}summary type="html">&lt;p&gt;In short.</${a}summary>
     <${a}source><${a}title>Elsewhere</${a}title></${a}source></${a}entry>`;
  const expected = [
    {
      title: "A bold move",
      summary: "In short.",
      source: "Elsewhere",
      link: `${server.endpoint}/story/1`,
      publishedAt: "2026-11-20T09:00:00.000Z",
    },
  ];
  const plain = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Feed</title>${makeEntries("")}</feed>`;
  const prefixed = `<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title>Feed</a:title>${makeEntries("a:")}</a:feed>`;
  expect(await read(plain, "application/atom+xml")).toEqual(expected);
  expect(await read(prefixed, "text/plain")).toEqual(expected);
});

test("an RSS 1.0 feed yields its items", async () => {
  const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>R</title></channel><item><title>One</title>${link}<dc:date>2026-11-20T09:00:00Z</dc:date></item></rdf:RDF>`;
  expect(await read(rdf)).toMatchObject([{ title: "One", source: "R" }]);
});

test.each([
  ["the header", "text/xml; charset=iso-8859-1", ""],
  ["the XML declaration", "text/xml", ' encoding="ISO-8859-1"'],
])("the character set of %s is respected", async (_what, type, encoding) => {
  const text = `<?xml version="1.0"${encoding}?><rss version="2.0"><channel><title>F</title><item><title>Nestlé</title>${link}${date}</item></channel></rss>`;
  expect(await read(Buffer.from(text, "latin1"), type)).toMatchObject([{ title: "Nestlé" }]);
});

const makeEntityFeed = (entities: string) =>
  `<?xml version="1.0"?><!DOCTYPE rss [${entities}]>${makeRss(`<item><title>&x;</title>${link}${date}</item>`).slice(21)}`;

test.each<[string, string | Buffer]>([
  ["declares an entity of a file", makeEntityFeed('<!ENTITY x SYSTEM "file:///etc/hostname">')],
  ["is HTML", "<!doctype html><html><body>Not found</body></html>"],
  ["is cut off", makeRss(`<item><title>x</title>${link}`).slice(0, -30)],
  ["is empty", ""],
  [
    "is larger than a megabyte",
    makeRss(`<item><title>${"x".repeat(1_100_000)}</title>${link}${date}</item>`),
  ],
  ["is of no known character set", Buffer.from('<?xml version="1.0" encoding="klingon"?><rss/>')],
])("a news feed that %s counts as an outage", async (_what, text) => {
  await expect(read(text)).rejects.toMatchObject({ kind: "upstream", code: "news_unavailable" });
});

test("entities that a feed declares are not expanded, and very deeply nested tags yield no item", async () => {
  const laughs = '<!ENTITY l "lol"><!ENTITY x "&l;&l;&l;&l;">';
  expect(await read(makeEntityFeed(laughs))).toMatchObject([{ title: "&x;" }]);
  expect(await read(makeRss(`<item><title>${"<a>".repeat(100_000)}</title>${link}${date}</item>`))).toEqual(
    [],
  );
});

test("a read of a news feed fails if the feed is larger than a megabyte", async () => {
  const gone = Promise.withResolvers<void>();
  answer = (_, response) => {
    response.writeHead(200).once("close", () => gone.resolve());
    const writeMore = () => {
      while (!response.destroyed && response.write("x".repeat(65_536)));
    };
    response.on("drain", writeMore);
    writeMore();
  };
  await expect(listHeadlines()).rejects.toMatchObject({ code: "news_unavailable" });
  await gone.promise;
});

test("a feed whose server refuses the request or cannot be reached counts as an outage", async () => {
  answer = (_, response) => response.writeHead(429).end("slow down");
  await expect(listHeadlines()).rejects.toMatchObject({ code: "news_unavailable" });
  const nowhere = openFeedNews([{ symbol: undefined, url: "http://127.0.0.1:1/news" }], { agent });
  await expect(nowhere.listHeadlines("AAPL")).rejects.toMatchObject({ code: "news_unavailable" });
});

describe("the news about a ticker is read from several feeds", () => {
  beforeEach(() => {
    answer = ({ url }, response) =>
      url?.includes("broken") === true
        ? response.writeHead(500).end()
        : response.end(makeRss(`<item><title>${url?.replace("&", "+")}</title>${link}${date}</item>`));
  });

  test("the ticker replaces {symbol} in a feed's address or is added to the path; the address of a feed for one ticker stays unchanged", async () => {
    const news = openFeedNews(
      [
        makeFeed("/all/?key=1"),
        makeFeed("/rss?s={symbol}&l=en"),
        { symbol: "AAPL", url: `${server.endpoint}/apple.xml` },
        { symbol: "NVDA", url: `${server.endpoint}/nvidia.xml` },
      ],
      { agent },
    );
    await news.listHeadlines("AAPL");
    expect(asked.toSorted()).toEqual(["/all/AAPL?key=1", "/apple.xml", "/rss?s=AAPL&l=en"]);
  });

  test("feeds that fail are left out if another feed answers", async () => {
    const found = await openFeedNews([makeFeed("/broken"), makeFeed("/good")], { agent }).listHeadlines(
      "AAPL",
    );
    expect(found.map(({ title }) => title)).toEqual(["/good/AAPL"]);
  });

  test("requests to feeds carry a user agent with the service's name, its address and a contact", async () => {
    let told: string | undefined;
    answer = ({ headers }, response) => {
      told = headers["user-agent"];
      response.end(makeRss(""));
    };
    await listHeadlines();
    expect(told).toBe(
      "Mozilla/5.0 (compatible; press-market/1.0; +https://press.example/; desk@press.example)",
    );
    expect(makeUserAgent(undefined, undefined)).toBe("Mozilla/5.0 (compatible; press-market/1.0)");
  });

  test("feeds that answer too slowly are skipped, logged, and not asked again for a minute", async () => {
    answer = ({ url = "" }, response) => {
      if (!url.startsWith("/silent"))
        response.end(makeRss(`<item><title>${url}</title>${link}${date}</item>`));
    };
    const warnings: unknown[] = [];
    const log = { warn: (event: string, fields: object) => warnings.push({ event, ...fields }) };
    const news = openFeedNews([makeFeed("/silent"), makeFeed("/good")], { agent, log, timeLimit: 200 });
    const listTitles = async (symbol: string) => (await news.listHeadlines(symbol)).map(({ title }) => title);
    expect(await listTitles("AAPL")).toEqual(["/good/AAPL"]);
    expect(await listTitles("NVDA")).toEqual(["/good/NVDA"]);
    expect(asked.toSorted()).toEqual(["/good/AAPL", "/good/NVDA", "/silent/AAPL"]);
    expect(warnings).toEqual([
      {
        event: "news_feed_failed",
        host: new URL(server.endpoint).host,
        symbol: "AAPL",
        error: expect.any(Error),
      },
    ]);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    await listTitles("TSLA");
    expect(asked).toContain("/silent/TSLA");
  });

  test("feeds without news on a ticker yield an empty list, not an outage", async () => {
    const news = openFeedNews([{ symbol: "NVDA", url: `${server.endpoint}/nvidia.xml` }], { agent });
    expect(await news.listHeadlines("AAPL")).toEqual([]);
  });

  test("feeds that have answered about a ticker are not asked about the ticker again for a while, and feeds that have failed are asked again at once", async () => {
    const news = openFeedNews([makeFeed("/good")], { agent });
    await news.listHeadlines("AAPL");
    await news.listHeadlines("AAPL");
    await news.listHeadlines("NVDA");
    expect(asked).toEqual(["/good/AAPL", "/good/NVDA"]);
    const failing = openFeedNews([makeFeed("/broken")], { agent });
    await expect(failing.listHeadlines("AAPL")).rejects.toThrow();
    await expect(failing.listHeadlines("AAPL")).rejects.toThrow();
    expect(asked).toHaveLength(4);
  });
});

test("current reports are read from the SEC's feed", async () => {
  const filing =
    "https://www.sec.gov/Archives/edgar/data/320193/000032019326000123/0000320193-26-000123-index.htm";
  const items = "&lt;b&gt;Filed:&lt;/b&gt; 2026-11-19 &lt;br&gt;Item 2.02: Results of Operations";
  const atom = `<?xml version="1.0" encoding="ISO-8859-1" ?><feed xmlns="http://www.w3.org/2005/Atom"><author><email>webmaster@sec.gov</email><name>Webmaster</name></author><company-info><cik>0000320193</cik></company-info><entry><category label="form type" scheme="https://www.sec.gov/" term="8-K"/><content type="text/xml"><filing-date>2026-11-19</filing-date><filing-href>${filing}</filing-href></content><id>urn:tag:sec.gov,2008:accession-number=0000320193-26-000123</id><link href="${filing}" rel="alternate" type="text/html"/><summary type="html"> ${items}</summary><title>8-K  - Current report</title><updated>2026-11-19T16:30:40-05:00</updated></entry><id>https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany</id><title>Apple Inc.  (0000320193)</title><updated>2026-11-19T16:30:40-05:00</updated></feed>`;
  expect(await read(Buffer.from(atom, "latin1"), "application/atom+xml")).toEqual([
    {
      title: "8-K - Current report",
      summary: "Filed: 2026-11-19 Item 2.02: Results of Operations",
      source: "Apple Inc. (0000320193)",
      link: filing,
      publishedAt: "2026-11-19T21:30:40.000Z",
    },
  ]);
});

test("the feed of the local stand-in is read", async () => {
  const market = await startMarket({ clock: () => Date.parse("2026-11-20T12:00:00Z") });
  try {
    const found = await openFeedNews([{ symbol: undefined, url: `${market.endpoint}/news` }], {
      agent,
    }).listHeadlines("AAPL");
    expect(found).toHaveLength(10);
    expect(found[0]).toMatchObject({
      title: expect.stringMatching(/^Apple /),
      publishedAt: "2026-11-20T07:00:00.000Z",
    });
    expect(found[0]?.summary).toMatch(/^Fictional: Apple [^<>]*\.$/);
  } finally {
    await market.stop();
  }
});
