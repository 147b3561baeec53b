import { quantitiesIn } from "./numbers.ts";
import type { Quantity } from "./quantity.ts";

/** A paragraph with its numbers, and where its sentences begin. */
export type Passage = {
  readonly text: string;
  readonly quantities: readonly Quantity[];
  readonly starts: readonly number[];
  /** The number of the sentence that each quantity stands in. */
  readonly places: ReadonlyMap<Quantity, number>;
  /** Numbers of the sentences that have quantities. */
  readonly counted: readonly number[];
};

/** Numbers of one paragraph that are looked at; no paragraph that people write has more. */
const looked = 80;

/** Characters of one paragraph that are read. */
const longest = 20_000;

/** Reads a paragraph of plain text. */
export function passageOf(paragraph: string, most = looked): Passage {
  const text = paragraph.slice(0, longest);
  const breaks = [...text.matchAll(/[.!?]["')\]]{0,2} +(?=["'([]{0,2}[\p{Lu}\d$€£])/gu)];
  const starts = [0, ...breaks.map(({ index, 0: { length } }) => index + length)];
  const quantities = quantitiesIn(text).slice(0, most);
  const places = new Map(
    quantities.map((one) => [one, starts.findLastIndex((begin) => begin <= one.start)] as const),
  );
  return { text, quantities, starts, places, counted: [...new Set(places.values())] };
}

/** The number of the sentence that a quantity stands in. */
export function sentenceOf({ places, starts }: Passage, quantity: Quantity): number {
  return places.get(quantity) ?? starts.findLastIndex((begin) => begin <= quantity.start);
}

export function sentenceText({ text, starts }: Passage, number: number): string {
  return text.slice(starts[number] ?? 0, starts[number + 1] ?? text.length).trim();
}

/** The quantities of one sentence. */
export function quantitiesOf(passage: Passage, number: number): readonly Quantity[] {
  return passage.quantities.filter((one) => sentenceOf(passage, one) === number);
}

/** Up to sixty characters before a quantity, from the quantity before it on. */
export function lead({ text, quantities }: Passage, { start }: Quantity): string {
  const previous = quantities.findLast(({ end }) => end <= start);
  return text.slice(Math.max(0, start - 60, previous?.end ?? 0), start);
}

/** Up to sixty characters after a quantity, as far as the next one. */
export function tail({ text, quantities }: Passage, { end }: Quantity): string {
  const next = quantities.find(({ start }) => start >= end);
  return text.slice(end, Math.min(end + 60, next?.start ?? text.length));
}

/** What stands between two quantities, whichever comes first. */
export function between({ text }: Passage, one: Quantity, other: Quantity): string {
  return text.slice(Math.min(one.end, other.end), Math.max(one.start, other.start));
}

/** Words that carry a result on from the figures that it is worked out from, and bring in nothing new. */
const links = new Set(
  [
    "a an the its their that this these those it they which who and or so i.e e.g namely say thus hence therefore meaning making representing reflecting implying equal equals equalled equivalent equates works work worked out comes come came amounts amounting amount to at of by for in with is are was were be been being makes make made means mean gives giving gave would will has have had into",
    "about around roughly nearly almost just some approximately only still well more less than over under slightly a little not quite exactly precisely even another other words full good year-on-year year-over-year overall percentage point points percent",
    "up down plus minus rise rises rising rose risen increase increases increased increasing grow grows growing grew grown growth gain gains gained gaining jump jumps jumped jumping leap leapt climb climbs climbed climbing surge surged advance advanced expand expanded expansion improve improved improvement",
    "fall falls falling fell fallen drop drops dropped dropping decline declines declined declining decrease decreased decreasing cut slide slid slip slipped lose lost loss shrink shrank shrunk contraction reduction reduced reducing dip dipped slump slumped plunge plunged",
    "change changed difference gap swing higher lower larger smaller bigger fewer extra additional rate pace result calculation sum total margin share yield ratio proportion part multiple",
  ]
    .join(" ")
    .split(" "),
);

/** Whether the words between two figures only carry on from one to the other. A gap may begin with a clause of the first. */
export function isLinked(gap: string): boolean {
  if (gap.length > 160) return false;
  // What begins a sentence of its own has to be linked from its first word on.
  const own = gap.split(/[.!?]["')\]]{0,2} +/).at(-1) ?? "";
  const last = gap === own ? (gap.split(/[,;:()[\]]| -+ /).at(-1) ?? "") : own;
  return (last.match(/[\p{L}][\p{L}.'-]*/gu) ?? []).every((word) =>
    links.has(word.toLowerCase().replace(/\.$/, "")),
  );
}

/** Another clause begins, with a subject of its own. */
const breaks = /[;:.]|\b(?:while|whereas|but|and|although|though|as|because|when)\b/i;

/** Whether a figure is said of the stretch from `start` to `end`: within it, carried on from it, or right before it. */
export function isAbout(
  { text }: Passage,
  claim: Quantity,
  { start, end }: { readonly start: number; readonly end: number },
): boolean {
  if (claim.start >= end) return isLinked(text.slice(end, claim.start));
  if (claim.end > start) return true;
  const gap = text.slice(claim.end, start);
  return gap.length <= 80 && !breaks.test(gap);
}
