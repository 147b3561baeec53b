import { Fragment, type Node } from "prosemirror-model";
import { readTags, type Tag } from "./clipboard.ts";
import { type Pasted, withoutTracking } from "./paste.ts";
import { schema } from "./schema.ts";

type Style = {
  readonly strong: boolean;
  readonly emphasis: boolean;
  readonly strike: boolean;
  readonly code: boolean;
};
type State = { readonly style: Style; readonly href: string | undefined };

const plain: State = {
  style: { strong: false, emphasis: false, strike: false, code: false },
  href: undefined,
};

/**
 * Reads a clipboard's HTML. Headings, emphasis, links, lists, quotations, tables and rules are kept; styles,
 * pictures, scripts and everything else are left out. Nothing of it is ever put into the page.
 */
export function readHtml(html: string): Pasted {
  const left = { pictures: 0, tracked: 0 };
  const root = cleaned(readTags(html), left);
  const blocks = blocksOf(root.children, plain, left).filter(
    ({ type, content }) => type !== schema.nodes.paragraph || content.size > 0,
  );
  return { blocks, ...left };
}

type Left = { pictures: number; tracked: number };
type Child = Tag | string;

/** An element without what nobody sees, and with links that do not track. */
function cleaned(tag: Tag, left: Left): Tag {
  const { href } = tag.attrs;
  const clean = href === undefined ? undefined : withoutTracking(href);
  if (clean !== href) left.tracked += 1;
  const children = tag.children.flatMap((child): readonly Child[] =>
    typeof child === "string"
      ? [child]
      : /display:\s*none/i.test(child.attrs.style ?? "")
        ? []
        : [cleaned(child, left)],
  );
  return { ...tag, attrs: { ...tag.attrs, ...(clean !== undefined && { href: clean }) }, children };
}

const blockNames: ReadonlySet<string> = new Set(
  "address article aside blockquote center dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody td tfoot th thead tr ul caption body html".split(
    " ",
  ),
);

const isBlock = (child: Child): child is Tag =>
  typeof child !== "string" && (blockNames.has(child.name) || child.children.some(isBlock));

const { nodes } = schema;

function blocksOf(children: readonly Child[], state: State, left: Left): readonly Node[] {
  const blocks: Node[] = [];
  let words: Node[] = [];
  const endParagraph = () => {
    const lines = trimmed(words);
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
      const found = inlinesOf(child, state, left);
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
    blocks.push(...blockOf(child, state, left));
  }
  endParagraph();
  endItems();
  return blocks;
}

