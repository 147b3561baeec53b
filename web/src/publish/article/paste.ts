import type { Node } from "prosemirror-model";
import { Fragment, Slice } from "prosemirror-model";
import { readArticle, readAsSource } from "./read.ts";
import { Origin, originOf, schema } from "./schema.ts";
import { whyNotShown } from "./showable.ts";
import { cleanLinks } from "./tracking.ts";

/** Pasted content as blocks of an article, and the parts that were left out. */
export type Pasted = {
  readonly blocks: readonly Node[];
  /** Pictures that were left out. */
  readonly pictures: number;
  /** Links whose tracking parameters were removed. */
  readonly tracked: number;
  /** Set if only the plain text was read, or not even that was there, because the rest is too much. */
  readonly lost?: "formatting" | "everything";
};

/** Reads plain text as Markdown. Its links lose their tracking parameters, too. */
export function readPlain(text: string): Pasted {
  const { text: clean, tracked } = cleanLinks(text);
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
