import { assist as words } from "../../strings/publish.ts";
import type { Generation } from "../editor/desk.ts";
import { OutLink } from "./out-link.tsx";

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
