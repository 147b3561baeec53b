import { makeSketch, sharedBy } from "../../press/index.ts";
import { folded, longestShared, plain, stems, words } from "../passage.ts";
import type { AuditDraft, AuditFacts, Issue, SimilarPress } from "../schema.ts";
import { finding, type Rule } from "./rule.ts";

/** How many words in a row two writers do not find independently. */
const noticeable = 14;
const substantial = 30;
/** How many words of a source are compared: the time is proportional to this number. */
const compared = 2000;

/** From this likeness on two texts are near-copies: one or two words of a headline are changed, or a sentence of a preview. */
const near = { headline: 0.75, text: 0.5 } as const;
/** Text taken over from the sources of an AI draft. What stands in quotation marks beside a link is a citation. */
export const copied: Rule = {
  check: "copied",
  label: "Copied text",
  by: "rules",
  cannotJudge: "texts that are not on this marketplace, but for the sources of an AI draft",
  mayStop: true,
  holdsOurs: true,
  find: (draft, facts) => [
    ...findTakenOver(draft, facts),
    ...facts.similar.flatMap((press) => findNearCopy(draft, press)).slice(0, 2),
  ],
};

function findTakenOver({ headline, preview, body }: AuditDraft, { sources }: AuditFacts): readonly Issue[] {
  const own = `${headline}\n${preview}\n${body}`;
  return sources.flatMap((source) => {
    const text = own.includes(source.link) ? withoutCitations(own) : own;
    const written = words(plain(text));
    const taken = [source.title, source.text]
      .map((original) => longestShared(words(plain(original)).slice(0, compared), written))
      .reduce((longest, run) => (run.length > longest.length ? run : longest), []);
    if (taken.length < noticeable) return [];
    return [
      finding(
        taken.length >= substantial ? "high" : "low",
        "copied",
        `${taken.length} words in a row are those of ${source.source} (${source.link})`,
        taken.join(" "),
        "Say it in your own words, or quote a short passage with a link.",
      ),
    ];
  });
}

function withoutCitations(text: string): string {
  return folded(text).replace(/"[^"\n]{1,300}"/g, " … ");
}

/** From this share of its runs of words on a text is a copy of another: two writers never share so many. */
const copy = 0.3;

/** A copy of a text that somebody else sells may not be published; a copy of one's own gets a remark. */
function findNearCopy(draft: AuditDraft, press: SimilarPress): readonly Issue[] {
  if (!press.own && press.shared >= copy) {
    const wrong = `About ${Math.round(press.shared * 100)}% of the text is that of another author's live article`;
    const remedy = "Write what you found yourself; quote short passages with a link to where they stand.";
    return [finding("high", "copied", wrong, press.headline, remedy)];
  }
  const headline = alikeHeadlines(draft.headline, press.headline) >= near.headline;
  const preview = alikeTexts(draft.preview, press.preview) >= near.text;
  if (!headline && !preview) return [];
  const what =
    headline && preview ? "Headline and preview are" : headline ? "The headline is" : "The preview is";
  const severity = headline && preview && !press.own ? "high" : "low";
  const wrong = `${what} nearly that of ${press.own ? "your own" : "another author's"} live article`;
  return [
    finding(severity, "copied", wrong, press.headline, "Say what is new in this one, in words of its own."),
  ];
}

/** How many presses, and how much of each, the steps carry on: the state machine's payload is limited to 256 kB. */
const kept = 3;
const length = 500;
/** Below this share two texts have only their subject in common. */
const alike = 0.3;

/** The presses that clearly resemble a draft, the most alike first. */
export function mostAlike(
  draft: Pick<AuditDraft, "headline" | "preview">,
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
    .filter(({ likeness }) => likeness >= alike)
    .toSorted((one, other) => other.likeness - one.likeness)
    .slice(0, kept)
    .map(({ press }) => press);
}

/** How much two texts share, measured as if the second was live. */
export function sharedBetween(body: string, live: string): number {
  const [draft, other] = [makeSketch(body), makeSketch(live)];
  return sharedBy(draft, other, new Set(draft.hashes.filter((hash) => other.hashes.includes(hash))));
}

/** How many words in a row are compared as one unit. */
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
function alikeHeadlines(one: string, other: string): number {
  const left = cutStems(one);
  const right = cutStems(other);
  return Math.min(left.size, right.size) < 4 ? 0 : overlap(left, right);
}

/** Cuts words shorter than stems, so that in headlines "shows" and "show" are equal. */
function cutStems(headline: string): ReadonlySet<string> {
  return new Set([...stems(plain(headline))].map((stem) => stem.slice(0, 4)));
}

/** Likeness of two longer texts, 0 to 1: by the runs of three words that they share. */
function alikeTexts(one: string, other: string): number {
  return overlap(shingles(one), shingles(other));
}
