import type { AlignType, BlockContent, DefinitionContent, ListItem, RootContent, TableRow } from "mdast";
import { gfmFootnoteToMarkdown } from "mdast-util-gfm-footnote";
import { gfmStrikethroughToMarkdown } from "mdast-util-gfm-strikethrough";
import { gfmTableToMarkdown } from "mdast-util-gfm-table";
import { defaultHandlers, type Handle, type Options, toMarkdown } from "mdast-util-to-markdown";
import type { Node } from "prosemirror-model";
import { findDisplayFault } from "../../../../core/press/input.ts";
import { bareLinks, convertWords } from "./phrasing.ts";
import { parseTree, readBlock } from "./read.ts";
import { readOrigin } from "./schema.ts";

/** A block of an article with its Markdown. */
type WrittenBlock = {
  readonly block: Node;
  /** The position of the block in the article. */
  readonly position: number;
  /** The text between the block and the block before it. */
  readonly gap: string;
  readonly text: string;
  /** Whether the block's Markdown is unchanged since it was read. */
  readonly kept: boolean;
};

/**
 * Writes the Markdown of an article. An unchanged block keeps its own bytes and the white space before the block. Only changed blocks are
 * written anew.
 */
export function writeArticle(article: Node): string {
  const pieces = listPieces(article).map(({ gap, text }) => gap + text);
  return pieces.join("") + String(article.attrs.tail);
}

/** The blocks of an article with their Markdown, without empty blocks. */
export function listPieces(article: Node): readonly WrittenBlock[] {
  const context = findContext(article);
  const pieces: WrittenBlock[] = [];
  article.forEach((block, position) => {
    const previous = pieces.at(-1);
    const origin = readOrigin(block);
    const kept = origin?.isUnchanged(block) === true;
    const marker = findMarker(block);
    const clashes = previous !== undefined && marker !== undefined && findMarker(previous.block) === marker;
    const isMoved =
      origin?.after !== readOrigin(previous?.block ?? block)?.markdown || previous?.kept !== true;
    const text =
      kept && origin !== undefined && !(clashes && isMoved)
        ? origin.markdown
        : writeBlock(block, context, clashes ? switchMarker(marker) : marker);
    if (text !== "")
      pieces.push({ block, position, gap: findGap({ block, text, kept }, previous), text, kept });
  });
  return pieces;
}

const emptyLine = /(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)/;

/** The text between two blocks. The original text between the two blocks is kept if it still separates the blocks. */
function findGap(
  { block, text, kept }: Pick<WrittenBlock, "block" | "text" | "kept">,
  previous: WrittenBlock | undefined,
): string {
  const origin = readOrigin(block);
  const gap = origin === undefined ? "" : kept ? origin.gap : origin.gap.replace(/[ \t]+$/, "");
  if (previous === undefined) return origin?.after === undefined || !kept ? gap : readIndent(gap);
  const former = readOrigin(previous.block);
  if (kept && previous.kept && origin?.after === former?.markdown && origin?.after !== undefined) return gap;
  const apart = emptyLine.test(gap) ? gap : `\n\n${kept ? readIndent(gap) : ""}`;
  return canContinue(previous.block) ? chooseGap(previous, apart, text) : apart;
}

/** Whether text after an empty line may still belong to the block. */
function canContinue(block: Node): boolean {
  return findMarker(block) !== undefined || block.type.name === "note" || block.type.name === "source";
}

const gaps = new WeakMap<Node, { readonly asked: readonly string[]; readonly gap: string }>();

/**
 * Extends the gap between two blocks until the gap separates the blocks. An extended gap begins with the line that ends unclosed code or
 * HTML, or with a comment that ends a list.
 */
function chooseGap(previous: WrittenBlock, gap: string, text: string): string {
  const asked = [previous.text, gap, text];
  const known = gaps.get(previous.block);
  if (known?.asked.every((each, at) => each === asked[at]) === true) return known.gap;
  const choices = [gap, `${findClosingLine(previous.text)}${gap}`, `\n\n<!-- -->${gap}`];
  const found = choices.find((choice) => isSeparated(previous.text, choice, text)) ?? gap;
  gaps.set(previous.block, { asked, gap: found });
  return found;
}

/** Whether two texts stay separate blocks when they follow each other with the given gap. A text that no page can show is not parsed. */
function isSeparated(before: string, gap: string, text: string): boolean {
  const whole = before + gap + text;
  if (findDisplayFault(whole) !== undefined) return true;
  return parseTree(whole).children.every(({ position }) => {
    const from = position?.start.offset ?? 0;
    return from >= before.length || (position?.end.offset ?? from) <= before.length + gap.length;
  });
}

const closings: Readonly<Record<string, string>> = {
  "<!--": "-->",
  "<?": "?>",
  "<![CDATA[": "]]>",
  "<!": ">",
};

