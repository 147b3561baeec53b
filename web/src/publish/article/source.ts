import { findUnshowable } from "../../../../core/press/input.ts";

/** Characters up to which a text is shown as an article: a browser lays out more of it too slowly for each key. */
const longestShown = 60_000;

/** Why the visible editor does not show a text, or `undefined`. Its Markdown is edited instead. */
export function whyNotShown(markdown: string): string | undefined {
  if (markdown.length > longestShown)
    return `may have at most ${longestShown.toLocaleString("en-US")} characters in the visible editor`;
  return findUnshowable(markdown);
}

/** A text whose addresses lost their tracking parameters, and how many did. */
export function cleanLinks(text: string): { readonly text: string; readonly tracked: number } {
  let tracked = 0;
  const clean = text.replace(/\bhttps?:\/\/[^\s<>()[\]"']+/g, (url) => {
    const address = withoutTracking(url);
    if (address !== url) tracked += 1;
    return address;
  });
  return { text: clean, tracked };
}

/** Parameters of addresses that say where a reader came from, and nothing about the page. */
const tracking =
  /^(?:utm_\w+|mtm_\w+|pk_\w+|mc_[ce]id|fbclid|gclid|gbraid|wbraid|dclid|msclkid|yclid|twclid|igshid|ttclid|li_fat_id|oly_\w+_id|vero_\w+|_hs\w+|ref_src|ref_url|cmpid|s_cid|spm)$/i;

/** An address without tracking parameters, and out of a search's redirect. */
export function withoutTracking(address: string): string {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return address;
  }
  const isRedirect = /^(?:www\.)?google\.[a-z.]+$/.test(url.hostname) && url.pathname === "/url";
  const to = url.searchParams.get("q") ?? url.searchParams.get("url");
  if (isRedirect && to !== null && /^https?:/.test(to)) return withoutTracking(to);
  const names = [...url.searchParams.keys()].filter((name) => tracking.test(name));
  if (names.length === 0) return address;
  for (const name of names) url.searchParams.delete(name);
  return url.href;
}
