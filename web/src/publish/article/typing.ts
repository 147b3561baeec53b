import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from "prosemirror-inputrules";
import type { Attrs, MarkType } from "prosemirror-model";
import type { Plugin } from "prosemirror-state";
import { schema } from "./schema.ts";

/** Typed Markdown takes effect at once: marks of blocks, of emphasis, and links. */
export function typingRules(): Plugin {
  const { nodes, marks } = schema;
  const { paragraph } = nodes;
  return inputRules({
    rules: [
      textblockTypeInputRule(/^(#{1,6})\s$/, nodes.heading, (match) => ({
        level: Math.max(2, match[1]?.length ?? 2),
      })),
      wrappingInputRule(/^\s*>\s$/, nodes.blockquote),
      wrappingInputRule(/^\s*[-*+]\s$/, nodes.bullet_list),
      wrappingInputRule(
        /^(\d{1,3})\.\s$/,
        nodes.ordered_list,
        (match) => ({ start: Number(match[1]) }),
        (match, list) => list.childCount + Number(list.attrs.start) === Number(match[1]),
      ),
      new InputRule(/^---$/, (state, _, start) => {
        const $start = state.doc.resolve(start);
        if ($start.parent.type !== paragraph) return null;
        return state.tr.replaceWith($start.before(), $start.after(), [
          nodes.rule.create(),
          paragraph.create(),
        ]);
      }),
      markRule(/\*\*([^*\s](?:[^*]*[^*\s])?)\*\*$/, marks.strong),
      markRule(/(?<![*\p{L}\p{N}])\*([^*\s](?:[^*]*[^*\s])?)\*$/u, marks.emphasis),
      markRule(/(?<![_\p{L}\p{N}])_([^_\s](?:[^_]*[^_\s])?)_$/u, marks.emphasis),
      markRule(/`([^`]+)`$/, marks.code),
      markRule(/\[([^[\]]+)\]\((https?:\/\/[^()\s]+)\)$/, marks.link, (match) => ({ href: match[2] })),
    ],
  });
}

/** Replaces typed marks around words by the mark itself. */
function markRule(pattern: RegExp, type: MarkType, attrsOf?: (match: RegExpMatchArray) => Attrs): InputRule {
  return new InputRule(pattern, (state, match, start, end) => {
    const [, words = ""] = match;
    const mark = type.create(attrsOf?.(match));
    const $start = state.doc.resolve(start);
    if (!$start.parent.type.allowsMarkType(type)) return null;
    const marks = mark.addToSet($start.marks());
    return state.tr.replaceWith(start, end, schema.text(words, marks)).removeStoredMark(type);
  });
}
