import type {
  AlignType,
  BlockContent,
  DefinitionContent,
  Link,
  ListItem,
  PhrasingContent,
  RootContent,
  TableRow,
} from "mdast";
import { gfmFootnoteToMarkdown } from "mdast-util-gfm-footnote";
import { gfmStrikethroughToMarkdown } from "mdast-util-gfm-strikethrough";
import { gfmTableToMarkdown } from "mdast-util-gfm-table";
import { defaultHandlers, type Handle, type Options, toMarkdown } from "mdast-util-to-markdown";
import type { Mark, Node } from "prosemirror-model";
import { blockOf, treeOf } from "./read.ts";
import { originOf } from "./schema.ts";

type Piece = { readonly block: Node; readonly text: string; readonly kept: boolean };

/**
 * The Markdown of an article. A block that is as it was read gives its own bytes, with the white space that
 * stood before it. Only the others are written anew.
 */
export function writeArticle(article: Node): string {
  const context = contextOf(article);
  let out = "";
  let previous: Piece | undefined;
  article.forEach((block) => {
    const origin = originOf(block);
    const kept = origin?.isOf(block) === true;
    const marker = markerOf(block);
    const clashes = previous !== undefined && marker !== undefined && markerOf(previous.block) === marker;
    const isApart = origin?.after !== originOf(previous?.block ?? block)?.markdown || previous?.kept !== true;
    const text =
      kept && origin !== undefined && !(clashes && isApart)
        ? origin.markdown
        : writeBlock(block, context, clashes ? otherMarker(marker) : marker);
    if (text === "") return;
    out += gapBefore({ block, text, kept }, previous) + text;
    previous = { block, text, kept };
  });
  return out + String(article.attrs.tail);
}

const emptyLine = /(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)/;

/** What stands before a block: what stood there, as far as it still keeps both blocks apart. */
function gapBefore({ block, text, kept }: Piece, previous: Piece | undefined): string {
  const origin = originOf(block);
  const gap = origin === undefined ? "" : kept ? origin.gap : origin.gap.replace(/[ \t]+$/, "");
  if (previous === undefined) return origin?.after === undefined || !kept ? gap : indentOf(gap);
  const former = originOf(previous.block);
  if (kept && previous.kept && origin?.after === former?.markdown && origin?.after !== undefined) return gap;
  const apart = emptyLine.test(gap) ? gap : `\n\n${kept ? indentOf(gap) : ""}`;
  // Indented code after a list would belong to the list.
  const holds = markerOf(previous.block) !== undefined || previous.block.type.name === "note";
  return holds && /^(?: {4}|\t)/.test(text) ? `\n\n<!-- -->${apart}` : apart;
}

function indentOf(gap: string): string {
  return /[ \t]*$/.exec(gap)?.[0] ?? "";
}

/** The mark of a list's items. Two lists after each other with the same mark are one list. */
function markerOf({ type, attrs }: Node): string | undefined {
  return type.name.endsWith("_list") ? String(attrs.marker) : undefined;
}

function otherMarker(marker: string | undefined): string {
  return { "-": "*", ".": ")", ")": "." }[marker ?? ""] ?? "-";
}

