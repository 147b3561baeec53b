import type { Link, PhrasingContent } from "mdast";
import type { Mark, Node } from "prosemirror-model";

/** The links that are written as a bare web or e-mail address, without a separate text. */
export const bareLinks = new WeakSet<Link>();

/** A part of a line, with the marks that must still be put around the part. */
type MarkedNode = { readonly node: PhrasingContent; readonly marks: readonly Mark[] };

/** Converts the words of a block to nodes of Markdown, and removes white space at the start and at the end. */
export function convertWords(block: Node): PhrasingContent[] {
  return nestMarks(tidySpaces(block.children.flatMap(convertPart)));
}

/** White space that begins a line, ends a line or separates words. Line breaks within the white space are matched too. */
const isSpace = ({ node }: MarkedNode) =>
  node.type === "break" || (node.type === "text" && node.value.trim() === "");

/**
 * Removes the white space that readers do not see: at both ends of a line and beside line breaks. White space between two words gets only
 * the marks that both words have, because emphasis must not begin or end with white space.
 */
function tidySpaces(parts: readonly MarkedNode[]): readonly MarkedNode[] {
  const split = parts.flatMap(({ node, marks }): readonly MarkedNode[] =>
    node.type === "text"
      ? (node.value.match(/\s+|\S+/g) ?? []).map((value) => ({ node: { type: "text", value }, marks }))
      : [{ node, marks }],
  );
  const first = split.findIndex((part) => !isSpace(part));
  const words = split.slice(
    first < 0 ? split.length : first,
    split.findLastIndex((part) => !isSpace(part)) + 1,
  );
  const findWord = (from: number, step: 1 | -1): MarkedNode | undefined => {
    const part = words[from + step];
    return part === undefined || !isSpace(part) ? part : findWord(from + step, step);
  };
  return words.flatMap((part, at): readonly MarkedNode[] => {
    if (!isSpace(part)) return [part];
    const isAtBreak = [words[at - 1], words[at + 1]].some((each) => each?.node.type === "break");
    if (part.node.type === "text" && isAtBreak) return [];
    const around = [findWord(at, -1), findWord(at, 1)];
    const isInside = (mark: Mark) =>
      around.every((each) => each?.marks.some((other) => other.eq(mark)) === true);
    return [{ ...part, marks: part.marks.filter((mark) => mark.type.name === "link" || isInside(mark)) }];
  });
}

const address = /\bhttps?:\/\/[^\s<>]*[^\s<>.,:;!?"'()[\]*_~|]/g;

function convertPart(node: Node): readonly MarkedNode[] {
  const marks = node.marks.filter(({ type }) => type.name !== "code");
  if (node.type.name === "line_break") return [{ node: { type: "break" }, marks }];
  if (node.type.name === "note_mark") {
    const label = String(node.attrs.label);
    return [{ node: { type: "footnoteReference", identifier: label.toLowerCase(), label }, marks }];
  }
  const value = node.text ?? "";
  if (marks.length < node.marks.length) return [{ node: { type: "inlineCode", value }, marks }];
  if (marks.some(({ type }) => type.name === "link")) return [{ node: { type: "text", value }, marks }];
  return splitLinks(value).map((part) => ({ node: part, marks }));
}

/** Splits a text at its bare web addresses. The web addresses become links, because readers will see them as links. */
function splitLinks(value: string): readonly PhrasingContent[] {
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

/** Puts each mark around the longest sequence of parts that have this mark. */
function nestMarks(parts: readonly MarkedNode[]): PhrasingContent[] {
  const out: PhrasingContent[] = [];
  for (let at = 0; at < parts.length; ) {
    const first = parts[at];
    if (first === undefined) break;
    const runs = first.marks.map((mark) => ({ mark, end: findRunEnd(parts, at, mark) }));
    const [longest] = runs.toSorted((one, other) => other.end - one.end);
    if (longest === undefined) {
      appendNode(out, first.node);
      at += 1;
      continue;
    }
    const { mark, end } = longest;
    const inner = parts
      .slice(at, end)
      .map(({ node, marks }) => ({ node, marks: marks.filter((each) => !each.eq(mark)) }));
    for (const node of wrapInMark(mark, nestMarks(inner))) appendNode(out, node);
    at = end;
  }
  return out;
}

function findRunEnd(parts: readonly MarkedNode[], from: number, mark: Mark): number {
  let end = from;
  while (parts[end]?.marks.some((each) => each.eq(mark)) === true) end += 1;
  return end;
}

function wrapInMark({ type, attrs }: Mark, children: PhrasingContent[]): readonly PhrasingContent[] {
  if (type.name === "link") {
    const [only] = children;
    const url = String(attrs.href);
    const link: Link = {
      type: "link",
      title: attrs.title ?? null,
      url,
      children: children.flatMap(removeInnerLinks),
    };
    const shown = children.length === 1 && only?.type === "text" ? only.value : undefined;
    if (
      attrs.bare === true &&
      shown !== undefined &&
      [shown, `http://${shown}`, `mailto:${shown}`].includes(url)
    )
      bareLinks.add(link);
    return children.length === 0 ? [] : [link];
  }
  const kind = type.name === "strong" ? "strong" : type.name === "emphasis" ? "emphasis" : "delete";
  return [{ type: kind, children }];
}

/** A link cannot contain another link. */
function removeInnerLinks(node: PhrasingContent): readonly PhrasingContent[] {
  return node.type === "link" ? node.children : [node];
}

function appendNode(out: PhrasingContent[], node: PhrasingContent): void {
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
