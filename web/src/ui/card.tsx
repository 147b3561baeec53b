import { type ReactNode, useId } from "react";
import { classes } from "./classes.ts";

type CardProps = {
  readonly heading: string;
  /** Beside the heading. */
  readonly aside?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
};

/** A part of a page with a heading of its own. */
export function Card({ heading, aside, className, children }: CardProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={classes("rounded-2xl border border-line bg-card p-5 shadow-card sm:p-6", className)}
    >
      <div className="mb-4 flex items-center justify-between gap-3">
        <h2 id={id} className="text-base font-semibold">
          {heading}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
