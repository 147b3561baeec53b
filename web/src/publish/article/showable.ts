import { findUnshowable } from "../../../../core/press/input.ts";

/** Characters up to which a text is shown as an article: a browser lays out more of it too slowly for each key. */
const longestShown = 60_000;

/** Why the visible editor does not show a text, or `undefined`. Its Markdown is edited instead. */
export function whyNotShown(markdown: string): string | undefined {
  if (markdown.length > longestShown)
    return `may have at most ${longestShown.toLocaleString("en-US")} characters in the visible editor`;
  return findUnshowable(markdown);
}
