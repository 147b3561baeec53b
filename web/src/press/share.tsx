import type { Press } from "../../../core/press/schema.ts";
import { share as words } from "../strings/market.ts";
import { buttonClasses, Copy } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Card } from "../ui/page.tsx";

/** The usual places, by the address that each takes a link at. */
const places = [
  {
    name: "X",
    url: (page: string, text: string) => `https://x.com/intent/post?${query({ text, url: page })}`,
  },
  {
    name: "Bluesky",
    url: (page: string, text: string) =>
      `https://bsky.app/intent/compose?${query({ text: `${text} ${page}` })}`,
  },
  {
    name: "Telegram",
    url: (page: string, text: string) => `https://t.me/share/url?${query({ url: page, text })}`,
  },
  {
    name: "LinkedIn",
    url: (page: string) => `https://www.linkedin.com/sharing/share-offsite/?${query({ url: page })}`,
  },
] as const;

function query(fields: Readonly<Record<string, string>>): string {
  return new URLSearchParams(fields).toString();
}

/** A press's link with its picture, for passing on. Nothing is loaded from the places before one goes there. */
export function Share({ press }: { readonly press: Pick<Press, "slug" | "headline"> }) {
  const page = `${window.location.origin}/press/${press.slug}`;
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
        <ul className="flex flex-wrap gap-2">
          {places.map(({ name, url }) => (
            <li key={name}>
              <a
                href={url(page, press.headline)}
                target="_blank"
                rel="noreferrer"
                className={buttonClasses({ size: "small" })}
              >
                <span className="sr-only">{words.to(name)}</span>
                <span aria-hidden="true">{name}</span>
                <Icon name="external" className="size-3" />
              </a>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}
