import { lift, setBlockType, toggleMark, wrapIn } from "prosemirror-commands";
import type { Node, NodeType } from "prosemirror-model";
import { liftListItem, wrapInList } from "prosemirror-schema-list";
import { type Command, type EditorState, TextSelection } from "prosemirror-state";
import {
  addColumnAfter,
  addRowAfter,
  deleteColumn,
  deleteRow,
  deleteTable,
  isInTable,
} from "prosemirror-tables";
import { schema } from "./schema.ts";

const { nodes, marks } = schema;

/** The formats for which the editor's bar has buttons. */
export const formats = [
  "bold",
  "italic",
  "heading",
  "subheading",
  "link",
  "quote",
  "bullets",
  "numbers",
  "table",
  "footnote",
  "rule",
] as const;
export type Format = (typeof formats)[number];

/** The additional commands that the editor's bar offers inside a table. */
export const tableFormats = ["addRow", "addColumn", "deleteRow", "deleteColumn", "deleteTable"] as const;
export type TableFormat = (typeof tableFormats)[number];

/** Makes a command that sets a mark on the selected words, or removes the mark. */
export function toggleFormat(mark: "strong" | "emphasis" | "link"): Command {
  return toggleMark(marks[mark]);
}

/** For each format, the command that applies the format to the selection. Applying a format a second time removes it. */
export const commands: Readonly<Record<Exclude<Format, "link"> | TableFormat, Command>> = {
  bold: toggleFormat("strong"),
  italic: toggleFormat("emphasis"),
  heading: toggleHeading(2),
  subheading: toggleHeading(3),
  quote: (state, dispatch) =>
    (isInside(state, nodes.blockquote) ? lift : wrapIn(nodes.blockquote))(state, dispatch),
  bullets: toggleList(nodes.bullet_list),
  numbers: toggleList(nodes.ordered_list),
  table: insertTable,
  footnote: addFootnote,
  rule: (state, dispatch) =>
    insertBlocks(state, [nodes.rule.create(), nodes.paragraph.create()], 1, dispatch),
  addRow: addRowAfter,
  addColumn: addColumnAfter,
  deleteRow,
  deleteColumn,
  deleteTable,
};

function toggleHeading(level: number): Command {
  return (state, dispatch) => {
    const isSet = hasFormat(state, level === 2 ? "heading" : "subheading");
    const command = isSet ? setBlockType(nodes.paragraph) : setBlockType(nodes.heading, { level });
    return command(state, dispatch);
  };
}

function toggleList(type: NodeType): Command {
  return (state, dispatch) => {
    if (isInside(state, type)) return liftListItem(nodes.list_item)(state, dispatch);
    const other = type === nodes.bullet_list ? nodes.ordered_list : nodes.bullet_list;
    const at = findDepth(state, other);
    if (at === undefined) return wrapInList(type)(state, dispatch);
    const { $from } = state.selection;
    dispatch?.(state.tr.setNodeMarkup($from.before(at), type));
    return true;
  };
}

function findDepth({ selection: { $from } }: EditorState, type: NodeType): number | undefined {
  for (let depth = $from.depth; depth > 0; depth -= 1) if ($from.node(depth).type === type) return depth;
  return undefined;
}

function isInside(state: EditorState, type: NodeType): boolean {
  return findDepth(state, type) !== undefined;
}

/** Whether the selection already has a format. */
export function hasFormat(state: EditorState, format: Format): boolean {
  return active[format]?.(state) ?? false;
}

const active: Readonly<Partial<Record<Format, (state: EditorState) => boolean>>> = {
  bold: (state) => hasMark(state, "strong"),
  italic: (state) => hasMark(state, "emphasis"),
  link: (state) => hasMark(state, "link"),
  heading: ({ selection: { $from } }) => $from.parent.type === nodes.heading && $from.parent.attrs.level <= 2,
  subheading: ({ selection: { $from } }) =>
    $from.parent.type === nodes.heading && $from.parent.attrs.level > 2,
  quote: (state) => isInside(state, nodes.blockquote),
  bullets: (state) => isInside(state, nodes.bullet_list),
  numbers: (state) => isInside(state, nodes.ordered_list),
  table: isInTable,
};

function hasMark(
  { selection, storedMarks, doc }: EditorState,
  mark: "strong" | "emphasis" | "link",
): boolean {
  const { $from, from, to, empty } = selection;
  return empty
    ? marks[mark].isInSet(storedMarks ?? $from.marks()) !== undefined
    : doc.rangeHasMark(from, to, marks[mark]);
}

