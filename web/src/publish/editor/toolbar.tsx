import { Toolbar } from "@base-ui/react/toolbar";
import type { ClipboardEvent, DragEvent, KeyboardEvent } from "react";
import { editor as words } from "../../strings/publish.ts";
import { buttonClasses } from "../../ui/button.tsx";

/** A field's text and the selection in it. */
export type Selected = { readonly text: string; readonly from: number; readonly to: number };

/** The replacement of a part of the text, and the selection afterwards. */
export type Change = Selected & { readonly insert: string; readonly select: readonly [number, number] };

export const formats = [
  "bold",
  "italic",
  "heading",
  "link",
  "quote",
  "bullets",
  "numbers",
  "table",
  "footnote",
] as const;
export type Format = (typeof formats)[number];

/** Keys that apply a format with Control, or with Command on a Mac. */
const shortcuts: Readonly<Partial<Record<Format, string>>> = { bold: "b", italic: "i", link: "k" };

const empty = "| Quarter | Sales |\n| --- | ---: |\n| First |  |";

/** The change that a format makes to a Markdown text. A second time removes the mark. */
export function changeOf(format: Format, at: Selected): Change {
  if (format === "bold") return wrap(at, "**", "bold text");
  if (format === "italic") return wrap(at, "_", "emphasis");
  if (format === "link") return link(at);
  if (format === "heading") return markLines(at, "## ", () => "## ");
  if (format === "quote") return markLines(at, "> ", () => "> ");
  if (format === "bullets") return markLines(at, "- ", () => "- ");
  if (format === "numbers") return markLines(at, /^\d+\. /, (row) => `${row + 1}. `);
  return format === "table" ? insertBlock(at, empty) : addNote(at);
}

function wrap({ text, from, to }: Selected, mark: string, sample: string): Change {
  const { length } = mark;
  if (from >= length && text.slice(from - length, from) === mark && text.slice(to, to + length) === mark) {
    const insert = text.slice(from, to);
    return { text, from: from - length, to: to + length, insert, select: [from - length, to - length] };
  }
  const inner = from === to ? sample : text.slice(from, to);
  const insert = mark + inner + mark;
  return { text, from, to, insert, select: [from + length, from + length + inner.length] };
}

function link({ text, from, to }: Selected): Change {
  const chosen = text.slice(from, to);
  const isAddress = /^https?:\/\/\S+$/.test(chosen);
  const label = isAddress || chosen === "" ? "source" : chosen;
  const address = isAddress ? chosen : "https://";
  const insert = `[${label}](${address})`;
  // Selects the part that is still to be written: the label of an address, or the address.
  const start = isAddress ? from + 1 : from + label.length + 3;
  return { text, from, to, insert, select: [start, start + (isAddress ? label : address).length] };
}

/** Marks every selected line, or removes the marks if all lines have them. */
function markLines(
  { text, from, to }: Selected,
  mark: string | RegExp,
  next: (row: number) => string,
): Change {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const end = text.indexOf("\n", to) < 0 ? text.length : text.indexOf("\n", to);
  const rows = text.slice(start, end).split("\n");
  const marked = (row: string) => (typeof mark === "string" ? row.startsWith(mark) : mark.test(row));
  const insert = rows
    .map((row, at) => (rows.every(marked) ? row.replace(mark, "") : `${next(at)}${row}`))
    .join("\n");
  return { text, from: start, to: end, insert, select: [start + insert.length, start + insert.length] };
}

/** Inserts a block between empty lines. */
function insertBlock({ text, to }: Selected, block: string): Change {
  const before = text.slice(0, to);
  const gap = before === "" || before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n";
  const after = text.slice(to).startsWith("\n\n") ? "" : "\n\n";
  const insert = gap + block + after;
  const start = to + gap.length + 2;
  return { text, from: to, to, insert, select: [start, start + "Quarter".length] };
}

/** Adds a footnote mark after the selection, and its note at the end of the text. */
function addNote({ text, to }: Selected): Change {
  const taken = [...text.matchAll(/\[\^(\d{1,6})\]/g)].map(([, number]) => Number(number));
  const number = Math.max(0, ...taken) + 1;
  const rest = text.slice(to).trimEnd();
  const sample = "Where this can be read.";
  const insert = `[^${number}]${rest}\n\n[^${number}]: ${sample}`;
  const end = to + insert.length;
  return { text, from: to, to: text.length, insert, select: [end - sample.length, end] };
}

type FormatBarProps = { readonly field: () => HTMLElement | null };

/** Formats the selection in a Markdown field. The bar is one tab stop, and arrow keys move within it. */
export function FormatBar({ field }: FormatBarProps) {
  return (
    <Toolbar.Root aria-label={words.formatting} className="-mx-3 flex flex-wrap gap-1">
      {formats.map((format) => {
        const key = shortcuts[format];
        return (
          <Toolbar.Button
            key={format}
            className={buttonClasses({ look: "plain", size: "small" })}
            aria-keyshortcuts={key === undefined ? undefined : `Control+${key.toUpperCase()}`}
            title={key === undefined ? undefined : words.shortcut(key.toUpperCase())}
            onClick={() => applyFormat(field(), format)}
          >
            {words.formats[format]}
          </Toolbar.Button>
        );
      })}
    </Toolbar.Root>
  );
}

function applyFormat(field: HTMLElement | null, format: Format): void {
  if (!(field instanceof HTMLTextAreaElement) || field.readOnly) return;
  const { value: text, selectionStart, selectionEnd } = field;
  const { from, to, insert, select } = changeOf(format, { text, from: selectionStart, to: selectionEnd });
  field.focus();
  field.setSelectionRange(from, to);
  // Inserts the text as typing would, so that the browser's undo works.
  if (!document.execCommand("insertText", false, insert)) {
    field.setRangeText(insert, from, to);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  field.setSelectionRange(...select);
}

/** The key handlers of a Markdown field. `refuse` is called when a picture is pasted or dropped. */
export function formatKeys(refuse: () => void) {
  const withoutPictures = (event: ClipboardEvent | DragEvent, data: DataTransfer | null) => {
    if (![...(data?.files ?? [])].some(({ type }) => type.startsWith("image/"))) return;
    event.preventDefault();
    refuse();
  };
  return {
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      const format = formats.find((each) => shortcuts[each] === event.key.toLowerCase());
      if (format === undefined) return;
      event.preventDefault();
      applyFormat(event.currentTarget, format);
    },
    onPaste: (event: ClipboardEvent) => withoutPictures(event, event.clipboardData),
    onDrop: (event: DragEvent) => withoutPictures(event, event.dataTransfer),
  };
}
