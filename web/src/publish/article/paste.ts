import type { Node } from "prosemirror-model";
import { Fragment, Slice } from "prosemirror-model";
import { readArticle, readAsSource } from "./read.ts";
import { Origin, originOf, schema } from "./schema.ts";
import { whyNotShown } from "./showable.ts";

/** What was pasted as blocks of an article, and what of it was left out. */
export type Pasted = {
  readonly blocks: readonly Node[];
  /** Pictures that were left out. */
  readonly pictures: number;
  /** Links whose tracking parameters were removed. */
  readonly tracked: number;
};

/** Reads plain text as Markdown. Its links lose their tracking parameters, too. */
export function readPlain(text: string): Pasted {
  let tracked = 0;
  const clean = text.replace(/\bhttps?:\/\/[^\s<>()[\]"']+/g, (url) => {
    const address = withoutTracking(url);
    if (address !== url) tracked += 1;
    return address;
  });
  const markdown = clean.replace(/\r\n?/g, "\n");
  const article = whyNotShown(markdown) === undefined ? readArticle(markdown) : readAsSource(markdown);
  return { blocks: article.children.map(moved), pictures: 0, tracked };
}

/** A pasted block keeps its own Markdown, whatever it stands after now. */
function moved(block: Node): Node {
  const origin = originOf(block);
  const kept = origin === undefined ? null : new Origin(origin.markdown, "", undefined, block);
  return block.type.create({ ...block.attrs, origin: kept }, block.content);
}

/** The slice that a paste inserts: the words of a single paragraph, or blocks. */
export function sliceOf({ blocks }: Pasted): Slice {
  const [only] = blocks;
  const isWords = blocks.length === 1 && only?.type === schema.nodes.paragraph;
  return new Slice(Fragment.fromArray([...blocks]), isWords ? 1 : 0, isWords ? 1 : 0);
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
