import type { MouseEvent, ReactNode } from "react";
import { navigate } from "../route.ts";

type LinkProps = {
  readonly to: string;
  readonly children: ReactNode;
  readonly className?: string;
  readonly current?: boolean;
};

/** A link to another page of this site, followed without loading it anew. */
export function Link({ to, children, className, current = false }: LinkProps) {
  const follow = (event: MouseEvent) => {
    // Modified clicks open tabs and windows: those are the browser's.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(to, "push");
  };
  return (
    <a href={to} className={className} aria-current={current ? "page" : undefined} onClick={follow}>
      {children}
    </a>
  );
}
