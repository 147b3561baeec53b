import { Tabs } from "@base-ui/react/tabs";
import {
  type ClipboardEvent,
  type KeyboardEvent,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useState,
  useSyncExternalStore,
} from "react";
import { flushSync } from "react-dom";
import type { Issue } from "../../../../core/audit/schema.ts";
import { countBytes, countMinutes, countWords, limits } from "../../../../core/press/schema.ts";
import { editor as words } from "../../strings/editor.ts";
import { TextArea } from "../../ui/field.tsx";
import { TextSkeleton } from "../../ui/page.tsx";
import { cleanLinks, explainUnshown } from "../article/source.ts";
import { findPlace } from "../audit/place.ts";
import type { Draft } from "./draft.ts";
import { CountText, FieldFrame, type FieldHandle, type FieldProps, makeControl } from "./fields.tsx";

export const tabClass =
  "min-h-9 rounded-full px-4 text-sm font-medium text-quiet hover:text-ink data-active:bg-accent data-active:text-on-accent";

const picture = /!\[[^\]\n]{0,999}\][([]/;

type BodyFieldProps = FieldProps & {
  readonly control: FieldHandle;
  /** The findings of the latest audit, which are marked at the words that they quote. */
  readonly issues: readonly Issue[];
};

/** The field for the text of a press, with two views: the article as readers see it, and its Markdown. */
export function BodyField({ control, issues, ...field }: BodyFieldProps) {
  const { draft, readOnly, faults, touch } = field;
  const { body } = field.state.text;
  const [chosen, setChosen] = useState<unknown>("article");
  const [left, setLeft] = useState<readonly string[]>([]);
  const settled = useDeferredValue(body);
  const why = useMemo(() => explainUnshown(settled), [settled]);
  const isSource = chosen === "source" || why !== undefined;
  const loaded = useArticle(draft, body, isSource);
  const view = isSource || loaded === "failed" ? "source" : "article";
  const article = typeof loaded === "object" ? loaded.article : undefined;
  const replaced = useSyncExternalStore(article?.watch ?? watchNothing, () => article?.replaced());
  const ids = useId();
  useEffect(() => {
    control.reveal.current = () => flushSync(() => setLeft([]));
  }, [control]);
  useEffect(() => {
    // After each replacement of the text, the words quoted by findings are marked again, because a replacement removes the marks.
    if (typeof loaded !== "object" || replaced === undefined || view !== "article") return;
    const { article, markFindings } = loaded;
    const text = { ...draft.state().text, body: article.text() };
    const marked = issues.flatMap(({ severity, ...issue }) => {
      const place = findPlace({ severity, ...issue }, text);
      return place.kind === "words" && place.part === "body" ? [{ ...place, severity }] : [];
    });
    article.dispatch(markFindings(article.state(), marked));
  }, [draft, loaded, view, issues, replaced]);
  const undoOrRedo = (isBack: boolean) => {
    if (article === undefined) return false;
    article.sync(draft.state().text.body);
    const before = article.text();
    if (!(isBack ? article.undo() : article.redo())) return true;
    const at = findChangeEnd(before, article.text());
    requestAnimationFrame(() => {
      const shown = control.element();
      if (shown instanceof HTMLTextAreaElement) shown.setSelectionRange(at, at);
    });
    return true;
  };
  const fault = faults.body;
  const aside = <BodyCounter text={body} />;
  return (
    <Tabs.Root value={view} onValueChange={setChosen} className="grid gap-2">
      <Tabs.List aria-label={words.view} className="flex w-fit gap-1 rounded-full bg-sunk p-1">
        <Tabs.Tab value="article" className={tabClass} disabled={why !== undefined || loaded === "failed"}>
          {words.article}
        </Tabs.Tab>
        <Tabs.Tab value="source" className={tabClass}>
          {words.source}
        </Tabs.Tab>
      </Tabs.List>
      <div role="status" className="text-sm text-warn">
        {left.map((each) => (
          <p key={each}>{each}</p>
        ))}
      </div>
      {why !== undefined && <p className="text-sm text-warn">{words.onlySource(why)}</p>}
      {loaded === "failed" && <p className="text-sm text-warn">{words.editorFailed}</p>}
      <Tabs.Panel value="article" className="grid gap-1.5">
        <div className="flex items-baseline justify-between gap-3 text-sm">
          <span id={`${ids}label`} className="font-medium">
            {words.labels.body}
          </span>
          {aside}
        </div>
        {typeof loaded === "object" && !isSource ? (
          <loaded.ArticleEditor
            article={loaded.article}
            readOnly={readOnly}
            invalid={fault !== undefined}
            labelledBy={`${ids}label`}
            describedBy={`${ids}hint ${ids}fault`}
            onBlur={() => touch("body")}
            onPasted={(pasted) => setLeft(words.leftOut(pasted))}
            hold={(handle) => {
              control.show.current =
                handle === null
                  ? undefined
                  : (range) => (range === undefined ? handle.focus() : handle.show(range));
            }}
          />
        ) : (
          <TextSkeleton lines={8} />
        )}
        <p id={`${ids}hint`} className="text-sm text-quiet">
          {words.hints.body}
        </p>
        {fault !== undefined && (
          <p id={`${ids}fault`} className="text-sm text-bad">
            {words.fault(fault)}
          </p>
        )}
      </Tabs.Panel>
      <Tabs.Panel value="source" className="grid gap-2">
        <FieldFrame name="body" aside={aside} faults={faults}>
          <TextArea
            {...makeControl("body", field)}
            onKeyDown={(event: KeyboardEvent) => {
              const back = readUndoKey(event);
              if (back !== undefined && undoOrRedo(back)) event.preventDefault();
            }}
            onPaste={(event: ClipboardEvent) => {
              const { clipboardData, currentTarget: shown } = event;
              if (readOnly || !(shown instanceof HTMLTextAreaElement)) return;
              const pictures = [...clipboardData.files].filter(({ type }) =>
                type.startsWith("image/"),
              ).length;
              const { text, tracked } = cleanLinks(clipboardData.getData("text/plain"));
              if (tracked > 0) {
                event.preventDefault();
                shown.setRangeText(text, shown.selectionStart, shown.selectionEnd, "end");
                shown.dispatchEvent(new Event("input", { bubbles: true }));
              }
              setLeft(words.leftOut({ pictures, tracked }));
            }}
            ref={control.hold}
            rows={20}
            // Chromium needs nine seconds to lay out a line of 100 kB if it collapses spaces, and less than one second if it preserves
            // spaces.
            className="resize-y leading-relaxed whitespace-break-spaces"
          />
        </FieldFrame>
        {picture.test(body) && <p className="text-sm text-warn">{words.pictureLink}</p>}
      </Tabs.Panel>
    </Tabs.Root>
  );
}

const watchNothing = () => () => {};

/** The pause in typing Markdown, in milliseconds, after which the typed text becomes one step of the undo history. */
const pause = 400;

type EditorModule = typeof import("../article/editor.tsx");
type EditorCode = Pick<EditorModule, "ArticleEditor" | "markFindings"> & {
  readonly article: ReturnType<EditorModule["makeArticle"]>;
};

/**
 * The draft's text as an article for the visual editor, after the editor's code is loaded. If the draft's text is changed outside the
 * visual editor, the article is updated.
 */
function useArticle(draft: Draft, body: string, isSource: boolean): EditorCode | "loading" | "failed" {
  const [loaded, setLoaded] = useState<EditorCode | "loading" | "failed">("loading");
  useEffect(() => {
    let isHere = true;
    import("../article/editor.tsx").then(
      (module) => {
        const article = module.makeArticle(draft.state().text.body, (text) => draft.edit({ body: text }));
        if (isHere)
          setLoaded({ article, ArticleEditor: module.ArticleEditor, markFindings: module.markFindings });
      },
      () => isHere && setLoaded("failed"),
    );
    return () => {
      isHere = false;
    };
  }, [draft]);
  useEffect(() => {
    if (typeof loaded !== "object" || loaded.article.text() === body) return;
    // The draft's current text is used, not the text of this render, because a key may have been pressed since the render.
    const follow = () => loaded.article.sync(draft.state().text.body);
    if (!isSource) return follow();
    const timer = setTimeout(follow, pause);
    return () => clearTimeout(timer);
  }, [draft, loaded, body, isSource]);
  return loaded;
}

/** Whether a key undoes a step (`true`) or redoes a step (`false`). */
function readUndoKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean | undefined {
  if (!(ctrlKey || metaKey) || altKey) return undefined;
  const name = key.toLowerCase();
  if (name === "y") return false;
  return name === "z" ? !shiftKey : undefined;
}

/** Finds the index at which the changed part of a text ends. */
function findChangeEnd(before: string, after: string): number {
  let same = 0;
  const most = Math.min(before.length, after.length);
  while (same < most && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  return after.length - same;
}

/**
 * Shows how many words a text has and how many minutes it takes to read. Also shows the text's size in bytes if the size is near the limit.
 * The words and bytes of a long text are counted only after the key press has been handled.
 */
function BodyCounter({ text }: { readonly text: string }) {
  const settled = useDeferredValue(text);
  const { minWords, maxBytes } = limits.body;
  const used = useMemo(() => countWords(settled), [settled]);
  const bytes = useMemo(() => countBytes(settled), [settled]);
  if (bytes > maxBytes / 2)
    return <CountText over={bytes > maxBytes}>{words.size(bytes, maxBytes)}</CountText>;
  return (
    <CountText>
      {used < minWords
        ? words.wordsShort(used, minWords)
        : `${words.words(used)}, ${words.minutes(countMinutes(used))}`}
    </CountText>
  );
}
