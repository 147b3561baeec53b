import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { toPercent } from "../../../core/market/schema.ts";
import type { Press, PressDetail } from "../../../core/press/schema.ts";
import { queryStockPrices } from "../api/press.ts";
import { PriceChart } from "../chart/chart.tsx";
import { listSamplesSince } from "../chart/scale.ts";
import { countVotes, formatDay, formatDollars } from "../format.ts";
import { isLocal, makePressPath } from "../site.ts";
import { common } from "../strings/common.ts";
import { chart, list, share, vote, press as words } from "../strings/reader.ts";
import { Button, Copy, joinButtonClasses, joinClasses } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Card, ExplorerLink, Pair, Percent, TermList } from "../ui/page.tsx";
import { Badge } from "../ui/status.tsx";

/**
 * The links that share a page on popular sites. Before a click on a share link, the page loads nothing from the site to which this link
 * leads.
 */
export function listShareLinks(url: string, title: string) {
  return [
    { name: "X", href: `https://x.com/intent/post?${formatQuery({ text: title, url })}` },
    { name: "Bluesky", href: `https://bsky.app/intent/compose?${formatQuery({ text: `${title} ${url}` })}` },
    { name: "Telegram", href: `https://t.me/share/url?${formatQuery({ url, text: title })}` },
    { name: "LinkedIn", href: `https://www.linkedin.com/sharing/share-offsite/?${formatQuery({ url })}` },
    { name: "Mail", href: `mailto:?${formatQuery({ subject: title, body: `${title}\n\n${url}` })}` },
  ] as const;
}

/** Mail programs do not read "+" as a space. */
function formatQuery(fields: Readonly<Record<string, string>>): string {
  return new URLSearchParams(fields).toString().replaceAll("+", "%20");
}

type ShareProps = {
  readonly press: Pick<Press, "slug" | "headline">;
  readonly heading?: string;
  readonly lead?: ReactNode;
};

