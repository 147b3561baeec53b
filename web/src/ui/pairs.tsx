import type { ReactNode } from "react";

/** Terms and what they are, line by line. */
export function Pairs({ children }: { readonly children: ReactNode }) {
  return <dl className="grid gap-2.5 text-sm">{children}</dl>;
}

/** One line of `Pairs`. */
export function Pair({ term, children }: { readonly term: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <dt className="text-quiet">{term}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
