import type { Node } from "prosemirror-model";
import { type EditorState, Plugin, PluginKey, type Transaction } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";
import { rangeOfWords } from "../audit/place.ts";
import { listPieces } from "./write.ts";

/** Words that a finding of the audit quotes, as written in the text's Markdown. */
type MarkedWords = { readonly from: number; readonly to: number; readonly severity: string };

const key = new PluginKey<DecorationSet>("findings");

/** Marks the words of an audit's findings. Marks stay at their words while the text is edited. */
export function findingMarks(): Plugin<DecorationSet> {
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

/** Marks empty cells in a table's head, which name no column yet. */
export function emptyHeads(): Plugin {
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

/** The transaction that marks these words of the article's Markdown, and no others. */
export function markFindings(state: EditorState, words: readonly MarkedWords[]): Transaction {
  const marks = words.flatMap(({ severity, ...place }) => {
    const range = rangeIn(state.doc, place);
    return range === undefined
      ? []
      : [Decoration.inline(range.from, range.to, { class: "finding", "data-severity": severity })];
  });
  return state.tr.setMeta(key, DecorationSet.create(state.doc, marks)).setMeta("addToHistory", false);
}

type Range = { readonly from: number; readonly to: number };

/** Finds words of the Markdown in the article: in the block whose text contains their beginning. */
export function rangeIn(article: Node, { from, to }: Range): Range | undefined {
  let end = 0;
  for (const { block, position, gap, text } of listPieces(article)) {
    const start = end + gap.length;
    end = start + text.length;
    if (from < start || from >= end) continue;
    const words = rangeOfWords(text.slice(from - start, to - start), wordsOf(block));
    return words === undefined
      ? { from: position + 1, to: position + block.nodeSize - 1 }
      : {
          from: positionOf(block, position, words.from),
          to: positionOf(block, position, words.to - 1) + 1,
        };
  }
  return undefined;
}

/** A block's words, one space between lines. */
function wordsOf(block: Node): string {
  return block.textBetween(0, block.content.size, "\n", " ");
}

/** The position of a character of `wordsOf`. */
function positionOf(block: Node, start: number, index: number): number {
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
