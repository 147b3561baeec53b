const elements =
  "a|abbr|article|aside|b|big|blockquote|br|caption|center|cite|code|col|dd|del|details|dfn|div|dl|dt|em|figcaption|figure|font|footer|h[1-6]|header|hr|i|iframe|img|ins|kbd|li|main|mark|nav|ol|p|picture|pre|q|s|samp|section|small|source|span|strike|strong|sub|summary|sup|svg|table|tbody|td|tfoot|th|thead|tr|u|ul|var|video|wbr";

/**
 * Matches tags of HTML and autolinks (CommonMark 0.31, §6.5 and §6.6). Most other text between `<` and `>` is shown to readers, and so is
 * each tag in a headline or in code. The pattern therefore does not match any form that could hold a sentence: unknown names, attributes
 * without a value, and values with spaces. Nothing in the pattern matches `<` twice, so the search is linear.
 */
export const tags = new RegExp(
  [
    String.raw`(?<!\\)<(?:${elements})(?:[ \t]+[a-z-]{1,40}=(?:"[^"\s<>|]*"|'[^'\s<>|]*'|[^\s"'=<>|${"`"}]+))*[ \t]*\/?>`,
    String.raw`(?<!\\)<\/(?:${elements})[ \t]*>`,
    String.raw`(?<!\\)<(?:(?:https?|ftp):\/\/|mailto:)[^\s<>]*>`,
    String.raw`(?<!\\)<[\w.+-]+@[\w.-]+>`,
  ].join("|"),
  "gi",
);
