import type { Nodes, PhrasingContent, Root, RootContent, Table } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { Fragment, type Mark, type Node } from "prosemirror-model";
import { syntaxExtensions, treeExtensions } from "../../ui/markdown.tsx";
import { Origin, schema } from "./schema.ts";

/** Parses a text in the site's Markdown dialect, and returns a syntax tree. */
export function parseTree(markdown: string): Root {
  return fromMarkdown(markdown, { extensions: syntaxExtensions, mdastExtensions: treeExtensions });
}

/** The byte order mark, which the Markdown parser skips and does not count in offsets. */
const orderMark = "\ufeff";

/**
 * Reads a Markdown text as an article. Each top-level block stores the part of the text from which it was read, so that `writeArticle`
 * writes the same bytes. If a block has a part that the editor does not know, the editor shows the block's Markdown source.
 */
export function readArticle(markdown: string): Node {
  const start = markdown.startsWith(orderMark) ? orderMark.length : 0;
  const text = markdown.slice(start);
  const blocks: Node[] = [];
  let end = 0;
  let after: string | undefined;
  for (const child of parseTree(text).children) {
    const begin = Math.max(end, child.position?.start.offset ?? end);
    const to = Math.max(begin, child.position?.end.offset ?? begin);
    // The Markdown parser treats a link definition as a part of the underlined heading below the definition.
    const from = begin + (/^[\r\n]*/.exec(text.slice(begin, to))?.[0].length ?? 0);
    const slice = text.slice(from, to);
    const gap = (end === 0 ? markdown.slice(0, start) : "") + text.slice(end, from);
    const block = readBlock(child, text) ?? makeSourceBlock(slice);
    const origin = new Origin(slice, gap, after, block);
    blocks.push(block.type.create({ ...block.attrs, origin }, block.content, block.marks));
    after = slice;
    end = to;
  }
  if (blocks.length === 0) return makeEmptyArticle(markdown);
  return schema.nodes.doc.create({ tail: text.slice(end) }, blocks);
}

function makeEmptyArticle(tail: string): Node {
  return schema.nodes.doc.create({ tail }, schema.nodes.paragraph.create());
}

/** Makes one block of Markdown source from a text that is not parsed. */
export function readAsSource(markdown: string): Node {
  if (markdown === "") return makeEmptyArticle("");
  const block = makeSourceBlock(markdown);
  const origin = new Origin(markdown, "", undefined, block);
  return schema.nodes.doc.create(null, block.type.create({ origin }, block.content));
}

function makeSourceBlock(markdown: string): Node {
  return schema.nodes.source.create(null, markdown === "" ? undefined : schema.text(markdown));
}

/** Converts a block for the editor; `undefined` if the block has a part that the editor does not know. */
export function readBlock(node: RootContent, text: string): Node | undefined {
  if (!isKnown(node)) return undefined;
  const block = makeBlock(node, text);
  try {
    block?.check();
    return block;
  } catch (error) {
    // The editor's schema does not allow every block: for example, it allows no list item that begins with a heading.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const known: ReadonlySet<Nodes["type"]> = new Set<Nodes["type"]>([
  ...(["paragraph", "heading", "blockquote", "list", "listItem", "thematicBreak"] as const),
  ...(["table", "tableRow", "tableCell", "footnoteDefinition", "footnoteReference"] as const),
  ...(["text", "emphasis", "strong", "delete", "inlineCode", "link", "break"] as const),
]);

function isKnown(node: Nodes): boolean {
  return known.has(node.type) && (!("children" in node) || node.children.every(isKnown));
}

function makeBlock(node: RootContent, text: string): Node | undefined {
  const { nodes } = schema;
  switch (node.type) {
    case "paragraph":
      return nodes.paragraph.create(null, readInlines(node.children, text));
    case "heading":
      return nodes.heading.create({ level: node.depth }, readInlines(node.children, text));
    case "thematicBreak":
      return nodes.rule.create();
    case "blockquote":
      return nodes.blockquote.create(null, readBlocks(node.children, text));
    case "footnoteDefinition":
      return nodes.note.create({ label: node.label ?? node.identifier }, readBlocks(node.children, text));
    case "table":
      return readTable(node, text);
    case "list": {
      const items = node.children.map(({ children }) =>
        schema.nodes.list_item.create(null, readBlocks(children, text)),
      );
      const from = node.position?.start.offset ?? 0;
      const mark = /^(?:[-*+]|\d+[.)])/.exec(text.slice(from, from + 12))?.[0] ?? "";
      const loose = node.spread === true || node.children.some(({ spread }) => spread === true);
      return node.ordered === true
        ? nodes.ordered_list.create({ marker: mark.slice(-1) || ".", loose, start: node.start ?? 1 }, items)
        : nodes.bullet_list.create({ marker: mark || "-", loose }, items);
    }
    default:
      return undefined;
  }
}

/** Converts the blocks inside another block. An empty block gets an empty paragraph, so that a caret can be placed in it. */
function readBlocks(children: readonly RootContent[], text: string): readonly Node[] {
  const blocks = children.flatMap((child) => makeBlock(child, text) ?? []);
  return blocks.length === 0 ? [schema.nodes.paragraph.create()] : blocks;
}

/** Converts a table, and gives each row as many cells as the widest row has. */
function readTable({ children: rows, align }: Table, text: string): Node {
  const width = rows.reduce((most, row) => Math.max(most, row.children.length), 1);
  const { nodes } = schema;
  return nodes.table.create(
    null,
    rows.map(({ children: cells }, row) =>
      nodes.table_row.create(
        null,
        Array.from({ length: width }, (_, column) => {
          const type = row === 0 ? nodes.table_header : nodes.table_cell;
          const content = readInlines(cells[column]?.children ?? [], text);
          return type.create({ align: align?.[column] ?? null }, nodes.paragraph.create(null, content));
        }),
      ),
    ),
  );
}

function readInlines(
  children: readonly PhrasingContent[],
  text: string,
  marks: readonly Mark[] = [],
): Fragment {
  return Fragment.fromArray(children.flatMap((child) => readInline(child, text, marks)));
}

function readInline(node: PhrasingContent, text: string, marks: readonly Mark[]): readonly Node[] {
  const readMarked = (mark: Mark, children: readonly PhrasingContent[]) =>
    readInlines(children, text, mark.addToSet(marks)).content;
  switch (node.type) {
    case "text":
      return readText(node.value, marks);
    case "inlineCode":
      return readText(node.value, schema.marks.code.create().addToSet(marks));
    case "strong":
      return readMarked(schema.marks.strong.create(), node.children);
    case "emphasis":
      return readMarked(schema.marks.emphasis.create(), node.children);
    case "delete":
      return readMarked(schema.marks.strike.create(), node.children);
    case "link": {
      const written = node.position === undefined ? "" : text.charAt(node.position.start.offset ?? 0);
      const bare = written !== "[" && written !== "<";
      const attrs = { href: node.url, title: node.title ?? null, bare };
      return readMarked(schema.marks.link.create(attrs), node.children);
    }
    case "break":
      return [schema.nodes.line_break.create(null, null, marks)];
    case "footnoteReference":
      return [schema.nodes.note_mark.create({ label: node.label ?? node.identifier }, null, marks)];
    default:
      return [];
  }
}

/** The end of a line inside a paragraph looks like a space to readers. */
function readText(value: string, marks: readonly Mark[]): readonly Node[] {
  const words = value.replace(/[\r\n]+/g, " ");
  return words === "" ? [] : [schema.text(words, marks)];
}
