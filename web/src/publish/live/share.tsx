import { pressPath } from "../../site.ts";
import { live as words } from "../../strings/publish-live.ts";
import { Button, buttonClasses } from "../../ui/button.tsx";
import { Copy } from "../../ui/copy.tsx";
import type { LivePress } from "./page.tsx";
import { shareLinks } from "./share-links.ts";

type ShareProps = { readonly press: LivePress; readonly fresh: boolean };

/** The address of a live press and ways to pass it on. The links are plain: nobody is told before they are followed. */
export function Share({ press, fresh }: ShareProps) {
  const { headline, slug } = press;
  const url = window.location.origin + pressPath(slug);
  const share = () =>
    navigator.share({ title: headline, url }).catch((error: unknown) => {
      // Whoever closes the sheet has not shared, and that is all.
      if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
    });
  return (
    <section
      aria-labelledby="share"
      className="grid gap-4 rounded-2xl border border-line bg-card p-5 shadow-card sm:p-6"
    >
      <div className="grid gap-1">
        <h2 id="share" className="text-lg font-semibold">
          {fresh ? words.fresh : words.share}
        </h2>
        {fresh && <p className="text-sm text-quiet">{words.freshLead}</p>}
      </div>
      <div className="flex items-center justify-between gap-3 rounded-xl bg-sunk py-2 pr-2 pl-4 text-sm">
        <code className="min-w-0">{url}</code>
        <Copy label={words.link} text={url} />
      </div>
      <div className="flex flex-wrap gap-2">
        {"share" in navigator && <Button onClick={() => void share()}>{words.native}</Button>}
        {shareLinks(url, headline).map(({ on, href }) => (
          <a key={on} href={href} target="_blank" rel="noreferrer" className={buttonClasses({})}>
            {words.on[on]}
            <span className="sr-only">
              {`: ${words.shareOn(words.on[on])}`}
              {words.opens}
            </span>
          </a>
        ))}
      </div>
    </section>
  );
}
