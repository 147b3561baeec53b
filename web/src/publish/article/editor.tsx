import type { Fragment } from "prosemirror-model";
import { type Command, TextSelection } from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { WordRange } from "../audit/place.ts";
import { type Article, makeArticle } from "./article.ts";
import { FormatBar } from "./bar.tsx";
import { makeSlice, type PasteResult, readPlain } from "./clipboard.ts";
import { findArticleRange, markFindings } from "./findings.ts";
import { readHtml } from "./html.ts";
import { schema } from "./schema.ts";
import { explainUnshown } from "./source.ts";
import { writeArticle } from "./write.ts";

export { makeArticle, markFindings };

/** The functions by which the page controls the text in the visual editor. */
type ArticleHandle = {
  readonly focus: () => void;
  /** Selects the words in the given range of the Markdown, and scrolls to the selection. */
  readonly show: (words: WordRange) => void;
};

type ArticleEditorProps = {
  readonly article: Article;
  readonly readOnly: boolean;
  readonly invalid: boolean;
  readonly labelledBy: string;
  readonly describedBy: string;
  readonly onBlur: () => void;
  readonly onPasted: (pasted: Omit<PasteResult, "blocks">) => void;
  /** When the text is shown, this function gets an object that controls the text. When the text is hidden again, the function gets null. */
  readonly hold: (handle: ArticleHandle | null) => void;
};

/** The visual editor, which shows the article as readers will see it. */
export function ArticleEditor(props: ArticleEditorProps) {
  const { article, readOnly } = props;
  const [linking, setLinking] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const current = useRef(props);
  const view = useRef<EditorView>(undefined);
  useEffect(() => {
    current.current = props;
    view.current?.setProps({});
  });
  useEffect(() => {
    if (place.current === null) return;
    const made = new EditorView(place.current, {
      state: article.state(),
      dispatchTransaction: article.dispatch,
      // Keeps the writer's current line visible below the bars.
      scrollThreshold: { top: 220, bottom: 60, left: 0, right: 0 },
      scrollMargin: { top: 230, bottom: 80, left: 0, right: 0 },
      editable: () => !current.current.readOnly,
      attributes: () => makeAttributes(current.current),
      handleDOMEvents: {
        blur: () => current.current.onBlur(),
        paste: (target, event) => insertData(target, event, event.clipboardData, current.current),
        drop: (target, event) => target.dragging === null && insertDrop(target, event, current.current),
      },
      clipboardTextSerializer: (slice) => writeMarkdown(slice.content),
      handleKeyDown: (_, event) => {
        if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey)
          return false;
        event.preventDefault();
        setLinking(true);
        return true;
      },
      // A click on a link sets the caret; only the press's page follows links.
      handleClick: (_, __, event) => {
        if (event.target instanceof Element && event.target.closest("a") !== null) event.preventDefault();
        return false;
      },
    });
    view.current = made;
    current.current.hold({
      focus: () => made.focus(),
      show: (words) => {
        const range = findArticleRange(article.state().doc, words);
        if (range !== undefined) selectText(made, article, range);
        else made.focus();
      },
    });
    // If the text becomes too large for the visual editor, the page shows the text's Markdown instead.
    const unwatch = article.watch(() => {
      if (explainUnshown(article.text()) === undefined) made.updateState(article.state());
    });
    return () => {
      unwatch();
      current.current.hold(null);
      view.current = undefined;
      made.destroy();
    };
  }, [article]);
  const state = useSyncExternalStore(article.watch, article.state);
  const run = (command: Command) => {
    if (view.current === undefined) return;
    command(view.current.state, article.dispatch, view.current);
    view.current.focus();
  };
  return (
    <div className="grid gap-2">
      {!readOnly && <FormatBar state={state} run={run} linking={linking} onLinking={setLinking} />}
      <div ref={place} />
    </div>
  );
}

function makeAttributes({ readOnly, invalid, labelledBy, describedBy }: ArticleEditorProps) {
  return {
    role: "textbox",
    "aria-multiline": "true",
    "aria-labelledby": labelledBy,
    "aria-describedby": describedBy,
    "aria-readonly": String(readOnly),
    "aria-invalid": String(invalid),
    // A text that cannot be edited can still be reached, read and scrolled with the keyboard.
    tabindex: "0",
    class: "prose article",
  };
}

function selectText(view: EditorView, article: Article, { from, to }: WordRange): void {
  const { tr } = article.state();
  view.focus();
  article.dispatch(tr.setSelection(TextSelection.create(tr.doc, from, to)));
  const { node } = view.domAtPos(from);
  (node instanceof Element ? node : node.parentElement)?.scrollIntoView({ block: "center" });
}

type PasteOptions = Pick<ArticleEditorProps, "onPasted" | "readOnly">;

/**
 * Inserts pasted or dragged content. The content is read by the rules of this site, because the editor's own rules would apply the
 * content's styles.
 */
function insertData(
  view: EditorView,
  event: Event,
  data: DataTransfer | null,
  { onPasted, readOnly }: PasteOptions,
): boolean {
  if (data === null || readOnly) return false;
  event.preventDefault();
  const { $from } = view.state.selection;
  const text = data.getData("text/plain");
  if ($from.parent.type.spec.code === true) {
    view.dispatch(view.state.tr.insertText(text).scrollIntoView());
    return true;
  }
  const pasted = readData(data.getData("text/html"), text);
  const { blocks: _, pictures, ...rest } = pasted;
  const files = [...data.files].filter(({ type }) => type.startsWith("image/")).length;
  const slice = makeSlice(pasted);
  if (slice.size > 0)
    view.dispatch(view.state.tr.replaceSelection(slice).scrollIntoView().setMeta("paste", true));
  onPasted({ ...rest, pictures: Math.max(pictures, files) });
  return true;
}

function insertDrop(view: EditorView, event: DragEvent, words: PasteOptions): boolean {
  const at = view.posAtCoords({ left: event.clientX, top: event.clientY });
  if (at !== null && !words.readOnly) {
    const { tr } = view.state;
    view.dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(at.pos))));
  }
  return insertData(view, event, event.dataTransfer, words);
}

/**
 * Text copied from this editor or from a code editor is read as Markdown. HTML from any other source is used if it contains formatting or
 * pictures, or if there is no plain text. HTML that is too large is not used.
 */
function readData(html: string, text: string): PasteResult {
  const isCode = /^(?:<meta[^>]{0,99}>)?\s{0,9}<div style="[^"]{0,999}white-space: ?pre/i.test(html);
  const isOwn = isCode || html.includes(" data-pm-slice=");
  if (html.trim() === "" || (isOwn && text !== "")) return readPlain(text);
  const pasted = readHtml(html);
  if (pasted === undefined) return { ...readPlain(text), lost: text === "" ? "everything" : "formatting" };
  const isPlain = pasted.blocks.every((block) => block.type.name === "paragraph" && !hasMarks(block));
  return isPlain && text !== "" && pasted.pictures === 0 ? readPlain(text) : pasted;
}

function hasMarks(block: PasteResult["blocks"][number]): boolean {
  return block.children.some(({ marks, isText }) => marks.length > 0 || !isText);
}

/** The Markdown of copied words. */
function writeMarkdown(content: Fragment): string {
  const { nodes } = schema;
  const isInline = content.firstChild?.isInline === true;
  try {
    return writeArticle(
      nodes.doc.createChecked(null, isInline ? nodes.paragraph.create(null, content) : content),
    );
  } catch (error) {
    // Pasted content does not always form a block: for example, a single row of a table is not a block.
    if (error instanceof RangeError) return content.textBetween(0, content.size, "\n\n");
    throw error;
  }
}