function blockOf(tag: Tag, state: State, left: Left): readonly Node[] {
  const within = () => blocksOf(tag.children, styleOf(tag, state), left);
  const level = headingOf(tag);
  if (level !== undefined) {
    const words = trimmed(tag.children.flatMap((child) => inlinesOf(child, plain, left)));
    const bare = words.map((node) =>
      node.mark(node.marks.filter(({ type }) => type !== schema.marks.strong)),
    );
    return bare.length === 0
      ? []
      : [
          nodes.heading.create(
            { level },
            bare.filter(({ isText }) => isText),
          ),
        ];
  }
  switch (tag.name) {
    case "ul":
    case "ol":
      return listOf(tag, state, left);
    case "li":
      return listOf({ ...tag, name: "ul", children: [tag] }, state, left);
    case "blockquote": {
      const blocks = within().filter(({ type }) => type !== nodes.source);
      return blocks.length === 0 ? [] : [nodes.blockquote.create(null, blocks)];
    }
    case "hr":
      return [nodes.rule.create()];
    case "table":
      return tableOf(tag, state, left);
    case "pre": {
      const code = textOf(tag).replace(/\n+$/, "");
      const fence = "`".repeat(Math.max(3, ...[...code.matchAll(/`+/g)].map(([run]) => run.length + 1)));
      return code === "" ? [] : [nodes.source.create(null, schema.text(`${fence}\n${code}\n${fence}`))];
    }
    default:
      return within();
  }
}

/** Headings and a table's head are bold by themselves. */
function withoutBold(words: readonly Node[]): readonly Node[] {
  return words.map((node) => node.mark(node.marks.filter(({ type }) => type !== schema.marks.strong)));
}

/** The level of a heading, or of what Word's and Google's documents mean as a title. The page has the first. */
function headingOf({ name, attrs }: Tag): number | undefined {
  const [, level] = /^h([1-6])$/.exec(name) ?? [];
  if (level !== undefined) return Math.max(2, Number(level));
  if (name !== "p") return undefined;
  const word = /\bMso(?:Title|Heading(\d))/i.exec(attrs.class ?? "");
  return word === null ? undefined : Math.min(6, Math.max(2, Number(word[1] ?? 1)));
}

function textOf(child: Child): string {
  if (typeof child === "string") return child;
  return child.name === "br" ? "\n" : child.children.map(textOf).join("");
}

function inlinesOf(child: Child, state: State, left: Left): readonly Node[] {
  if (typeof child === "string") {
    const words = child.replace(/[ \t\r\n\f]+/g, " ");
    return words === "" ? [] : [schema.text(words, marksOf(state))];
  }
  if (child.name === "br") return [nodes.line_break.create()];
  if (child.name === "img" || child.name === "v:imagedata" || child.name === "svg") {
    left.pictures += 1;
    return [];
  }
  if (/mso-list:\s*ignore/i.test(child.attrs.style ?? "")) return [];
  const next = styleOf(child, state);
  return child.children.flatMap((each, at) => {
    const inner = inlinesOf(each, next, left);
    // Blocks inside a line, as in a table's cell: a space keeps their words apart.
    return at > 0 && isBlock(each) ? [schema.text(" "), ...inner] : inner;
  });
}

function styleOf(tag: Tag, { style, href }: State): State {
  const css = tag.attrs.style ?? "";
  const weight = /(?<![\w-])font-weight:\s*(\w+)/i.exec(css)?.[1];
  const slant = /(?<![\w-])font-style:\s*(\w+)/i.exec(css)?.[1];
  const isBold = weight === undefined ? undefined : /^(?:bold|bolder|[6-9]00)$/i.test(weight);
  const isItalic = slant === undefined ? undefined : /^(?:italic|oblique)$/i.test(slant);
  const { name } = tag;
  return {
    style: {
      strong: isBold ?? (style.strong || name === "b" || name === "strong"),
      emphasis: isItalic ?? (style.emphasis || name === "i" || name === "em" || name === "cite"),
      strike: style.strike || ["s", "del", "strike"].includes(name) || /line-through/i.test(css),
      code: style.code || name === "code" || name === "kbd" || name === "tt",
    },
    href: name === "a" ? (tag.attrs.href ?? href) : href,
  };
}

function marksOf({ style, href }: State) {
  const { marks } = schema;
  const names = (["strong", "emphasis", "strike", "code"] as const).filter((name) => style[name]);
  const found = names.map((name) => marks[name].create());
  return href === undefined || !/^(?:https?:|mailto:)/i.test(href)
    ? found
    : [marks.link.create({ href }), ...found];
}

/** A line without white space and breaks at its ends, and with single spaces. */
function trimmed(words: readonly Node[]): readonly Node[] {
  const line: Node[] = [];
  for (const node of words) {
    const last = line.at(-1);
    const isOpen = last === undefined || last.type === nodes.line_break || (last.text ?? "").endsWith(" ");
    const text = isOpen ? node.text?.replace(/^ +/, "") : node.text;
    if (node.type === nodes.line_break && last === undefined) continue;
    if (text === undefined) line.push(node);
    else if (text !== "") line.push(schema.text(text, node.marks));
  }
  for (let last = line.at(-1); last !== undefined; last = line.at(-1)) {
    const rest = last.text?.replace(/ +$/, "") ?? "";
    if (last.isText && rest === last.text) break;
    line.pop();
    if (rest !== "") line.push(schema.text(rest, last.marks));
  }
  return line;
}

function listOf(tag: Tag, state: State, left: Left): readonly Node[] {
  const items: Node[] = [];
  for (const child of tag.children) {
    if (typeof child === "string") continue;
    // Google's documents put the inner list beside the item that it belongs to.
    const inner = child.name === "li" ? undefined : blocksOf([child], state, left);
    const last = items.at(-1);
    if (inner !== undefined && last !== undefined) {
      items.splice(-1, 1, last.copy(last.content.append(Fragment.fromArray([...inner]))));
      continue;
    }
    const blocks = inner ?? blocksOf(child.children, styleOf(child, state), left);
    if (blocks.length > 0) items.push(itemOf(blocks));
  }
  if (items.length === 0) return [];
  const start = Number(tag.attrs.start ?? 1);
  return [
    tag.name === "ol"
      ? nodes.ordered_list.create({ start: Number.isSafeInteger(start) && start >= 0 ? start : 1 }, items)
      : nodes.bullet_list.create(null, items),
  ];
}

function itemOf(blocks: readonly Node[]): Node {
  const [first] = blocks;
  // Headings in a list are words of it.
  const start = first?.type === nodes.heading ? nodes.paragraph.create(null, first.content) : first;
  const rest = blocks.slice(1).filter(({ type }) => type !== nodes.source);
  return start?.type === nodes.paragraph
    ? nodes.list_item.create(null, [start, ...rest])
    : nodes.list_item.create(null, [
        nodes.paragraph.create(),
        ...blocks.filter(({ type }) => type !== nodes.source),
      ]);
}

type Item = {
  readonly list: string;
  readonly level: number;
  readonly ordered: boolean;
  readonly words: readonly Node[];
};

/** Word writes a list's items as paragraphs, with the level in a style and the mark as hidden text. */
function wordItem(tag: Tag, state: State, left: Left): Item | undefined {
  const [, list = "", level] = /mso-list:\s*(l\d+)\s+level(\d)/i.exec(tag.attrs.style ?? "") ?? [];
  if (tag.name !== "p" || level === undefined) return undefined;
  const words = trimmed(tag.children.flatMap((child) => inlinesOf(child, styleOf(tag, state), left)));
  return {
    list,
    level: Number(level),
    ordered: /^\s*\(?(?:\d+|[a-z]|[ivx]+)[.)]/i.test(ignored(tag)),
    words,
  };
}

/** The mark of an item, which Word asks other programs to ignore. */
function ignored(tag: Tag): string {
  if (/mso-list:\s*ignore/i.test(tag.attrs.style ?? "")) return textOf(tag);
  return tag.children.map((child) => (typeof child === "string" ? "" : ignored(child))).join("");
}

function listOfItems(items: readonly Item[]): Node {
  const least = Math.min(...items.map(({ level }) => level));
  const found: Node[] = [];
  for (let at = 0; at < items.length; ) {
    const [first] = items.slice(at);
    if (first === undefined) break;
    let end = at + 1;
    while ((items[end]?.level ?? least) > least) end += 1;
    const inner = items.slice(first.level > least ? at : at + 1, end);
    const own = nodes.paragraph.create(null, first.level > least ? [] : [...first.words]);
    found.push(nodes.list_item.create(null, inner.length === 0 ? [own] : [own, listOfItems(inner)]));
    at = end;
  }
  const type =
    items.find(({ level }) => level === least)?.ordered === true ? nodes.ordered_list : nodes.bullet_list;
  return type.create(null, found);
}

function tableOf(tag: Tag, state: State, left: Left): readonly Node[] {
  const seen = { pictures: 0, tracked: 0 };
  const rows = rowsOf(tag).map((row) =>
    row.children
      .filter((cell) => typeof cell !== "string" && (cell.name === "td" || cell.name === "th"))
      .map((cell) => trimmed(inlinesOf(cell, state, seen)).filter(({ isText }) => isText)),
  );
  const filled = rows.filter((cells) => cells.some((cell) => cell.length > 0));
  const width = Math.max(0, ...filled.map((cells) => cells.length));
  // Pages lay out columns of text by tables of one cell.
  if (filled.length < 2 || width < 2) return blocksOf(cellsOf(tag), state, left);
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
              nodes.paragraph.create(null, row === 0 ? withoutBold(cells[column] ?? []) : cells[column]),
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
