import { type ReactNode, useId } from "react";

/** A part of the page with its heading. */
export function Section({ heading, children }: { readonly heading: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 [overflow-wrap:anywhere]"
    >
      <h2 id={id} className="text-title">
        {heading}
      </h2>
      {children}
    </section>
  );
}
