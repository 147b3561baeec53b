/**
 * Takes a reader of an audit to words within a field: selects them, brings them into view and gives the field the
 * focus, where arrow keys go on from there. Without words it goes to the field itself.
 */
export function jumpTo(
  field: HTMLElement | null,
  words?: { readonly from: number; readonly to: number },
): void {
  if (field === null) return;
  field.focus({ preventScroll: true });
  field.scrollIntoView({ block: "center" });
  if (words === undefined || !(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement))
    return;
  field.setSelectionRange(words.from, words.to);
  if (field instanceof HTMLTextAreaElement) {
    field.scrollTop = Math.max(0, heightOf(field, words.from) - field.clientHeight / 3);
  }
}

/** How far below a field's upper edge the character at `index` stands: browsers do not tell, so its text is set again. */
function heightOf(field: HTMLTextAreaElement, index: number): number {
  const style = getComputedStyle(field);
  const mirror = document.createElement("div");
  Object.assign(mirror.style, {
    position: "absolute",
    visibility: "hidden",
    whiteSpace: "pre-wrap",
    overflowWrap: "break-word",
    boxSizing: "border-box",
    width: `${field.clientWidth}px`,
    padding: style.padding,
    font: style.font,
    letterSpacing: style.letterSpacing,
  });
  mirror.textContent = field.value.slice(0, index);
  document.body.append(mirror);
  const height = mirror.scrollHeight;
  mirror.remove();
  return height;
}
