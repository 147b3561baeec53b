import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { isNewAuthor, type ListedPress, type Press } from "../../../core/press/schema.ts";
import { history, marketWeek } from "../api/press.ts";
import { computeScale, drawPath, lineOf } from "../chart/scale.ts";
import { isFollowedPress, lastVisit, useFollows } from "../follow/follow.tsx";
import { countVotes, formatLongHex, formatUsdg } from "../format.ts";
import { useSession } from "../session/sign-in.tsx";
import { common } from "../strings/common.ts";
import { follow, front, list as words } from "../strings/reader.ts";
import { joinClasses } from "../ui/button.tsx";
import { Drawing, DrawnLine } from "../ui/icon.tsx";
import { Age, ChangeInPeriod, findDirection } from "../ui/page.tsx";
import { Badge, Score } from "../ui/status.tsx";
import { ListedCover } from "./cover.tsx";

/** A list of press cards, in two columns if there is space and more than one card. */
export function PressCards({
  presses,
  wide = true,
}: {
  readonly presses: readonly ListedPress[];
  readonly wide?: boolean;
}) {
  const findMark = useMarks();
  return (
    <ul className={joinClasses("grid gap-4", wide && presses.length > 1 && "lg:grid-cols-2")}>
      {presses.map((press) => (
        <PressCard key={press.id} press={press} mark={findMark(press)} />
      ))}
    </ul>
  );
}

type PressCardProps = {
  readonly press: ListedPress;
  /** A mark beside the press's labels. The mark can say, for example, that the reader has unlocked the press. */
  readonly mark?: ReactNode;
};

/** The card of a press in a list. The card shows stock, headline and price first. The whole card of a press is a link to the press. */
function PressCard({ press, mark }: PressCardProps) {
  return (
    <li className="group relative flex flex-col rounded-2xl border border-line bg-card shadow-card transition-colors hover:border-edge">
      <ListedCover press={press} className="h-16 rounded-t-2xl" />
      <article className="grid flex-1 grid-rows-[auto_auto_1fr_auto] gap-3 p-5 sm:p-6">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <p>
            <Link
              to="/stock/$symbol"
              params={{ symbol: press.stock }}
              className="relative z-1 font-semibold tracking-wide hover:text-accent"
            >
              {press.stock}
            </Link>
          </p>
          <span className="flex max-sm:order-last max-sm:basis-full">
            <Sparkline symbol={press.stock} />
          </span>
          <p className="ml-auto">
            <Price units={press.priceUnits} />
          </p>
        </div>
        <h2 className="headline max-w-3xl text-title">
          <HeadlineLink press={press} />
        </h2>
        <p className="line-clamp-3 max-w-2xl self-start text-quiet">{press.preview}</p>
        <div className="flex items-end justify-between gap-4 pt-1">
          <div className="grid gap-1 text-sm text-quiet">
            <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
              <Link
                to="/by/$address"
                params={{ address: press.publisher }}
                className="relative z-1 font-medium text-ink hover:text-accent"
              >
                <Byline press={press} />
              </Link>
              <Age time={press.publishedAt} />
              <span>{words.minutes(press.readMinutes)}</span>
              <Labels press={press} />
              {mark}
            </p>
            <p>
              {words.reads(press.reads)}, {countVotes(press.readerVotes)}
            </p>
          </div>
          <p className="flex shrink-0 items-center gap-2.5 text-xs text-quiet">
            <span className="max-sm:sr-only">
              {press.findings === undefined ? words.audit : words.findings(press.findings)}
            </span>
            <Score score={press.auditScore} />
          </p>
        </div>
      </article>
    </li>
  );
}

/** The headline of a press. The headline's link to the press covers the whole card or row around the headline. */
export function HeadlineLink({ press: { slug, headline } }: Pick<PressCardProps, "press">) {
  return (
    <Link
      to="/press/$slug"
      params={{ slug }}
      className="group-hover:text-accent after:absolute after:inset-0 after:rounded-2xl"
    >
      {headline}
    </Link>
  );
}

export function Price({ units }: { readonly units: string }) {
  return (
    <span className="figure inline-flex items-baseline gap-1 rounded-full bg-accent-soft px-3 py-1 font-semibold whitespace-nowrap text-accent">
      <span className="sr-only">{words.price}: </span>
      {formatUsdg(units)} <span className="text-xs font-medium">{common.unit}</span>
    </span>
  );
}

/** The author's name, with the wallet's address if another wallet has a similar byline. */
export function Byline({
  press,
}: {
  readonly press: Pick<Press, "publisher" | "publisherName" | "bylineAmbiguous">;
}) {
  return (
    <>
      <bdi>{press.publisherName}</bdi>
      {press.bylineAmbiguous && (
        <span className="ml-1.5 font-mono text-xs font-normal text-quiet" title={press.publisher}>
          {formatLongHex(press.publisher)}
        </span>
      )}
    </>
  );
}

type LabelsProps = {
  readonly press: Pick<Press, "aiAssisted" | "publisherHolds" | "stock" | "newAuthorUntil">;
};

/** Short labels that describe the origin of a press. */
export function Labels({ press }: LabelsProps) {
  return (
    <>
      {isNewAuthor(press, Date.now()) && <Badge>{words.newAuthor}</Badge>}
      {press.aiAssisted && <Badge>{words.ai}</Badge>}
      {press.publisherHolds && <Badge tone="warn">{words.holds(press.stock)}</Badge>}
    </>
  );
}

/**
 * Returns the function that gives a press's mark for this reader. A press has a mark if the reader has unlocked or written it, or if it is
 * new and the reader follows its author or stock.
 */
export function useMarks(): (press: Press) => ReactNode {
  const { address } = useSession();
  const followed = useFollows();
  const { data } = useQuery({ ...history, enabled: typeof address === "string" });
  const unlocked = new Set(data?.unlocks.map(({ slug }) => slug));
  return (press) => {
    const isNew = isFresh(press) && isFollowedPress(followed, press);
    if (press.publisher === address) return <Badge>{front.own}</Badge>;
    if (unlocked.has(press.slug)) return <Badge tone="accent">{front.unlocked}</Badge>;
    return isNew && <Badge tone="accent">{follow.isNew}</Badge>;
  };
}

/** Whether a press was published after this browser's last visit. */
export function isFresh({ publishedAt }: Press): boolean {
  return lastVisit !== undefined && Date.parse(publishedAt) > lastVisit;
}

/**
 * Shows the price of a stock in the last week as a small line, and the price's change in words. The component is empty until the stock's
 * prices are loaded. Pages with many stocks load the last week's prices of all stocks with one request. A page that does not request the
 * last week's prices shows the line only if an earlier page has loaded them.
 */
export function Sparkline({ symbol }: { readonly symbol: string }) {
  const { data } = useQuery({ ...marketWeek, enabled: false });
  const stock = data?.find((candidate) => candidate.symbol === symbol);
  if (stock?.change === undefined) return null;
  const samples = stock.week.map((price, at) => ({ at, price }));
  return (
    <span className="inline-flex items-center gap-2 text-xs text-quiet">
      <Drawing className="h-6 w-16 overflow-visible">
        <DrawnLine
          d={drawPath(samples, computeScale(samples))}
          className={lineOf[findDirection(stock.change.percent)]}
          strokeWidth="1.5"
        />
      </Drawing>
      <ChangeInPeriod change={stock.change} />
    </span>
  );
}
