import { describe, expect, test } from "vitest";
import { outlets } from "../../../core/audit/rule/outlets.ts";
import { appleFacts, goodDraft } from "./sample.ts";

function listDetails(body: string): readonly string[] {
  return outlets.find({ ...goodDraft, preview: "", body }, appleFacts).map(({ detail }) => detail);
}

describe("a link that names a news outlet but leads to another host is a finding", () => {
  test.each([
    ["in the link's text", "Sales rose, [Reuters reported](https://reuters-news.example/apple)."],
    [
      "in the sentence around it",
      "According to Bloomberg ([report](https://bloomberg.example/a)), sales rose.",
    ],
    ["in a link by reference", "Sales rose, [the Financial Times][1] wrote.\n\n[1]: https://ft.example/a"],
    ["before a bare address", "Source: Reuters, https://news.example/apple"],
    ["of an authority", "[The SEC](https://sec-filings.example/apple) has the filing."],
    ["on the host of another outlet", "[The Wall Street Journal](https://www.cnbc.com/apple) wrote so."],
    ["in a headline", "[Fortune Says Apple Will Double](https://evil.example/a)"],
    ["as a study", "[Nature Study Finds Apple Cheap](https://evil.example/a)"],
    ["with its report", "[Variety Reports a Deal](https://evil.example/a)"],
    ["as an address", "Sales rose: [www.reuters.com/markets](https://evil.example/a)."],
    ["on a host that only begins like it", "[Reuters](https://reuters.com.example/apple) wrote so."],
  ])("a link that names a news outlet but leads to another host is a finding: %s", (_where, body) => {
    expect(listDetails(body)).toHaveLength(1);
  });

  test("a finding about a link names the news outlet and the host", () => {
    expect(listDetails("[Reuters](https://other.example/a) wrote so.")[0]).toMatch(
      /Reuters leads to other\.example/,
    );
  });
});

test.each([
  ["its own host", "[Reuters](https://www.reuters.com/apple) wrote so."],
  ["a part of its host", "[Nikkei](https://asia.nikkei.com/apple) wrote so."],
  ["its address and its own host", "Sales rose: [reuters.com/a](https://www.reuters.com/a)."],
  ["another name that begins like it", "It bought [Mint Mobile](https://www.t-mobile.com/news/mint)."],
  ["an archive of it", "[Reuters](https://web.archive.org/web/2026/https://reuters.com/a) wrote so."],
  ["a page about it", "[The complaint against Bloomberg](https://court.example/case) was filed."],
  ["a government's page for an authority", "[The SEC](https://www.investor.gov/a) explains it."],
  [
    "a name that stands far from the link",
    "Reuters has moved. The company's [filing](https://apple.example/10-q) says so.",
  ],
  ["a text without links", "Reuters and Bloomberg wrote about it."],
])("a news outlet's name raises no finding about links: %s", (_where, body) => {
  expect(listDetails(body)).toEqual([]);
});
