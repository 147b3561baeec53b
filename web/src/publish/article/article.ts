import { baseKeymap, chainCommands, exitCode } from "prosemirror-commands";
import { history, isHistoryTransaction, redo, undo } from "prosemirror-history";
import { keymap } from "prosemirror-keymap";
import { Fragment, type Node, Slice } from "prosemirror-model";
import { liftListItem, sinkListItem, splitListItem } from "prosemirror-schema-list";
import { type Command, EditorState, type Transaction } from "prosemirror-state";
import { goToNextCell, tableEditing } from "prosemirror-tables";
import { ReplaceStep } from "prosemirror-transform";
import { emptyHeads, findingMarks } from "./findings.ts";
import { toggleFormat } from "./formats.ts";
import { readArticle, readAsSource } from "./read.ts";
import { schema } from "./schema.ts";
import { whyNotShown } from "./showable.ts";
import { typingRules } from "./typing.ts";
import { writeArticle } from "./write.ts";

/**
 * A text in the editor with its history, whichever view shows it: what is typed as Markdown is a step of the
 * same history.
 */
export type Article = {
  readonly state: () => EditorState;
  readonly text: () => string;
  readonly dispatch: (transaction: Transaction) => void;
  /** Replaces the blocks in which another text differs, as one step that can be undone. */
  readonly sync: (markdown: string) => void;
  /** Takes a step back or on. Returns whether there was one. */
  readonly undo: () => boolean;
  readonly redo: () => boolean;
  /** How often blocks were replaced otherwise than by writing, so that marks on their words are gone. */
  readonly replaced: () => number;
  /** Calls back after each change of the state. Returns what ends that. */
  readonly watch: (listener: () => void) => () => void;
};

/** The article of a Markdown text. `onText` is called for each text that the writer has made of it here. */
export function makeArticle(markdown: string, onText: (markdown: string) => void): Article {
  let text = markdown;
  let replaced = 0;
  let state = EditorState.create({ doc: read(markdown), plugins: plugins() });
  const listeners = new Set<() => void>();

  const set = (next: EditorState) => {
    state = next;
    for (const listener of listeners) listener();
  };
  const dispatch = (transaction: Transaction) => {
    const { doc } = state;
    const next = state.apply(transaction);
    if (next.doc !== doc) text = writeArticle(next.doc);
    if (isHistoryTransaction(transaction)) replaced += 1;
    set(next);
    if (next.doc !== doc) onText(text);
  };
  return {
    state: () => state,
    text: () => text,
    dispatch,
    sync: (markdown) => {
      if (markdown === text) return;
      text = markdown;
      replaced += 1;
      set(state.apply(replaceDifference(state, read(markdown))));
    },
    undo: () => undo(state, dispatch),
    redo: () => redo(state, dispatch),
    replaced: () => replaced,
    watch: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A text that would take a browser too long is not read as blocks. */
function read(markdown: string): Node {
  return whyNotShown(markdown) === undefined ? readArticle(markdown) : readAsSource(markdown);
}

function replaceDifference(state: EditorState, next: Node): Transaction {
  const { doc } = state;
  const [before, after] = [doc.children, next.children];
  let start = 0;
  while (start < Math.min(before.length, after.length) && isAlike(before[start], after[start])) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && isAlike(before.at(-1 - end), after.at(-1 - end))) end += 1;
  const from = sizeOf(before.slice(0, start));
  const to = from + sizeOf(before.slice(start, before.length - end));
  const blocks = Fragment.fromArray(after.slice(start, after.length - end));
  const transaction = state.tr;
  if (from < to || blocks.size > 0) transaction.step(new ReplaceStep(from, to, new Slice(blocks, 0, 0)));
  return transaction.setDocAttribute("tail", next.attrs.tail);
}

function isAlike(one: Node | undefined, other: Node | undefined): boolean {
  return one !== undefined && other !== undefined && one.eq(other);
}

function sizeOf(blocks: readonly Node[]): number {
  return blocks.reduce((size, { nodeSize }) => size + nodeSize, 0);
}

const { nodes } = schema;

/** A line's end inside a paragraph. A heading and a table's cell have one line. */
const breakLine: Command = (state, dispatch) => {
  const { $from } = state.selection;
  const isCell = $from.node(-1)?.type.spec.tableRole !== undefined;
  if ($from.parent.type !== nodes.paragraph || isCell) return false;
  dispatch?.(state.tr.replaceSelectionWith(nodes.line_break.create()).scrollIntoView());
  return true;
};

/** Source is lines of text, where Enter begins another one. */
const newSourceLine: Command = (state, dispatch) => {
  if (state.selection.$from.parent.type !== nodes.source) return false;
  dispatch?.(state.tr.insertText("\n").scrollIntoView());
  return true;
};

function plugins() {
  return [
    typingRules(),
    keymap({
      "Mod-z": undo,
      "Shift-Mod-z": redo,
      "Mod-y": redo,
      "Mod-b": toggleFormat("strong"),
      "Mod-i": toggleFormat("emphasis"),
      Enter: chainCommands(newSourceLine, splitListItem(nodes.list_item)),
      "Shift-Enter": chainCommands(exitCode, breakLine),
      "Mod-Enter": chainCommands(exitCode, breakLine),
      "Mod-]": sinkListItem(nodes.list_item),
      "Mod-[": liftListItem(nodes.list_item),
      // At a table's end the key leaves the text, as everywhere else in it.
      Tab: goToNextCell(1),
      "Shift-Tab": goToNextCell(-1),
    }),
    keymap(baseKeymap),
    history(),
    tableEditing(),
    findingMarks(),
    emptyHeads(),
  ];
}
