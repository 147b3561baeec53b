import { findDisplayFault } from "../../../../core/press/input.ts";

/** The maximum length, in characters, of a text in the visual editor: a browser lays out a longer text too slowly after each keystroke. */
const longestShown = 60_000;

/**
 * The reason why the visual editor does not show a text; `undefined` if it can show the text. If the visual editor does not show a text,
 * the writer edits the text's Markdown instead.
 */
export function explainUnshown(markdown: string): string | undefined {
  if (markdown.length > longestShown)
    return `may have at most ${longestShown.toLocaleString("en-US")} characters in the visual editor`;
  return findDisplayFault(markdown);
}

/** Removes tracking parameters from the web addresses in a text, and counts the changed addresses. */
export function cleanLinks(text: string): { readonly text: string; readonly tracked: number } {
  let tracked = 0;
  const clean = text.replace(/\bhttps?:\/\/[^\s<>()[\]"']+/g, (url) => {
    const address = removeUrlTracking(url);
    if (address !== url) tracked += 1;
    return address;
  });
  return { text: clean, tracked };
}

/** The query parameters whose only purpose is to say from which site or campaign a reader came. */
const tracking =
  /^(?:utm_\w+|mtm_\w+|pk_\w+|mc_[ce]id|fbclid|gclid|gbraid|wbraid|dclid|msclkid|yclid|twclid|igshid|ttclid|li_fat_id|oly_\w+_id|vero_\w+|_hs\w+|ref_src|ref_url|cmpid|s_cid|spm)$/i;

/** Removes tracking parameters from a web address; a search engine's redirect is replaced by the address to which it leads. */
export function removeUrlTracking(pageUrl: string): string {
  if (!URL.canParse(pageUrl)) return pageUrl;
  const url = new URL(pageUrl);
  const isRedirect = /^(?:www\.)?google\.[a-z.]+$/.test(url.hostname) && url.pathname === "/url";
  const to = url.searchParams.get("q") ?? url.searchParams.get("url");
  if (isRedirect && to !== null && /^https?:/.test(to)) return removeUrlTracking(to);
  const names = [...url.searchParams.keys()].filter((name) => tracking.test(name));
  if (names.length === 0) return pageUrl;
  for (const name of names) url.searchParams.delete(name);
  return url.href;
}
