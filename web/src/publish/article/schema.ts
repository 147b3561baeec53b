import { type DOMOutputSpec, type Node, type NodeSpec, Schema } from "prosemirror-model";
import { tableNodes } from "prosemirror-tables";

/**
 * The origin of a block: the block's Markdown, the white space before the block, and the previous block. An unchanged block is written as
 * its original Markdown, byte for byte.
 */
export class Origin {
  readonly markdown: string;
  /** The white space between the block and the block before it. */
  readonly gap: string;
  /** The Markdown of the previous block, or `undefined` for the first block. */
  readonly after: string | undefined;
  readonly #block: Node;

  constructor(markdown: string, gap: string, after: string | undefined, block: Node) {
    this.markdown = markdown;
    this.gap = gap;
    this.after = after;
    this.#block = block;
  }

  /** Whether the block is unchanged since it was read. */
  isUnchanged(block: Node): boolean {
    const read = this.#block;
    return (
      read.type === block.type &&
      Object.keys(read.attrs).every((name) => name === "origin" || read.attrs[name] === block.attrs[name]) &&
      read.content.eq(block.content)
    );
  }
}

/** The origin of a top-level block, if it was read from Markdown. */
export function readOrigin(block: Node): Origin | undefined {
  const { origin } = block.attrs;
  return origin instanceof Origin ? origin : undefined;
}

const origin = { origin: { default: null } };

const tables = tableNodes({
  tableGroup: "block top",
  cellContent: "paragraph",
  cellAttributes: {
    align: {
      default: null,
      setDOMAttr: (value, attrs) => {
        if (typeof value === "string") attrs["data-align"] = value;
      },
    },
  },
});

const nodes = {
  doc: { content: "top+", attrs: { tail: { default: "" } } },
  paragraph: { content: "inline*", group: "block top", attrs: origin, toDOM: () => ["p", 0] },
  heading: {
    content: "inline*",
    group: "block top",
    defining: true,
    attrs: { ...origin, level: { default: 2 } },
    // Only the page itself has a first-level heading.
    toDOM: ({ attrs }) => [`h${Math.max(2, Number(attrs.level))}`, 0],
  },
  blockquote: { content: "block+", group: "block top", attrs: origin, toDOM: () => ["blockquote", 0] },
  rule: { group: "block top", attrs: origin, toDOM: () => ["hr"] },
  bullet_list: {
    content: "list_item+",
    group: "block top",
    attrs: { ...origin, marker: { default: "-" }, loose: { default: false } },
    toDOM: () => ["ul", 0],
  },
  ordered_list: {
    content: "list_item+",
    group: "block top",
    attrs: { ...origin, marker: { default: "." }, loose: { default: false }, start: { default: 1 } },
    toDOM: ({ attrs }) => ["ol", { start: String(attrs.start) }, 0],
  },
  list_item: { content: "paragraph block*", defining: true, toDOM: () => ["li", 0] },
  ...tables,
  table: { ...tables.table, attrs: origin, toDOM: (): DOMOutputSpec => ["table", ["tbody", 0]] },
  note: {
    content: "block+",
    group: "top",
    isolating: true,
    defining: true,
    attrs: { ...origin, label: { default: "1" } },
    toDOM: ({ attrs }) => [
      "div",
      { class: "grid grid-cols-[auto_minmax(0,1fr)] gap-[0.75em] text-[0.85em]" },
      ["span", { class: "text-accent tabular-nums", contenteditable: "false" }, String(attrs.label)],
      ["div", 0],
    ],
  },
  /** A block of Markdown that the editor does not know. The editor shows the block's source. */
  source: {
    content: "text*",
    marks: "",
    group: "top",
    code: true,
    defining: true,
    isolating: true,
    attrs: origin,
    toDOM: () => ["pre", { class: "whitespace-pre-wrap" }, ["code", 0]],
  },
  text: { group: "inline" },
  line_break: { inline: true, group: "inline", selectable: false, toDOM: () => ["br"] },
  note_mark: {
    inline: true,
    group: "inline",
    attrs: { label: { default: "1" } },
    toDOM: ({ attrs }) => ["sup", { class: "text-accent tabular-nums" }, String(attrs.label)],
  },
} satisfies Record<string, NodeSpec>;

/** The editor's schema of an article: blocks of the site's Markdown, and blocks of unchanged source. */
export const schema = new Schema({
  nodes,
  marks: {
    link: {
      attrs: { href: {}, title: { default: null }, bare: { default: false } },
      inclusive: false,
      toDOM: ({ attrs }) => ["a", { href: checkHref(String(attrs.href)), title: attrs.title }, 0],
    },
    strong: { toDOM: () => ["strong", 0] },
    emphasis: { toDOM: () => ["em", 0] },
    strike: { toDOM: () => ["del", 0] },
    code: { toDOM: () => ["code", 0] },
  },
});

/**
 * Returns the given address if a link may lead to it; otherwise returns `null`. The page of a press also limits the addresses to which
 * links may lead.
 */
function checkHref(href: string): string | null {
  return /^(?:https?:|mailto:|[/#?])/i.test(href) ? href : null;
}
