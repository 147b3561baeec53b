import { Fragment, DOMParser as HtmlParser, type Node, type ParseRule } from "prosemirror-model";
import { Transform } from "prosemirror-transform";
import { findDisplayFault } from "../../../../core/press/input.ts";
import { limits } from "../../../../core/press/schema.ts";
import { type PasteResult, removeStyles } from "./clipboard.ts";
import { schema } from "./schema.ts";
import { removeUrlTracking } from "./source.ts";

const { nodes, marks } = schema;

/** The maximum number of elements and the maximum nesting depth that are read from HTML. Both limits are larger than any article needs. */
const most = { elements: 20_000, depth: 200 } as const;

/**
 * Reads the HTML of a clipboard as blocks of an article. Headings, emphasis, links, lists, quotations, tables and rules are kept; styles,
 * pictures, scripts and everything else are left out. The HTML itself is never inserted into the page. Returns `undefined` if the content
 * is longer than an article may be, because writing its Markdown would take too long.
 */
export function readHtml(html: string): PasteResult | undefined {
  const clean = removeStyles(html);
  if (clean === undefined) return undefined;
  const { body } = new DOMParser().parseFromString(clean, "text/html");
  if (isTooLarge(body)) return undefined;
  restoreStyles(body);
  const pictures = body.querySelectorAll("img, svg, v\\:imagedata").length;
  const tracked = cleanAddresses(body);
  nestWordLists(body);
  // Inner tables are rebuilt before the tables around them.
  for (const table of [...body.querySelectorAll("table")].toReversed()) rebuildTable(table);
  for (const line of body.querySelectorAll(`:is(${headings}) br`)) line.replaceWith(" ");
  const blocks = removeHeadingsBold(parser.parse(body)).children.filter(
    ({ type, textContent }) => type === nodes.rule || textContent.trim() !== "",
  );
  const sketch = blocks.map((block) => `${estimateMarkdown(block, 0)}\n`).join("");
  const isTooLong = sketch.length > limits.body.maxBytes || findDisplayFault(sketch) !== undefined;
  return isTooLong ? undefined : { blocks, pictures, tracked };
}

/** Counts elements level by level, because recursion could throw a RangeError in browsers that do not limit the nesting depth. */
function isTooLarge(body: Element): boolean {
  let elements = 0;
  let level: readonly Element[] = [body];
  for (let depth = 0; level.length > 0; depth += 1) {
    elements += level.length;
    if (depth > most.depth || elements > most.elements) return true;
    level = level.flatMap(({ children }) => [...children]);
  }
  return false;
}

/**
 * Makes an approximate Markdown text of a block from the block's words and nesting. The Markdown signs inside lines, such as signs for
 * emphasis, are ignored.
 */
function estimateMarkdown(block: Node, depth: number): string {
  if (block.isTextblock)
    return `${"> ".repeat(depth)}${block.textBetween(0, block.content.size, "\n", "\n")}\n`;
  if (block.type === nodes.table_row) return `${block.children.map((cell) => cell.textContent).join("|")}\n`;
  const inner = block.type === nodes.list_item || block.type === nodes.blockquote ? depth + 1 : depth;
  return block.children.map((child) => estimateMarkdown(child, inner)).join("");
}

/** Sets the styles by script, which the content security policy allows, and removes invisible elements. */
function restoreStyles(body: HTMLElement): void {
  for (const element of body.querySelectorAll<HTMLElement>("[data-style]")) {
    element.style.cssText = element.dataset.style ?? "";
    element.style.whiteSpace = "";
    if (element.style.display === "none") element.remove();
  }
}

/** Removes tracking parameters from all links. Returns the number of changed links. */
function cleanAddresses(body: HTMLElement): number {
  let tracked = 0;
  for (const link of body.querySelectorAll("a[href]")) {
    const href = link.getAttribute("href") ?? "";
    const clean = removeUrlTracking(href);
    if (clean !== href) tracked += 1;
    link.setAttribute("href", clean);
  }
  return tracked;
}

/**
 * Microsoft Word writes the items of a list as paragraphs. In Word's HTML, the style of a list item's paragraph contains the item's level.
 * Microsoft Word writes the item's bullet or number as text; this text shows the kind of list and is then removed.
 */
function nestWordLists(body: HTMLElement): void {
  const make = (name: string) => body.ownerDocument.createElement(name);
  for (const item of body.querySelectorAll<HTMLElement>("p[data-style]")) {
    const [, id, level] = /mso-list:\s*(l\d+)\s+level(\d)/i.exec(item.dataset.style ?? "") ?? [];
    if (id === undefined || level === undefined) continue;
    const mark = item.querySelector('[data-style*="mso-list:" i]');
    const kind = /^\s*\(?(?:\d+|[a-z]|[ivx]+)[.)]/i.test(mark?.textContent ?? "") ? "ol" : "ul";
    mark?.remove();
    const before = item.previousElementSibling;
    let list = before instanceof HTMLElement && before.dataset.list === id ? before : make(kind);
    if (list !== before) {
      Object.assign(list.dataset, { list: id, level });
      item.before(list);
    }
    for (let depth = Number(list.dataset.level); depth < Number(level); depth += 1) {
      const inner = list.lastElementChild?.lastElementChild;
      const next = inner instanceof HTMLElement && inner.matches("ol, ul") ? inner : make(kind);
      if (next !== inner) (list.lastElementChild ?? list).append(next);
      list = next;
    }
    const entry = make("li");
    entry.append(...item.childNodes);
    list.append(entry);
    item.remove();
  }
}

