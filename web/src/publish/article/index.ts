/** The visible editor, which is loaded when a text is opened. */
export { makeArticle } from "./article.ts";
export { ArticleEditor } from "./editor.tsx";
export { markFindings } from "./findings.ts";
