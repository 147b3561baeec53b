import fc from "fast-check";
import type { Node } from "prosemirror-model";
import { TextSelection } from "prosemirror-state";
import { describe, expect, test } from "vitest";
import { findDisplayFault } from "../../../core/press/input.ts";
import { makeArticle } from "../../../web/src/publish/article/article.ts";
import { parseTree, readArticle } from "../../../web/src/publish/article/read.ts";
import { readOrigin, schema } from "../../../web/src/publish/article/schema.ts";
import { listPieces, writeArticle } from "../../../web/src/publish/article/write.ts";
import { readCorpus } from "../../corpus/read.ts";

const corpora = ["tuning", "measured", "fresh", "development", "second-measured", "second-tuning"];
/** The tests use every fourteenth draft of the corpora, because many drafts differ in only one sentence. */
const bodies = corpora
  .flatMap((name) => readCorpus(name).map(({ draft }) => draft.body))
  .filter((_, number) => number % 14 === 0);

/**
 * The parts of Markdown from which the tests generate texts. The editor supports only some of the parts of Markdown in this list.
 */
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
    "~~~\n",
    "<!-- open\n",
    "<script>\n",
  ],
];
const generated = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(""));

/** The Markdown of each top-level block as it was read from the text. */
function listSlices(article: Node): readonly string[] {
  return article.children.map((block) => readOrigin(block)?.markdown ?? "");
}

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

/** Removes Markdown's white space from both ends of a text. */
const trimSpace = (text: string) => text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");

/**
 * Expects that a text has the same bytes after it is read as blocks and written again. An edit in one block must leave the bytes and the
 * order of all other blocks unchanged. Returns the edited text and the edited block.
 */
function expectOtherBlocksUnchanged(text: string, choice: number) {
  const before = readArticle(text);
  expect(writeArticle(before)).toBe(text);
  const slices = listSlices(before);
  const index = choice % before.childCount;
  const after = typeInto(text, index);
  if (after === undefined) return undefined;
  let end = 0;
  for (const slice of slices.slice(0, index)) {
    const at = after.indexOf(slice, end);
    expect(at, JSON.stringify({ text, slice, after })).toBeGreaterThanOrEqual(end);
    expect(trimSpace(after.slice(end, at).replace(/^\ufeff/, ""))).toBe("");
    end = at + slice.length;
  }
  const rest = slices.slice(index + 1);
  let start = after.length;
  for (const slice of rest.toReversed()) {
    const at = after.lastIndexOf(slice, start - slice.length);
    expect(trimSpace(after.slice(at + slice.length, start)), JSON.stringify({ text, slice, after })).toBe("");
    start = at;
  }
  expect(after.slice(end, start)).toContain("typed");
  return { after, index, slices };
}

describe("the editor keeps the bytes of everything that the writer has not edited", () => {
  test("a text of the corpora has the same bytes after it is read and written again, and an edit in one block leaves the bytes of all other blocks unchanged", () => {
    expect(bodies.length).toBeGreaterThan(80);
    for (const [number, body] of bodies.entries()) {
      const edited = expectOtherBlocksUnchanged(body, number);
      if (edited === undefined) throw new Error(`Nothing can be typed into block ${number} of ${body}`);
      // The written text has the same blocks when it is read again, so no block has merged with its neighbour.
      const again = listSlices(readArticle(edited.after));
      const isUnedited = (_: string, at: number) => at !== edited.index;
      expect(again.filter(isUnedited)).toEqual(edited.slices.filter(isUnedited));
    }
  });

  test("a generated text has the same bytes after it is read and written again, and an edit in one block leaves the bytes of all other blocks unchanged", () => {
    fc.assert(
      fc.property(
        generated.filter((text) => findDisplayFault(text) === undefined),
        fc.nat(50),
        (text, choice) => void expectOtherBlocksUnchanged(text, choice),
      ),
      {
        numRuns: 300,
        seed: 40,
      },
    );
  });
});

