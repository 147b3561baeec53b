import { type ReactNode, useEffect, useId } from "react";
import { type Change, formatPercent, formatPeriod } from "../../../core/market/schema.ts";
import { formatAgo, formatLongHex, formatToMinute, shortenHex } from "../format.ts";
import { common } from "../strings/common.ts";
import { joinClasses } from "./button.tsx";
import { Icon } from "./icon.tsx";

type PageProps = {
  /**
   * The page's title, which the browser's tab and the page itself show. The first page has no title of its own, so the tab shows the site's
   * name.
   */
  readonly title?: string;
  /** A heading that is shown instead of the title. */
  readonly heading?: ReactNode;
  readonly lead?: ReactNode;
  /** Whether the page is a single narrow column. The content of a narrow page would leave half of a wide column empty. */
  readonly narrow?: boolean;
  /** Actions beside the heading. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

/** A page with its title, an introduction and its content. */
export function Page({ title, heading = title, lead, narrow = false, actions, children }: PageProps) {
  useTitle(title);
  return (
    <div
      className={joinClasses(
        "frame grid gap-8 py-8 sm:py-12",
        narrow ? "grid-cols-[minmax(0,48rem)] justify-center" : "grid-cols-[minmax(0,1fr)]",
      )}
    >
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div className="grid max-w-2xl gap-3">
          <h1 className="text-display">{heading}</h1>
          {lead !== undefined && <p className="text-lg text-quiet">{lead}</p>}
        </div>
        {actions}
      </header>
      {children}
    </div>
  );
}

type SectionProps = Omit<CardProps, "className"> & { readonly lead?: ReactNode };

export function Section({ heading, lead, aside, children }: SectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 [overflow-wrap:anywhere]"
    >
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="grid max-w-2xl gap-1">
          <h2 id={id} className="headline text-title">
            {heading}
          </h2>
          {lead !== undefined && <p className="text-sm text-quiet">{lead}</p>}
        </div>
        {aside}
      </div>
      {children}
    </section>
  );
}

type BulletsProps = { readonly items: readonly string[]; readonly numbered?: boolean };

export function Bullets({ items, numbered = false }: BulletsProps) {
  const List = numbered ? "ol" : "ul";
  return (
    <List className={joinClasses("grid gap-2 pl-5", numbered ? "list-decimal" : "list-disc")}>
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </List>
  );
}

export function BulletSection({ heading, ...list }: BulletsProps & Pick<SectionProps, "heading">) {
  return (
    <Section heading={heading}>
      <Bullets {...list} />
    </Section>
  );
}

/** Sets the document's title to the page's name, or to the site's name. */
export function useTitle(page?: string): void {
  useEffect(() => {
    document.title = page === undefined ? common.siteName : `${page} · ${common.siteName}`;
  }, [page]);
}

type CardProps = {
  readonly heading: string;
  /** Content that is shown beside the heading. */
  readonly aside?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
};