/** Inserts blocks after the selected top-level block, or replaces the selected block if it is empty. */
function insertBlocks(
  state: EditorState,
  blocks: readonly Node[],
  caret: number,
  dispatch: Parameters<Command>[1],
): boolean {
  const { $to } = state.selection;
  const isEmpty = $to.depth === 1 && $to.parent.type === nodes.paragraph && $to.parent.childCount === 0;
  const from = isEmpty ? $to.before(1) : $to.depth === 0 ? $to.pos : $to.after(1);
  const to = isEmpty ? $to.after(1) : from;
  if (dispatch === undefined) return true;
  const transaction = state.tr.replaceWith(from, to, blocks);
  const at = Math.min(transaction.doc.content.size, from + 1 + caret);
  transaction.setSelection(TextSelection.near(transaction.doc.resolve(at)));
  dispatch(transaction.scrollIntoView());
  return true;
}

function insertTable(state: EditorState, dispatch?: Parameters<Command>[1]): boolean {
  const makeCell = (type: NodeType, align: string | null) => type.create({ align }, nodes.paragraph.create());
  const rows = [nodes.table_header, nodes.table_cell, nodes.table_cell].map((type) =>
    nodes.table_row.create(null, [makeCell(type, null), makeCell(type, "right")]),
  );
  return insertBlocks(state, [nodes.table.create(null, rows), nodes.paragraph.create()], 2, dispatch);
}

/** Adds the mark of a footnote after the selection, adds the note at the end of the text, and moves the caret into the note. */
function addFootnote(state: EditorState, dispatch?: Parameters<Command>[1]): boolean {
  const { $to, to } = state.selection;
  if (!$to.parent.inlineContent || $to.parent.type === nodes.source || isInside(state, nodes.note))
    return false;
  let taken = 0;
  state.doc.descendants(({ type, attrs }) => {
    if (type === nodes.note_mark || type === nodes.note) taken = Math.max(taken, Number(attrs.label) || 0);
  });
  const label = String(taken + 1);
  if (dispatch === undefined) return true;
  const transaction = state.tr.insert(to, nodes.note_mark.create({ label }));
  const end = transaction.doc.content.size;
  transaction.insert(end, nodes.note.create({ label }, nodes.paragraph.create()));
  transaction.setSelection(TextSelection.near(transaction.doc.resolve(end + 2)));
  dispatch(transaction.scrollIntoView());
  return true;
}

/** The words that become a link: the selected words, or the words of the link at the caret. */
function findLinkRange({ selection, doc }: EditorState): { readonly from: number; readonly to: number } {
  const { from, to, empty, $from } = selection;
  const mark = marks.link.isInSet($from.marks());
  if (!empty || mark === undefined) return { from, to };
  const hasSameParent = (at: number) => doc.resolve(at).parent === $from.parent;
  const has = (at: number) =>
    hasSameParent(at) && hasSameParent(at + 1) && doc.rangeHasMark(at, at + 1, marks.link);
  let [start, end] = [from, to];
  while (start > $from.start() && has(start - 1)) start -= 1;
  while (end < $from.end() && has(end)) end += 1;
  return { from: start, to: end };
}

/** The address of the link at the selection. */
export function findHref(state: EditorState): string {
  const { from, to } = findLinkRange(state);
  let href = "";
  state.doc.nodesBetween(from, to, ({ marks: found }) => {
    href ||= String(marks.link.isInSet(found)?.attrs.href ?? "");
  });
  return href;
}

/**
 * Makes a command that puts a link on the selected words; an empty address removes the link. If no words are selected, the address itself
 * is inserted.
 */
export function setLink(href: string): Command {
  return (state, dispatch) => {
    const { from, to } = findLinkRange(state);
    const address = href.trim();
    const url = address === "" || /^[a-z][a-z+.-]*:/i.test(address) ? address : `https://${address}`;
    const transaction = state.tr.removeMark(from, to, marks.link);
    const mark = marks.link.create({ href: url });
    if (url !== "" && from === to) transaction.insert(from, schema.text(url, [mark]));
    else if (url !== "") transaction.addMark(from, to, mark);
    // The caret moves behind the link, so that the next key does not replace the link's words.
    const end = transaction.mapping.map(to);
    transaction.setSelection(TextSelection.create(transaction.doc, end));
    dispatch?.(transaction.scrollIntoView());
    return true;
  };
}
