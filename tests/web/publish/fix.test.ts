import { describe, expect, test } from "vitest";
import type { Issue } from "../../../core/audit/schema.ts";
import { findPlace, makeFix } from "../../../web/src/publish/audit/place.ts";
import { article } from "./parts.ts";

const makeIssue = (check: string, detail: string): Issue => ({ severity: "high", check, detail });

function fixArticle(found: Issue, text: Partial<typeof article>) {
  const whole = { ...article, ...text };
  return makeFix(found, findPlace(found, whole), whole, "NVDA");
}

describe("one click fixes a finding", () => {
  test("a click adds the disclosure of a holding below the text and shows the disclosure", () => {
    const found = makeIssue("disclosure", "Your wallet holds NVDA tokens and the text does not say so.");
    const fix = fixArticle(found, { body: "A text.\n\n" });
    const body = fix?.changes.body ?? "";
    expect(body).toBe("A text.\n\nDisclosure: the author holds NVDA tokens.\n");
    expect(body.slice(fix?.from, fix?.to)).toBe("Disclosure: the author holds NVDA tokens.");
    expect(fixArticle(found, { body })).toBeUndefined();
  });

  const promise = makeIssue("promises", 'A promise: "NVDA will surely double". Take it out.');
  test.each([
    ["One. NVDA will surely double. Three.", "One. Three."],
    ["NVDA will surely double. Two.", "Two."],
    ["One.\n\nNVDA will surely double.\n\nThree.", "One.\n\nThree."],
    ["One. They say NVDA will surely double by May!\nThree.", "One.\nThree."],
    ["One.\n- NVDA will surely double", "One.\n"],
  ])("a click removes the sentence that contains a promise: %j", (body, left) => {
    expect(fixArticle(promise, { body })?.changes).toEqual({ body: left });
  });

  test("findings about a headline, a number or missing words have no automatic fix", () => {
    expect(fixArticle(promise, { headline: "NVDA will surely double" })).toBeUndefined();
    expect(fixArticle(promise, { body: "Nothing of the kind." })).toBeUndefined();
    const figure = makeIssue("figures", 'A price: "NVDA at $150". Correct it.');
    expect(fixArticle(figure, { body: "NVDA at $150." })).toBeUndefined();
  });
});
