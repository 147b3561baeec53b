import { AppError } from "../error.ts";
import { type Sketch, sharedBy, sketchOf } from "../press/index.ts";
import type { PressItem } from "../record/press.ts";
import type { Table } from "../table.ts";
import { plain, words } from "./passage.ts";
import { scales } from "./quantity.ts";
import type { SimilarPress } from "./schema.ts";

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
function sameMatter(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
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

/** Headlines and previews are compared with so many live presses of the stock, newest first: one page of the index. */
const looked = 200;
/** How many of them, and how much of each, the steps carry on: the state machine's payload is limited to 256 kB. */
const kept = 3;
const length = 500;
/** Below it two texts have no more in common than a subject. */
const noticeable = 0.3;

type Draft = Pick<PressItem, "stock" | "publisher" | "headline" | "preview"> & { readonly sketch: Sketch };

/**
 * The live presses that a draft resembles most: in headline or preview among those of its stock, by one query, and in
 * their texts among all that there are, by one request for the draft's runs of words.
 */
export async function similar(
  { table }: { readonly table: Table },
  draft: Draft,
): Promise<readonly SimilarPress[]> {
  const [{ data }, copied] = await Promise.all([
    table.entities.press.query
      .liveByStock({ stockShelf: draft.stock })
      .go({ order: "desc", limit: looked, attributes: ["id", "headline", "preview", "publisher"] }),
    sharing(table, draft),
  ]);
  const others = data.map(({ id, headline, preview, publisher }) => ({
    headline,
    preview,
    own: publisher === draft.publisher,
    shared: copied.get(id)?.shared ?? 0,
  }));
  const listed = new Set(data.map(({ id }) => id));
  const elsewhere = [...copied].flatMap(([id, press]) => (listed.has(id) ? [] : [press]));
  return mostAlike(draft, [...others, ...elsewhere]);
}

/** The live presses whose first runs of words the draft has, by id. */
async function sharing(
  table: Table,
  { sketch, publisher }: Draft,
): Promise<ReadonlyMap<number, SimilarPress>> {
  if (sketch.hashes.length === 0) return new Map();
  const { data, unprocessed } = await table.entities.run
    .get(sketch.hashes.map((hash) => ({ hash })))
    .go({ consistent: true });
  if (unprocessed.length > 0) throw busy();
  const presses = new Map(data.flatMap((run) => (run.id === undefined ? [] : [[run.id, run]])));
  return new Map(
    [...presses].map(([id, { headline = "", publisher: owner, size = 0 }]) => {
      const found = new Set(data.filter((run) => run.id === id).map(({ hash }) => hash));
      return [
        id,
        { headline, preview: "", own: owner === publisher, shared: sharedBy(sketch, { size }, found) },
      ];
    }),
  );
}

/** Those of some presses that resemble a draft noticeably, the likest first. */
export function mostAlike(
  draft: Pick<PressItem, "headline" | "preview">,
  presses: readonly SimilarPress[],
): readonly SimilarPress[] {
  return presses
    .map(({ headline, preview, own, shared }) => ({
      press: { headline: headline.slice(0, length), preview: preview.slice(0, length), own, shared },
      likeness: Math.max(
        alikeHeadlines(draft.headline, headline),
        alikeTexts(draft.preview, preview),
        shared,
      ),
    }))
    .filter(({ likeness }) => likeness >= noticeable)
    .toSorted((one, other) => other.likeness - one.likeness)
    .slice(0, kept)
    .map(({ press }) => press);
}

/** How much of two texts is shared, as it would be found if the second was live. */
export function sharedBetween(body: string, live: string): number {
  const [draft, other] = [sketchOf(body), sketchOf(live)];
  return sharedBy(draft, other, new Set(draft.hashes.filter((hash) => other.hashes.includes(hash))));
}

function busy(): AppError {
  return new AppError(
    "upstream",
    "table_busy",
    "Earlier presses cannot be compared right now. Try again shortly.",
  );
}

/** Words in a row that are compared as one. */
const shingleSize = 3;

function shingles(text: string): ReadonlySet<string> {
  const list = words(plain(text));
  const count = Math.max(0, list.length - shingleSize + 1);
  return new Set(Array.from({ length: count }, (_, at) => list.slice(at, at + shingleSize).join(" ")));
}

/** Share of what two sets have in common, 0 to 1 (Jaccard). */
function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((entry) => other.has(entry)).length;
  return shared === 0 ? 0 : shared / (one.size + other.size - shared);
}

/** Likeness of two headlines, 0 to 1: by their words with a meaning, in any order. Short ones are never alike. */
export function alikeHeadlines(one: string, other: string): number {
  const left = roots(one);
  const right = roots(other);
  return Math.min(left.size, right.size) < 4 ? 0 : overlap(left, right);
}

/** Shorter than stems: between headlines "shows" and "show" are one. */
function roots(headline: string): ReadonlySet<string> {
  return new Set([...stems(plain(headline))].map((stem) => stem.slice(0, 4)));
}

/** Likeness of two longer texts, 0 to 1: by the runs of three words that they share. */
export function alikeTexts(one: string, other: string): number {
  return overlap(shingles(one), shingles(other));
}

/** From here on two are near-copies: one or two words of a headline are changed, or a sentence of a preview. */
export const near = { headline: 0.75, text: 0.5 } as const;
