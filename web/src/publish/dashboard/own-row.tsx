import type { ReactNode } from "react";
import type { DashboardPress } from "../../../../core/press/schema.ts";
import { formatAmount, formatMoment } from "../../format.ts";
import { common } from "../../strings/common.ts";
import { publish as words } from "../../strings/publish.ts";
import { Badge } from "../../ui/badge.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { Score } from "../../ui/score.tsx";
import { NextAction, StatusBadge } from "../status.tsx";

/** A publisher's own press in the dashboard: where it stands, what it brings, and what comes next. */
export function OwnRow({ press }: { readonly press: DashboardPress }) {
  const { status, publishedAt, updatedAt, auditScore } = press;
  const time = publishedAt ?? updatedAt;
  const when = formatMoment(time);
  return (
    <li className="grid gap-5 rounded-2xl border border-line bg-card p-5 shadow-card sm:p-6 lg:grid-cols-[minmax(0,1fr)_auto]">
      <div className="grid min-w-0 content-start gap-2">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-xs text-quiet">
          <StatusBadge status={status} />
          <Badge>{press.stock}</Badge>
          {press.aiAssisted && <Badge>{words.ai}</Badge>}
          <time dateTime={time}>{publishedAt === null ? words.saved(when) : words.published(when)}</time>
        </p>
        <h3 className="font-serif text-title font-bold">{press.headline}</h3>
      </div>
      <div className="flex flex-wrap items-center gap-3 lg:justify-end">
        <NextAction press={press} />
        {status === "approved" && (
          <ButtonLink look="plain" to="/publish/edit" search={{ id: String(press.id) }}>
            {words.edit}
            <span className="sr-only">{words.about(press.headline)}</span>
          </ButtonLink>
        )}
      </div>
      <dl className="grid grid-cols-2 gap-x-8 gap-y-4 border-t border-line pt-4 text-sm min-[520px]:flex min-[520px]:flex-wrap lg:col-span-2">
        <Fact name={words.price}>
          {formatAmount(press.priceUsdg)} {common.unit}
        </Fact>
        <Fact name={words.score}>
          {auditScore === null ? (
            <span className="text-quiet">{words.noScore}</span>
          ) : (
            <Score score={auditScore} />
          )}
        </Fact>
        {status === "live" && (
          <>
            <Fact name={words.earned}>
              <strong className="font-semibold">
                {formatAmount(press.earnedUsdg)} {common.unit}
              </strong>
            </Fact>
            <Fact name={words.reads}>
              {press.reads.toLocaleString("en-US")}
              <span className="block text-xs text-quiet">
                {words.votes(press.votes.up, press.votes.down)}
              </span>
            </Fact>
          </>
        )}
      </dl>
    </li>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="grid content-start gap-1">
      <dt className="text-xs text-quiet">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
