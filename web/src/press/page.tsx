import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import type { Press, PressDetail } from "../../../core/press/schema.ts";
import { pressList, queryPressDetail, queryStockPrices } from "../api/press.ts";
import { isMissingError } from "../api/request.ts";
import { SaveButton } from "../follow/follow.tsx";
import { formatToMinute } from "../format.ts";
import { Labels, PressCards } from "../list/card.tsx";
import { Cover } from "../list/cover.tsx";
import { findNextPresses } from "../list/view.ts";
import { MissingPage } from "../shell/shell.tsx";
import { after, list, press as words } from "../strings/reader.ts";
import { Icon, StockMark } from "../ui/icon.tsx";
import { Bar, ExplorerLink, Section, TextSkeleton, useTitle } from "../ui/page.tsx";
import { makeLazyPart } from "../ui/part.tsx";
import { Failure, OpeningDialog } from "../ui/status.tsx";
import { ChainRecord, Market, Notes, Readers, ShareBox } from "./aside.tsx";
import { Audit } from "./audit.tsx";

const route = getRouteApi("/press/$slug");

/** The page of one press: its free parts, and its text or the offer to unlock the text. */
export function PressPage() {
  const { slug } = route.useParams();
  const { data, error, refetch } = useQuery(queryPressDetail(slug));
  if (data !== undefined) return <Detail key={data.press.id} detail={data} />;
  if (error === null) return <LoadingPage />;
  if (isMissingError(error)) return <MissingPage />;
  return <FailedPage error={error} retry={() => void refetch()} />;
}

function LoadingPage() {
  useTitle(words.loadingTitle);
  return (
    <div className="frame grid gap-6 py-8 sm:py-12" aria-busy="true">
      <p className="sr-only" role="status">
        {words.loading}
      </p>
      <Bar className="h-4 w-48" />
      <Bar className="h-10 w-4/5 max-w-2xl" />
      <TextSkeleton />
    </div>
  );
}

function FailedPage(failure: Pick<Parameters<typeof Failure>[0], "error" | "retry">) {
  useTitle(words.failedTitle);
  return (
    <div className="frame py-12">
      <h1 className="sr-only">{words.failedTitle}</h1>
      <Failure heading={words.failed} {...failure} />
    </div>
  );
}

/** Shows the headline, the preview, the author and the time of a press. */
export function Head({ press }: { readonly press: Press }) {
  return (
    <header className="grid gap-4">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-quiet">
        <span className="flex items-center gap-2 font-semibold tracking-wide text-ink">
          <StockMark symbol={press.stock} size="small" />
          {press.stock}
        </span>
        <time dateTime={press.publishedAt}>{formatToMinute(press.publishedAt)}</time>
        <span>{list.minutes(press.readMinutes)}</span>
        <Labels press={press} />
      </p>
      <h1 className="text-display">{press.headline}</h1>
      <p className="flex flex-wrap items-baseline gap-x-3 text-sm text-quiet">
        <Link to="/by/$address" params={{ address: press.publisher }} className="link font-medium">
          {words.byline(press.publisherName)}
        </Link>
        <ExplorerLink
          kind="address"
          value={press.publisher}
          length={press.bylineAmbiguous ? "long" : "short"}
        />
        <span>{list.reads(press.reads)}</span>
      </p>
      {press.aiAssisted && <p className="text-sm text-quiet">{words.ai}</p>}
      <Notes press={press} />
      <p className="prose">{press.preview}</p>
    </header>
  );
}

// The code that shows the text and the form for votes is loaded only for readers who have the text.
const Prose = makeLazyPart(async () => (await import("../ui/markdown.tsx")).default);
const VoteCard = makeLazyPart(async () => (await import("../vote/card.tsx")).VoteCard);
const UnlockCard = makeLazyPart(async () => (await import("../payment/unlock.tsx")).UnlockCard);
const PaymentHost = makeLazyPart(async () => (await import("../payment/unlock.tsx")).PaymentHost);

