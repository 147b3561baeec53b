import type { Quote } from "../../market/schema.ts";
import { directionWord } from "../arithmetic/pairs.ts";
import { quantitiesIn } from "../numbers.ts";
import { longestShared, plain, remembering, sentences, words } from "../passage.ts";
import {
  areAlike,
  type Interval,
  intervalOf,
  likened,
  overlaps,
  type Quantity,
  scaleOf,
} from "../quantity.ts";
import type { AuditDraft, AuditFacts, Issue } from "../schema.ts";
import { contradiction, figuresIn, sameMatter, stems } from "../similar.ts";
import { finding, namesOf, type Rule } from "./rule.ts";

type Place = "headline" | "preview";

/** What the reader pays for. */
type Body = {
  readonly stems: ReadonlySet<string>;
  readonly sentences: readonly string[];
  readonly text: string;
  readonly lines: readonly (readonly Quantity[])[];
  readonly quote: Quote;
};

/** What the headline announces must be in the text, and the text must not say otherwise. */
export const headline: Rule = {
  check: "headline",
  label: "Headline",
  by: "rules and model",
  cannotJudge: "whether a figure of speech is a good one",
  mayStop: true,
  holdsOurs: false,
  find: (draft, facts) => teased("headline", draft, facts),
};

/** The same of the preview; one made of the body's own words gives away for nothing what readers pay for. */
export const preview: Rule = {
  check: "preview",
  label: "Preview",
  by: "rules and model",
  cannotJudge: "whether what the body gives is worth its price",
  mayStop: true,
  holdsOurs: false,
  find: (draft, facts) => [...teased("preview", draft, facts), ...repeated(draft)],
};

/** The text is about its stock. */
export const subject: Rule = {
  check: "subject",
  label: "Subject",
  by: "rules",
  cannotJudge: "how much of the text is about its stock",
  mayStop: true,
  holdsOurs: false,
  find: (draft, facts) => {
    const { symbol } = facts.stock;
    const lower = `${draft.headline}\n${draft.preview}\n${plain(draft.body)}`.toLowerCase();
    const names = namesOf(facts);
    // Four letters find Google in GOOGL.
    const known = [...names, symbol.slice(0, Math.max(4, symbol.length - 1))];
    if (known.some((name) => lower.includes(name.toLowerCase()))) return [];
    const detail = `The text never mentions ${names.join(" or ")}. Say what it has to do with ${symbol}, or choose the stock that it is about.`;
    return [{ severity: "high", check: "subject", detail }];
  },
};

function teased(place: Place, draft: AuditDraft, { quote }: AuditFacts): readonly Issue[] {
  const body = { ...readBody(draft.body), quote };
  return [...announced(place, plain(draft[place]), body), ...reversed(place, draft)];
}

/** Headline and preview are held against the same body. */
const readBody = remembering((markdown: string) => {
  const text = plain(markdown);
  return { text, stems: stems(text), sentences: sentences(text), lines: linesOf(text) };
}, 2);

function announced(place: Place, text: string, body: Body): readonly Issue[] {
  return [...figures(place, text, body), ...takenUp(place, text, body)];
}

function figures(place: Place, text: string, body: Body): readonly Issue[] {
  const { lines } = body;
  const given = lines.flat();
  const told = sentences(text).flatMap((sentence) =>
    quantitiesIn(sentence).map((claim) => ({ claim, sentence })),
  );
  const announced = told.map(({ claim }) => claim);
  return told
    .filter(({ claim }) => isTold(claim) && !isOfQuote(claim, body.quote))
    .filter(({ claim }) => !given.some((one) => isSame(claim, one) || isExcess(claim, one)))
    .flatMap(({ claim, sentence }) => {
      const others = announced.filter((one) => one !== claim);
      if (lines.some((line, at) => isSumOrDifference(claim, [...line, ...(lines[at + 1] ?? [])]))) return [];
      const figure = figuresIn(claim.shown)[0];
      const otherwise =
        figure === undefined ? undefined : contradiction({ figure, sentence }, body.sentences);
      if (otherwise !== undefined) {
        const wrong = `The ${place} says ${claim.shown}, the body says otherwise`;
        return [finding("high", place, wrong, otherwise, "Make the two agree.")];
      }
      if (
        lines.some((line, at) =>
          [line, [...line, ...(lines[at + 1] ?? [])]].some((found) =>
            follows(claim, found, isChange(claim, sentence)),
          ),
        ) ||
        lines.some((line) => others.some((other) => followsWith(claim, other, line))) ||
        isUsed(claim, others, given) ||
        lines.some((line, at) => isUsed(claim, line, [...line, ...(lines[at + 1] ?? [])]))
      )
        return [];
      const wrong = `A figure of the ${place} that the body never gives`;
      return [finding("high", place, wrong, claim.shown, remedyFor(place))];
    })
    .slice(0, 2);
}

