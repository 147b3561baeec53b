import * as fc from "fast-check";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { findDisplayFault, markdownLimits } from "../../core/press/markdown.ts";
import { limits } from "../../core/press/schema.ts";
import Prose from "../../web/src/ui/markdown.tsx";
import { measureCpuTime } from "../support/cpu-time.ts";

const renderHtml = (text: string) => renderToStaticMarkup(createElement(Prose, { text }));

/**
 * Pieces of Markdown that take parsers a long time. Some pieces are single characters, and other pieces open, close, nest or repeat an
 * element of Markdown.
 */
const pieces = [
  ..."*_~`[]()<>|!&\\#+-=:@.\"' \t\na1é中".split(""),
  ..."**|__|~~|```|[a]|[a](b)|![|](b)|[a][b]|[a]: b|[^a]|[^a]: |*a* |**a** |*a |a* |_a_ |~~a~~ ".split("|"),
  ..."> |- |+ |1. |2) |  |    |- - - - |> > > > ".split("|"),
  ..."<a>|<!--|-->|<?|<![CDATA[|<div>\n|<a b='|&amp;|&#1;|&copy;|https://a.b/c|www.a.b|a@b.c".split("|"),
  ...["| a ", "|-", "|a|\n|-|\n", "\n\n", "  \n", "\\\n", "---\n", "===\n", "# a\n", "```\n", "~~~\n", "a\n"],
];
const unit = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(""));
/** A hostile text consists of a start, a unit that is repeated in blocks, and an end. */
const hostile = fc.record({ start: unit, repeated: unit, end: unit, perBlock: fc.nat(9) });
type HostileParts = typeof hostile extends fc.Arbitrary<infer T> ? T : never;

function makeHostileText({ start, repeated, end, perBlock }: HostileParts, times: number): string {
  const block = repeated.repeat(Math.min(times, 2 ** perBlock));
  const blocks = `${block}\n\n`.repeat(Math.max(1, Math.floor(times / 2 ** perBlock)));
  return `${start}${blocks}${end}`;
}

/** Returns the largest text of the given shape that a save accepts. */
function findLargestText(shape: HostileParts): string | undefined {
  for (let times = 2 ** 16; times >= 1; times = Math.floor(times * 0.8)) {
    const text = makeHostileText(shape, times);
    if (text.length <= limits.body.maxBytes && findDisplayFault(text) === undefined) return text;
  }
  return undefined;
}

test("the site renders the largest accepted text of each hostile form in less than a second, or on a slow machine within six times the time of an ordinary text", {
  timeout: 300_000,
}, () => {
  const ordinary = "*a* [b](c)\n\n| a |\n|---|\n| b |\n\n".repeat(200);
  const usual = Math.min(...Array.from({ length: 6 }, () => measureCpuTime(() => renderHtml(ordinary))));
  fc.assert(
    fc.property(hostile, (shape) => {
      const text = findLargestText(shape);
      if (text !== undefined)
        expect(
          measureCpuTime(() => renderHtml(text)),
          JSON.stringify(shape),
        ).toBeLessThan(Math.max(1000, 6 * usual));
    }),
    { numRuns: 12, seed: 31, endOnFailure: true },
  );
});

test("a text that a save accepts is never nested deeper than the limit", () => {
  const nesting = [
    "> ",
    ">",
    "- ",
    "+ ",
    "1. ",
    "2. ",
    "  ",
    "    ",
    "\t",
    " ",
    "a",
    "\n",
    "\n\n",
    "[^a]: ",
    "```\n",
  ];
  const tokens = fc.array(fc.constantFrom(...nesting, "<!--", "-->", "> > > > ", "- - - + + + "), {
    maxLength: 80,
  });
  fc.assert(
    fc.property(tokens, (parts) => {
      const text = parts.join("");
      if (findDisplayFault(text) !== undefined) return;
      expect(measureDepth(renderHtml(text))).toBeLessThanOrEqual(markdownLimits.nesting);
    }),
    { numRuns: 400, seed: 31 },
  );
});

function measureDepth(page: string): number {
  let depth = 0;
  let most = 0;
  for (const [tag] of page.matchAll(/<\/?(?:li|blockquote)\b/g)) {
    depth += tag.startsWith("</") ? -1 : 1;
    most = Math.max(most, depth);
  }
  return most;
}

test("a text that a save would refuse is shown as plain text", () => {
  for (const text of ["- ".repeat(5000), ">".repeat(100_000), "[".repeat(100_000), "*a ".repeat(30_000)]) {
    const page = renderHtml(text);
    expect(page).toContain("shown as it was written");
    expect(page.length).toBeGreaterThan(text.length);
  }
});
