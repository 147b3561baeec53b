import { agree, claimsIn, contradiction, type Figure, figuresIn, stems } from "../claim.ts";
import type { Issue } from "../schema.ts";
import { plain, sentences } from "../text.ts";
import { finding, type Rule } from "./rule.ts";
import { namesOf } from "./subject.ts";

type Place = "headline" | "preview";

/** What the reader pays for. */
type Body = {
  readonly stems: ReadonlySet<string>;
  readonly sentences: readonly string[];
  readonly text: string;
};

/** What headline and preview announce must be in the text, and the text must not say otherwise. */
export const headline: Rule = (draft, facts) => {
  const text = plain(draft.body);
  const body = { text, stems: stems(text), sentences: sentences(text) };
  return [
    ...subject(`${draft.headline}\n${draft.preview}\n${text}`, namesOf(facts), facts.stock.symbol),
    ...announced("headline", plain(draft.headline), body),
    ...announced("preview", plain(draft.preview), body),
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

function announced(place: Place, text: string, body: Body): readonly Issue[] {
  return [...figures(place, text, body), ...takenUp(place, text, body)];
}

function figures(place: Place, text: string, body: Body): readonly Issue[] {
  const given = [...figuresIn(body.text), ...body.sentences.flatMap(differences)];
  const numbers = (body.text.match(/\d[\d,]*(?:\.\d+)?/g) ?? []).map((shown) =>
    Number(shown.replaceAll(",", "")),
  );
  return claimsIn(sentences(text))
    .filter(({ figure }) => !given.some((other) => agree(figure, other)))
    .flatMap((claim) => {
      const { shown } = claim.figure;
      const otherwise = contradiction(claim, body.sentences);
      if (otherwise !== undefined) {
        const wrong = `The ${place} says ${shown}, the body says otherwise`;
        return [finding("high", place, wrong, otherwise, "Make the two agree.")];
      }
      // A table may give the same number without its unit.
      if (numbers.some((number) => Math.abs(number - bare(shown)) <= bare(shown) * 0.03)) return [];
      const wrong = `A figure of the ${place} that the body never gives`;
      return [finding("medium", place, wrong, shown, remedyFor(place))];
    })
    .slice(0, 2);
}

/** How far apart two prices of one sentence are: a range may be announced by its width. */
function differences(sentence: string): readonly Figure[] {
  const prices = figuresIn(sentence)
    .filter(({ unit }) => unit === "money")
    .slice(0, 6);
  return prices.flatMap((one, at) =>
    prices
      .slice(at + 1)
      .map((other) => ({ shown: "", unit: "money", value: Math.abs(one.value - other.value) }) as const),
  );
}

function takenUp(place: Place, text: string, body: Body): readonly Issue[] {
  const claimed = [...stems(text)];
  const told = [...body.stems];
  // "Earn" is taken up by "earnings", whose stem is longer.
  const kept = claimed.filter((stem) =>
    told.some((other) => other.startsWith(stem) || stem.startsWith(other)),
  );
  if (claimed.length < 3 || kept.length * 4 >= claimed.length) return [];
  return [
    finding(
      place === "headline" && kept.length === 0 ? "high" : "medium",
      place,
      `The body hardly takes up what the ${place} announces`,
      text,
      remedyFor(place),
    ),
  ];
}

function remedyFor(place: Place): string {
  return `Bring it into the body, or take it out of the ${place}.`;
}

function bare(shown: string): number {
  return Number(shown.replace(/[^\d.]/g, ""));
}
