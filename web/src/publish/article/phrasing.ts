import type { Link, PhrasingContent } from "mdast";
import type { Mark, Node } from "prosemirror-model";

/** The links that are written as a bare address, without a text of their own. */
export const bareLinks = new WeakSet<Link>();

/** A part of a line, with the marks that must still be put around the part. */
type Part = { readonly node: PhrasingContent; readonly marks: readonly Mark[] };

/** Converts the words of a block to nodes of Markdown, without white space at both ends. */
export function convertWords(block: Node): PhrasingContent[] {
  const parts = block.children.flatMap(convertPart);
  return trim(nest(parts));
}

const address = /\bhttps?:\/\/[^\s<>]*[^\s<>.,:;!?"'()[\]*_~|]/g;

function convertPart(node: Node): readonly Part[] {
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

/** Splits a text at its bare addresses, which become links, as readers will see them. */
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

/** Puts each mark around the longest run of parts that have the mark. */
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

/** A link cannot contain another link. */
function unlink(node: PhrasingContent): readonly PhrasingContent[] {
  return node.type === "link" ? node.children : [node];
}

/** Removes white space and line breaks from one end of a line, and returns the removed nodes. */
function takeSpace(children: PhrasingContent[], side: "start" | "end"): readonly PhrasingContent[] {
  const taken: PhrasingContent[] = [];
  for (;;) {
    const node = side === "start" ? children[0] : children.at(-1);
    if (node === undefined || (node.type !== "break" && node.type !== "text")) return taken;
    const space = node.type === "break" ? "" : readSpace(node.value, side);
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

function readSpace(value: string, side: "start" | "end"): string {
  return (side === "start" ? /^\s*/ : /\s*$/).exec(value)?.[0] ?? "";
}

function cut(value: string, length: number, side: "start" | "end"): string {
  return side === "start" ? value.slice(length) : value.slice(0, value.length - length);
}

/** Removes white space and line breaks at both ends of a line, and white space beside line breaks, because readers do not see any of it. */
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
