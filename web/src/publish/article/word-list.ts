import type { Node } from "prosemirror-model";
import type { Tag } from "./clipboard.ts";
import { inlinesOf, type Left, type State, styleOf, textOf, trimmed } from "./html-words.ts";
import { schema } from "./schema.ts";

const { nodes } = schema;

/** An item of one of Word's lists. */
export type Item = {
  readonly list: string;
  readonly level: number;
  readonly ordered: boolean;
  readonly words: readonly Node[];
};

/** Word writes a list's items as paragraphs, with the level in a style and the mark as hidden text. */
export function wordItem(tag: Tag, state: State, left: Left): Item | undefined {
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

/** The list that Word's items mean by their levels. */
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
