import { baseKeymap, chainCommands, exitCode } from "prosemirror-commands";
import { history, isHistoryTransaction, redo, undo } from "prosemirror-history";
import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from "prosemirror-inputrules";
import { keymap } from "prosemirror-keymap";
import type { Attrs, MarkType, Node } from "prosemirror-model";
import { liftListItem, sinkListItem, splitListItem } from "prosemirror-schema-list";
import { type Command, EditorState, type Plugin, type Transaction } from "prosemirror-state";
import { goToNextCell, tableEditing } from "prosemirror-tables";
import { makeStore, type Store } from "../../store.ts";
import { makeFindingMarks, markEmptyHeads } from "./findings.ts";
import { toggleFormat } from "./formats.ts";
import { readArticle, readAsSource } from "./read.ts";
import { schema } from "./schema.ts";
import { explainUnshown } from "./source.ts";
import { writeArticle } from "./write.ts";

/**
 * A text in the editor with its undo history. The visual view and the Markdown view share the history: a change typed as Markdown is also a
 * step that can be undone.
 */
export type Article = {
  readonly state: () => EditorState;
  readonly text: () => string;
  readonly dispatch: (transaction: Transaction) => void;
  /** Compares the article with a new Markdown text and replaces the blocks that differ. The replacement is one step that can be undone. */
  readonly sync: (markdown: string) => void;
  /** Undoes or redoes a step. Returns whether there was a step to undo or redo. */
  readonly undo: () => boolean;
  readonly redo: () => boolean;
  /**
   * Counts the replacements of blocks by undo, by redo, or by a change of the text outside the visual view. When a block is replaced, its
   * words lose the marks that findings have put on them.
   */
  readonly replaced: () => number;
  readonly watch: Store<EditorState>["watch"];
};

/** Makes an editable article from a Markdown text. `onText` is called with the new Markdown after each change in the visual view. */
export function makeArticle(markdown: string, onText: (markdown: string) => void): Article {
  let text = markdown;
  let replaced = 0;
  const {
    get: state,
    set,
    watch,
  } = makeStore(EditorState.create({ doc: readText(markdown), plugins: makePlugins() }));

  const dispatch = (transaction: Transaction) => {
    const { doc } = state();
    const next = state().apply(transaction);
    if (next.doc !== doc) text = writeArticle(next.doc);
    if (isHistoryTransaction(transaction)) replaced += 1;
    set(next);
    if (next.doc !== doc) onText(text);
  };
  return {
    state,
    text: () => text,
    dispatch,
    sync: (markdown) => {
      if (markdown === text) return;
      text = markdown;
      replaced += 1;
      set(state().apply(replaceDifference(state(), readText(markdown))));
    },
    undo: () => undo(state(), dispatch),
    redo: () => redo(state(), dispatch),
    replaced: () => replaced,
    watch,
  };
}

/** Reads a text as blocks, or as Markdown source if a browser would need too much time to show its blocks. */
function readText(markdown: string): Node {
  return explainUnshown(markdown) === undefined ? readArticle(markdown) : readAsSource(markdown);
}

/** Replaces the blocks from the first difference to the last difference between the old and the new text. */
function replaceDifference(state: EditorState, next: Node): Transaction {
  const { doc, tr } = state;
  const start = doc.content.findDiffStart(next.content);
  const end = doc.content.findDiffEnd(next.content);
  if (start !== null && end !== null) {
    const from = findBlockEdge(doc, start, "before");
    const ends = [findBlockEdge(doc, end.a, "after"), findBlockEdge(next, end.b, "after")] as const;
    // If several equal blocks follow each other, the comparison from the start and the comparison from the end may both count the same
    // block as unchanged. Because equal blocks may be counted twice, the computed end of the changed range may lie before its start.
    const shift = Math.max(0, from - Math.min(...ends));
    tr.replaceWith(from, ends[0] + shift, next.slice(from, ends[1] + shift).content);
  }
  return tr.setDocAttribute("tail", next.attrs.tail);
}

/** The position before or after the top-level block that contains the given position. */
function findBlockEdge(article: Node, position: number, side: "before" | "after"): number {
  const place = article.resolve(position);
  return place.depth === 0 ? position : place[side](1);
}

