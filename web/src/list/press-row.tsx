import { Link } from "@tanstack/react-router";
import type { Press } from "../../../core/press/schema.ts";
import { formatDay } from "../format.ts";
import { common } from "../strings/common.ts";
import { list as words } from "../strings/list.ts";
import { Badge } from "../ui/badge.tsx";
import { Score } from "../ui/score.tsx";
import { formatUsdg } from "../usdg.ts";
import { Labels } from "./labels.tsx";

/** A press in a list. The whole row leads to it. */
export function PressRow({ press }: { readonly press: Press }) {
  return (
    <li className="group relative grid gap-x-8 gap-y-4 rounded-2xl border border-line bg-card p-5 shadow-card transition-colors hover:border-edge sm:p-6 md:grid-cols-[1fr_auto]">
      <article className="grid min-w-0 gap-2">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-xs text-quiet">
          <Badge tone="accent">{press.stock}</Badge>
          <time dateTime={press.publishedAt}>{formatDay(press.publishedAt)}</time>
          <span>{words.minutes(press.readMinutes)}</span>
          <Labels press={press} />
        </p>
        <h2 className="font-serif text-title font-bold">
          <Link
            to="/press/$slug"
            params={{ slug: press.slug }}
            className="group-hover:text-accent after:absolute after:inset-0 after:rounded-2xl"
          >
            {press.headline}
          </Link>
        </h2>
        <p className="line-clamp-3 max-w-2xl text-quiet">{press.preview}</p>
        <p className="text-sm text-quiet">{words.by(press.publisherName)}</p>
      </article>
      <dl className="flex items-center gap-6 max-md:border-t max-md:border-line max-md:pt-4 md:flex-col md:items-end md:justify-between md:text-right">
        <div>
          <dt className="sr-only">{words.price}</dt>
          <dd className="text-lg font-semibold">
            {formatUsdg(press.priceUnits)}{" "}
            <span className="text-sm font-normal text-quiet">{common.unit}</span>
          </dd>
        </div>
        <div className="flex items-center gap-3">
          <dt className="text-xs text-quiet">{words.audit}</dt>
          <dd>
            <Score score={press.auditScore} />
          </dd>
        </div>
        <div className="text-xs text-quiet max-md:ml-auto max-md:text-right">
          <dt className="sr-only">{words.readers}</dt>
          <dd>{words.reads(press.reads)}</dd>
          <dd>{words.votes(press.votes.up, press.votes.down)}</dd>
        </div>
      </dl>
    </li>
  );
}
