import { describe, expect, test } from "vitest";
import { changeOf, type Format, formats } from "../../../web/src/publish/editor/toolbar.tsx";

/** Applies a format to a text whose selection is between `[` and `]`, and returns the same notation. */
function apply(format: Format, marked: string): string {
  const from = marked.indexOf("«");
  const to = marked.indexOf("»") - 1;
  const change = changeOf(format, { text: marked.replace(/[«»]/g, ""), from, to });
  const text = change.text.slice(0, change.from) + change.insert + change.text.slice(change.to);
  const [start, end] = change.select;
  return `${text.slice(0, start)}«${text.slice(start, end)}»${text.slice(end)}`;
}

describe("a format", () => {
  test.each<[Format, string, string]>([
    ["bold", "Sales «rose».", "Sales **«rose»**."],
    ["bold", "Sales **«rose»**.", "Sales «rose»."],
    ["bold", "Sales «».", "Sales **«bold text»**."],
    ["italic", "«Sales» rose.", "_«Sales»_ rose."],
    ["link", "the «filing».", "the [filing](«https://»)."],
    ["link", "«https://example.com/a»", "[«source»](https://example.com/a)"],
    ["link", "See «».", "See [source](«https://»)."],
    ["heading", "One\nT«w»o\nThree", "One\n## Two«»\nThree"],
    ["heading", "## T«w»o", "Two«»"],
    ["quote", "«One\nTwo»", "> One\n> Two«»"],
    ["bullets", "O«ne\nT»wo\nThree", "- One\n- Two«»\nThree"],
    ["bullets", "- O«ne\n- T»wo", "One\nTwo«»"],
    ["numbers", "«One\nTwo»", "1. One\n2. Two«»"],
    ["numbers", "«1. One\n2. Two»", "One\nTwo«»"],
    ["table", "«»", "| «Quarter» | Sales |\n| --- | ---: |\n| First |  |\n\n"],
    ["table", "One«»\n\nTwo", "One\n\n| «Quarter» | Sales |\n| --- | ---: |\n| First |  |\n\nTwo"],
    ["footnote", "Sales rose«». More.", "Sales rose[^1]. More.\n\n[^1]: «Where this can be read.»"],
    [
      "footnote",
      "A.[^1] B.«»\n\n[^1]: One.\n",
      "A.[^1] B.[^2]\n\n[^1]: One.\n\n[^2]: «Where this can be read.»",
    ],
  ])("%s of %j gives the expected text", (format, before, after) => {
    expect(apply(format, before)).toBe(after);
  });

  test.each(formats)("%s with an empty selection works", (format) => {
    expect(() => apply(format, "«»")).not.toThrow();
  });
});
