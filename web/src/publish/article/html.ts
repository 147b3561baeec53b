import { Fragment, type Node } from "prosemirror-model";
import { findUnshowable } from "../../../../core/press/input.ts";
import { limits } from "../../../../core/press/schema.ts";
import { type Pasted, readTags, type Tag } from "./clipboard.ts";
import {
  type Child,
  type Item,
  isBlock,
  type Left,
  listOfItems,
  plain,
  readInlines,
  readRawText,
  readStyle,
  removeBold,
  type State,
  trimWords,
  wordItem,
} from "./html-words.ts";
import { schema } from "./schema.ts";
import { removeTracking } from "./source.ts";

/**
 * Reads the HTML of a clipboard as blocks of an article. Headings, emphasis, links, lists, quotations, tables and rules are kept; styles,
 * pictures, scripts and everything else are left out. The HTML itself is never inserted into the page. Returns `undefined` if the content
 * is longer than an article may be, because writing its Markdown would take too long.
 */
export function readHtml(html: string): Pasted | undefined {
  const left = { pictures: 0, tracked: 0 };
  const tags = readTags(html);
  if (tags === undefined) return undefined;
  const root = cleanTag(tags, left);
  const blocks = readBlocks(root.children, plain, left).filter(
    ({ type, content }) => type !== schema.nodes.paragraph || content.size > 0,
  );
  const sketch = blocks.map((block) => `${estimateMarkdown(block, 0)}\n`).join("");
  const isTooMuch = sketch.length > limits.body.maxBytes || findUnshowable(sketch) !== undefined;
  return isTooMuch ? undefined : { blocks, ...left };
}

/** Estimates the Markdown of a block from its words and its nesting, without the marks inside lines. */
function estimateMarkdown(block: Node, depth: number): string {
  if (block.isTextblock)
    return `${"> ".repeat(depth)}${block.textBetween(0, block.content.size, "\n", "\n")}\n`;
  if (block.type === nodes.table_row) return `${block.children.map((cell) => cell.textContent).join("|")}\n`;
  const inner = block.type === nodes.list_item || block.type === nodes.blockquote ? depth + 1 : depth;
  return block.children.map((child) => estimateMarkdown(child, inner)).join("");
}

/** Removes invisible parts from an element, and tracking parameters from its links. */
function cleanTag(tag: Tag, left: Left): Tag {
  const { href } = tag.attrs;
  const clean = href === undefined ? undefined : removeTracking(href);
  if (clean !== href) left.tracked += 1;
  const children = tag.children.flatMap((child): readonly Child[] =>
    typeof child === "string"
      ? [child]
      : /display:\s*none/i.test(child.attrs.style ?? "")
        ? []
        : [cleanTag(child, left)],
  );
  return { ...tag, attrs: { ...tag.attrs, ...(clean !== undefined && { href: clean }) }, children };
}

const { nodes } = schema;

function readBlocks(children: readonly Child[], state: State, left: Left): readonly Node[] {
  const blocks: Node[] = [];
  let words: Node[] = [];
  const endParagraph = () => {
    const lines = trimWords(words);
    if (lines.length > 0) blocks.push(nodes.paragraph.create(null, lines));
    words = [];
  };
  let items: Item[] = [];
  const endItems = () => {
    if (items.length > 0) blocks.push(listOfItems(items));
    items = [];
  };
  for (const child of children) {
    if (typeof child === "string" || !isBlock(child)) {
      const found = readInlines(child, state, left);
      if (items.length > 0 && found.every((each) => (each.text ?? "x").trim() === "")) continue;
      endItems();
      words.push(...found);
      continue;
    }
    endParagraph();
    const item = wordItem(child, state, left);
    if (item !== undefined) {
      if (items.at(-1)?.list !== item.list) endItems();
      items.push(item);
      continue;
    }
    endItems();
    blocks.push(...readElement(child, state, left));
  }
  endParagraph();
  endItems();
  return blocks;
}