const { nodes } = schema;

/** Inserts a line break inside a paragraph. Headings and table cells have only one line. */
const insertLineBreak: Command = (state, dispatch) => {
  const { $from } = state.selection;
  const isCell = $from.node(-1)?.type.spec.tableRole !== undefined;
  if ($from.parent.type !== nodes.paragraph || isCell) return false;
  dispatch?.(state.tr.replaceSelectionWith(nodes.line_break.create()).scrollIntoView());
  return true;
};

/** In a block of Markdown source, Enter begins a new line. */
const insertSourceLine: Command = (state, dispatch) => {
  if (state.selection.$from.parent.type !== nodes.source) return false;
  dispatch?.(state.tr.insertText("\n").scrollIntoView());
  return true;
};

function makePlugins() {
  return [
    makeTypingRules(),
    keymap({
      "Mod-z": undo,
      "Shift-Mod-z": redo,
      "Mod-y": redo,
      "Mod-b": toggleFormat("strong"),
      "Mod-i": toggleFormat("emphasis"),
      Enter: chainCommands(insertSourceLine, splitListItem(nodes.list_item)),
      "Shift-Enter": chainCommands(exitCode, insertLineBreak),
      "Mod-Enter": chainCommands(exitCode, insertLineBreak),
      "Mod-]": sinkListItem(nodes.list_item),
      "Mod-[": liftListItem(nodes.list_item),
      // At the end of a table, the Tab key moves the focus out of the text, as it does outside tables.
      Tab: goToNextCell(1),
      "Shift-Tab": goToNextCell(-1),
    }),
    keymap(baseKeymap),
    history(),
    tableEditing(),
    makeFindingMarks(),
    markEmptyHeads(),
  ];
}

/** Markdown signs for blocks, emphasis and links take effect at once when they are typed in the visual view. */
function makeTypingRules(): Plugin {
  const { nodes, marks } = schema;
  const { paragraph } = nodes;
  return inputRules({
    rules: [
      textblockTypeInputRule(/^(#{1,6})\s$/, nodes.heading, (match) => ({
        level: Math.max(2, match[1]?.length ?? 2),
      })),
      wrappingInputRule(/^\s*>\s$/, nodes.blockquote),
      wrappingInputRule(/^\s*[-*+]\s$/, nodes.bullet_list),
      wrappingInputRule(
        /^(\d{1,3})\.\s$/,
        nodes.ordered_list,
        (match) => ({ start: Number(match[1]) }),
        (match, list) => list.childCount + Number(list.attrs.start) === Number(match[1]),
      ),
      new InputRule(/^---$/, (state, _, start) => {
        const $start = state.doc.resolve(start);
        if ($start.parent.type !== paragraph) return null;
        return state.tr.replaceWith($start.before(), $start.after(), [
          nodes.rule.create(),
          paragraph.create(),
        ]);
      }),
      makeMarkRule(/\*\*([^*\s](?:[^*]*[^*\s])?)\*\*$/, marks.strong),
      makeMarkRule(/(?<![*\p{L}\p{N}])\*([^*\s](?:[^*]*[^*\s])?)\*$/u, marks.emphasis),
      makeMarkRule(/(?<![_\p{L}\p{N}])_([^_\s](?:[^_]*[^_\s])?)_$/u, marks.emphasis),
      makeMarkRule(/`([^`]+)`$/, marks.code),
      makeMarkRule(/\[([^[\]]+)\]\((https?:\/\/[^()\s]+)\)$/, marks.link, (match) => ({ href: match[2] })),
    ],
  });
}

/** A rule for words that were typed between Markdown signs: the words get the format of these signs, and the signs are removed. */
function makeMarkRule(
  pattern: RegExp,
  type: MarkType,
  attrsOf?: (match: RegExpMatchArray) => Attrs,
): InputRule {
  return new InputRule(pattern, (state, match, start, end) => {
    const [, words = ""] = match;
    const mark = type.create(attrsOf?.(match));
    const $start = state.doc.resolve(start);
    if (!$start.parent.type.allowsMarkType(type)) return null;
    const marks = mark.addToSet($start.marks());
    return state.tr.replaceWith(start, end, schema.text(words, marks)).removeStoredMark(type);
  });
}
