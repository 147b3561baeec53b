import Markdown from "react-markdown";
import rehypeSanitize from "rehype-sanitize";

const last = [rehypeSanitize];

/** The text of a press: its Markdown without raw HTML, sanitised after everything else has had its say. */
export function Text({ body }: { readonly body: string }) {
  return (
    <section className="text" aria-label="Full text">
      <Markdown skipHtml rehypePlugins={last}>
        {body}
      </Markdown>
    </section>
  );
}
