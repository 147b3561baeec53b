import type { Press } from "../../../core/press/schema.ts";
import { count } from "../format.ts";
import { Pair } from "./pair.tsx";

/** What readers make of a press: votes without the publisher's own, their tags, and paid unlocks. */
export function Readers({ press }: { readonly press: Press }) {
  const tags = Object.entries(press.tags)
    .filter(([tag, times]) => tag !== "" && times > 0)
    .sort(([, a], [, b]) => b - a);
  return (
    <section className="card" aria-labelledby="readers">
      <h2 id="readers">Readers</h2>
      <dl className="pairs">
        <Pair term="Unlocked">{count(press.reads, "time", "times")}</Pair>
        <Pair term="Votes up">{press.votes.up}</Pair>
        <Pair term="Votes down">{press.votes.down}</Pair>
      </dl>
      {tags.length > 0 && (
        <ul className="tags" aria-label="Tags that voters gave">
          {tags.map(([tag, times]) => (
            <li key={tag}>
              {tag} <span className="quiet">× {times}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
