import Markdown, { type Components } from "react-markdown";
import rehypeSanitize from "rehype-sanitize";

const last = [rehypeSanitize];

/** Nobody but this site hears that a text is read: pictures become links, and what they lead to learns no address. */
const components: Components = {
  img: ({ src, alt }) => (
    <a href={typeof src === "string" ? src : undefined} rel="noreferrer nofollow ugc" target="_blank">
      {alt === undefined || alt === "" ? src : alt}
    </a>
  ),
  a: ({ href, children }) => (
    <a href={href} rel="noreferrer nofollow ugc" target="_blank">
      {children}
    </a>
  ),
  // The page has its heading of the first rank.
  h1: ({ children }) => <h2>{children}</h2>,
};

/** The text of a press: its Markdown without raw HTML, sanitised after everything else has had its say. */
export default function Prose({ text }: { readonly text: string }) {
  return (
    <div className="prose">
      <Markdown skipHtml rehypePlugins={last} components={components}>
        {text}
      </Markdown>
    </div>
  );
}
