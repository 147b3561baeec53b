import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, Navigate } from "@tanstack/react-router";
import { Suspense } from "react";
import type { DashboardPress } from "../../../../core/press/schema.ts";
import { type AuditedPress, queryOwnPress } from "../../api/publish.ts";
import { countVotes, formatAmount, formatDay, formatToMinute, formatUsdg, splitPrice } from "../../format.ts";
import { ChainRecord, ShareBox } from "../../press/aside.tsx";
import { useSession } from "../../session/sign-in.tsx";
import { makePressPath } from "../../site.ts";
import { common } from "../../strings/common.ts";
import { author } from "../../strings/listing.ts";
import { publish, live as words } from "../../strings/publish.ts";
import { list, press as reader } from "../../strings/reader.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Card, Page, Pair, TermList, TextSkeleton } from "../../ui/page.tsx";
import { makeLazyPart } from "../../ui/part.tsx";
import { Badge } from "../../ui/status.tsx";
import { OwnPressView, PublisherGate, StatusBadge } from "../gate.tsx";
import { Changes } from "./changes.tsx";

const Prose = makeLazyPart(async () => (await import("../../ui/markdown.tsx")).default);
const route = getRouteApi("/publish/$id");

/** The page of a publisher's own live press: the press's earnings, its records on the chain, and links to share it. */
export function LivePage() {
  const { id } = route.useParams();
  // A sign-in drops the loaded data, so the page must then request the press again to get the headline.
  useSession();
  // The page's name is the press's headline once the press is loaded. If the press is not loaded yet, or if the session is not allowed to
  // see the press, the page's title is the press's status.
  const { data } = useQuery({ ...queryOwnPress(Number(id)), enabled: false });
  const title = data?.press.headline ?? publish.status.live;
  return (
    <Page title={title} heading={<span className="font-serif">{title}</span>}>
      <PublisherGate>
        {() => <OwnPressView id={id}>{(own) => <LivePressView own={own} />}</OwnPressView>}
      </PublisherGate>
    </Page>
  );
}

type LivePress = DashboardPress &
  Readonly<Record<"slug" | "mintTx" | "publishedAt", string>> & {
    readonly pressId: number;
  };

/** The time, in milliseconds, for which the page shows a live press to its publisher as new. */
const fresh = 10 * 60_000;

function LivePressView({ own }: { readonly own: AuditedPress }) {
  const { press, body } = own;
  if (!isLivePress(press)) {
    return <Navigate to="/publish/edit" search={{ id: String(press.id) }} replace />;
  }
  const { publishedAt, slug, stock, unlistedAt } = press;
  const isNew = unlistedAt === null && Date.now() - Date.parse(publishedAt) < fresh;
  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_21rem] lg:grid-rows-[auto_1fr]">
      <div className="grid min-w-0 content-start gap-6">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-quiet">
          <StatusBadge status="live" />
          {unlistedAt !== null && <Badge tone="warn">{words.offSale}</Badge>}
          <Badge>{stock}</Badge>
          {press.aiAssisted && <Badge>{list.ai}</Badge>}
          <time dateTime={publishedAt}>{publish.published(formatToMinute(publishedAt))}</time>
        </p>
        <ShareBox
          press={press}
          {...(isNew && { heading: words.fresh })}
          lead={
            <p className="text-sm text-quiet">
              {isNew && words.freshLead} <code>{window.location.origin + makePressPath(slug)}</code>
            </p>
          }
        />
      </div>
      <aside aria-label={reader.about} className="grid content-start gap-5 lg:col-start-2 lg:row-span-2">
        <ButtonLink look="primary" size="large" to="/press/$slug" params={{ slug }}>
          {words.open} <Icon name="arrow" />
        </ButtonLink>
        <Earnings press={press} />
        <Changes press={press} />
        <OnchainFacts press={press} />
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

function isLivePress(press: DashboardPress): press is LivePress {
  return press.slug !== null && press.mintTx !== null && press.publishedAt !== null && press.pressId !== null;
}

/** Shows the earnings of a live press until now, and the publisher's share of each future sale. */
function Earnings({ press }: { readonly press: DashboardPress }) {
  const { earnedUsdg, reads, priceUnits, priceChangedAt, readerVotes } = press;
  return (
    <Card heading={words.earnings}>
      <p className="figure text-3xl font-semibold tracking-tight">
        {formatAmount(earnedUsdg)} <span className="text-lg font-normal text-quiet">{common.unit}</span>
      </p>
      <TermList>
        <Pair term={publish.reads}>{reads.toLocaleString("en-US")}</Pair>
        <Pair term={words.perRead}>
          {formatUsdg(splitPrice(priceUnits).publisher)} {common.unit}
        </Pair>
        <Pair term={publish.price}>
          {formatUsdg(priceUnits)} {common.unit}
        </Pair>
        {priceChangedAt !== null && <Pair term={words.priceSince}>{formatDay(priceChangedAt)}</Pair>}
        <Pair term={author.votes}>{countVotes(readerVotes)}</Pair>
      </TermList>
    </Card>
  );
}

/**
 * Two times in milliseconds: the interval between polls for the verdict on the chain, and how long the page polls after the press went
 * live.
 */
const lookEvery = 2_000;
const verdictWait = 5 * 60_000;

/** The onchain records of a live press. The audit's verdict is posted on the chain a moment after the press goes live. */
function OnchainFacts({ press }: { readonly press: LivePress }) {
  const { id, pressId, slug, mintTx, publishedAt } = press;
  const { data } = useQuery({
    ...queryOwnPress(id),
    refetchInterval: ({ state }) =>
      state.data?.press.auditTx === null && Date.now() - Date.parse(publishedAt) < verdictWait
        ? lookEvery
        : false,
  });
  const auditTx = data?.press.auditTx ?? press.auditTx;
  return (
    <ChainRecord press={{ id, pressId, mintTx, auditTx }}>
      {auditTx === null && (
        <Pair term={reader.verdictPosted}>
          <span role="status" className="text-quiet">
            {words.verdictWaiting}
          </span>
        </Pair>
      )}
      <Pair term={words.report}>
        <Link to="/report/$slug" params={{ slug }} className="link">
          {reader.wholeReport}
        </Link>
      </Pair>
    </ChainRecord>
  );
}