/** Texts that the parser reads as one block, although the editor shows two blocks. */
function listMergedBlocks(article: Node): readonly string[] {
  const text = writeArticle(article);
  // The parser does not count a byte order mark in its offsets.
  const start = text.startsWith("\ufeff") ? 1 : 0;
  let end = 0;
  const shown = listPieces(article).map(({ gap, text: own }) => {
    const from = end + gap.length;
    end = from + own.length;
    return { from, to: end };
  });
  let read = 0;
  return parseTree(text).children.flatMap(({ position }) => {
    // The parser treats a link definition as part of an underlined heading below the definition.
    const from = Math.max(read, start + (position?.start.offset ?? 0));
    const to = start + (position?.end.offset ?? 0);
    read = to;
    const within = shown.filter((each) => from < each.to && to > each.from);
    return within.length > 1 ? [text.slice(from, to)] : [];
  });
}

/** Changes one block as a writer might: adds words after the block, adds a word at the block's end, or deletes the block. */
function changeBlock(text: string, choice: number, kind: "follow" | "type" | "remove"): Node {
  const article = makeArticle(text, () => undefined);
  const { doc, tr } = article.state();
  const index = choice % doc.childCount;
  const block = doc.child(index);
  const from = doc.children.slice(0, index).reduce((size, { nodeSize }) => size + nodeSize, 0);
  const end = from + block.nodeSize;
  const words = schema.nodes.paragraph.create(null, schema.text("typed"));
  if (kind === "follow") article.dispatch(tr.insert(end, words));
  else if (kind === "remove") article.dispatch(tr.delete(from, end));
  else if (block.isTextblock) article.dispatch(tr.insertText("typed", end - 1));
  return article.state().doc;
}

describe("blocks that the editor shows separately stay separate", () => {
  test.each([
    ["a fence", "```\ncode", "```\ncode\n```\n\ntyped"],
    ["a fence of tildes", "~~~~ js\ncode\n```\n", "~~~~ js\ncode\n```\n~~~~\n\ntyped"],
    ["a comment", "a\n\n<!-- to do", "a\n\n<!-- to do\n-->\n\ntyped"],
    ["a script", "<script>\nx", "<script>\nx\n</script>\n\ntyped"],
    ["an instruction", "<?php", "<?php\n?>\n\ntyped"],
    ["a declaration", "<!doctype", "<!doctype\n>\n\ntyped"],
    ["character data", "<![CDATA[ x", "<![CDATA[ x\n]]>\n\ntyped"],
  ])(
    "words that follow an unclosed block (%s) do not become part of the unclosed block",
    (_, text, after) => {
      const last = readArticle(text).childCount - 1;
      const article = changeBlock(text, last, "follow");
      expect(writeArticle(article).trimEnd()).toBe(after);
      expect(listMergedBlocks(article)).toEqual([]);
    },
  );

  test("if the end of a code block is deleted, the blocks after it do not become part of the code block", () => {
    const article = makeArticle("```\ncode\n```\n\nNext.\n\n- a", () => undefined);
    const { tr } = article.state();
    article.dispatch(tr.delete(9, 13));
    expect(article.text()).toBe("```\ncode\n```\n\nNext.\n\n- a");
    expect(article.state().doc.child(0).textContent).toBe("```\ncode");
  });

  test("blocks that the editor shows separately stay separate after a writer adds text after a block or inside a block, or deletes a block", () => {
    fc.assert(
      fc.property(
        generated.filter((text) => findDisplayFault(text) === undefined),
        fc.nat(50),
        fc.constantFrom("follow", "type", "remove"),
        (text, choice, kind) => {
          const article = changeBlock(text, choice, kind);
          expect({ joined: listMergedBlocks(article), after: writeArticle(article) }).toMatchObject({
            joined: [],
          });
        },
      ),
      { numRuns: 300, seed: 40 },
    );
  });
});
