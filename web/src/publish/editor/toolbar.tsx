import { Toolbar } from "@base-ui/react/toolbar";
import type { ClipboardEvent, DragEvent, KeyboardEvent } from "react";
import { editor as words } from "../../strings/publish.ts";
import { buttonClasses } from "../../ui/button.tsx";
import { changeOf, type Format, formats, shortcuts } from "./formatting.ts";

type FormatBarProps = { readonly field: () => HTMLElement | null };

/** Formats what is selected in a field of Markdown. One stop of the Tab key; arrows go on within it. */
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
  // As if it were typed: only so can it be undone with the browser's own keys.
  if (!document.execCommand("insertText", false, insert)) {
    field.setRangeText(insert, from, to);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  field.setSelectionRange(...select);
}

/** What a field of Markdown does with keys, and with pictures that are put into it: `refuse` tells that they cannot be. */
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
