import { CatchBoundary } from "@tanstack/react-router";
import type { Nodes, Parents, Root, Table } from "mdast";
import { gfmAutolinkLiteralFromMarkdown } from "mdast-util-gfm-autolink-literal";
import { gfmFootnoteFromMarkdown } from "mdast-util-gfm-footnote";
import { gfmStrikethroughFromMarkdown } from "mdast-util-gfm-strikethrough";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmAutolinkLiteral } from "micromark-extension-gfm-autolink-literal";
import { gfmFootnote } from "micromark-extension-gfm-footnote";
import { gfmStrikethrough } from "micromark-extension-gfm-strikethrough";
import { gfmTable } from "micromark-extension-gfm-table";
import { Children } from "react";
import Markdown, { type Components } from "react-markdown";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import { findDisplayFault } from "../../../core/press/input.ts";
import { prose as words } from "../strings/reader.ts";

/**
 * The Markdown of presses: CommonMark with GFM's tables, footnotes, strikethrough and automatic links for web and e-mail addresses, but
 * without GFM's task lists. The site's pages and the editor parse Markdown with the same extensions.
 */
export const syntaxExtensions = [
  gfmTable(),
  gfmFootnote(),
  // A single tilde does not mark strikethrough, because a tilde before a number means "about".
  gfmStrikethrough({ singleTilde: false }),
  gfmAutolinkLiteral(),
];

/** The plugins that parse the site's Markdown dialect to a syntax tree. */
export const treeExtensions = [
  gfmTableFromMarkdown(),
  gfmFootnoteFromMarkdown(),
  gfmStrikethroughFromMarkdown(),
  gfmAutolinkLiteralFromMarkdown(),
];

const first = [addDialect, showOmittedParts, splitTexts];
/** Only footnotes have ids, and these ids already have the prefix that distinguishes them from the page's own ids. */
const last: [typeof rehypeSanitize, typeof defaultSchema][] = [
  [rehypeSanitize, { ...defaultSchema, clobberPrefix: "" }],
];
const notes = {
  footnoteLabel: words.notes,
  footnoteLabelProperties: {},
  footnoteBackLabel: (note: number) => words.backTo(note + 1),
};

/** A table that is wider than the page scrolls inside a frame. The frame can be focused, so that the keyboard can scroll the table. */
const scroller = { className: "table", "aria-label": words.table, tabIndex: 0 };

/** No other site can notice that somebody reads a text, because pictures become links, and links send no referrer. */
const components: Components = {
  img: ({ src, alt }) => (
    <a href={typeof src === "string" ? src : undefined} rel="noreferrer nofollow ugc" target="_blank">
      {alt === undefined || alt === "" ? src : alt}
    </a>
  ),
  a: ({ node, href, children, ...rest }) =>
    node?.properties.dataFootnoteRef === undefined && node?.properties.dataFootnoteBackref === undefined ? (
      <a href={href} rel="noreferrer nofollow ugc" target="_blank">
        {children}
      </a>
    ) : (
      <a href={href} {...rest}>
        {children}
      </a>
    ),
  // Only the page itself has a first-level heading.
  h1: ({ children }) => <h2>{children}</h2>,
  table: ({ children }) => (
    <section {...scroller}>
      <table>{children}</table>
    </section>
  ),
};

type ProseProps = { readonly text: string };

/**
 * The text of a press: its Markdown without raw HTML. A text that cannot be rendered is shown as plain text.
 */
export default function Prose({ text }: ProseProps) {
  if (findDisplayFault(text) !== undefined) return <PlainText text={text} />;
  return (
    <CatchBoundary getResetKey={() => text} errorComponent={() => <PlainText text={text} />}>
      <div className="prose">
        <Markdown
          skipHtml
          remarkPlugins={first}
          remarkRehypeOptions={notes}
          // Sanitising runs last, after all other plugins.
          rehypePlugins={last}
          components={components}
        >
          {text}
        </Markdown>
      </div>
    </CatchBoundary>
  );
}

/**
 * The maximum number of characters in one text node. A browser may lay out a whole text node again for each line break. In languages that
 * are written without spaces, a browser may search a whole paragraph for the ends of words.
 */