/** The page of an existing press. */
function Detail({ detail }: { readonly detail: PressDetail }) {
  const { press, audit, body } = detail;
  const { data: prices } = useQuery(queryStockPrices(press.stock));
  const [paying, setPaying] = useState(false);
  useTitle(press.headline);
  return (
    <div className="frame grid gap-x-16 gap-y-8 py-8 sm:py-12 lg:grid-cols-[minmax(0,44rem)_minmax(0,21rem)] lg:grid-rows-[auto_1fr] lg:justify-between">
      <div className="grid min-w-0 content-start gap-8">
        <Cover
          year={prices?.outline}
          author={press.publisher}
          className="h-20 rounded-2xl sm:h-28 print:hidden"
        />
        <div className="flex flex-wrap items-center justify-between gap-3 print:hidden">
          <Link to="/" className="inline-flex items-center gap-2 text-sm text-quiet hover:text-ink">
            <Icon name="back" /> {words.all}
          </Link>
          <SaveButton slug={press.slug} name={press.headline} />
        </div>
        <Head press={press} />
        {body === null ? (
          <>
            <LockedText>
              <Suspense fallback={<Bar className="h-80 rounded-3xl!" />}>
                <UnlockCard purchase={press} onPay={() => setPaying(true)} />
              </Suspense>
            </LockedText>
            <Audit press={press} audit={audit} />
          </>
        ) : (
          <>
            <section aria-label={words.text} id="text" tabIndex={-1}>
              <Suspense fallback={<TextSkeleton lines={12} />}>
                <Prose text={body} />
              </Suspense>
            </section>
            <Suspense fallback={<Bar className="h-64 rounded-2xl!" />}>
              <VoteCard press={press} />
            </Suspense>
          </>
        )}
      </div>
      <aside
        aria-label={words.about}
        className="grid content-start gap-5 lg:col-start-2 lg:row-span-2 lg:row-start-1"
      >
        {body !== null && <Audit press={press} audit={audit} />}
        <Market press={press} />
        <Readers press={press} />
        <ShareBox press={press} />
        <ChainRecord press={press} />
      </aside>
      <NextReads press={press} />
      {(body === null || paying) && (
        <Suspense fallback={paying && <OpeningDialog onClose={() => setPaying(false)} />}>
          <PaymentHost purchase={press} open={paying} onOpen={setPaying} />
        </Suspense>
      )}
    </div>
  );
}

/**
 * The widths of the fading lines below the preview. The fading lines do not have the form of the real text, because the text is not loaded
 * before the reader has paid.
 */
const lines = ["100%", "94%", "98%", "91%", "97%", "62%"] as const;

/** Shows the preview, which fades into the locked text. The content below the preview lets the reader unlock the text. */
export function LockedText({ children }: { readonly children: ReactNode }) {
  return (
    <div className="-mt-2 grid">
      <div aria-hidden="true" className="fading-text">
        {lines.map((width) => (
          <span key={width} style={{ width }} />
        ))}
      </div>
      <div className="relative -mt-24">{children}</div>
    </div>
  );
}

/** The suggestions that are shown below a press. The list of suggestions loads when the reader scrolls near it. */
function NextReads({ press }: { readonly press: Press }) {
  const place = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (place.current === null) return;
    const watch = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
    });
    watch.observe(place.current);
    return () => watch.disconnect();
  }, []);
  const { data } = useQuery({ ...pressList, enabled: near });
  const { next, related } = findNextPresses(press, data ?? []);
  return (
    <div ref={place} className="grid content-start gap-8">
      {next !== undefined && (
        <Section heading={after.byAuthor(press.publisherName)}>
          <PressCards presses={[next]} />
        </Section>
      )}
      {related.length > 0 && (
        <Section
          heading={
            related.some(({ stock }) => stock === press.stock) ? after.related(press.stock) : after.others
          }
        >
          <PressCards presses={related} wide={false} />
        </Section>
      )}
    </div>
  );
}
