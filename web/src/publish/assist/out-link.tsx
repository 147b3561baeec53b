import { assist as words } from "../../strings/publish.ts";
import { Icon } from "../../ui/icon.tsx";

/** A link to a page of somebody else, in a tab of its own, which does not hear where it was followed. */
export function OutLink({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <a className="link inline-flex items-center gap-1" href={href} target="_blank" rel="noreferrer">
      {children}
      <Icon name="external" className="size-3" />
      <span className="sr-only">{words.onSource}</span>
    </a>
  );
}
