import { describe, expect, test } from "vitest";
import { readPlain, removeStyles } from "../../../web/src/publish/article/clipboard.ts";
import { schema } from "../../../web/src/publish/article/schema.ts";
import { removeUrlTracking } from "../../../web/src/publish/article/source.ts";
import { writeArticle } from "../../../web/src/publish/article/write.ts";
import { measureCpuTime } from "../../support/cpu-time.ts";

describe("a clipboard's HTML is cleaned before it is parsed", () => {
  test("no style, script or event handler in a clipboard's HTML reaches the browser's parser, however the HTML is written", () => {
    const html = [
      `<p style="color:red" onclick='x()' CLASS=MsoNormal>a</p>`,
      `<STYLE type="text/css">p { color: red } </STYLE><style></style>`,
      `<script>document.write("<p style=x>")</script>`,
      `<!-- <b style="x"> --><a title="a > b" href='https://e.com/?a="b"'>c</a>`,
      `1 < 2 <![if !supportLists]>d<![endif]><link rel=stylesheet href=x.css><img src=x onerror=y>`,
      `<svg viewBox="0 0 1 1"><path d="M0"/></svg><svg/>end`,
    ].join("");
    const clean = removeStyles(html) ?? "";
    expect(clean).not.toMatch(/\sstyle=|<style|<script|<link|\son\w+=|src=|document\.write/i);
    expect(clean).toContain('<p data-style="color:red" CLASS="MsoNormal">a</p>');
    expect(clean).toContain('<a href="https://e.com/?a=&quot;b&quot;">c</a>');
    expect(clean).toContain("1 &lt; 2 d");
    expect(clean).toMatch(/<svg><\/svg><svg>end$/);
  });

  test.each(["<", "<!--", '<p style="', "<style>", "<p a='", "</", "<p><b "])(
    "a clipboard that contains %j a hundred thousand times is read in less than a second",
    (part) => {
      expect(measureCpuTime(() => void removeStyles(part.repeat(100_000)))).toBeLessThan(1_000);
    },
  );

  test("a clipboard is not parsed if it has more tags or more open elements than an article may have", () => {
    expect(removeStyles("<p>x</p>".repeat(20_000))).toContain("<p>x</p>");
    expect(removeStyles("<p>x</p>".repeat(20_001))).toBeUndefined();
    const bold = Array.from({ length: 101 }, (_, index) => `<b class=${index}>`);
    expect(removeStyles(bold.slice(1).join(""))).toContain("<b ");
    expect(removeStyles(bold.join(""))).toBeUndefined();
    expect(removeStyles(bold.join("</i>"))).toBeUndefined();
    expect(removeStyles(bold.join("x</b>"))).toContain("<b ");
  });
});

test.each([
  ["https://e.com/a?utm_source=x&id=7&fbclid=y#part", "https://e.com/a?id=7#part"],
  ["https://www.google.com/url?q=https://e.com/a%3Fgclid%3D1&sa=D", "https://e.com/a"],
  ["https://e.com/a?b=%20c", "https://e.com/a?b=%20c"],
  ["https://e.com/?utm_medium=x", "https://e.com/"],
  ["mailto:a@b.c?subject=utm_source", "mailto:a@b.c?subject=utm_source"],
  ["no address", "no address"],
])("a link to %s is pasted as %s", (address, clean) => {
  expect(removeUrlTracking(address)).toBe(clean);
});

test("pasted Markdown stays unchanged, and Markdown that a page could not render is not parsed", () => {
  const text = "* one\n* two_a\n\n| a | b |\n|:-:|---|\n| 1 | 2 |\n\n<div>x</div>";
  const write = (blocks: ReturnType<typeof readPlain>["blocks"]) =>
    writeArticle(schema.nodes.doc.create(null, [...blocks]));
  expect(write(readPlain(text).blocks)).toBe(text);
  const hostile = "- ".repeat(50_000);
  const { blocks } = readPlain(hostile);
  expect(blocks.map(({ type }) => type.name)).toEqual(["source"]);
  expect(write(blocks)).toBe(hostile);
});
