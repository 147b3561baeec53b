import { stems } from "./claim.ts";
import { plain, words } from "./text.ts";

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