const longestNode = 1000;
const node = new RegExp(`[^]{1,${longestNode}}`, "gu");
/** Cuts a text into blocks of the maximum size of a text node, at line ends if possible. */
const block = new RegExp(`[^]{0,${longestNode - 1}}\\n|[^]{1,${longestNode}}`, "gu");

/** Shows the Markdown as plain text. */
function PlainText({ text }: ProseProps) {
  return (
    <>
      <p className="mb-4 text-sm text-quiet">{words.asWritten}</p>
      <pre className="prose whitespace-pre-wrap wrap-anywhere" dir="auto">
        {Children.map(text.match(block), (part) => (
          <div>{part}</div>
        ))}
      </pre>
    </>
  );
}

/** A remark plugin that parses the Markdown dialect of presses. */
function addDialect(this: { readonly data: () => object }): void {
  Object.assign(this.data(), {
    micromarkExtensions: syntaxExtensions,
    fromMarkdownExtensions: treeExtensions,
  });
}

/**
 * A remark plugin that runs after `addDialect` and shows what GFM would omit: cells beyond the last column of a table's head, and footnotes
 * without a shown reference. All cells and footnotes are shown, so the audit and the word count use the same text that readers see. Authors
 * therefore cannot hide words from the audit, the word count or the readers.
 */
function showOmittedParts() {
  return (root: Root): void => {
    const shown = findShownNotes(root);
    const unwrapNote = (child: Nodes): readonly Nodes[] =>
      isNote(child) && !shown.has(child) ? child.children.flatMap(unwrapNote) : [child];
    visitNodes(root, (parent) => {
      if (parent.type === "table") widenHead(parent);
      if (parent.children.some((child) => isNote(child) && !shown.has(child))) {
        Object.assign(parent, { children: parent.children.flatMap(unwrapNote) });
      }
    });
  };
}

type Footnote = Extract<Nodes, { type: "footnoteDefinition" }>;

const isNote = (node: Nodes): node is Footnote => node.type === "footnoteDefinition";

/**
 * The footnotes that are shown below the text. If the text or another footnote refers to a name, the first footnote with this name is
 * shown.
 */
function findShownNotes(root: Root): ReadonlySet<Footnote> {
  const first = new Map<string, Footnote>();
  visitNodes(root, (node) => {
    if (isNote(node) && !first.has(node.identifier)) first.set(node.identifier, node);
  });
  const shown = new Set<Footnote>();
  const waiting: Parents[] = [root];
  for (let from = waiting.pop(); from !== undefined; from = waiting.pop()) {
    for (const child of from.children) {
      if (child.type === "footnoteReference") {
        const note = first.get(child.identifier);
        if (note === undefined || shown.has(note)) continue;
        shown.add(note);
        waiting.push(note);
      } else if ("children" in child && !isNote(child)) waiting.push(child);
    }
  }
  return shown;
}

/** Extends a table's head to the number of cells in its longest row. */
function widenHead({ children: rows, align }: Table): void {
  const [head] = rows;
  const most = rows.reduce((width, row) => Math.max(width, row.children.length), 0);
  while (head !== undefined && head.children.length < most)
    head.children.push({ type: "tableCell", children: [] });
  while (align != null && align.length < most) align.push(null);
}

/** A remark plugin that cuts a long text into several text nodes. On the page, the text nodes look like one text. */
function splitTexts() {
  return (root: Root): void => {
    const cutText = (child: Nodes): readonly Nodes[] =>
      child.type === "text" ? (child.value.match(node) ?? []).map((value) => ({ ...child, value })) : [child];
    visitNodes(root, (parent) => {
      if (parent.children.some((child) => child.type === "text" && child.value.length > longestNode))
        Object.assign(parent, { children: parent.children.flatMap(cutText) });
    });
  };
}

/**
 * Visits every node of the syntax tree that has children. No recursion is used, because the nesting of a text may be as deep as the text is
 * long.
 */
function visitNodes(root: Root, visit: (node: Parents) => void): void {
  const waiting: Parents[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    visit(node);
    for (const child of node.children) if ("children" in child) waiting.push(child);
  }
}
