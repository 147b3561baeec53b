import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { listWords, plain } from "../../core/audit/passage.ts";
import { countWords } from "../../core/press/schema.ts";
import Prose from "../../web/src/ui/markdown.tsx";

const renderHtml = (text: string) => renderToStaticMarkup(createElement(Prose, { text }));

/** Returns the text that a reader sees, without the site's own additions to footnotes. */
function readVisibleText(text: string): readonly string[] {
  const shown = renderHtml(text)
    .replace(/<sup>.*?<\/sup>/g, "")
    .replace(/<a [^>]*data-footnote-backref.*?<\/a>/g, "")
    .replace(/<h2 id="footnote-label">Notes<\/h2>/, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/&#x27;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, "<")
    .replace(/&amp;/g, "&");
  return listWords(shown).toSorted();
}

const table = "| Quarter | Sales |\n| --- | ---: |\n| First | 8.0 |\n| Second | 9.4 |";

describe("the site's dialect of Markdown is GitHub's dialect with some exceptions", () => {
  test("the Markdown dialect has tables with aligned columns, and a wide table scrolls inside its own frame, also by the keyboard", () => {
    expect(renderHtml(table)).toMatch(
      /<section class="table" aria-label="Table" tabindex="0"><table><thead>/i,
    );
    expect(renderHtml(table)).toContain('<td style="text-align:right">9.4</td>');
  });

  test("the Markdown dialect has footnotes, and links within the page lead to each note and back", () => {
    const shown = renderHtml("Sales rose.[^a]\n\n[^a]: By the [filing](https://example.com/a).");
    const [, to] = /<sup><a href="#([^"]+)"/.exec(shown) ?? [];
    const [, back] = /<a href="#([^"]+)"[^>]*data-footnote-backref/.exec(shown) ?? [];
    expect([to, back]).toEqual(["user-content-fn-a", "user-content-fnref-a"]);
    for (const id of [to, back]) expect(shown).toContain(`id="${id}"`);
    expect(shown).toContain(">Notes</h2>");
    // External links open in a new tab and send no referrer.
    expect(shown).toMatch(
      /<a href="https:\/\/example.com\/a" rel="noreferrer nofollow ugc" target="_blank">/,
    );
  });

  test("the Markdown dialect has strikethrough by two tildes and links from web addresses, but no task lists", () => {
    expect(renderHtml("~~gone~~ ~5% to ~6%~")).toBe(
      '<div class="prose"><p><del>gone</del> ~5% to ~6%~</p></div>',
    );
    expect(renderHtml("www.example.com")).toContain('<a href="http://www.example.com"');
    expect(renderHtml("- [x] done")).toMatch(/<li>\[x\] done<\/li>/);
  });

  test("the Markdown dialect shows no pictures, because the hosts of the pictures would learn who reads the text", () => {
    expect(renderHtml("![chart](https://example.com/a.png)")).not.toContain("<img");
  });
});

/** Each text tries to hide words either only from readers, or only from the audit and the word count. */
const hiders: Readonly<Record<string, string>> = {
  "a plain table": table,
  "cells beyond the head": "| One |\n| --- |\n| two | Disclosure: the publisher holds tokens. | x |",
  "cells beyond the head, without outer pipes": "One | Two\n--- | ---\na | b | hidden | words",
  "a row that is cut short": "| One | Two |\n| --- | --- |\n| a |",
  "an escaped pipe": "| One |\n| --- |\n| a \\| b |",
  "a footnote": "Sales rose.[^1] They fell.\n\n[^1]: By the filing.",
  "a footnote that nothing refers to": "Sales rose.\n\n[^1]: Disclosure: the publisher holds tokens.",
  "two footnotes of one name": "Sales rose.[^1]\n\n[^1]: The first.\n\n[^1]: The second is hidden.",
  "footnotes that refer to each other only": "Sales.\n\n[^a]: Alpha.[^b]\n\n[^b]: Beta.[^a]",
  "a footnote within a quotation": "> Sales rose.\n>\n> [^1]: Hidden in a quotation.",
  "a footnote of several paragraphs": "Sales.[^1]\n\n[^1]: The first.\n\n    The second.\n\n    - A list.",
  "a footnote within a footnote": "Sales.\n\n[^a]: Alpha.\n\n    [^b]: Beta is hidden.",
  strikethrough: "Sales ~~rose~~ fell.",
};

