import type { VoteEntry } from "../../../core/history/schema.ts";
import { history as words } from "../strings/history.ts";
import { vote } from "../strings/vote.ts";
import { Badge } from "../ui/badge.tsx";
import { Icon } from "../ui/icon.tsx";
import { Entry } from "./entry.tsx";

export function Votes({ votes }: { readonly votes: readonly VoteEntry[] }) {
  return (
    <ul className="rounded-2xl border border-line bg-card shadow-card">
      {votes.map((entry) => (
        <Entry key={entry.tx} entry={entry}>
          {entry.tag !== "" && <Badge>{vote.tagName(entry.tag)}</Badge>}
          <Badge tone={entry.value === 1 ? "accent" : "bad"}>
            <Icon name={entry.value === 1 ? "up" : "down"} className="size-3" />
            {entry.value === 1 ? words.up : words.down}
          </Badge>
        </Entry>
      ))}
    </ul>
  );
}
