import fc from "fast-check";
import type { Node } from "prosemirror-model";
import { TextSelection } from "prosemirror-state";
import { describe, expect, test } from "vitest";
import { findUnshowable } from "../../../core/press/input.ts";
import { makeArticle } from "../../../web/src/publish/article/article.ts";
import { readArticle } from "../../../web/src/publish/article/read.ts";
import { originOf } from "../../../web/src/publish/article/schema.ts";
import { writeArticle } from "../../../web/src/publish/article/write.ts";
import { readCorpus } from "../../corpus/read.ts";

const corpora = ["tuning", "measured", "fresh", "development", "second-measured", "second-tuning"];
const bodies = corpora.flatMap((name) => readCorpus(name).map(({ draft }) => draft.body));

/** Parts of Markdown, known to the editor and not, that make up generated texts. */
const pieces = [
  ...[
    "word ",
    "A sentence. ",
    "**bold** ",
    "_it_ ",
    "*a*b ",
    "~~gone~~ ",
    "`code` ",
    "a_b < 2 ",
    "5 * 3 * 2 ",
    "\\* ",
    "&amp; ",
  ],
  ...[
    "[a](https://e.com/a_b) ",
    "<https://e.com> ",
    "https://e.com/x ",
    "[^1] ",
    "![p](p.png) ",
    "[r][r] ",
    "[r] ",
    "<b>x</b> ",
  ],
  ...["\n", "\n", "\r\n", "\n\n", "\n\n", "\n\n\n", "  \n", "\\\n", "\t", "   ", "\u00a0", "\ufeff", "\0"],
  ...[
    "# H\n",
    "## H ##\n",
    "H\n===\n",
    "- a\n",
    "- ",
    "* a\n",
    "1. a\n",
    "3) a\n",
    "  - b\n",
    "> q\n",
    "---\n",
    "***\n",
  ],
  ...[
    "| a | b |\n|---|--:|\n| 1 | 2 |\n",
    "| x |\n",
    "[^1]: note\n",
    "[r]: /x\n",
    "```\ncode\n```\n",
    "    code\n",
    "<div>\n",
    "<!-- c -->\n",
  ],
];
const generated = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(""));

/** The Markdown of each top-level block, as it was read. */
function slicesOf(article: Node): readonly string[] {
  return article.children.map((block) => originOf(block)?.markdown ?? "");
}

function expectExact(text: string): void {
  expect(writeArticle(readArticle(text))).toBe(text);
}

test("every text of the corpora, read as blocks and written again, has the same bytes", () => {
  expect(bodies.length).toBeGreaterThan(1000);
  for (const body of bodies) expectExact(body);
});

test("every generated text, read as blocks and written again, has the same bytes", () => {
  fc.assert(fc.property(generated, expectExact), { numRuns: 800, seed: 40 });
});

/** Types a word at the end of the first text inside a block. */
function typeInto(text: string, index: number): string | undefined {
  const article = makeArticle(text, () => undefined);
  const { doc } = article.state();
  let at: number | undefined;
  doc.forEach((block, position, row) => {
    if (row !== index) return;
    block.descendants((node, inner) => {
      if (at === undefined && node.isTextblock) at = position + 1 + inner + 1 + node.content.size;
    });
    if (at === undefined && block.isTextblock) at = position + 1 + block.content.size;
  });
  if (at === undefined) return undefined;
  const { tr } = article.state();
  article.dispatch(tr.setSelection(TextSelection.create(tr.doc, at)).insertText("typed"));
  return article.text();
}

/** Without the white space that Markdown knows. */
const bare = (text: string) => text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");

/** An edit in one block leaves the bytes of all others, in their order. Returns the text after it, and the block. */
function expectOthersKept(text: string, choice: number) {
  const before = readArticle(text);
  const slices = slicesOf(before);
  const index = choice % before.childCount;
  const after = typeInto(text, index);
  if (after === undefined) return undefined;
  let end = 0;
  for (const slice of slices.slice(0, index)) {
    const at = after.indexOf(slice, end);
    expect(at, JSON.stringify({ text, slice, after })).toBeGreaterThanOrEqual(end);
    expect(bare(after.slice(end, at).replace(/^\ufeff/, ""))).toBe("");
    end = at + slice.length;
  }
  const rest = slices.slice(index + 1);
  let start = after.length;
  for (const slice of rest.toReversed()) {
    const at = after.lastIndexOf(slice, start - slice.length);
    expect(bare(after.slice(at + slice.length, start)), JSON.stringify({ text, slice, after })).toBe("");
    start = at;
  }
  expect(after.slice(end, start)).toContain("typed");
  return { after, index, slices };
}

describe("an edit in one block", () => {
  test("an edit in one block of texts of the corpora leaves every other block's bytes", () => {
    // Drafts of one twin differ in a sentence, so every third is enough.
    for (const [number, body] of bodies.entries()) {
      if (number % 3 !== 0) continue;
      const edited = expectOthersKept(body, number);
      if (edited === undefined) throw new Error(`Nothing can be typed into block ${number} of ${body}`);
      // Read again, it has the same blocks: none has run into its neighbour.
      const again = slicesOf(readArticle(edited.after));
      const others = (_: string, at: number) => at !== edited.index;
      expect(again.filter(others)).toEqual(edited.slices.filter(others));
    }
  });

  test("an edit in one block of each generated text leaves every other block's bytes", () => {
    fc.assert(
      fc.property(
        generated.filter((text) => findUnshowable(text) === undefined),
        fc.nat(50),
        (text, choice) => void expectOthersKept(text, choice),
      ),
      {
        numRuns: 600,
        seed: 40,
      },
    );
  });
});
