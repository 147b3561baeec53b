import { createElement, useState } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { applyRules } from "../../../core/audit/index.ts";
import { makeFinding } from "../../../core/audit/rule/rule.ts";
import type { AuditDraft, AuditFacts, Issue } from "../../../core/audit/schema.ts";
import { findPlace } from "../../../web/src/publish/audit/place.ts";
import { usePlaces } from "../../../web/src/publish/audit/report.tsx";
import { editor } from "../../../web/src/strings/editor.ts";
import { appleFacts } from "../../core/audit/sample.ts";
import { article } from "./parts.ts";

const facts: AuditFacts = {
  ...appleFacts,
  quote: { ...appleFacts.quote, symbol: "NVDA", mid: 188, dayHigh: 190, dayLow: 185 },
  stock: { symbol: "NVDA", name: "NVIDIA", address: `0x${"1".repeat(40)}` },
};

function makeDraft(changes: Partial<AuditDraft>): AuditDraft {
  const { stock, headline, preview, body, publisherName } = article;
  return { stock, headline, preview, body, publisherName, aiAssisted: false, ...changes };
}

const makeIssue = (detail: string, check = "tone"): Issue => ({ severity: "medium", check, detail });

/** The words at which a finding points in a text. */
function findMarkedWords(found: Issue | undefined, texts: AuditDraft): string | undefined {
  if (found === undefined) throw new Error("The audit found nothing.");
  const place = findPlace(found, texts);
  return place.kind === "words" ? texts[place.part].slice(place.from, place.to) : undefined;
}

test("the words that an audit rule quotes are found in a Markdown text, whatever marks, quotation marks and spaces the text contains", () => {
  const sentence = "You  **should** buy [it](https://example.com/a_b) now: the “token” will double";
  const text = makeDraft({ body: `${article.body}\n\n> ${sentence}.\n` });
  const found = applyRules(text, facts).find(({ check }) => check === "advice");
  expect(found?.detail).toContain('"You should buy it now: the "token" will double');
  expect(findMarkedWords(found, text)).toBe(sentence);
});

test("a finding with a shortened quotation points at the beginning of the quoted words", () => {
  const long = `You should buy it now, ${"because the quarter was better than the one before it, ".repeat(4)}they say`;
  const text = makeDraft({ body: `${article.body}\n\n${long}.` });
  const found = applyRules(text, facts).find(({ check }) => check === "advice");
  expect(found?.detail).toContain("…");
  expect(long.startsWith(findMarkedWords(found, text) ?? "nothing")).toBe(true);
  expect(findMarkedWords(found, text)?.length).toBeGreaterThan(100);
});

test("a finding about the preview points at the preview, even if the article's text contains the same words", () => {
  const preview = article.body.slice(0, 200);
  const text = makeDraft({ preview });
  const found = makeFinding(
    "low",
    "preview",
    "It opens as the text does",
    preview,
    "Say what the text gives.",
  );
  expect(findPlace(found, text)).toMatchObject({ kind: "words", part: "preview", from: 0 });
});

test("if a price contradicts the quote, the finding points at the price in the text", () => {
  const text = makeDraft({ body: `${article.body}\n\nToday NVDA trades at **$250** a token.` });
  const found = applyRules(text, facts).find(({ check }) => check === "figures");
  expect(findMarkedWords(found, text)).toContain("NVDA trades at **$250** a token");
});

test("words that a model lists without quotation marks are also found in the text", () => {
  const text = makeDraft({ body: `${article.body} It is a huge secret.` });
  expect(findMarkedWords(makeIssue("Promotional wording: huge, secret."), text)).toBe("huge");
});

test("a finding about similarity to another press points at a whole part of the draft, because the quotation is from the other press", () => {
  const { headline, preview } = article;
  const similar = [{ headline, preview, own: false, shared: 0 }];
  const text = makeDraft({ headline: "Bids, asks and what lies between them" });
  const found = applyRules(text, { ...facts, similar }).find(({ check }) => check === "copied");
  expect(found?.detail).toContain(headline);
  expect(findPlace(found ?? makeIssue(""), text)).toEqual({ kind: "part", part: "preview" });
});

test("the quoted words of a finding are not found inside longer words", () => {
  expect(findPlace(makeIssue('It says "his".'), { ...article, headline: "This is this" })).toEqual({
    kind: "whole",
  });
});

test("a finding without a quotation points at the part of the draft that the audit has checked for this finding", () => {
  expect(findPlace(makeIssue("Nobody wrote “nonsense”.", "headline"), article)).toEqual({
    kind: "part",
    part: "headline",
  });
  expect(findPlace(makeIssue("The body links no source.", "sources"), article)).toEqual({
    kind: "part",
    part: "body",
  });
  expect(findPlace(makeIssue("It is all rather dull."), article)).toEqual({ kind: "whole" });
});

test("the audit accepts the editor's line that discloses a holding", () => {
  const held = { ...facts, publisherHolds: true, publisherBalance: "1" };
  const listChecks = (body: string) => applyRules(makeDraft({ body }), held).map(({ check }) => check);
  expect(listChecks(article.body)).toContain("disclosure");
  expect(listChecks(`${article.body}\n\n${editor.disclosureLine("NVDA")}\n`)).not.toContain("disclosure");
});

test("while a text stays the same, the places of an audit's findings are searched only once", () => {
  const text = { ...article };
  const search = vi.spyOn(text, "body", "get").mockReturnValue(article.body);
  const issues = [makeIssue('It says "at all".')];
  function Shown() {
    const [renders, setRenders] = useState(0);
    if (renders < 5) setRenders(renders + 1);
    return usePlaces(issues, text)[0]?.place.kind;
  }
  expect(renderToStaticMarkup(createElement(Shown))).toBe("words");
  expect(search).toHaveBeenCalledTimes(1);
});
