import type { Angle, Angles as Found } from "../../../../core/draft/schema.ts";
import { formatMoment } from "../../format.ts";
import { assist as words } from "../../strings/publish.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Badge } from "../../ui/status.tsx";
import type { Generation } from "../editor/draft.ts";

/** A link to a page of somebody else, in a tab of its own, which does not hear where it was followed. */
function OutLink({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <a className="link" href={href} target="_blank" rel="noreferrer">
      {children}
      <Icon name="external" className="ml-1 inline size-3" />
      <span className="sr-only">{words.onSource}</span>
    </a>
  );
}

type AnglesProps = {
  readonly found: Found;
  /** The angle that is being written on. */
  readonly busy: string | undefined;
  readonly disabled: boolean;
  readonly onChoose: (angle: Angle) => void;
};

/** What may be written about a stock now. */
export function Angles({ found, busy, disabled, onChoose }: AnglesProps) {
  return (
    <div className="grid w-full gap-3">
      {!found.freshNews && <p className="text-warn">{words.noNews}</p>}
      <ul aria-label={words.angles} className="grid">
        {found.angles.map((angle) => (
          <li
            key={angle.id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line py-4"
          >
            <div className="grid min-w-0 flex-1 basis-72 gap-1">
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-quiet">
                <Badge>{words.kinds[angle.kind]}</Badge>
                {angle.kind === "headline" && (
                  <>
                    <OutLink href={angle.link}>{angle.source}</OutLink>
                    <time dateTime={angle.publishedAt}>{formatMoment(angle.publishedAt)}</time>
                  </>
                )}
              </p>
              <p className="font-semibold">{angle.title}</p>
              <p className="text-quiet">{angle.detail}</p>
            </div>
            <Button
              size="small"
              busy={busy === angle.id}
              disabled={disabled || (busy !== undefined && busy !== angle.id)}
              onClick={() => onChoose(angle)}
            >
              {words.generate}
              <span className="sr-only">{words.generateOn(angle.title)}</span>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

type SourcesProps = { readonly generation: Generation; readonly note: string | undefined };

/** What the AI draft was written from. */
export function Sources({ generation, note }: SourcesProps) {
  return (
    <section aria-label={words.sources} className="grid w-full gap-2 border-t border-line pt-4">
      {note !== undefined && <p className="text-warn">{note}</p>}
      <h2 className="text-sm font-semibold">{words.sources}</h2>
      <ul className="grid gap-1.5">
        {generation.sources.map(({ title, source, link }) => (
          <li key={link} className="[overflow-wrap:anywhere]">
            <OutLink href={link}>{title}</OutLink> <span className="text-quiet">{source}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
