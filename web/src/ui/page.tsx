import type { ReactNode } from "react";
import { useTitle } from "./title.ts";

type PageProps = {
  /** Of the document and of the page. The first page has none of its own: its document is named after the site. */
  readonly title?: string;
  /** What stands on the page in place of the title. */
  readonly heading?: ReactNode;
  readonly lead?: ReactNode;
  /** Beside the heading: what can be done here. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

/** A page with its name, a word about it, and its content. */
export function Page({ title, heading = title, lead, actions, children }: PageProps) {
  useTitle(title);
  return (
    <div className="frame grid grid-cols-[minmax(0,1fr)] gap-8 py-8 sm:py-12">
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
