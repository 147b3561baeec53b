import type { PressItem } from "../press/entity.ts";
import type { Table } from "../table.ts";
import { alikeHeadlines, alikeTexts } from "./likeness.ts";
import type { SimilarPress } from "./schema.ts";

/** How many live presses are looked through, newest first: one page of the index. */
const looked = 200;
/** How many of them, and how much of each, the steps carry on: the state machine's payload is limited to 256 kB. */
const kept = 3;
const length = 500;
/** Below it two texts have no more in common than a subject. */
const noticeable = 0.3;

/** The live presses of a stock that resemble a draft most in headline or preview, by one query. */
export async function similar(
  { table }: { readonly table: Table },
  draft: Pick<PressItem, "stock" | "publisher" | "headline" | "preview">,
): Promise<readonly SimilarPress[]> {
  const { data } = await table.entities.press.query
    .liveByStock({ stockShelf: draft.stock })
    .go({ order: "desc", limit: looked, attributes: ["headline", "preview", "publisher"] });
  return mostAlike(
    draft,
    data.map(({ headline, preview, publisher }) => ({
      headline,
      preview,
      own: publisher === draft.publisher,
    })),
  );
}

/** Those of some presses that resemble a draft noticeably, the likest first. */
export function mostAlike(
  draft: Pick<PressItem, "headline" | "preview">,
  presses: readonly SimilarPress[],
): readonly SimilarPress[] {
  return presses
    .map(({ headline, preview, own }) => ({
      press: { headline: headline.slice(0, length), preview: preview.slice(0, length), own },
      likeness: Math.max(alikeHeadlines(draft.headline, headline), alikeTexts(draft.preview, preview)),
    }))
    .filter(({ likeness }) => likeness >= noticeable)
    .toSorted((one, other) => other.likeness - one.likeness)
    .slice(0, kept)
    .map(({ press }) => press);
}
