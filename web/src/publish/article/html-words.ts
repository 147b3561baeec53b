import type { Node } from "prosemirror-model";
import type { Tag } from "./clipboard.ts";
import { schema } from "./schema.ts";

type Style = {
  readonly strong: boolean;
  readonly emphasis: boolean;
  readonly strike: boolean;
  readonly code: boolean;
};
/** The style and the link that apply to the words inside an element. */
export type State = { readonly style: Style; readonly href: string | undefined };

export const plain: State = {
  style: { strong: false, emphasis: false, strike: false, code: false },
  href: undefined,
};

/** The numbers of parts that were left out so far. */
export type Left = { pictures: number; tracked: number };
export type Child = Tag | string;

const blockNames: ReadonlySet<string> = new Set(
  "address article aside blockquote center dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody td tfoot th thead tr ul caption body html".split(
    " ",
  ),
);

/** Whether an element is a block, and so not a part of a line. */
export const isBlock = (child: Child): child is Tag =>
  typeof child !== "string" && (blockNames.has(child.name) || child.children.some(isBlock));

const { nodes } = schema;

/** The unchanged text of an element such as code. */
export function readRawText(child: Child): string {
  if (typeof child === "string") return child;
  return child.name === "br" ? "\n" : child.children.map(readRawText).join("");
}

/** The words of an element with their marks, in the form of one line of the article. */
export function readInlines(child: Child, state: State, left: Left): readonly Node[] {
  if (typeof child === "string") {
    const words = child.replace(/[ \t\r\n\f]+/g, " ");
    return words === "" ? [] : [schema.text(words, makeMarks(state))];
  }
  if (child.name === "br") return [nodes.line_break.create()];
  if (child.name === "img" || child.name === "v:imagedata" || child.name === "svg") {
    left.pictures += 1;
    return [];
  }
  if (/mso-list:\s*ignore/i.test(child.attrs.style ?? "")) return [];
  const next = readStyle(child, state);
  return child.children.flatMap((each, at) => {
    const inner = readInlines(each, next, left);
    // If a line contains blocks, as in a table's cell, a space separates the words of two blocks.
    return at > 0 && isBlock(each) ? [schema.text(" "), ...inner] : inner;
  });
}

/** The style of the words inside an element. */
export function readStyle(tag: Tag, { style, href }: State): State {
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

function makeMarks({ style, href }: State) {
  const { marks } = schema;
  const names = (["strong", "emphasis", "strike", "code"] as const).filter((name) => style[name]);
  const found = names.map((name) => marks[name].create());
  return href === undefined || !/^(?:https?:|mailto:)/i.test(href)
    ? found
    : [marks.link.create({ href }), ...found];
}

/** Removes white space and line breaks from both ends of a line, and keeps only single spaces inside the line. */
export function trimWords(words: readonly Node[]): readonly Node[] {
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

/** Headings and table heads are always bold, so their words need no bold mark. */
export function removeBold(words: readonly Node[]): readonly Node[] {
  return words.map((node) => node.mark(node.marks.filter(({ type }) => type !== schema.marks.strong)));
}

/** An item of a list in a document of Microsoft Word. */
export type Item = {
  readonly list: string;
  readonly level: number;
  readonly ordered: boolean;
  readonly words: readonly Node[];
};

/** Microsoft Word writes the items of a list as paragraphs, with the level in a style and the mark as hidden text. */
export function wordItem(tag: Tag, state: State, left: Left): Item | undefined {
  const [, list = "", level] = /mso-list:\s*(l\d+)\s+level(\d)/i.exec(tag.attrs.style ?? "") ?? [];
  if (tag.name !== "p" || level === undefined) return undefined;
  const words = trimWords(tag.children.flatMap((child) => readInlines(child, readStyle(tag, state), left)));
  return {
    list,
    level: Number(level),
    ordered: /^\s*\(?(?:\d+|[a-z]|[ivx]+)[.)]/i.test(readMark(tag)),
    words,
  };
}

/** The mark of an item, which Word asks other programs to ignore. */
function readMark(tag: Tag): string {
  if (/mso-list:\s*ignore/i.test(tag.attrs.style ?? "")) return readRawText(tag);
  return tag.children.map((child) => (typeof child === "string" ? "" : readMark(child))).join("");
}

/** Builds a nested list from Word's items, according to their levels. */
export function listOfItems(items: readonly Item[]): Node {
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
