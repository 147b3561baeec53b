import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Navigate } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import type { DashboardPress } from "../../../../core/press/schema.ts";
import { type AuditedPress, ownPress } from "../../api/publish.ts";
import { formatMoment } from "../../format.ts";
import { publish } from "../../strings/publish.ts";
import { live as words } from "../../strings/publish-live.ts";
import { Badge } from "../../ui/badge.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Page } from "../../ui/page.tsx";
import { TextSkeleton } from "../../ui/skeleton.tsx";
import { PublisherGate } from "../gate.tsx";
import { OwnPressView } from "../own-query.tsx";
import { StatusBadge } from "../status.tsx";
import { Earnings } from "./earnings.tsx";
import { Onchain } from "./onchain.tsx";
import { Share } from "./share.tsx";

const Prose = lazy(() => import("../../ui/markdown.tsx"));
const route = getRouteApi("/publish/$id");

/** A publisher's own live press: what it brings, where it stands on the chain, and how to share it. */
export function LivePage() {
  const { id } = route.useParams();
  // The press's own name, once it is known; a session that may not see it gets the state's.
  const { data } = useQuery({ ...ownPress(Number(id)), enabled: false });
  const title = data?.press.headline ?? publish.status.live;
  return (
    <Page title={title} heading={<span className="font-serif">{title}</span>}>
      <PublisherGate>
        {() => (
          <OwnPressView id={id} loading={words.loading} failed={words.failed}>
            {(own) => <Live own={own} />}
          </OwnPressView>
        )}
      </PublisherGate>
    </Page>
  );
}

export type LivePress = DashboardPress &
  Readonly<Record<"slug" | "mintTx" | "publishedAt", string>> & {
    readonly pressId: number;
  };

/** Milliseconds after going live within which a press is new to its publisher. */
const fresh = 10 * 60_000;

function Live({ own }: { readonly own: AuditedPress }) {
  const { press, body } = own;
  if (!isLive(press)) {
    return <Navigate to="/publish/edit" search={{ id: String(press.id) }} replace />;
  }
  const { publishedAt, slug, stock } = press;
  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_21rem] lg:grid-rows-[auto_1fr]">
      <div className="grid min-w-0 content-start gap-6">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-quiet">
          <StatusBadge status="live" />
          <Badge>{stock}</Badge>
          {press.aiAssisted && <Badge>{publish.ai}</Badge>}
          <time dateTime={publishedAt}>{publish.published(formatMoment(publishedAt))}</time>
        </p>
        <Share press={press} fresh={Date.now() - Date.parse(publishedAt) < fresh} />
      </div>
      <aside aria-label={words.about} className="grid content-start gap-5 lg:col-start-2 lg:row-span-2">
        <ButtonLink look="primary" size="large" to="/press/$slug" params={{ slug }}>
          {words.open} <Icon name="arrow" />
        </ButtonLink>
        <Earnings press={press} />
        <Onchain press={press} />
      </aside>
      <div className="grid min-w-0 content-start gap-6">
        <p className="prose border-l-3 border-accent pl-4">{press.preview}</p>
        <section aria-label={words.text}>
          <Suspense fallback={<TextSkeleton lines={12} />}>
            <Prose text={body} />
          </Suspense>
        </section>
        <p className="text-sm text-quiet">{words.final}</p>
      </div>
    </div>
  );
}

function isLive(press: DashboardPress): press is LivePress {
  return press.slug !== null && press.mintTx !== null && press.publishedAt !== null && press.pressId !== null;
}