/** The line that closes the last block of a text, if this block is code or HTML without an end. */
function findClosingLine(text: string): string {
  if (findDisplayFault(text) !== undefined) return "";
  const last = parseTree(text).children.at(-1);
  if (last?.type !== "code" && last?.type !== "html") return "";
  const [, fence, name, mark = ""] =
    /^\s*(?:(`{3,}|~{3,})|<(script|pre|style|textarea)|(<!--|<\?|<!\[CDATA\[|<!))/i.exec(
      text.slice(last.position?.start.offset),
    ) ?? [];
  const end = fence ?? (name === undefined ? closings[mark] : `</${name}>`);
  return end === undefined ? "" : `${/[\r\n]$/.test(text) ? "" : "\n"}${end}`;
}

function readIndent(gap: string): string {
  return /[ \t]*$/.exec(gap)?.[0] ?? "";
}

/** The mark before each item of a list. Two lists that follow each other and have the same mark would be read as one list. */
function findMarker({ type, attrs }: Node): string | undefined {
  return type.name.endsWith("_list") ? String(attrs.marker) : undefined;
}

function switchMarker(marker: string | undefined): string {
  return { "-": "*", ".": ")", ")": "." }[marker ?? ""] ?? "-";
}

/** The meaning of a block depends on these other parts of the text: definitions, and the names of footnotes. */
function findContext(article: Node): string {
  const found = new Set<string>();
  article.forEach((block) => {
    if (block.type.name === "note") found.add(`[^${String(block.attrs.label)}]: note`);
    if (block.type.name === "source" && /^ {0,3}\[(?!\^)/.test(block.textContent))
      found.add(block.textContent);
  });
  return [...found].join("\n\n");
}

const written = new WeakMap<Node, { readonly key: string; readonly text: string }>();

/** Writes the Markdown of one changed block. For a block without content, the result is empty. */
function writeBlock(block: Node, context: string, marker: string | undefined): string {
  const key = `${marker}\n${context}`;
  const known = written.get(block);
  if (known?.key === key) return known.text;
  const text = formatBlock(block, context, marker);
  written.set(block, { key, text });
  return text;
}

function formatBlock(block: Node, context: string, marker: string | undefined): string {
  if (block.type.name === "source") return block.textContent;
  const tree = convertBlock(block);
  if (tree === undefined) return "";
  const plain = writeMarkdown(
    tree,
    makeOptions(marker, (node) => String(Reflect.get(node, "value"))),
  );
  // If the words contain no Markdown, they are written without backslashes.
  return isParsedAs(plain, tree, context) ? plain : writeMarkdown(tree, makeOptions(marker));
}

function writeMarkdown(tree: RootContent, options: Options): string {
  const text = toMarkdown(tree, options).replace(/\n+$/, "");
  // The line below the head of a table is written with three hyphens per column, as people usually write this line.
  return tree.type === "table" ? text.replace(/\n.*/, (line) => line.replace(/-/g, "---")) : text;
}

/** Whether a Markdown parser would read exactly the given block from a text. A text that no page can show is not parsed. */
function isParsedAs(text: string, tree: RootContent, context: string): boolean {
  if (findDisplayFault(text) !== undefined) return false;
  const whole = `${text}\n\n${context}`;
  const children = parseTree(whole).children;
  const [first, second] = children;
  if (first === undefined || (second?.position?.start.offset ?? text.length) < text.length) return false;
  const block = readBlock(first, whole);
  return block !== undefined && JSON.stringify(convertBlock(block)) === JSON.stringify(tree);
}

const writeLink: Handle = (node, parent, state, info) =>
  bareLinks.has(node) ? String(node.children[0]?.value) : defaultHandlers.link(node, parent, state, info);

function makeOptions(marker: string | undefined, writeText?: Handle): Options {
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

/** Converts a block to a Markdown tree; `undefined` if the block is empty. */
function convertBlock(block: Node): Exclude<RootContent, DefinitionContent> | DefinitionContent | undefined {
  const { attrs } = block;
  switch (block.type.name) {
    case "paragraph": {
      const children = convertWords(block);
      return children.length === 0 ? undefined : { type: "paragraph", children };
    }
    case "heading": {
      const children = convertWords(block);
      const depth = depths.find((level) => level === attrs.level) ?? 2;
      return children.length === 0 ? undefined : { type: "heading", depth, children };
    }
    case "blockquote":
      return { type: "blockquote", children: convertBlocks(block) };
    case "rule":
      return { type: "thematicBreak" };
    case "bullet_list":
    case "ordered_list":
      return convertList(block);
    case "table":
      return { type: "table", align: listAlignments(block), children: block.children.map(convertRow) };
    case "note": {
      const label = String(attrs.label);
      return {
        type: "footnoteDefinition",
        identifier: label.toLowerCase(),
        label,
        children: convertBlocks(block),
      };
    }
    default:
      return undefined;
  }
}

const depths = [1, 2, 3, 4, 5, 6] as const;

function convertBlocks(parent: Node): (BlockContent | DefinitionContent)[] {
  return parent.children.flatMap((child) => {
    const tree = convertBlock(child);
    return tree === undefined || !isBlock(tree) ? [] : [tree];
  });
}

function isBlock(tree: RootContent): tree is BlockContent {
  return ["paragraph", "heading", "blockquote", "thematicBreak", "list", "table"].includes(tree.type);
}

function convertList(list: Node): RootContent {
  const items = list.children.map(convertBlocks);
  // In a list without empty lines between its items, each item has one paragraph. In a list without empty lines, only nested lists may
  // follow an item's paragraph.
  const spread =
    list.attrs.loose === true ||
    items.some((item) => item.some(({ type }, at) => (at === 0 ? type !== "paragraph" : type !== "list")));
  const children = items.map((item): ListItem => ({ type: "listItem", spread, children: item }));
  return list.type.name === "ordered_list"
    ? { type: "list", ordered: true, start: Number(list.attrs.start), spread, children }
    : { type: "list", ordered: false, spread, children };
}

function listAlignments(table: Node): AlignType[] {
  return (table.firstChild?.children ?? []).map(
    ({ attrs }) => (["left", "right", "center"] as const).find((side) => side === attrs.align) ?? null,
  );
}

function convertRow(row: Node): TableRow {
  return {
    type: "tableRow",
    children: row.children.map((cell) => ({
      type: "tableCell",
      children: cell.children.flatMap(convertWords),
    })),
  };
}
