import { readFileSync } from "node:fs";
import { decodeHTML } from "entities";
import fc from "fast-check";
import { expect, test } from "vitest";
import { makePage, toOneLine } from "../../../core/page/make.ts";
import { parseRsl } from "../discovery/rsl.ts";
import { makePageFacts, makeSiteTemplate, settings } from "./site.ts";

const source = readFileSync(new URL("../../../web/index.html", import.meta.url), "utf8");
const page = makePage(source, makePageFacts(), settings);
const url = "https://news.example/press/apple-s-margins-widen-again-1";

/** The names of all tags of a document. */
function listTags(html: string): readonly string[] {
  return [...html.matchAll(/<(\/?[a-z!][\w-]*)(?:"[^"]*"|'[^']*'|[^>"'])*>/gi)].map(([, name = ""]) => name);
}

/** Returns the content of the meta element with this name or property. Fails unless exactly one meta element has this name or property. */
function readMeta(html: string, name: string): string {
  const found = [...html.matchAll(new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`, "g"))];
  expect([name, found.length]).toEqual([name, 1]);
  return decodeHTML(found[0]?.[1] ?? "");
}

function readJsonLd(html: string): unknown {
  const [, json = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json);
}

test("the page of a press is the site's document with the title and description of the press", () => {
  expect(page.match(/<title>.*<\/title>/g)).toEqual([
    "<title>Apple&apos;s margins widen again · Press Market</title>",
  ]);
  expect(readMeta(page, "description")).toMatch(/^What the last quarter/);
  for (const line of source.split("\n")) {
    if (!/<title>|name="description"|id="root"/.test(line)) expect(page).toContain(line);
  }
});

test("the page of a press has a canonical address, Open Graph and a Twitter card", () => {
  expect(page).toContain(`<link rel="canonical" href="${url}">`);
  expect(readMeta(page, "og:title")).toBe("Apple's margins widen again");
  expect(readMeta(page, "og:type")).toBe("article");
  expect(readMeta(page, "og:url")).toBe(url);
  expect(readMeta(page, "og:site_name")).toBe("Press Market");
  expect(readMeta(page, "og:image")).toBe("https://news.example/cards/apple-s-margins-widen-again-1.png");
  expect(readMeta(page, "og:description")).toBe(makePageFacts().preview);
  expect(readMeta(page, "article:published_time")).toBe("2026-11-20T12:00:00.000Z");
  expect(readMeta(page, "twitter:card")).toBe("summary_large_image");
  expect(readMeta(page, "twitter:title")).toBe("Apple's margins widen again");
});

test("the page of a press does not repeat the site's own tags for link previews", () => {
  const shared = source.replace(
    "  </head>",
    [
      `    <meta property="og:title" content="Site">`,
      `    <meta content='Site' name="twitter:card">`,
      `    <link href="/" rel="canonical">`,
      "  </head>",
    ].join("\n"),
  );
  expect(makePage(shared, makePageFacts(), settings)).toBe(page);
});

test("the page contains a NewsArticle in JSON-LD, which tells search engines that the text is paid", () => {
  expect(readJsonLd(page)).toMatchObject({
    "@context": "https://schema.org",
    "@type": "NewsArticle",
    headline: "Apple's margins widen again",
    url,
    datePublished: "2026-11-20T12:00:00.000Z",
    author: { name: "Margin Notes", identifier: "eip155:4663:0x00000000000000000000000000000000000000a1" },
    publisher: { name: "Press Market", url: "https://news.example" },
    isAccessibleForFree: false,
    hasPart: { "@type": "WebPageElement", isAccessibleForFree: false, cssSelector: ".paywall" },
    license: "https://news.example/license.xml",
    usageInfo: "https://news.example/terms",
    acquireLicensePage: url,
    creditText: "Margin Notes, Press Market",
    offers: { "@type": "Offer", url, price: "1.50", priceCurrency: "USD" },
  });
  expect(page.match(/class="paywall"/g)).toHaveLength(1);
});

test("the page contains the licence and the price of the press in two machine-readable forms, RSL and a CoMP package", () => {
  expect(page).toContain(
    '<link rel="license" type="application/rsl+xml" href="https://news.example/license.xml">',
  );
  const [, rsl = ""] = /<script type="application\/rsl\+xml">(.*?)<\/script>/s.exec(page) ?? [];
  const [offered] = parseRsl(rsl);
  expect(offered).toMatchObject({ url, terms: "https://news.example/terms" });
  expect(offered?.offers[1]).toEqual({
    permits: ["ai-input"],
    prohibits: ["ai-train"],
    payment: {
      type: "purchase",
      amount: { currency: "USD", decimal: "1.50" },
      custom: "https://news.example/llms.txt",
    },
  });
  const [, comp = ""] =
    /<script type="application\/json" id="comp-package">(.*?)<\/script>/s.exec(page) ?? [];
  expect(JSON.parse(comp)).toMatchObject({
    package: {
      id: makePageFacts().slug,
      seller: "news.example",
      licenseurl: "https://news.example/license.xml",
      citation: 1,
      scope: {
        pricetype: 3,
        unitprice: 1.5,
        cur: "USD",
        text: [{ author: ["Margin Notes"], sourcetype: 2 }],
      },
      retrieval: { auth: 4, endpoint: `https://news.example/api/presses/${makePageFacts().slug}`, type: [2] },
    },
  });
});