/** What a block's meaning depends on elsewhere in the text: definitions, and the names of footnotes. */
function contextOf(article: Node): string {
  const found = new Set<string>();
  article.forEach((block) => {
    if (block.type.name === "note") found.add(`[^${String(block.attrs.label)}]: note`);
    if (block.type.name === "source" && /^ {0,3}\[(?!\^)/.test(block.textContent))
      found.add(block.textContent);
  });
  return [...found].join("\n\n");
}

const written = new WeakMap<Node, { readonly key: string; readonly text: string }>();

/** Writes one block anew. A block without content gives nothing. */
function writeBlock(block: Node, context: string, marker: string | undefined): string {
  const key = `${marker}\n${context}`;
  const known = written.get(block);
  if (known?.key === key) return known.text;
  const text = textOf(block, context, marker);
  written.set(block, { key, text });
  return text;
}

function textOf(block: Node, context: string, marker: string | undefined): string {
  if (block.type.name === "source") return block.textContent;
  const tree = treeFrom(block);
  if (tree === undefined) return "";
  const plain = markdownOf(
    tree,
    optionsOf(marker, (node) => String(Reflect.get(node, "value"))),
  );
  // Words that mean nothing to Markdown need no backslashes.
  return isSame(plain, tree, context) ? plain : markdownOf(tree, optionsOf(marker));
}

function markdownOf(tree: RootContent, options: Options): string {
  const text = toMarkdown(tree, options).replace(/\n+$/, "");
  // The line below a table's head, as people write it.
  return tree.type === "table" ? text.replace(/\n.*/, (line) => line.replace(/-/g, "---")) : text;
}

/** Whether a text is read as this block, and as nothing besides. */
function isSame(text: string, tree: RootContent, context: string): boolean {
  const whole = `${text}\n\n${context}`;
  const children = treeOf(whole).children;
  const [first, second] = children;
  if (first === undefined || (second?.position?.start.offset ?? text.length) < text.length) return false;
  const block = blockOf(first, whole);
  return block !== undefined && JSON.stringify(treeFrom(block)) === JSON.stringify(tree);
}

/** Links that are written as their bare address. */
const bareLinks = new WeakSet<Link>();

const writeLink: Handle = (node, parent, state, info) =>
  bareLinks.has(node) ? String(node.children[0]?.value) : defaultHandlers.link(node, parent, state, info);

function optionsOf(marker: string | undefined, writeText?: Handle): Options {
  const bullet = marker === "*" || marker === "+" ? marker : "-";
  return {
    bullet,
    bulletOther: bullet === "-" ? "*" : "-",
    bulletOrdered: marker === ")" ? ")" : ".",
    listItemIndent: "one",
    emphasis: "_",
    rule: "-",
    extensions: [
      gfmTableToMarkdown({ tablePipeAlign: false }),
      gfmFootnoteToMarkdown(),
      gfmStrikethroughToMarkdown(),
    ],
    handlers: { link: writeLink, ...(writeText !== undefined && { text: writeText }) },
  };
}

/** A block as a tree of Markdown, or `undefined` if it holds nothing. */
function treeFrom(block: Node): Exclude<RootContent, DefinitionContent> | DefinitionContent | undefined {
  const { attrs } = block;
  switch (block.type.name) {
    case "paragraph": {
      const children = phrasing(block);
      return children.length === 0 ? undefined : { type: "paragraph", children };
    }
    case "heading": {
      const children = phrasing(block);
      const depth = depths.find((level) => level === attrs.level) ?? 2;
      return children.length === 0 ? undefined : { type: "heading", depth, children };
    }
    case "blockquote":
      return { type: "blockquote", children: blocks(block) };
    case "rule":
      return { type: "thematicBreak" };
    case "bullet_list":
    case "ordered_list":
      return listFrom(block);
    case "table":
      return { type: "table", align: alignOf(block), children: block.children.map(rowFrom) };
    case "note": {
      const label = String(attrs.label);
      return { type: "footnoteDefinition", identifier: label.toLowerCase(), label, children: blocks(block) };
    }
    default:
      return undefined;
  }
}

const depths = [1, 2, 3, 4, 5, 6] as const;

function blocks(parent: Node): (BlockContent | DefinitionContent)[] {
  return parent.children.flatMap((child) => {
    const tree = treeFrom(child);
    return tree === undefined || !isBlock(tree) ? [] : [tree];
  });
}

function isBlock(tree: RootContent): tree is BlockContent {
  return ["paragraph", "heading", "blockquote", "thematicBreak", "list", "table"].includes(tree.type);
}

function listFrom(list: Node): RootContent {
  const items = list.children.map(blocks);
  // A tight list holds nothing but lines and other lists.
  const spread =
    list.attrs.loose === true ||
    items.some((item) => item.some(({ type }, at) => (at === 0 ? type !== "paragraph" : type !== "list")));
  const children = items.map((item): ListItem => ({ type: "listItem", spread, children: item }));
  return list.type.name === "ordered_list"
    ? { type: "list", ordered: true, start: Number(list.attrs.start), spread, children }
    : { type: "list", ordered: false, spread, children };
}

function alignOf(table: Node): AlignType[] {
  return (table.firstChild?.children ?? []).map(
    ({ attrs }) => (["left", "right", "center"] as const).find((side) => side === attrs.align) ?? null,
  );
}

function rowFrom(row: Node): TableRow {
  return {
    type: "tableRow",
    children: row.children.map((cell) => ({
      type: "tableCell",
      children: cell.children.flatMap(phrasing),
    })),
  };
}

/** A part of a line with the marks that are still to be written around it. */
type Part = { readonly node: PhrasingContent; readonly marks: readonly Mark[] };

function phrasing(block: Node): PhrasingContent[] {
  const parts = block.children.flatMap(partOf);
  return trim(nest(parts));
}

const address = /\bhttps?:\/\/[^\s<>]*[^\s<>.,:;!?"'()[\]*_~|]/g;

function partOf(node: Node): readonly Part[] {
  const marks = node.marks.filter(({ type }) => type.name !== "code");
  if (node.type.name === "line_break") return [{ node: { type: "break" }, marks }];
  if (node.type.name === "note_mark") {
    const label = String(node.attrs.label);
    return [{ node: { type: "footnoteReference", identifier: label.toLowerCase(), label }, marks }];
  }
  const value = node.text ?? "";
  if (marks.length < node.marks.length) return [{ node: { type: "inlineCode", value }, marks }];
  if (marks.some(({ type }) => type.name === "link")) return [{ node: { type: "text", value }, marks }];
  return linked(value).map((part) => ({ node: part, marks }));
}

/** A text with its bare addresses as links, as readers will see them. */
function linked(value: string): readonly PhrasingContent[] {
  const parts: PhrasingContent[] = [];
  let from = 0;
  for (const { 0: url, index } of value.matchAll(address)) {
    if (index > from) parts.push({ type: "text", value: value.slice(from, index) });
    const link: Link = { type: "link", title: null, url, children: [{ type: "text", value: url }] };
    bareLinks.add(link);
    parts.push(link);
    from = index + url.length;
  }
  if (from < value.length) parts.push({ type: "text", value: value.slice(from) });
  return parts;
}

/** Puts each mark around the longest run of parts that have it. */
function nest(parts: readonly Part[]): PhrasingContent[] {
  const out: PhrasingContent[] = [];
  for (let at = 0; at < parts.length; ) {
    const [first] = parts.slice(at);
    if (first === undefined) break;
    const runs = first.marks.map((mark) => ({ mark, end: endOfRun(parts, at, mark) }));
    const [longest] = runs.toSorted((one, other) => other.end - one.end);
    if (longest === undefined) {
      append(out, first.node);
      at += 1;
      continue;
    }
    const { mark, end } = longest;
    const inner = parts
      .slice(at, end)
      .map(({ node, marks }) => ({ node, marks: marks.filter((each) => !each.eq(mark)) }));
    for (const node of wrap(mark, nest(inner))) append(out, node);
    at = end;
  }
  return out;
}

function endOfRun(parts: readonly Part[], from: number, mark: Mark): number {
  let end = from;
  while (parts[end]?.marks.some((each) => each.eq(mark)) === true) end += 1;
  return end;
}

function wrap({ type, attrs }: Mark, children: PhrasingContent[]): readonly PhrasingContent[] {
  if (type.name === "link") {
    const [only] = children;
    const url = String(attrs.href);
    const link: Link = { type: "link", title: attrs.title ?? null, url, children: children.flatMap(unlink) };
    const shown = children.length === 1 && only?.type === "text" ? only.value : undefined;
    if (
      attrs.bare === true &&
      shown !== undefined &&
      [shown, `http://${shown}`, `mailto:${shown}`].includes(url)
    )
      bareLinks.add(link);
    return children.length === 0 ? [] : [link];
  }
  // Emphasis neither begins nor ends with white space.
  const before = takeSpace(children, "start");
  const after = takeSpace(children, "end");
  const kind = type.name === "strong" ? "strong" : type.name === "emphasis" ? "emphasis" : "delete";
  return [...before, ...(children.length === 0 ? [] : [{ type: kind, children } as const]), ...after];
}

/** No link holds another one. */
function unlink(node: PhrasingContent): readonly PhrasingContent[] {
  return node.type === "link" ? node.children : [node];
}

/** Takes white space and breaks off one end. */
function takeSpace(children: PhrasingContent[], side: "start" | "end"): readonly PhrasingContent[] {
  const taken: PhrasingContent[] = [];
  for (;;) {
    const node = side === "start" ? children[0] : children.at(-1);
    if (node === undefined || (node.type !== "break" && node.type !== "text")) return taken;
    const space = node.type === "break" ? "" : spaceOf(node.value, side);
    const rest = node.type === "break" ? "" : cut(node.value, space.length, side);
    if (node.type === "text" && space === "") return taken;
    if (side === "start") children.shift();
    else children.pop();
    const piece: PhrasingContent = node.type === "break" ? node : { type: "text", value: space };
    if (side === "start") taken.push(piece);
    else taken.unshift(piece);
    if (rest === "") continue;
    if (side === "start") children.unshift({ type: "text", value: rest });
    else children.push({ type: "text", value: rest });
    return taken;
  }
}

function spaceOf(value: string, side: "start" | "end"): string {
  return (side === "start" ? /^\s*/ : /\s*$/).exec(value)?.[0] ?? "";
}

function cut(value: string, length: number, side: "start" | "end"): string {
  return side === "start" ? value.slice(length) : value.slice(0, value.length - length);
}

/** A line without white space and breaks at its ends, nor beside its breaks. Readers see none of it. */
function trim(children: PhrasingContent[]): PhrasingContent[] {
  takeSpace(children, "start");
  takeSpace(children, "end");
  return children.flatMap((node, at): PhrasingContent[] => {
    if (node.type !== "text") return [node];
    const isAfter = children[at - 1]?.type === "break";
    const isBefore = children[at + 1]?.type === "break";
    const start = isAfter ? node.value.trimStart() : node.value;
    const value = isBefore ? start.trimEnd() : start;
    return value === "" ? [] : [{ type: "text", value }];
  });
}

function append(out: PhrasingContent[], node: PhrasingContent): void {
  const last = out.at(-1);
  if (last?.type === "text" && node.type === "text")
    out.splice(-1, 1, { ...last, value: last.value + node.value });
  else if (
    last !== undefined &&
    last.type === node.type &&
    "children" in last &&
    "children" in node &&
    last.type !== "link"
  )
    Object.assign(last, { children: [...last.children, ...node.children] });
  else out.push(node);
}
