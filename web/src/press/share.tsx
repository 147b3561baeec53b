import type { Press } from "../../../core/press/schema.ts";
import { pressPath } from "../site.ts";
import { share as words } from "../strings/reader.ts";
import { buttonClasses, Copy } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Card } from "../ui/page.tsx";

/** The sharing links of the usual sites. Nothing is loaded from these sites before a click. */
export function shareLinks(url: string, title: string) {
  return [
    { name: "X", href: `https://x.com/intent/post?${query({ text: title, url })}` },
    { name: "Bluesky", href: `https://bsky.app/intent/compose?${query({ text: `${title} ${url}` })}` },
    { name: "Telegram", href: `https://t.me/share/url?${query({ url, text: title })}` },
    { name: "LinkedIn", href: `https://www.linkedin.com/sharing/share-offsite/?${query({ url })}` },
    { name: "Mail", href: `mailto:?${query({ subject: title, body: `${title}\n\n${url}` })}` },
  ] as const;
}

/** Mail programs do not read "+" as a space. */
function query(fields: Readonly<Record<string, string>>): string {
  return new URLSearchParams(fields).toString().replaceAll("+", "%20");
}

type PlacesProps = { readonly url: string; readonly title: string };

/** Links that share a page on other sites. */
export function Places({ url, title }: PlacesProps) {
  return (
    <ul className="flex flex-wrap gap-2">
      {shareLinks(url, title).map(({ name, href }) => (
        <li key={name}>
          <a href={href} target="_blank" rel="noreferrer" className={buttonClasses({ size: "small" })}>
            <span className="sr-only">{words.to(name)}</span>
            <span aria-hidden="true">{name}</span>
            <Icon name="external" className="size-3" />
          </a>
        </li>
      ))}
    </ul>
  );
}

/** A press's link with its picture, for sharing. */
export function Share({ press }: { readonly press: Pick<Press, "slug" | "headline"> }) {
  const page = window.location.origin + pressPath(press.slug);
  return (
    <Card heading={words.title} aside={<Copy label={words.link} text={page} />}>
      <div className="grid gap-4">
        {/* A picture weighs as much as half of the page: it is loaded when it is asked for. */}
        <details>
          <summary className="w-fit text-sm text-quiet hover:text-ink">{words.preview}</summary>
          <img
            src={`/cards/${press.slug}.png`}
            alt={words.card(press.headline)}
            width="1200"
            height="630"
            loading="lazy"
            className="mt-3 h-auto w-full rounded-xl border border-line"
          />
        </details>
        <Places url={page} title={press.headline} />
      </div>
    </Card>
  );
}