function readElement(tag: Tag, state: State, left: Left): readonly Node[] {
  const within = () => readBlocks(tag.children, readStyle(tag, state), left);
  const level = headingOf(tag);
  if (level !== undefined) {
    const words = trimWords(tag.children.flatMap((child) => readInlines(child, plain, left)));
    const bare = removeBold(words).filter(({ isText }) => isText);
    return bare.length === 0 ? [] : [nodes.heading.create({ level }, bare)];
  }
  switch (tag.name) {
    case "ul":
    case "ol":
      return readList(tag, state, left);
    case "li":
      return readList({ ...tag, name: "ul", children: [tag] }, state, left);
    case "blockquote": {
      const blocks = within().filter(({ type }) => type !== nodes.source);
      return blocks.length === 0 ? [] : [nodes.blockquote.create(null, blocks)];
    }
    case "hr":
      return [nodes.rule.create()];
    case "table":
      return tableOf(tag, state, left);
    case "pre": {
      const code = readRawText(tag).replace(/\n+$/, "");
      const longest = [...code.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 2);
      const fence = "`".repeat(longest + 1);
      return code === "" ? [] : [nodes.source.create(null, schema.text(`${fence}\n${code}\n${fence}`))];
    }
    default:
      return within();
  }
}

/** The level of a heading, or of a title in documents of Word and Google Docs. The first level of headings belongs to the page. */
function headingOf({ name, attrs }: Tag): number | undefined {
  const [, level] = /^h([1-6])$/.exec(name) ?? [];
  if (level !== undefined) return Math.max(2, Number(level));
  if (name !== "p") return undefined;
  const word = /\bMso(?:Title|Heading(\d))/i.exec(attrs.class ?? "");
  return word === null ? undefined : Math.min(6, Math.max(2, Number(word[1] ?? 1)));
}

function readList(tag: Tag, state: State, left: Left): readonly Node[] {
  const items: Node[] = [];
  for (const child of tag.children) {
    if (typeof child === "string") continue;
    // Google Docs puts an inner list beside the list item that it belongs to.
    const inner = child.name === "li" ? undefined : readBlocks([child], state, left);
    const last = items.at(-1);
    if (inner !== undefined && last !== undefined) {
      items.splice(-1, 1, last.copy(last.content.append(Fragment.fromArray([...inner]))));
      continue;
    }
    const blocks = inner ?? readBlocks(child.children, readStyle(child, state), left);
    if (blocks.length > 0) items.push(makeListItem(blocks));
  }
  if (items.length === 0) return [];
  const start = Number(tag.attrs.start ?? 1);
  return [
    tag.name === "ol"
      ? nodes.ordered_list.create({ start: Number.isSafeInteger(start) && start >= 0 ? start : 1 }, items)
      : nodes.bullet_list.create(null, items),
  ];
}

function makeListItem(blocks: readonly Node[]): Node {
  const [first] = blocks;
  // A heading at the start of a list item becomes a paragraph.
  const start = first?.type === nodes.heading ? nodes.paragraph.create(null, first.content) : first;
  const rest = blocks.slice(1).filter(({ type }) => type !== nodes.source);
  return start?.type === nodes.paragraph
    ? nodes.list_item.create(null, [start, ...rest])
    : nodes.list_item.create(null, [
        nodes.paragraph.create(),
        ...blocks.filter(({ type }) => type !== nodes.source),
      ]);
}

function tableOf(tag: Tag, state: State, left: Left): readonly Node[] {
  const seen = { pictures: 0, tracked: 0 };
  const rows = rowsOf(tag).map((row) =>
    row.children
      .filter((cell) => typeof cell !== "string" && (cell.name === "td" || cell.name === "th"))
      .map((cell) => trimWords(readInlines(cell, state, seen)).filter(({ isText }) => isText)),
  );
  const filled = rows.filter((cells) => cells.some((cell) => cell.length > 0));
  const width = Math.max(0, ...filled.map((cells) => cells.length));
  // Some pages use a table with a single row or column for layout, so such a table is read as its content.
  if (filled.length < 2 || width < 2) return readBlocks(cellsOf(tag), state, left);
  left.pictures += seen.pictures;
  return [
    nodes.table.create(
      null,
      filled.map((cells, row) =>
        nodes.table_row.create(
          null,
          Array.from({ length: width }, (_, column) =>
            (row === 0 ? nodes.table_header : nodes.table_cell).create(
              null,
              nodes.paragraph.create(null, row === 0 ? removeBold(cells[column] ?? []) : cells[column]),
            ),
          ),
        ),
      ),
    ),
  ];
}

function rowsOf(tag: Tag): readonly Tag[] {
  return tag.children.flatMap((child) =>
    typeof child === "string" || child.name === "table" ? [] : child.name === "tr" ? [child] : rowsOf(child),
  );
}

function cellsOf(tag: Tag): readonly Child[] {
  return rowsOf(tag).flatMap(({ children }) =>
    children.flatMap((cell) => (typeof cell === "string" ? [] : [{ ...cell, name: "div" }])),
  );
}
