import { Fragment, type Node, Slice } from "prosemirror-model";
import { readArticle, readAsSource } from "./read.ts";
import { Origin, readOrigin, schema } from "./schema.ts";
import { cleanLinks, explainUnshown } from "./source.ts";

/** Elements whose content is not HTML. */
const rawText: ReadonlySet<string> = new Set(["style", "script", "xml"]);

/** Elements that are removed with their content: elements whose text is not visible, and embedded drawings. */
const unseen: ReadonlySet<string> = new Set(
  "script style title meta link template noscript textarea select option iframe object xml".split(" "),
);

/**
 * The limits for HTML from a clipboard: the maximum numbers of characters, of tags and of elements that are open at once. No article needs
 * more than these limits allow. Parts of the HTML that are removed do not count towards the limits.
 */
const most = { characters: 2_000_000, tags: 40_000, open: 100 } as const;

/**
 * Elements that need no end tag. Some elements, such as emphasis, need an end tag. If the end tag is missing, a parser repeats the element
 * in every later paragraph.
 */
const endless: ReadonlySet<string> = new Set(
  "area br col embed hr img input p source td th tr track wbr tbody thead tfoot colgroup".split(" "),
);

/**
 * Removes style sheets, scripts, comments, the content of drawings, and unused attributes from HTML. The `style` attributes are renamed,
 * because the content security policy reports each `style` attribute, even in an invisible document. Returns `undefined` if the HTML
 * exceeds a limit.
 */
export function removeStyles(text: string): string | undefined {
  let out = "";
  let at = 0;
  let tags = 0;
  let opened = 0;
  const open = new Map<string, number>();
  for (let start = text.indexOf("<"); start >= 0; start = text.indexOf("<", at)) {
    out += text.slice(at, start);
    if (text.startsWith("<!--", start)) {
      at = findMarkEnd(text, "-->", start + 4);
      continue;
    }
    const name = /^<\/?([a-z][^\s/>]*)/i.exec(text.slice(start, start + 80))?.[1]?.toLowerCase();
    const isNoTag = name === undefined && !/[!?/]/.test(text.charAt(start + 1));
    const isEnd = text.charAt(start + 1) === "/";
    const end = isNoTag ? start + 1 : findTagEnd(text, start + 1);
    if (isNoTag) out += "&lt;";
    // The content security policy reports a `style` element even if the element is empty.
    else if (name !== undefined && !unseen.has(name)) {
      out += formatTag(text.slice(start, end), name);
      tags += 1;
      const before = open.get(name) ?? 0;
      const change = endless.has(name) ? 0 : isEnd ? -Math.min(1, before) : 1;
      open.set(name, before + change);
      opened += change;
      if (tags > most.tags || opened > most.open || out.length > most.characters) return undefined;
    }
    at = end;
    const isUnread = name === "svg" ? !text.endsWith("/>", end) : rawText.has(name ?? "");
    if (isUnread && !isEnd) at = findMarkEnd(text, `</${name}`, end, true);
  }
  return out + text.slice(at);
}

function findMarkEnd(text: string, mark: string, from: number, isBefore = false): number {
  const found = text.slice(from).search(new RegExp(mark, "i"));
  if (found < 0) return text.length;
  return from + found + (isBefore ? 0 : mark.length);
}

/** The index after the end of a tag. A ">" inside a quoted value does not end the tag. */
function findTagEnd(text: string, from: number): number {
  let quote = "";
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === ">") return at + 1;
    else if ((character === '"' || character === "'") && text.charAt(at - 1) === "=") quote = character;
  }
  return text.length;
}

const attribute = /\s(href|start|class|style)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/gi;

function formatTag(tag: string, name: string): string {
  if (tag.startsWith("</")) return `</${name}>`;
  const attrs = [...tag.matchAll(attribute)].map(([, key = "", double, single, bare]) => {
    const value = (double ?? single ?? bare ?? "").replace(/"/g, "&quot;");
    return ` ${key.toLowerCase() === "style" ? "data-style" : key}="${value}"`;
  });
  return `<${name}${[...new Set(attrs)].join("")}>`;
}

/** The result of reading pasted content: blocks for the article, and the numbers of parts that were left out. */
export type PasteResult = {
  readonly blocks: readonly Node[];
  /** The number of pictures that were left out of the article. */
  readonly pictures: number;
  /** The number of links whose tracking parameters were removed. */
  readonly tracked: number;
  /** Says what was lost because the HTML was too large: the formatting, or everything if there was no plain text either. */
  readonly lost?: "formatting" | "everything";
};

/** Reads pasted plain text as Markdown. Tracking parameters are removed from the text's links. */
export function readPlain(text: string): PasteResult {
  const { text: clean, tracked } = cleanLinks(text);
  const markdown = clean.replace(/\r\n?/g, "\n");
  const article = explainUnshown(markdown) === undefined ? readArticle(markdown) : readAsSource(markdown);
  return { blocks: article.children.map(keepOwnMarkdown), pictures: 0, tracked };
}

/** Keeps the Markdown of a pasted block, even if another block now stands before the pasted block. */
function keepOwnMarkdown(block: Node): Node {
  const origin = readOrigin(block);
  const kept = origin === undefined ? null : new Origin(origin.markdown, "", undefined, block);
  return block.type.create({ ...block.attrs, origin: kept }, block.content);
}

/** The content that a paste inserts: the words of a single paragraph, or several blocks. */
export function makeSlice({ blocks }: PasteResult): Slice {
  const [only] = blocks;
  const isWords = blocks.length === 1 && only?.type === schema.nodes.paragraph;
  return new Slice(Fragment.fromArray([...blocks]), isWords ? 1 : 0, isWords ? 1 : 0);
}
