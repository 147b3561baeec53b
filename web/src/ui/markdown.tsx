import Markdown, { type Components } from "react-markdown";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import { prose as words } from "../strings/reader.ts";
import { dialect, showAll } from "./dialect.ts";

const first = [dialect, showAll];
/** Footnotes bring the only ids, and bring the prefix that keeps them apart from the page's own. */
const last: [typeof rehypeSanitize, typeof defaultSchema][] = [
  [rehypeSanitize, { ...defaultSchema, clobberPrefix: "" }],
];
const notes = {
  footnoteLabel: words.notes,
  footnoteLabelProperties: {},
  footnoteBackLabel: (note: number) => words.backTo(note + 1),
};

/** A table wider than its page scrolls by itself, which takes the focus where there is only a keyboard. */
const scroller = { className: "table", "aria-label": words.table, tabIndex: 0 };

/** Nobody but this site hears that a text is read: pictures become links, and what they lead to learns no address. */
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
  // The page has its heading of the first rank.
  h1: ({ children }) => <h2>{children}</h2>,
  table: ({ children }) => (
    <section {...scroller}>
      <table>{children}</table>
    </section>
  ),
};

/** The text of a press: its Markdown without raw HTML, sanitised after everything else has had its say. */
export default function Prose({ text }: { readonly text: string }) {
  return (
    <div className="prose">
      <Markdown
        skipHtml
        remarkPlugins={first}
        remarkRehypeOptions={notes}
        rehypePlugins={last}
        components={components}
      >
        {text}
      </Markdown>
    </div>
  );
}
