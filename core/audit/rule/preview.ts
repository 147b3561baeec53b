import { longestShared, plain, words } from "../text.ts";
import { finding, type Rule } from "./rule.ts";

/** Words in a row: as many as two sentences have. */
const noticeable = 25;

/** A preview made of the body's own words gives away for nothing what readers pay for. */
export const preview: Rule = (draft) => {
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
};
