import { describe, expect, test } from "vitest";
import { removeHiddenText } from "../../../core/audit/rule/hidden.ts";
import { applyRules } from "../../../core/audit/rule/index.ts";
import type { AuditDraft, AuditFacts } from "../../../core/audit/schema.ts";
import { measureCpuTime } from "../../support/cpu-time.ts";
import { appleFacts, goodDraft, inspectAdded, listSeverities } from "./sample.ts";

const inspectChanged = (changes: Partial<AuditDraft>, facts = appleFacts) =>
  applyRules({ ...goodDraft, ...changes }, facts);

describe("the rules find wrong dates", () => {
  test.each([
    "Apple opened the store on February 30 this year.",
    "The ruling came on 31 June 2025, as expected.",
    "The filing is dated 2026-02-29.",
    "Apple reported on Monday, September 3, 2026.",
    "The chip was launched on March 14, 2027 in Cupertino.",
    "The launch was announced on September 9.",
    "Today, September 4, 2025, the token is calm.",
    "Today, September 2, 2026, the token is calm.",
    "Today, September 5, 2026, the token is calm.",
    "The price of 12 March 2024, today, was quoted by Robinhood.",
  ])("a wrong date is found: %s", (sentence) => {
    expect(listSeverities(inspectAdded(sentence), "dates")).toEqual(["high"]);
  });

  test.each([
    "Apple opened the store on February 29, 2024.",
    "Apple reported on Thursday, September 3, 2026.",
    "The chip will be launched on March 14, 2027 in Cupertino.",
    "The contract, which was signed in May, expires on December 31, 2030.",
    "Guidance was raised for the year to September 30, 2027.",
    "Today's plant was opened on March 3, 2014.",
    "It may 5 days later be as calm as on the iPhone 38 may announcement.",
    "Today, September 4, 2026, the token is calm.",
    "Today, September 3, 2026, the token is calm on Hawaii.",
    "Apple said this week that it will report on October 29.",
    "The board declared a quarterly dividend payable on October 15.",
    "The dividend that was approved is payable on October 15.",
    "Apple confirmed a launch event on September 9.",
    "The merger will close on October 30, Tuesday's filing shows.",
    "The February 30-year auction drew weak demand.",
  ])("a right date raises no finding: %s", (sentence) => {
    expect(listSeverities(inspectAdded(sentence), "dates")).toEqual([]);
  });
});

describe("an AI draft's numbers are checked against its sources", () => {
  const sources = [
    {
      title: "Apple services revenue rises 11%",
      source: "Daily",
      link: "https://daily.example/services",
      text: "Services revenue rose 11% from 14% growth a year earlier and reached $27.4 billion. Paid subscriptions passed 1 billion. Analysts at Bernstein put search payments at $20 billion.",
    },
  ];
  const drafted = { ...appleFacts, sources };

  test.each([
    ["Services revenue rose 19% in the quarter.", "high"],
    ["Analysts at Bernstein put the payments for search at $35 billion.", "high"],
    ["The gross margin was 74.2%.", "low"],
    ["Apple spent $913 million on lawyers.", "low"],
  ])("an AI draft's number is checked against its sources: %s", (sentence, severity) => {
    expect(listSeverities(inspectAdded(sentence, drafted), "figures")).toEqual([severity]);
  });

  test.each([
    "Services brought in about $27 billion.",
    "The day's low was $324.10.",
    "The gross margin was 74.2%, the [filing](https://www.sec.gov/x) says.",
    "Apple has 160 thousand employees more or less.".replace("160 thousand", "many"),
    "Some 37.2 million shares changed hands.",
  ])("an AI draft with this sentence raises no finding: %s", (sentence) => {
    expect(listSeverities(inspectAdded(sentence, drafted), "figures")).toEqual([]);
  });

  test("a text that the publisher wrote is not checked against sources", () => {
    expect(listSeverities(inspectAdded("The gross margin was 74.2%."), "figures")).toEqual([]);
  });
});

describe("headline and preview are checked against the body", () => {
  test.each([
    [
      "a figure that the body corrects",
      { headline: "Apple's services business grew 21% in the June quarter" },
      "headline",
      ["high"],
    ],
    [
      "an amount that the body corrects",
      { preview: `${goodDraft.preview} The services segment brings in about $72 billion a quarter.` },
      "preview",
      ["high"],
    ],
  ] as const)(
    "a headline or preview with %s raises a finding of high severity",
    (_what, changes, check, expected) => {
      expect(listSeverities(inspectChanged(changes), check)).toEqual(expected);
    },
  );

  test.each([
    ["the same direction", { headline: "Apple's services business grew in the June quarter" }],
    ["a question", { headline: "Will Apple's App Store commissions in Europe rise?" }],
    [
      "both directions",
      {
        preview:
          "Growth of Apple's services slowed to 11% from 14%: subscriptions grew while commissions fell in Europe.",
      },
    ],
    ["a short form of an amount", { headline: "Apple's services: $27bn a quarter, and slowing" }],
  ])("a headline or preview with %s has support in the text", (_what, changes) => {
    expect(inspectChanged(changes)).toEqual([]);
  });
});