/** The quantities of each sentence; a table and the items of a list are one. */
function linesOf(text: string): readonly (readonly Quantity[])[] {
  return text
    .split(/\n(?:\s*\n)+/)
    .filter((block) => /\S/.test(block))
    .slice(0, 400)
    .flatMap((block) => (/\n/.test(block.trim()) ? [block] : sentences(block)))
    .map((line) => quantitiesIn(line.slice(0, 20_000)).slice(0, 200));
}

/** Today's price needs no place in the body: readers see the quote beside the text. */
function isOfQuote({ kind, currency, value }: Quantity, { dayLow, dayHigh }: Quote): boolean {
  return kind === "money" && currency === "USD" && value >= dayLow * 0.995 && value <= dayHigh * 1.005;
}

/** A percentage of the body is the change or the share of the claim and another figure: the body works with it. */
function isUsed(claim: Quantity, others: readonly Quantity[], given: readonly Quantity[]): boolean {
  const results = given.filter(
    ({ kind }) => kind === "percent" || kind === "multiple" || kind === "fraction",
  );
  return others.some((other) => {
    const [one, second] = [likened(claim, other), likened(other, claim)];
    if (
      one.kind === "percent" ||
      !areAlike(unnamed(one), unnamed(second)) ||
      one.value <= 0 ||
      second.value <= 0
    )
      return false;
    const size = one.value / second.value;
    return results.some((result) => {
      const [low, high] = intervalOf(result);
      return result.kind === "multiple"
        ? [size, 1 / size].some((times) => times >= low && times <= high)
        : [size * 100, 100 / size, (size - 1) * 100, (1 / size - 1) * 100].some(
            (percent) => Math.abs(percent) >= low && Math.abs(percent) <= high,
          );
    });
  });
}

function followsWith(claim: Quantity, other: Quantity, line: readonly Quantity[]): boolean {
  return claim.kind === "percent" && line.some((one) => follows(claim, [other, one]));
}

/** Two amounts of one kind, of one paragraph, add up to the claim or lie as far apart. */
function isSumOrDifference(claim: Quantity, line: readonly Quantity[]): boolean {
  const alike = line.filter((one) => one.kind !== "percent" && areAlike(unnamed(one), unnamed(claim)));
  const given = intervalOf(claim);
  return alike.some((one, at) =>
    alike
      .slice(at + 1)
      .some((other) =>
        [one.value + other.value, Math.abs(one.value - other.value)].some((value) =>
          overlaps(given, [value, value]),
        ),
      ),
  );
}

function unnamed(one: Quantity): Quantity {
  return { ...one, noun: undefined, per: undefined };
}

