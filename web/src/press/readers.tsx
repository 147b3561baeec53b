import type { Press } from "../../../core/press/schema.ts";
import { list } from "../strings/list.ts";
import { press as words } from "../strings/press.ts";
import { vote } from "../strings/vote.ts";
import { Badge } from "../ui/badge.tsx";
import { Card } from "../ui/card.tsx";
import { Pair, Pairs } from "../ui/pairs.tsx";

/** What readers make of a press: votes without the publisher's own, their tags, and paid unlocks. */
export function Readers({ press }: { readonly press: Press }) {
  const tags = Object.entries(press.tags)
    .filter(([tag, times]) => tag !== "" && times > 0)
    .sort(([, a], [, b]) => b - a);
  return (
    <Card heading={words.readers}>
      <div className="grid gap-4">
        <Pairs>
          <Pair term={words.unlocked}>{list.reads(press.reads)}</Pair>
          <Pair term={words.up}>{press.votes.up}</Pair>
          <Pair term={words.down}>{press.votes.down}</Pair>
        </Pairs>
        {tags.length > 0 && (
          <ul aria-label={words.tags} className="flex flex-wrap gap-2">
            {tags.map(([tag, times]) => (
              <li key={tag}>
                <Badge>
                  {vote.tagName(tag)} × {times}
                </Badge>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}
