import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { formatMoment } from "../format.ts";
import { Badge } from "../ui/badge.tsx";
import { Hex } from "../ui/hex.tsx";

type EntryProps = {
  readonly entry: {
    readonly slug: string;
    readonly headline: string;
    readonly stock: string;
    readonly at: string;
    readonly tx: string;
  };
  readonly children: ReactNode;
};

/** One line of the history: which press, when, by which transaction, and what. */
export function Entry({ entry, children }: EntryProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line p-5 first:border-t-0">
      <div className="grid min-w-0 flex-1 basis-72 gap-1.5">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-quiet">
          <Badge tone="accent">{entry.stock}</Badge>
          <time dateTime={entry.at}>{formatMoment(entry.at)}</time>
          <Hex kind="transaction" value={entry.tx} />
        </p>
        <Link
          to="/press/$slug"
          params={{ slug: entry.slug }}
          className="font-serif text-lg font-bold hover:text-accent"
        >
          {entry.headline}
        </Link>
      </div>
      <div className="flex items-center gap-4">{children}</div>
    </li>
  );
}
