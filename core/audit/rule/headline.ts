import type { Issue } from "../schema.ts";
import { plain, words } from "../text.ts";
import { finding, type Rule } from "./rule.ts";
import { namesOf } from "./subject.ts";

const stopwords = new Set(
  "about above after again against ahead also although among because been before behind being below between beyond both came come could does doing down during each even ever every from have having here into just like made make many might more most much must near next only other over says should since some still such than that their them then there these they this those through today under until upon very want wants were what when where which while whom whose will with within without would year your".split(
    " ",
  ),
);

/** Words that carry the meaning, cut so that inflections match. */
function stems(text: string): ReadonlySet<string> {
  const meaning = words(text).filter((word) => /^\p{L}{4,}/u.test(word) && !stopwords.has(word));
  return new Set(meaning.map((word) => word.slice(0, 5)));
}

/** Amounts and percentages: what a reader would pay to see explained. Bare numbers and years are not counted. */
const figure =
  /\$ ?(\d[\d,]*(?:\.\d+)?)|(\d[\d,]*(?:\.\d+)?) ?(?:%|percent\b|(?:billion|million|trillion|bn|tn)\b)/gi;

function figuresIn(text: string): readonly { readonly shown: string; readonly value: number }[] {
  return [...text.matchAll(figure)].map((match) => ({
    shown: match[0].trim(),
    value: toNumber(match[1] ?? match[2] ?? ""),
  }));
}

/** What headline and preview announce must be in the text that the reader pays for. */
export const headline: Rule = (draft, facts) => {
  const body = plain(draft.body);
  const told = stems(body);
  const numbers = (body.match(/\d[\d,]*(?:\.\d+)?/g) ?? []).map(toNumber);
  return [
    ...subject(`${draft.headline}\n${draft.preview}\n${body}`, namesOf(facts), facts.stock.symbol),
    ...announced("headline", plain(draft.headline), told, numbers),
    ...announced("preview", plain(draft.preview), told, numbers),
  ];
};

function subject(text: string, names: readonly string[], symbol: string): readonly Issue[] {
  const lower = text.toLowerCase();
  // Four letters find Google in GOOGL.
  const known = [...names, symbol.slice(0, Math.max(4, symbol.length - 1))];
  if (known.some((name) => lower.includes(name.toLowerCase()))) return [];
  const detail = `The text never mentions ${names.join(" or ")}. Say what it has to do with ${symbol}, or choose the stock that it is about.`;
  return [{ severity: "medium", check: "subject", detail }];
}

function announced(
  place: "headline" | "preview",
  text: string,
  told: ReadonlySet<string>,
  numbers: readonly number[],
): readonly Issue[] {
  const claimed = [...stems(text)];
  const kept = claimed.filter((stem) => told.has(stem));
  const remedy = `Bring it into the body, or take it out of the ${place}.`;
  const missing = figuresIn(text).filter(
    ({ value }) => !numbers.some((number) => Math.abs(number - value) <= Math.abs(value) * 0.03),
  );
  return [
    ...missing
      .slice(0, 2)
      .map(({ shown }) =>
        finding("medium", place, `A figure of the ${place} that the body never gives`, shown, remedy),
      ),
    ...(claimed.length >= 3 && kept.length * 4 < claimed.length
      ? [
          finding(
            place === "headline" && kept.length === 0 ? "high" : "medium",
            place,
            `The body hardly takes up what the ${place} announces`,
            text,
            `Write about it, or change the ${place}.`,
          ),
        ]
      : []),
  ];
}

function toNumber(text: string): number {
  return Number(text.replaceAll(",", ""));
}
