import { sameMatter, stems } from "../claim.ts";
import type { Issue } from "../schema.ts";
import { plain, sentences } from "../text.ts";
import { finding, type Rule } from "./rule.ts";

const up =
  /\b(?:r[io]se[ns]?|rising|gr[eo]ws?|growing|gain(?:s|ed)?|increas(?:e[ds]?|ing)|climb(?:s|ed)?|jump(?:s|ed)?|surge[ds]?|rais(?:es?|ed|ing)|expand(?:s|ed|ing)?|improv(?:es?|ed|ing)|accelerat(?:es?|ed|ing)|beats?|widen(?:s|ed)?)\b/i;
const down =
  /\b(?:f[ae]lls?|fallen|falling|drop(?:s|ped)?|declin(?:es?|ed|ing)|shr[aiu]nk(?:s|ing)?|los(?:t|es|ing)|decreas(?:es?|ed|ing)|slump(?:s|ed)?|plung(?:es?|ed)|slid(?:es?)?|cuts?|cutting|lower(?:s|ed)|contract(?:s|ed)|worsen(?:s|ed|ing)?|slow(?:s|ed|ing)|miss(?:es|ed)|narrow(?:s|ed))\b/i;
/** What makes a sentence say less, or the opposite, of what its verbs say. */
const open =
  /\b(?:not|no|never|n't|if|whether|would|could|might|may|or|but|while|although|though|despite|from)\b|n't\b|\?/i;

type Direction = "up" | "down";

function directionOf(sentence: string): Direction | undefined {
  if (open.test(sentence)) return undefined;
  const rises = up.test(sentence);
  return rises === down.test(sentence) ? undefined : rises ? "up" : "down";
}

/** What headline or preview say rose and the body says fell, or the other way round. */
export const reversal: Rule = (draft) => {
  const told = sentences(plain(draft.body)).map((sentence) => ({
    sentence,
    stems: stems(sentence),
    direction: directionOf(sentence),
  }));
  return (["headline", "preview"] as const).flatMap((place) =>
    sentences(plain(draft[place])).flatMap((sentence): readonly Issue[] => {
      const direction = directionOf(sentence);
      if (direction === undefined) return [];
      const matter = stems(sentence);
      const related = told.filter((other) => sameMatter(matter, other.stems));
      const opposite = related.find(
        (other) => other.direction !== undefined && other.direction !== direction,
      );
      if (opposite === undefined || related.some((other) => other.direction === direction)) return [];
      const wrong = `The ${place} says that it went ${direction}, the body the opposite`;
      return [finding("high", place, wrong, opposite.sentence, `Make ${place} and body agree.`)];
    }),
  );
};