/**
 * Gives every row of a table as many cells as the widest row has, and makes every cell a single line. Some pages use a table with a single
 * row or column for layout, so such a table is replaced by its content.
 */
function rebuildTable(table: HTMLTableElement): void {
  const rows = [...table.rows].map(({ cells }) => [...cells]);
  const filled = rows.filter((cells) => cells.some(({ textContent }) => textContent.trim() !== ""));
  const width = Math.max(0, ...filled.map((cells) => cells.length));
  const make = (name: string, content: readonly ChildNode[] = []) => {
    const element = table.ownerDocument.createElement(name);
    element.append(...content);
    return element;
  };
  if (filled.length < 2 || width < 2) {
    table.replaceWith(...rows.flat().map(({ childNodes }) => make("div", [...childNodes])));
    return;
  }
  for (const part of table.querySelectorAll(`:is(td, th) :is(${blocks})`))
    part.replaceWith(" ", ...part.childNodes);
  const lines = filled.map((cells, row) =>
    make(
      "tr",
      Array.from({ length: width }, (_, column) =>
        make(row === 0 ? "th" : "td", [...(cells[column]?.childNodes ?? [])]),
      ),
    ),
  );
  table.replaceChildren(...lines);
}

const headings = "h1, h2, h3, h4, h5, h6";
const blocks = `address, article, aside, blockquote, br, center, dd, div, dl, dt, figure, footer, form, ${headings}, header, hr, li, main, nav, ol, p, pre, section, ul`;

/** The rules that say which elements and styles of pasted HTML stay in the article. The first rule that matches an element applies. */
const rules: readonly ParseRule[] = [
  { tag: `li > :is(${headings}):first-child`, node: "paragraph" },
  // Only the page itself has a heading of the first level.
  ...[1, 2, 3, 4, 5, 6].map((level) => ({
    tag: `h${level}, p[class*="MsoHeading${level}" i]`,
    node: "heading",
    attrs: { level: Math.max(2, level) },
  })),
  { tag: 'p[class*="MsoTitle" i]', node: "heading", attrs: { level: 2 } },
  { tag: "p", node: "paragraph" },
  { tag: "blockquote", node: "blockquote" },
  { tag: "hr", node: "rule" },
  { tag: "ul", node: "bullet_list" },
  {
    tag: "ol",
    node: "ordered_list",
    getAttrs: (list) => ({ start: Number(/^\d{1,9}$/.exec(list.getAttribute("start") ?? "1")?.[0] ?? 1) }),
  },
  { tag: "li", node: "list_item" },
  { tag: "table", node: "table" },
  { tag: "tr", node: "table_row" },
  { tag: "th", node: "table_header" },
  { tag: "td", node: "table_cell" },
  {
    tag: "pre",
    node: "source",
    getContent: ({ textContent }) => Fragment.from(fenceCode(textContent ?? "")),
  },
  { tag: "br", node: "line_break" },
  {
    tag: "a[href]",
    mark: "link",
    getAttrs: (link) => {
      const href = link.getAttribute("href") ?? "";
      return /^(?:https?:|mailto:)/i.test(href) && { href };
    },
  },
  { tag: "b, strong", mark: "strong", getAttrs: ({ style }) => style.fontWeight === "" && null },
  { tag: "i, em, cite", mark: "emphasis", getAttrs: ({ style }) => style.fontStyle === "" && null },
  { tag: "s, del, strike", mark: "strike" },
  { tag: "code, kbd, tt", mark: "code" },
  { style: "font-weight", mark: "strong", getAttrs: (weight) => /^(?:bold|[6-9]00)/.test(weight) && null },
  { style: "font-weight", clearMark: ({ type }) => type === marks.strong },
  { style: "font-style", mark: "emphasis", getAttrs: (style) => /^(?:italic|oblique)/.test(style) && null },
  { style: "font-style", clearMark: ({ type }) => type === marks.emphasis },
  { style: "text-decoration", mark: "strike", getAttrs: (line) => line.includes("line-through") && null },
];

const parser = new HtmlParser(schema, rules);

/** Writes code as Markdown source, in a fence that is longer than every fence inside the code. */
function fenceCode(code: string): Node {
  const longest = [...code.matchAll(/`+/g)].reduce((length, [run]) => Math.max(length, run.length), 2);
  const line = "`".repeat(longest + 1);
  return schema.text(`${line}\n${code.replace(/\n+$/, "")}\n${line}`);
}

/** Headings and table heads are always bold, so their words need no bold mark. */
function removeHeadingsBold(article: Node): Node {
  const change = new Transform(article);
  article.descendants((node, at) => {
    if (node.type === nodes.heading || node.type === nodes.table_header)
      change.removeMark(at, at + node.nodeSize, marks.strong);
  });
  return change.doc;
}