/** A card with its own heading, with a gap between the parts of its content. */
export function Card({ heading, aside, className, children }: CardProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={joinClasses(
        "grid grid-cols-[minmax(0,1fr)] content-start gap-4 rounded-2xl border border-line bg-card p-5 shadow-card sm:p-6",
        className,
      )}
    >
      <div className="flex items-center justify-between gap-3">
        <h2 id={id} className="text-base font-semibold">
          {heading}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** A list of terms with their values. */
export function TermList({ children }: { readonly children: ReactNode }) {
  return <dl className="grid gap-2.5 text-sm">{children}</dl>;
}

export function Pair({ term, children }: { readonly term: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <dt className="text-quiet">{term}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

/** A placeholder bar for loading content. The caller sets the size of the bar. */
export function Bar({ className }: { readonly className: string }) {
  return <span className={joinClasses("block animate-pulse rounded-md bg-sunk", className)} />;
}

/** Placeholder bars for content that is still loading. Screen readers read `children` instead of the bars. */
export function LoadingText({ lines = 5, children }: { readonly lines?: number; readonly children: string }) {
  return (
    <div aria-busy="true">
      <p role="status" className="sr-only">
        {children}
      </p>
      <TextSkeleton lines={lines} />
    </div>
  );
}

/** Placeholder bars for a text. The page announces the loading to screen readers. */
export function TextSkeleton({ lines = 5 }: { readonly lines?: number }) {
  return (
    <div className="grid max-w-2xl gap-3" aria-hidden="true">
      {Array.from({ length: lines }, (_, line) => (
        <Bar key={String(line)} className={line === lines - 1 ? "h-4 w-2/3" : "h-4 w-full"} />
      ))}
    </div>
  );
}

/** Placeholder bars for the rows of a list that is still loading. */
export function ListSkeleton() {
  return (
    <div className="grid gap-4" aria-hidden="true">
      {["first", "second", "third", "fourth"].map((row) => (
        <div key={row} className="grid gap-3 rounded-2xl border border-line bg-card p-5 sm:p-6">
          <Bar className="h-4 w-40" />
          <Bar className="h-7 w-3/4" />
          <Bar className="h-4 w-full" />
          <Bar className="h-4 w-2/3" />
        </div>
      ))}
    </div>
  );
}

/** The age of an ISO 8601 time, with the time itself as a tooltip. */
export function Age({ time }: { readonly time: string }) {
  return (
    <time dateTime={time} title={formatToMinute(time)}>
      {formatAgo(time, Date.now())}
    </time>
  );
}

/** A frame in which a wide table scrolls. The frame can be focused, so that the keyboard can scroll the table. */
const scroller = { className: "overflow-x-auto rounded-2xl border border-line bg-card", tabIndex: 0 };

type TableProps = {
  readonly label: string;
  readonly head: readonly string[];
  readonly children: ReactNode;
};

/** A plain table of numbers. A table that is wider than the page scrolls inside its frame, also with the keyboard. */
export function Table({ label, head, children }: TableProps) {
  return (
    <section {...scroller} aria-label={label}>
      <table className="figure w-full text-sm [&_td]:px-3 [&_td]:py-2.5 [&_td]:text-right [&_th]:px-3 [&_th]:py-2.5 [&_th]:text-right [&_th]:font-medium [&_th:first-child]:text-left [&_tbody_tr]:border-t [&_tbody_tr]:border-line">
        <thead className="text-quiet">
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

export type Direction = "up" | "down" | "flat";

/** The direction of a price's change: up, down or flat. A change that is rounded to zero is shown as neither up nor down. */
export function findDirection(percent: number): Direction {
  return percent > 0 ? "up" : percent < 0 ? "down" : "flat";
}

const directions = { up: "text-accent", down: "text-bad", flat: "text-quiet" } as const;

/** Shows the change of a price in percent, in green or red. */
export function Percent({ children }: { readonly children: number }) {
  return <span className={directions[findDirection(children)]}>{formatPercent(children)}</span>;
}

/** The change of a price with its period: `−3.6% in 7 days`. */
export function ChangeInPeriod({ change }: { readonly change: Change }) {
  return (
    <span className="figure whitespace-nowrap">
      <Percent>{change.percent}</Percent> {formatPeriod(change.since, Date.now())}
    </span>
  );
}

type ExplorerLinkProps = {
  readonly kind: "address" | "transaction";
  readonly value: string;
  /**
   * How much of the address or the transaction's hash the page shows. `long` shows more of the address, so that readers do not mistake
   * another wallet for the right wallet.
   */
  readonly length?: keyof typeof lengths;
};

const lengths = {
  short: shortenHex,
  long: formatLongHex,
  whole: (value: string) => value.toLowerCase(),
} as const;

/** An address or a transaction as a link that opens the chain's explorer in a new tab. */
export function ExplorerLink({ kind, value, length = "short" }: ExplorerLinkProps) {
  return (
    <a
      className={joinClasses(
        "link font-mono text-[0.92em]",
        length === "whole" ? "break-all" : "inline-flex items-center gap-1",
      )}
      href={`${import.meta.env.EXPLORER}/${kind === "address" ? "address" : "tx"}/${value}`}
      target="_blank"
      rel="noreferrer"
      title={value}
    >
      {lengths[length](value)}
      {length !== "whole" && <Icon name="external" className="size-3" />}
      <span className="sr-only">{common.onExplorer(common[kind])}</span>
    </a>
  );
}
