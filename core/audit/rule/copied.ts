import { findShare, makeSketch } from "../../press/index.ts";
import { findLongestSharedRun, folded, listStems, listWords, plain } from "../passage.ts";
import type { AuditDraft, AuditFacts, Issue, SimilarPress } from "../schema.ts";
import { makeFinding, type Rule } from "./rule.ts";

/**
 * If a draft and its source share this number of words in a row, the draft copies the source. Two writers who work independently do not
 * write so many equal words in a row.
 */
const noticeable = 14;
const substantial = 30;
/** The maximum number of words of a source that are compared; the time of the comparison is proportional to this number. */
const compared = 2000;

/**
 * The minimum similarity of near-copies: two headlines that differ only in one or two words, or two previews that differ only in one
 * sentence.
 */
const near = { headline: 0.75, text: 0.5 } as const;
/**
 * Finds text that an AI draft copies from its sources, and drafts that copy the text, the headline or the preview of a live article. If the
 * draft links to the source, words in quotation marks count as a citation and not as a copy.
 */
export const copied: Rule = {
  check: "copied",
  label: "Copied text",
  by: "rules",
  cannotJudge: "texts that are not on this marketplace, but for the sources of an AI draft",
  holdsOurs: true,
  find: (draft, facts) => [
    ...findCopiedSource(draft, facts),
    ...facts.similar.flatMap((press) => findNearCopy(draft, press)).slice(0, 2),
  ],
};

function findCopiedSource(
  { headline, preview, body }: AuditDraft,
  { sources }: AuditFacts,
): readonly Issue[] {
  const own = `${headline}\n${preview}\n${body}`;
  return sources.flatMap((source) => {
    const text = own.includes(source.link) ? folded(own).replace(/"[^"\n]{1,300}"/g, " … ") : own;
    const written = listWords(plain(text));
    const taken = [source.title, source.text]
      .map((original) => findLongestSharedRun(listWords(plain(original)).slice(0, compared), written))
      .reduce((longest, run) => (run.length > longest.length ? run : longest), []);
    if (taken.length < noticeable) return [];
    return [
      makeFinding(
        taken.length >= substantial ? "high" : "low",
        "copied",
        `${taken.length} words in a row are those of ${source.source} (${source.link})`,
        taken.join(" "),
        "Say it in your own words, or quote a short passage with a link.",
      ),
    ];
  });
}

/**
 * A text counts as a copy if at least this part of its sequences of words also occurs in another text. Two writers who work independently
 * never share such a large part of their sequences of words.
 */
const copy = 0.3;

/** A copy of another publisher's text may not be published; a copy of the publisher's own text gets only a remark. */
function findNearCopy(draft: AuditDraft, press: SimilarPress): readonly Issue[] {
  if (!press.own && press.shared >= copy) {
    const wrong = `About ${Math.round(press.shared * 100)}% of the text is the same as in another author's live article`;
    const remedy = "Write what you found yourself; quote only short passages, with a link to their source.";
    return [makeFinding("high", "copied", wrong, press.headline, remedy)];
  }
  const headline = compareHeadlines(draft.headline, press.headline) >= near.headline;
  const preview = compareTexts(draft.preview, press.preview) >= near.text;
  if (!headline && !preview) return [];
  const what =
    headline && preview ? "Headline and preview are" : headline ? "The headline is" : "The preview is";
  const severity = headline && preview && !press.own ? "high" : "low";
  const wrong = `${what} nearly that of ${press.own ? "your own" : "another author's"} live article`;
  return [
    makeFinding(
      severity,
      "copied",
      wrong,
      press.headline,
      "Say what is new in this article, in your own words.",
    ),
  ];
}

/**
 * The maximum number of similar presses that audit steps pass on, and the maximum length of their headlines and previews, because the state
 * machine's payload is limited to 256 kB.
 */
const kept = 3;
const length = 500;
/** The minimum similarity of texts that are reported as similar; less similar texts have only their subject in common. */
const alike = 0.3;

/** The presses that clearly resemble a draft, the most similar press first. */
export function findSimilarPresses(
  draft: Pick<AuditDraft, "headline" | "preview">,
  presses: readonly SimilarPress[],
): readonly SimilarPress[] {
  return presses
    .map(({ headline, preview, own, shared }) => ({
      press: { headline: headline.slice(0, length), preview: preview.slice(0, length), own, shared },
      likeness: Math.max(
        compareHeadlines(draft.headline, headline),
        compareTexts(draft.preview, preview),
        shared,
      ),
    }))
    .filter(({ likeness }) => likeness >= alike)
    .toSorted((one, other) => other.likeness - one.likeness)
    .slice(0, kept)
    .map(({ press }) => press);
}

/** The share of the sequences of words that two texts have in common, calculated as if the second text were a live press. */
export function computeShare(body: string, liveBody: string): number {
  const [draft, other] = [makeSketch(body), makeSketch(liveBody)];
  return findShare(draft, other, new Set(draft.hashes.filter((hash) => other.hashes.includes(hash))));
}

/** The number of words in a row that are compared as one unit. */
const shingleSize = 3;

function listShingles(text: string): ReadonlySet<string> {
  const list = listWords(plain(text));
  const count = Math.max(0, list.length - shingleSize + 1);
  return new Set(Array.from({ length: count }, (_, at) => list.slice(at, at + shingleSize).join(" ")));
}

/** The Jaccard similarity of two sets, from 0 to 1. */
function computeOverlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((entry) => other.has(entry)).length;
  return shared === 0 ? 0 : shared / (one.size + other.size - shared);
}

/**
 * The similarity of two headlines, from 0 to 1, measured by their words without filler words, in any order. Short headlines never count
 * as similar.
 */
function compareHeadlines(one: string, other: string): number {
  const left = cutStems(one);
  const right = cutStems(other);
  return Math.min(left.size, right.size) < 4 ? 0 : computeOverlap(left, right);
}

/** Cuts a headline's words to four letters, so that "shows" and "show" are equal. */
function cutStems(headline: string): ReadonlySet<string> {
  return new Set([...listStems(plain(headline))].map((stem) => stem.slice(0, 4)));
}

/** The similarity of two longer texts, from 0 to 1, measured by the sequences of three words that the texts share. */
function compareTexts(one: string, other: string): number {
  return computeOverlap(listShingles(one), listShingles(other));
}