test.each(Object.entries(hiders))(
  "readers, the audit and the word count all see the same words in a text with %s",
  (_, text) => {
    expect(readVisibleText(text)).toEqual(listWords(plain(text)).toSorted());
    expect(countWords(text)).toBe(readVisibleText(text).filter((word) => /[\p{L}\p{N}]/u.test(word)).length);
  },
);

const scripts = [
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:x",
];
const breakouts = ['"><img src=x onerror=alert(1)>', "<script>alert(1)</script>", "' onmouseover='alert(1)"];

/** Texts that try to inject a script; each construct of Markdown is tried. */
const payloads: readonly string[] = [
  ...scripts.flatMap((address) => [
    `[link](${address})`,
    `![picture](${address})`,
    `<${address}>`,
    `| [x](${address}) |\n| --- |\n| ![y](${address}) | [z](${address}) |`,
    `Note.[^1]\n\n[^1]: [x](${address})`,
    `[^1]: Unreferenced [x](${address})`,
    `[ref][r]\n\n[r]: ${address}`,
    address,
  ]),
  ...breakouts.flatMap((text) => [
    text,
    `| ${text} |\n| --- |\n| ${text} | ${text} |`,
    `| a |\n| :--${text} |\n| b |`,
    `Note.[^${text.replaceAll(" ", "")}]\n\n[^${text.replaceAll(" ", "")}]: ${text}`,
    `~~${text}~~`,
    `https://example.com/${text}`,
    `www.example.com/${text}`,
    `a${text}@example.com`,
    `[x](https://example.com "${text}")`,
  ]),
  "Note.[^__proto__] Note.[^constructor] Note.[^toString]\n\n[^__proto__]: One.\n\n[^constructor]: Two.",
  '<a href="#x" data-footnote-ref id="user-content-fn-1" onclick="alert(1)">x</a>',
  '<table><tr><td onclick="alert(1)">x</td></tr></table>',
];

const tags =
  /^(?:div|section|p|a|sup|ol|ul|li|h[1-6]|table|thead|tbody|tr|th|td|del|em|strong|code|pre|blockquote|br|hr)$/;
const attributes =
  /^(?:class|id|href|rel|target|title|style|start|tabindex|aria-label|aria-describedby|data-footnote-ref|data-footnote-backref|data-footnotes)$/i;

describe("no script is injected", () => {
  test.each(payloads)("no script is injected by %s", (text) => {
    const shown = renderHtml(text);
    for (const [, tag = "", rest = ""] of shown.matchAll(
      /<([a-z0-9]+)((?:\s[a-z-]+(?:="[^"]*")?)*)\s*\/?>/gi,
    )) {
      expect(tag).toMatch(tags);
      for (const [, name = "", value = ""] of rest.matchAll(/\s([a-z-]+)(?:="([^"]*)")?/gi)) {
        expect(name).toMatch(attributes);
        if (name === "href") expect(value).toMatch(/^(?:https?:|mailto:|#user-content-fn|$)/);
        if (name === "id") expect(value).toMatch(/^(?:user-content-fn|footnote-label$)/);
        if (name === "style") expect(value).toMatch(/^text-align:(?:left|right|center)$/);
      }
    }
    // An angle bracket that does not belong to a tag must be escaped text.
    expect(shown.replace(/<\/?[a-z0-9]+(?:\s[a-z-]+(?:="[^"]*")?)*\s*\/?>/gi, "")).not.toContain("<");
  });
});
