import { bodyOf } from "./body.ts";
import type { Facts, Place } from "./facts.ts";
import { headOf } from "./head.ts";

/** What the site's document says of the site and a press's page says of the press instead. */
const told = [
  /[^\S\n]*<title>[^<]*<\/title>\n?/gi,
  /[^\S\n]*<meta\s(?=[^>]*\b(?:name|property)=["']?(?:description|og:|article:|twitter:))[^>]*>\n?/gi,
  /[^\S\n]*<link\s(?=[^>]*\brel=["']?canonical)[^>]*>\n?/gi,
];
const headEnd = /[^\S\n]*<\/head>/i;
const root = /(<div\s[^>]*\bid=["']?root\b[^>]*>)\s*(<\/div>)/i;

/**
 * The page of a press: the site's built document with the press's own head, and what is free of it inside the app's root.
 * Throws an Error when the document is not one of the site: without an end of its head, or without an empty root.
 */
export function makePage(template: string, press: Facts, place: Place): string {
  if (!headEnd.test(template)) throw new Error("The site's index.html has no </head>");
  if (!root.test(template)) throw new Error('The site\'s index.html has no empty <div id="root">');
  return (
    told
      .reduce((html, tag) => html.replace(tag, ""), template)
      // By functions: in a text of replacement, `$` means something.
      .replace(headEnd, (end) => headOf(press, place) + end)
      .replace(root, (_, start: string, end: string) => `${start}\n${bodyOf(press)}\n${end}`)
  );
}