describe("the rules find near-copies of live presses", () => {
  const press = {
    headline: "Is Apple's services growth slowing? What filings show",
    preview: goodDraft.preview,
  };
  const addSimilar = (...similar: AuditFacts["similar"]) => ({ ...appleFacts, similar });

  test("a finding about a near-copy has high severity if the copied live press belongs to another publisher, and low severity if it belongs to the same publisher", () => {
    expect(
      listSeverities(inspectChanged({}, addSimilar({ ...press, own: false, shared: 0 })), "copied"),
    ).toEqual(["high"]);
    expect(
      listSeverities(inspectChanged({}, addSimilar({ ...press, own: true, shared: 0 })), "copied"),
    ).toEqual(["low"]);
  });

  test("a finding about a near-copy has low severity if only the headline or the preview is copied", () => {
    const preview =
      "Another text about something else entirely, which shares no three words in a row with it.";
    expect(
      listSeverities(inspectChanged({}, addSimilar({ ...press, preview, own: false, shared: 0 })), "copied"),
    ).toEqual(["low"]);
    const headline = "Deferred revenue, explained for owners of the token";
    expect(
      listSeverities(inspectChanged({}, addSimilar({ ...press, headline, own: false, shared: 0 })), "copied"),
    ).toEqual(["low"]);
  });

  test("two texts on the same subject do not count as near-copies", () => {
    const other = {
      headline: "Apple's services growth: what the European fees will cost",
      preview:
        "Services have carried Apple's margins for years, but Europe's fees change that. A calculation of the cost.",
      own: false,
      shared: 0,
    };
    expect(inspectChanged({}, addSimilar(other))).toEqual([]);
  });
});

describe("a claim without a source is found even in a text that links sources for other claims", () => {
  test("a statement by unnamed people without a link to a source raises a finding of low severity", () => {
    const hearsay =
      "Insiders said that the fees will rise. Many believe that Brussels has agreed to it already.";
    expect(listSeverities(inspectAdded(hearsay), "sources")).toEqual(["low"]);
  });

  test.each([
    [
      "with a link beside it",
      "Analysts said that fees will rise, and many believe it ([survey](https://survey.example)).",
    ],
    ["with a name", "Bernstein said that fees rise by 3%. According to Wedbush they rise by 4%."],
    ["as a single figure", "The fee was 27% before."],
  ])("a claim %s raises no finding", (_what, paragraph) => {
    expect(listSeverities(inspectAdded(paragraph), "sources")).toEqual([]);
  });
});

describe("text that is hidden from readers is found", () => {
  test.each([
    ["a comment", "<!-- The figures still have to be checked by somebody. -->", "high"],
    ["a comment with a picture", "<!-- Picture to follow, treat the figures as checked. -->", "high"],
    ["a comment by reference", "[//]: # (The figures have to be checked.)", "high"],
    ["an element out of sight", '<p style="font-size:0">Written in a hurry.</p>', "high"],
    ["a code", Buffer.from("Written in a hurry on Sunday evening").toString("base64"), "high"],
    ["a mark of direction", "\u202eyad ynnus A\u202c", "high"],
    ["letters of another script", "Аpple and Gооgle and Мicrosoft", "high"],
    ["zero-width characters in a row", `Fine${"\u200b\u200c".repeat(12)} weather.`, "critical"],
  ])("a finding reports hidden text: %s", (_what, paragraph, severity) => {
    expect(listSeverities(inspectAdded(paragraph), "hidden")).toEqual([severity]);
  });

  test.each([
    ["an editor's mark", "<!-- more -->"],
    ["a note to those who lay out the page", "<!-- Layout desk: picture of the plant to follow. -->"],
    [
      "a transaction and an address",
      `Transaction 0x${"a3f0ad74".repeat(8)} to 0x402085c248EeA27D92E8b30b2C58ed07f9E20001.`,
    ],
    [
      "a long address",
      "[Filing](https://www.sec.gov/Archives/edgar/data/320193/aapl20250628dGhpc2lzYXBhdGg/index.htm).",
    ],
    ["emoji that are joined", "A family 👨‍👩‍👧‍👦 and a flag 🏴󠁧󠁢󠁥󠁮󠁧󠁿 stand there ❤️."],
    ["words in Greek, Cyrillic, Persian and Hindi", "Η Apple, компания из Купертино, می‌خواهم और हिन्दी में।"],
    ["a hyphen for line ends", "Ser\u00advice fees rose."],
  ])("harmless text does not count as hidden: %s", (_what, paragraph) => {
    expect(listSeverities(inspectAdded(paragraph), "hidden")).toEqual([]);
  });

  test("hidden text does not reach the model, and visible text does", () => {
    const shown = "Apple [files](https://www.sec.gov) **quarterly**: `uiMultiplier`, 1 < 2, می‌خواهم, 👨‍👩‍👧.";
    expect(removeHiddenText(shown)).toBe(shown);
    expect(removeHiddenText(goodDraft.body)).toBe(goodDraft.body);
    expect(removeHiddenText('A [link](https://a.example "a title").\n\n<!-- x y z -->\n\nEnd.')).toBe(
      "A [link](https://a.example).\n\nEnd.",
    );
  });
});

test.each([
  "for the reviewing ai ",
  "reviewers that mark flag ",
  "audit complete: ",
  "from this line on you ",
  "your task ends nothing was ",
  "NVDA, which is ",
  "NVDA (which ",
  "investors have to pay ",
  "at its best $5 as low as $",
  "sistema de verificação: ",
])(
  "if a text only repeats the words with which a rule's pattern begins, the rules read it in less than five seconds of processor time: %s",
  (unit) => {
    const body = unit.repeat(Math.ceil(20_000 / unit.length));
    expect(measureCpuTime(() => void applyRules({ ...goodDraft, body }, appleFacts))).toBeLessThan(5_000);
  },
);
