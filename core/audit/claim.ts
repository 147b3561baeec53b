import { scales } from "./quantity.ts";
import { words } from "./text.ts";

const stopwords = new Set(
  "about above after again against ahead also although among because been before behind being below between beyond both came come could does doing down during each even ever every from have having here into just like made make many might more most much must near next only other over says should since some still such than that their them then there these they this those through today under until upon very want wants were what when where which while whom whose will with within without would year your".split(
    " ",
  ),
);

/** Words that carry the meaning, cut so that inflections match. */
export function stems(text: string): ReadonlySet<string> {
  const meaning = words(text).filter((word) => /^\p{L}{4,}/u.test(word) && !stopwords.has(word));
  return new Set(meaning.map((word) => word.slice(0, 5)));
}

/** An amount of money, a percentage or a count in millions and more. `value` is in units, not in millions. */
export type Figure = {
  readonly shown: string;
  readonly unit: "money" | "percent" | "count";
  readonly value: number;
};

const figure =
  /(\$ ?)?(?<![\d.,])(\d[\d,]*(?:\.\d+)?)(?: ?-?(trillion|billion|million|thousand|bn|tn|mn)\b|([kmbt])\b| ?(%|percent(?:age points?)?\b))?/gi;

/** Figures that say how much. Bare numbers, years and dates are not counted. */
export function figuresIn(text: string): readonly Figure[] {
  return [...text.matchAll(figure)].flatMap(([shown, money, number = "", scale, letter, percent]) => {
    if (money === undefined && scale === undefined && percent === undefined) return [];
    const value = Number(number.replaceAll(",", "")) * (scales[(scale ?? letter ?? "").toLowerCase()] ?? 1);
    const unit = money !== undefined ? "money" : percent !== undefined ? "percent" : "count";
    return [{ shown: shown.trim(), unit, value } as const];
  });
}

/** Each figure once, with the first sentence that gives it. */
export function claimsIn(sentences: readonly string[]): readonly Claim[] {
  const claims = sentences.flatMap((sentence) => figuresIn(sentence).map((figure) => ({ figure, sentence })));
  return [
    ...new Map(
      claims.toReversed().map((claim) => [`${claim.figure.unit} ${claim.figure.value}`, claim]),
    ).values(),
  ].toReversed();
}
export type Claim = { readonly figure: Figure; readonly sentence: string };

/** Rounding makes "11%" of 11.3% and "$27 billion" of $26.6 billion. */
const rounding = 0.03;

export function agree(one: Figure, other: Figure): boolean {
  const counted = one.unit === other.unit || (one.unit !== "percent" && other.unit !== "percent");
  return counted && Math.abs(one.value - other.value) <= Math.abs(one.value) * rounding;
}

/** Whether two sentences speak of the same: they share three words with a meaning, and half of the shorter one's. */
export function sameMatter(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const shared = [...one].filter((stem) => other.has(stem)).length;
  return shared >= 3 && shared * 2 >= Math.min(one.size, other.size);
}

/** The statement about the same matter that gives other figures of the same kind, and none that agrees. */
export function contradiction(
  { figure, sentence }: Claim,
  statements: readonly string[],
): string | undefined {
  const matter = stems(sentence);
  return statements.find((statement) => {
    if (!sameMatter(matter, stems(statement))) return false;
    const given = figuresIn(statement).filter(({ unit }) => unit === figure.unit);
    return given.length > 0 && !given.some((other) => agree(figure, other));
  });
}
