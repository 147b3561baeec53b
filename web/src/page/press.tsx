import type { PressDetail } from "../../../core/press/schema.ts";
import { pressDetail } from "../api/press.ts";
import { useSource } from "../api/source.ts";
import { count, formatMoment } from "../format.ts";
import { Audit } from "../part/audit.tsx";
import { ExplorerLink } from "../part/explorer-link.tsx";
import { Labels } from "../part/labels.tsx";
import { Link } from "../part/link.tsx";
import { Market } from "../part/market.tsx";
import { Failure } from "../part/notice.tsx";
import { PayFromCode } from "../part/pay-from-code.tsx";
import { Readers } from "../part/readers.tsx";
import { ChainRecord } from "../part/record.tsx";
import { TextSkeleton } from "../part/skeleton.tsx";
import { Text } from "../part/text.tsx";
import { useTitle } from "../part/title.ts";
import { formatUsdg } from "../usdg.ts";
import { Missing } from "./missing.tsx";

/** One press: everything that is free, and the text or how to get it. */
export function PressPage({ slug }: { readonly slug: string }) {
  const reading = useSource(pressDetail, slug);
  switch (reading.state) {
    case "loading":
      return <Loading />;
    case "ready":
      return <Detail detail={reading.value} />;
    case "failed":
      if (reading.problem.kind === "missing") return <Missing />;
      return <Failed problem={reading.problem} retry={reading.retry} />;
  }
}

function Loading() {
  useTitle("Loading");
  return (
    <div className="frame page" aria-busy="true">
      <p className="unseen" role="status">
        Loading the press…
      </p>
      <TextSkeleton />
    </div>
  );
}

function Failed(failure: Pick<Parameters<typeof Failure>[0], "problem" | "retry">) {
  useTitle("Press could not be loaded");
  return (
    <div className="frame page">
      <h1 className="unseen">Press</h1>
      <Failure heading="This press could not be loaded" {...failure} />
    </div>
  );
}

function Detail({ detail }: { readonly detail: PressDetail }) {
  const { press, audit, body } = detail;
  useTitle(press.headline);
  const facts = (
    <aside className="facts" aria-label="About this press">
      <Audit audit={audit} />
      <Market press={press} />
      <Readers press={press} />
      <ChainRecord press={press} />
    </aside>
  );
  return (
    <div className="frame page press">
      <Head press={press} />
      {/* Who has the text came to read it; who has not weighs the facts before the price. */}
      {detail.unlocked && body !== null ? (
        <>
          <Text body={body} />
          {facts}
        </>
      ) : (
        <>
          {facts}
          <PayFromCode press={press} />
        </>
      )}
    </div>
  );
}

function Head({ press }: Pick<PressDetail, "press">) {
  return (
    <header className="press-head">
      <p className="back">
        <Link to="/">All presses</Link>
      </p>
      <p className="kicker">
        <span className="stock">{press.stock}</span>
        <time dateTime={press.publishedAt}>{formatMoment(press.publishedAt)}</time>
        <span>{press.readMinutes} min read</span>
        <Labels press={press} />
      </p>
      <h1>{press.headline}</h1>
      <p className="byline">
        By {press.publisherName} · <ExplorerLink kind="address" value={press.publisher} /> ·{" "}
        {count(press.reads, "read", "reads")} · {formatUsdg(press.priceUnits)} USDG
      </p>
      <p className="standfirst">{press.preview}</p>
      {press.aiAssisted && <p className="quiet">This press started as an AI draft.</p>}
    </header>
  );
}
