import { contradiction, figuresIn, stems } from "../claim.ts";
import {
  areAlike,
  intervalOf,
  likened,
  overlaps,
  type Quantity,
  quantitiesIn,
  scaleOf,
} from "../quantity.ts";
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
  return [{ severity: "high", check: "subject", detail }];
}

function announced(place: Place, text: string, body: Body): readonly Issue[] {
  return [...figures(place, text, body), ...takenUp(place, text, body)];
}

function figures(place: Place, text: string, body: Body): readonly Issue[] {
  const given = body.text
    .split("\n")
    .filter((line) => /\S/.test(line))
    .flatMap((line) => {
      const found = quantitiesIn(line.slice(0, 20_000)).slice(0, 40);
      return found.map((one) => ({ one, found }));
    });
  const claims = sentences(text).flatMap((sentence) =>
    quantitiesIn(sentence).flatMap((claim) => (isTold(claim) ? [{ claim, sentence }] : [])),
  );
  return claims
    .filter(({ claim }) => !given.some(({ one }) => isSame(claim, one)))
    .flatMap(({ claim, sentence }) => {
      const figure = figuresIn(claim.shown)[0];
      const otherwise =
        figure === undefined ? undefined : contradiction({ figure, sentence }, body.sentences);
      if (otherwise !== undefined) {
        const wrong = `The ${place} says ${claim.shown}, the body says otherwise`;
        return [finding("high", place, wrong, otherwise, "Make the two agree.")];
      }
      const lines = new Set(given.map(({ found }) => found));
      if ([...lines].some((found) => follows(claim, found))) return [];
      const wrong = `A figure of the ${place} that the body never gives`;
      return [finding("high", place, wrong, claim.shown, remedyFor(place))];
    })
    .slice(0, 2);
}

/** A figure that says how much; small bare numbers count reasons and days. */
function isTold({ kind, isBare }: Quantity): boolean {
  return !isBare && (kind === "money" || kind === "percent" || kind === "count");
}

/** The same number, as exact as both are written; a table may give it without its unit. */
function isSame(claim: Quantity, other: Quantity): boolean {
  const near =
    overlaps(intervalOf(claim), intervalOf(other)) ||
    Math.abs(claim.value - other.value) <= 0.01 * Math.abs(claim.value);
  const isShare = (kind: Quantity["kind"]) => kind === "percent" || kind === "fraction" || kind === "points";
  if (
    near &&
    isShare(claim.kind) === isShare(other.kind) &&
    (claim.currency === other.currency || other.isBare || isUnsaid(claim) || isUnsaid(other))
  )
    return true;
  const bare = claim.value / scaleOf(claim);
  return other.isBare && Math.abs(bare - other.value) <= Math.max(claim.slack / scaleOf(claim), 0.01 * bare);
}

/** "95 billion" after "120 billion yen": the currency goes without saying. */
function isUnsaid(one: Quantity): boolean {
  return one.kind === "count" && one.noun === undefined && scaleOf(one) > 1;
}

/** What can be worked out from two figures of one paragraph: a change, a share, a sum, a difference, a product. */
function follows(claim: Quantity, found: readonly Quantity[]): boolean {
  const given = intervalOf(claim);
  const fits = (low: number, high = low) => overlaps(given, [Math.min(low, high), Math.max(low, high)]);
  return found.some((one, at) =>
    found.slice(at + 1).some((other) => {
      const [first, second] = [likened(one, other), likened(other, one)];
      const [x, y] = [first.value, second.value];
      if (x === 0 || y === 0) return false;
      if (claim.kind === "percent")
        return areAlike({ ...first, per: undefined }, { ...second, per: undefined })
          ? [
              (y / x - 1) * 100,
              (x / y - 1) * 100,
              (x / y) * 100,
              (y / x) * 100,
              100 - (x / y) * 100,
              100 - (y / x) * 100,
              x + y,
              x - y,
              y - x,
            ].some((value) => fits(value) || fits(-value))
          : false;
      return [x + y, Math.abs(x - y), x * y, (x * y) / 100, x / y, y / x].some((value) => fits(value));
    }),
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
      // A figurative headline shares no word with a text that keeps it.
      "low",
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