test("a browser without scripts shows the preview, its disclosures and the price", () => {
  const [, root = ""] = /<div id="root">(.*?)<\/div>/s.exec(page) ?? [];
  const text = decodeHTML(root.replace(/<[^>]+>/g, " ").replace(/\s+/g, " "));
  expect(text).toContain("Apple's margins widen again");
  expect(text).toMatch(/By Margin Notes · AAPL · November 20, 2026 · 3 min read/);
  expect(text).toContain(makePageFacts().preview);
  expect(text).toContain(
    "Audit score: 88 of 100. The article began as an AI draft. The author held AAPL when the article was audited.",
  );
  expect(text).toContain("unlocked for 1.50 USDG");
  expect(text).toContain("Nothing published here is investment advice.");
});

test("corrections appear above the preview; the page of a press that is no longer sold states this fact and is not indexed", () => {
  const corrections = [
    { at: "2026-11-21T09:00:00.000Z", text: "The margin was <44> percent." },
    { at: "2026-11-22T09:00:00.000Z", text: "The quarter ended in June." },
  ];
  const unlistedAt = "2026-11-23T09:00:00.000Z";
  const corrected = makePage(source, makePageFacts({ corrections, unlistedAt }), settings);
  const [, root = ""] = /<div id="root">(.*?)<\/div>/s.exec(corrected) ?? [];
  const text = decodeHTML(root.replace(/<[^>]+>/g, " ").replace(/\s+/g, " "));
  expect(text).toMatch(
    /Correction, November 22, 2026: The quarter ended in June\. Correction, November 21, 2026: The margin was <44> percent\. What the last/,
  );
  expect(text).toContain("The author has taken this article off sale.");
  expect(text).not.toContain("USDG");
  expect(corrected).toContain('<meta name="robots" content="noindex">');
  expect(page).not.toContain('name="robots"');
  expect(readJsonLd(corrected)).toMatchObject({
    dateModified: "2026-11-22T09:00:00.000Z",
    correction: [{ "@type": "CorrectionComment", text: "The margin was <44> percent." }, {}],
    offers: { availability: "https://schema.org/Discontinued" },
  });
});

test("the page of a press without disclosures shows no disclosures", () => {
  const plain = makePage(source, makePageFacts({ aiAssisted: false, publisherHolds: false }), settings);
  expect(plain).not.toMatch(/AI draft|held AAPL/);
});

test.each([
  ["10000", "0.01"],
  ["1", "0.000001"],
  ["1000000000", "1000.00"],
  ["1234500", "1.2345"],
])("an amount of %s base units is %s USDG", (priceUnits, price) => {
  expect(makePage(source, makePageFacts({ priceUnits }), settings)).toContain(`unlocked for ${price} USDG`);
});

test("empty lines of a preview separate its paragraphs", () => {
  const parted = makePage(source, makePageFacts({ preview: "One\nline.\r\n \r\nTwo & more." }), settings);
  expect(parted).toContain('<p dir="auto">One line.</p>\n<p dir="auto">Two &amp; more.</p>');
  expect(readMeta(parted, "og:description")).toBe("One line. Two & more.");
});

const hostile = [
  `"><script>alert(1)</script>`,
  `</script><script>alert(1)</script><!--`,
  `<!--<script>`,
  `</title><img src=x onerror=alert(1)>`,
  `' onmouseover='alert(1)`,
  `</div></body></html>`,
  "$&$'$`$1 $$",
  "&lt;script&gt;&#60;script&#62;",
  "]]>\u2028\u2029\u0000\u001b\u202e",
  "</SCRIPT\n>",
];

test.each(hostile)("%j in a headline, a preview or a byline stays plain text", (text) => {
  const attacked = makePage(
    source,
    makePageFacts({ headline: text, preview: text, publisherName: text, stock: text }),
    settings,
  );
  expect(listTags(attacked)).toEqual(listTags(page));
  expect(readMeta(attacked, "og:title")).toBe(toOneLine(text));
  expect(readJsonLd(attacked)).toMatchObject({
    headline: toOneLine(text),
    author: { name: toOneLine(text) },
  });
});

test("no text of a publisher can add a tag to the page, and every text is shown unchanged", () => {
  const characters = fc.constantFrom(..."<>&\"'=/!-$`\\ \n\u0000\u202escript", "</script", "<!--", "&#x3c;");
  const text = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.array(characters).map((all) => all.join("")),
  );
  fc.assert(
    fc.property(text, text, text, (headline, preview, publisherName) => {
      const one = { headline: `x${headline}`, preview: `x${preview}`, publisherName: `x${publisherName}` };
      const made = makePage(makeSiteTemplate("one"), makePageFacts(one), settings);
      const paragraph = /<p dir="auto">/g;
      const several = made.match(paragraph)?.length ?? 0;
      const expected = listTags(
        makePage(makeSiteTemplate("one"), makePageFacts({ preview: "x\n\n".repeat(several) }), settings),
      );
      expect(listTags(made)).toEqual(expected);
      expect(readMeta(made, "og:title")).toBe(toOneLine(one.headline));
      expect(readMeta(made, "description")).toBe(toOneLine(one.preview));
      expect(readJsonLd(made)).toMatchObject({ headline: toOneLine(one.headline) });
    }),
    { numRuns: 300 },
  );
});

test("bidirectional marks and control characters do not reach the page", () => {
  const turned = makePage(
    source,
    makePageFacts({ headline: "Up \u202eDown\u0007", preview: "A\u2066b" }),
    settings,
  );
  for (const mark of ["\u202e", "\u0007", "\u2066"]) expect(turned).not.toContain(mark);
});

test.each([
  ["without a head's end", '<html><body><div id="root"></div></body></html>', "</head>"],
  ["without an empty root", '<html><head></head><body><div id="app"></div></body></html>', "root"],
  ["whose root is taken", '<html><head></head><body><div id="root"><p></p></div></body></html>', "root"],
])("a site document %s is refused as a template", (_, html, missing) => {
  expect(() => makePage(html, makePageFacts(), settings)).toThrow(missing);
});