/** A figure that says how much; small bare numbers count reasons and days. */
function isTold({ kind, isBare, shown }: Quantity): boolean {
  // "A hundred billion" is a manner of speaking.
  return !isBare && !/^a\b/i.test(shown) && (kind === "money" || kind === "percent" || kind === "count");
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

/** "108% of the cash flow" is what exceeds it by 8%. */
function isExcess(claim: Quantity, other: Quantity): boolean {
  const [low, high] = intervalOf(claim);
  return (
    claim.kind === "percent" &&
    other.kind === "percent" &&
    claim.value > 100 &&
    overlaps([low - 100, high - 100], intervalOf(other))
  );
}

/** "95 billion" after "120 billion yen": the currency goes without saying. */
function isUnsaid(one: Quantity): boolean {
  return one.kind === "count" && one.noun === undefined && scaleOf(one) > 1;
}

/** What can be worked out from two figures of one paragraph: a change, a share, a sum, a difference, a product. */
function follows(claim: Quantity, found: readonly Quantity[], isOfChange = false): boolean {
  const given = intervalOf(claim);
  const alike = found.filter((one) => claim.kind !== "percent" && areAlike(unnamed(one), unnamed(claim)));
  if (alike.length > 2 && isSumOfRun(given, alike)) return true;
  const fits = (low: number, high = low) => overlaps(given, [Math.min(low, high), Math.max(low, high)]);
  return found.some((one, at) =>
    found.slice(at + 1).some((other) => {
      const [first, second] = [likened(one, other), likened(other, one)];
      const [x, y] = [first.value, second.value];
      if (x === 0 || y === 0) return false;
      if (claim.kind === "percent")
        return areAlike({ ...first, per: undefined }, { ...second, per: undefined })
          ? (isOfChange
              ? [(y / x - 1) * 100, (x / y - 1) * 100, x - y]
              : [
                  (y / x - 1) * 100,
                  (x / y - 1) * 100,
                  (x / y) * 100,
                  (y / x) * 100,
                  100 - (x / y) * 100,
                  100 - (y / x) * 100,
                  x + y,
                  x - y,
                  y - x,
                ]
            ).some((value) => fits(value) || fits(-value))
          : false;
      return [x + y, Math.abs(x - y), x * y, (x * y) / 100, x / y, y / x].some((value) => fits(value));
    }),
  );
}

/** A percentage of a change is no share. */
function isChange({ start, end }: Quantity, sentence: string): boolean {
  const beside = `${sentence.slice(Math.max(0, start - 30), start)} ${sentence.slice(end, end + 12)}`;
  return directionWord(beside) !== undefined && !/^ of\b/.test(sentence.slice(end));
}

/** Three figures or more that follow each other add up to the claim. */
function isSumOfRun(given: Interval, found: readonly Quantity[]): boolean {
  return found.slice(0, 30).some((_, from) =>
    found.slice(from + 2, from + 10).some((_, length) => {
      const run = found.slice(from, from + length + 3).map(intervalOf);
      return overlaps(
        given,
        run.reduce((one, other) => [one[0] + other[0], one[1] + other[1]]),
      );
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

/** What a teaser says rose and the body says fell, or the other way round. */
function reversed(place: Place, draft: AuditDraft): readonly Issue[] {
  const told = sentences(plain(draft.body)).map((sentence) => ({
    sentence,
    stems: stems(sentence),
    direction: directionOf(sentence),
  }));
  return sentences(plain(draft[place])).flatMap((sentence): readonly Issue[] => {
    const direction = directionOf(sentence);
    if (direction === undefined) return [];
    const matter = stems(sentence);
    const related = told.filter((other) => sameMatter(matter, other.stems));
    const opposite = related.find((other) => other.direction !== undefined && other.direction !== direction);
    if (opposite === undefined || related.some((other) => other.direction === direction)) return [];
    const wrong = `The ${place} says that it went ${direction}, the body the opposite`;
    return [finding("high", place, wrong, opposite.sentence, `Make ${place} and body agree.`)];
  });
}

/** Words in a row: as many as two sentences have. */
const noticeable = 25;

function repeated(draft: AuditDraft): readonly Issue[] {
  const body = words(plain(draft.body));
  const shared = longestShared(words(plain(draft.preview)), body);
  if (shared.length < noticeable) return [];
  const share = Math.round((shared.length / body.length) * 100);
  return [
    finding(
      share >= 35 ? "medium" : "low",
      "preview",
      `The preview repeats ${shared.length} words of the body in a row (${share}% of it)`,
      shared.join(" "),
      "Say what the reader will learn instead of the first lines of it.",
    ),
  ];
}
