import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { StockWeek } from "../../../core/market/schema.ts";
import type { ListedPress } from "../../../core/press/schema.ts";
import { holdings } from "../api/market.ts";
import { Sparkline } from "../chart/sparkline.tsx";
import { concerns, useFollowed } from "../follow/follow.tsx";
import { formatUsdg } from "../format.ts";
import { front as words } from "../strings/market.ts";
import { list } from "../strings/reader.ts";
import { StockMark } from "../ui/icon.tsx";
import { Section } from "../ui/page.tsx";
import { Score } from "../ui/status.tsx";
import { Ago } from "../ui/text.tsx";
import { useConnection } from "../wallet/state.ts";
import { isFresh, Price, useReader } from "./card.tsx";
import type { Front } from "./front.ts";

type FrontProps = {
  readonly presses: readonly ListedPress[];
  readonly stocks: readonly StockWeek[];
  /** What is the same for everybody; too few presses have no such parts. */
  readonly front: Front | undefined;
};

/** What stands above the list while nothing is searched for. */
export function FrontParts({ presses, stocks, front }: FrontProps) {
  const { lead, read = [], rated = [] } = front ?? {};
  return (
    <>
      {lead !== undefined && <Lead press={lead} />}
      <Followed presses={presses} />
      <Held presses={presses} stocks={stocks} />
      {(read.length > 0 || rated.length > 0) && (
        <div className="grid gap-8 md:grid-cols-2">
          {read.length > 0 && (
            <Section heading={words.read}>
              <Rows presses={read} />
            </Section>
          )}
          {rated.length > 0 && (
            <Section heading={words.rated}>
              <Rows presses={rated} />
            </Section>
          )}
        </div>
      )}
    </>
  );
}

function Lead({ press }: { readonly press: ListedPress }) {
  const { markOf } = useReader();
  return (
    <section
      aria-label={words.lead}
      className="group relative rounded-3xl border border-line bg-card p-6 shadow-card hover:border-edge sm:p-10"
    >
      <div className="grid gap-4">
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
          <span className="font-semibold text-accent">{words.lead}</span>
          <span className="flex items-center gap-2 font-semibold">
            <StockMark symbol={press.stock} size="small" /> {press.stock}
          </span>
          <span className="flex max-sm:hidden">
            <Sparkline symbol={press.stock} />
          </span>
          {markOf(press)}
          <span className="ml-auto">
            <Price units={press.priceUnits} />
          </span>
        </p>
        <h2 className="headline max-w-4xl text-display">
          <Link
            to="/press/$slug"
            params={{ slug: press.slug }}
            className="group-hover:text-accent after:absolute after:inset-0 after:rounded-3xl"
          >
            {press.headline}
          </Link>
        </h2>
        <p className="max-w-3xl text-lg text-quiet">{press.preview}</p>
        <div className="flex items-center gap-4 text-sm text-quiet">
          <Score score={press.auditScore} />
          <p className="flex flex-wrap gap-x-4 gap-y-1">
            {press.findings !== undefined && <span>{list.findings(press.findings)}</span>}
            <span className="font-medium text-ink">{press.publisherName}</span>
            <Ago time={press.publishedAt} />
            <span>{list.reads(press.reads)}</span>
          </p>
        </div>
      </div>
    </section>
  );
}

/** Presses in few words, one under the other. */
function Rows({ presses }: { readonly presses: readonly ListedPress[] }) {
  const { markOf } = useReader();
  return (
    <ol className="grid divide-y divide-line border-y border-line">
      {presses.map((press) => (
        <li key={press.id} className="group relative grid gap-1 py-3">
          <p className="flex flex-wrap items-center gap-x-3 text-xs text-quiet">
            <span className="font-semibold text-ink">{press.stock}</span>
            <Ago time={press.publishedAt} />
            <span>{list.reads(press.reads)}</span>
            <span>{list.votes(press.votes.up, press.votes.down)}</span>
            <span className="figure">{list.costs(formatUsdg(press.priceUnits))}</span>
            {markOf(press)}
          </p>
          <h3 className="headline text-lg">
            <Link
              to="/press/$slug"
              params={{ slug: press.slug }}
              className="group-hover:text-accent after:absolute after:inset-0"
            >
              {press.headline}
            </Link>
          </h3>
        </li>
      ))}
    </ol>
  );
}

/** Presses of a personal part at most. */
const most = 4;

function Followed({ presses }: Pick<FrontProps, "presses">) {
  const followed = useFollowed();
  const found = presses.filter((press) => concerns(followed, press));
  if (followed.size === 0 || found.length === 0) return null;
  const fresh = found.filter(isFresh).length;
  return (
    <Section heading={words.followed}>
      <p className="text-sm text-quiet">{fresh === 0 ? words.nothingNew : words.fresh(fresh)}</p>
      <Rows presses={found.slice(0, most)} />
    </Section>
  );
}

/** The connected wallet counts, else the one that is signed in. */
function Held({ presses, stocks }: Omit<FrontProps, "front">) {
  const { address } = useReader();
  const wallet = useConnection()?.address ?? address;
  const about = stocks.filter(({ symbol }) => presses.some(({ stock }) => stock === symbol));
  const { data = [] } = useQuery({
    ...holdings(wallet ?? "", about),
    enabled: wallet !== undefined && about.length > 0,
  });
  const found = presses.filter(({ stock }) => data.includes(stock));
  if (found.length === 0) return null;
  return (
    <Section heading={words.held}>
      <p className="text-sm text-quiet">{words.heldLead(data.join(", "))}</p>
      <Rows presses={found.slice(0, most)} />
    </Section>
  );
}
