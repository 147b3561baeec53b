import { Link } from "@tanstack/react-router";
import type { PressDetail } from "../../../core/press/schema.ts";
import { formatMoment } from "../format.ts";
import { Labels } from "../list/labels.tsx";
import { list } from "../strings/list.ts";
import { press as words } from "../strings/press.ts";
import { Badge } from "../ui/badge.tsx";
import { Hex } from "../ui/hex.tsx";
import { Icon } from "../ui/icon.tsx";

/** Headline, preview, and who published it when. */
export function Head({ press }: Pick<PressDetail, "press">) {
  return (
    <header className="grid gap-4">
      <p>
        <Link to="/" className="inline-flex items-center gap-2 text-sm text-quiet hover:text-ink">
          <Icon name="back" /> {words.all}
        </Link>
      </p>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-quiet">
        <Badge tone="accent">{press.stock}</Badge>
        <time dateTime={press.publishedAt}>{formatMoment(press.publishedAt)}</time>
        <span>{list.minutes(press.readMinutes)}</span>
        <Labels press={press} />
      </p>
      <h1 className="font-serif text-display font-bold">{press.headline}</h1>
      <p className="flex flex-wrap items-baseline gap-x-3 text-sm text-quiet">
        <span className="font-medium text-ink">{words.byline(press.publisherName)}</span>
        <Hex kind="address" value={press.publisher} />
        <span>{list.reads(press.reads)}</span>
      </p>
      <p className="prose border-l-3 border-accent pl-4 text-ink">{press.preview}</p>
      {press.aiAssisted && <p className="text-sm text-quiet">{words.ai}</p>}
    </header>
  );
}
