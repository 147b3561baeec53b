import type { ReactNode } from "react";

type PairProps = { readonly term: ReactNode; readonly children: ReactNode };

/** One term and what it is, within `<dl className="pairs">`. */
export function Pair({ term, children }: PairProps) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