/** The press's link and its picture, for sharing. No other site is contacted before a click. */
export function ShareBox({ press: { slug, headline }, heading = share.title, lead }: ShareProps) {
  const url = window.location.origin + makePressPath(slug);
  const ask = () =>
    navigator.share({ title: headline, url }).catch((error: unknown) => {
      // If the user closes the device's dialog for sharing, the browser reports an error, but this is no failure.
      if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
    });
  return (
    <Card heading={heading} aside={<Copy label={share.link} text={url} />}>
      {lead}
      {/* The press's picture is loaded only when the reader asks for it, because it is half as large as the page. */}
      <details>
        <summary className="w-fit text-sm text-quiet hover:text-ink">{share.preview}</summary>
        <img
          src={`/cards/${slug}.png`}
          alt={share.card(headline)}
          width="1200"
          height="630"
          loading="lazy"
          className="mt-3 h-auto w-full rounded-xl border border-line"
        />
      </details>
      <ul className="flex flex-wrap gap-2">
        {"share" in navigator && (
          <li>
            <Button size="small" onClick={() => void ask()}>
              {share.native}
            </Button>
          </li>
        )}
        {listShareLinks(url, headline).map(({ name, href }) => (
          <li key={name}>
            <a href={href} target="_blank" rel="noreferrer" className={joinButtonClasses({ size: "small" })}>
              <span className="sr-only">{share.to(name)}</span>
              <span aria-hidden="true">{name}</span>
              <Icon name="external" className="size-3" />
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The author's notices on a live press: a note if the press is off sale, and the corrections, newest first. */
export function Notes({
  press: { corrections, unlistedAt },
}: {
  readonly press: Pick<Press, "corrections" | "unlistedAt">;
}) {
  if (corrections.length === 0 && unlistedAt === null) return null;
  return (
    <section aria-label={words.corrections} className="grid gap-3 border-l-3 border-warn pl-4">
      {unlistedAt !== null && <p>{words.unlisted(formatDay(unlistedAt))}</p>}
      {corrections.toReversed().map(({ at, text }) => (
        <p key={at + text} className="whitespace-pre-line">
          <strong className="font-semibold">
            <time dateTime={at}>{words.correction(formatDay(at))}</time>
          </strong>{" "}
          <span dir="auto">{text}</span>
        </p>
      ))}
    </section>
  );
}

type ChainRecordProps = {
  readonly press: Pick<Press, "id" | "pressId" | "mintTx" | "auditTx"> & Partial<Pick<Press, "publisher">>;
  /** Additional rows of the card, each with a name and a value. */
  readonly children?: ReactNode;
};

/** Shows the onchain records of a live press: its identity, its publisher, and the transactions of its mint and verdict. */
export function ChainRecord({ press, children }: ChainRecordProps) {
  return (
    <Card heading={words.onchain}>
      <TermList>
        <Pair term={words.identity}>
          <a className="link" href={`/api/meta/${press.id}`}>
            {words.number(press.pressId)}
          </a>
        </Pair>
        {press.publisher !== undefined && (
          <Pair term={words.publisher}>
            <ExplorerLink kind="address" value={press.publisher} />
          </Pair>
        )}
        <Pair term={words.minted}>
          <ExplorerLink kind="transaction" value={press.mintTx} />
        </Pair>
        {press.auditTx !== null && (
          <Pair term={words.verdictPosted}>
            <ExplorerLink kind="transaction" value={press.auditTx} />
          </Pair>
        )}
        {children}
      </TermList>
      <p className="text-xs text-quiet">{words.pressIs}</p>
      {isLocal(window.location.hostname) && <p className="text-xs text-quiet">{common.localChain}</p>}
    </Card>
  );
}

/** Readers' reactions to a press: votes of buyers, votes of others, tags, and paid unlocks. */
export function Readers({ press }: { readonly press: Press }) {
  const { votes, readerVotes } = press;
  const tags = Object.entries(press.tags)
    .filter(([tag, times]) => tag !== "" && times > 0)
    .sort(([, a], [, b]) => b - a);
  return (
    <Card heading={words.readers}>
      <TermList>
        <Pair term={words.unlocked}>{list.reads(press.reads)}</Pair>
      </TermList>
      <div className="grid gap-2.5 border-t border-line pt-4">
        <h3 className="text-sm font-semibold">{words.votes}</h3>
        <TermList>
          <Pair term={words.readerVotes}>{countVotes(readerVotes)}</Pair>
          <Pair term={words.otherVotes}>
            {countVotes({ up: votes.up - readerVotes.up, down: votes.down - readerVotes.down })}
          </Pair>
        </TermList>
        <p className="text-xs text-quiet">{words.votesNote}</p>
      </div>
      {tags.length > 0 && (
        <ul aria-label={words.tags} className="flex flex-wrap gap-2">
          {tags.map(([tag, times]) => (
            <li key={tag}>
              <Badge>
                {vote.tagName(tag)} × {times}
              </Badge>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** The stock token's price at publication and now, and whether the publisher held the stock. */
export function Market({ press }: Pick<PressDetail, "press">) {
  const { data } = useQuery(queryStockPrices(press.stock));
  const today = data?.quote;
  const published = { at: Date.parse(press.publishedAt), price: press.priceAtPublish };
  const now = {
    at: Math.max(Date.parse(today?.asOf ?? press.publishedAt), published.at + 1),
    price: press.priceNow,
  };
  const percent = toPercent(press.priceAtPublish, press.priceNow);
  const range = today && `${formatDollars(today.dayLow)} – ${formatDollars(today.dayHigh)}`;
  return (
    <Card
      heading={words.since(press.stock)}
      aside={today?.halted === true && <Badge tone="warn">{words.halted}</Badge>}
    >
      <PriceChart
        samples={listSamplesSince(published, now, data)}
        percent={percent}
        label={words.chart(
          press.stock,
          formatDollars(press.priceAtPublish),
          formatDollars(press.priceNow),
          range ?? "–",
        )}
        marker={{ at: published.at, name: chart.published }}
      />
      <TermList>
        <Pair term={words.atPublish}>{formatDollars(press.priceAtPublish)}</Pair>
        <Pair term={words.now}>
          <strong className="font-semibold">{formatDollars(press.priceNow)}</strong>{" "}
          {percent !== undefined && <Percent>{percent}</Percent>}
        </Pair>
        {range !== undefined && <Pair term={words.dayRange}>{range}</Pair>}
      </TermList>
      <p>
        <Link to="/stock/$symbol" params={{ symbol: press.stock }} className="link text-sm">
          {chart.more(press.stock)}
        </Link>
      </p>
      <p
        className={joinClasses(
          "border-t border-line pt-4 text-sm",
          press.publisherHolds ? "text-warn" : "text-quiet",
        )}
      >
        {press.publisherHolds ? words.holds(press.stock) : words.holdsNot(press.stock)}
      </p>
    </Card>
  );
}
