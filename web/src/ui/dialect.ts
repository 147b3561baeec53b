import { gfmAutolinkLiteralFromMarkdown } from "mdast-util-gfm-autolink-literal";
import { gfmFootnoteFromMarkdown } from "mdast-util-gfm-footnote";
import { gfmStrikethroughFromMarkdown } from "mdast-util-gfm-strikethrough";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmAutolinkLiteral } from "micromark-extension-gfm-autolink-literal";
import { gfmFootnote } from "micromark-extension-gfm-footnote";
import { gfmStrikethrough } from "micromark-extension-gfm-strikethrough";
import { gfmTable } from "micromark-extension-gfm-table";

/**
 * The Markdown of presses: CommonMark with GFM's tables, footnotes, strikethrough and bare addresses, without
 * its task lists. Pages and editor read it by the same extensions.
 */
export const syntaxExtensions = [
  gfmTable(),
  gfmFootnote(),
  // A single tilde before a figure means "about".
  gfmStrikethrough({ singleTilde: false }),
  gfmAutolinkLiteral(),
];

/** The plugins that make a tree of the same dialect. */
export const treeExtensions = [
  gfmTableFromMarkdown(),
  gfmFootnoteFromMarkdown(),
  gfmStrikethroughFromMarkdown(),
  gfmAutolinkLiteralFromMarkdown(),
];
