import type { Node } from "prosemirror-model";
import { type EditorState, Plugin, PluginKey, type Transaction } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";
import { findWordRange, type WordRange } from "../audit/place.ts";
import { listPieces } from "./write.ts";

/** The position of the words that an audit finding quotes, as a range of the text's Markdown. */
type MarkedWords = WordRange & { readonly severity: string };

const key = new PluginKey<DecorationSet>("findings");

/** Marks the words that an audit's findings quote. The marks stay at the quoted words while the text is edited. */
export function makeFindingMarks(): Plugin<DecorationSet> {
  return new Plugin({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply: (transaction, marks) => {
        const given: unknown = transaction.getMeta(key);
        return given instanceof DecorationSet ? given : marks.map(transaction.mapping, transaction.doc);
      },
    },
    props: { decorations: (state) => key.getState(state) },
  });
}

/** Marks the empty cells in the head of a table, because their columns have no name yet. */
export function markEmptyHeads(): Plugin {
  return new Plugin({
    props: {
      decorations: ({ doc }) => {
        const heads: Decoration[] = [];
        doc.forEach((block, start) => {
          if (block.type.spec.tableRole !== "table") return;
          block.firstChild?.forEach((cell, offset) => {
            const at = start + 2 + offset;
            if (cell.content.size <= 2) heads.push(Decoration.node(at, at + cell.nodeSize, { role: "cell" }));
          });
        });
        return DecorationSet.create(doc, heads);
      },
    },
  });
}

/** The editor's transaction that marks the given words of the article's Markdown and no other words. */
export function markFindings(state: EditorState, words: readonly MarkedWords[]): Transaction {
  const marks = words.flatMap(({ severity, ...place }) => {
    const range = findArticleRange(state.doc, place);
    return range === undefined
      ? []
      : [Decoration.inline(range.from, range.to, { class: "finding", "data-severity": severity })];
  });
  return state.tr.setMeta(key, DecorationSet.create(state.doc, marks)).setMeta("addToHistory", false);
}

/** Finds the range in the article that corresponds to a range of the Markdown. Only the block in which the range begins is searched. */
export function findArticleRange(article: Node, { from, to }: WordRange): WordRange | undefined {
  let end = 0;
  for (const { block, position, gap, text } of listPieces(article)) {
    const start = end + gap.length;
    end = start + text.length;
    if (from < start || from >= end) continue;
    const words = findWordRange(text.slice(from - start, to - start), readBlockWords(block));
    return words === undefined
      ? { from: position + 1, to: position + block.nodeSize - 1 }
      : {
          from: findPosition(block, position, words.from),
          to: findPosition(block, position, words.to - 1) + 1,
        };
  }
  return undefined;
}

/** The words of a block, with one space between lines. */
function readBlockWords(block: Node): string {
  return block.textBetween(0, block.content.size, "\n", " ");
}

/** Converts the position of a character in the result of `readBlockWords` to a position in the article. */
function findPosition(block: Node, start: number, index: number): number {
  let left = index;
  let isFirst = true;
  let found = start + 1;
  let isFound = false;
  block.nodesBetween(0, block.content.size, (node, position) => {
    if (isFound) return false;
    if (node.isBlock && node.isTextblock) {
      if (!isFirst) left -= 1;
      isFirst = false;
    }
    const size = node.isText ? (node.text?.length ?? 0) : node.isLeaf ? 1 : 0;
    if (size > left) {
      found = start + 1 + position + left;
      isFound = true;
    }
    left -= size;
    return !isFound;
  });
  return found;
}
