/** Parts of a page that can take the focus in place of what stood in them. */
const parts = "section, article, form, aside, main, [role=dialog]";

/**
 * What has the focus may go: a button whose work is done, a form that was sent. Browsers then leave the focus to the body, from
 * where keys and screen readers begin anew at the top. It goes to the part of the page that it stood in.
 */
export function keepFocus(): void {
  let path: readonly Element[] = [];
  document.addEventListener("focusin", ({ target }) => {
    path = target instanceof Element ? pathOf(target) : [];
  });
  const keep = () => {
    const [last, ...around] = path;
    if (last === undefined || last.isConnected || document.activeElement !== document.body) return;
    path = [];
    // Where nothing is left around it, a dialog was closed, which gives the focus back by itself.
    const part = around.find((each) => each.isConnected && each.matches(parts));
    if (part instanceof HTMLElement) focusPart(part);
  };
  // Afterwards: whoever takes something away may have a place for the focus.
  new MutationObserver(() => {
    if (path[0]?.isConnected === false) setTimeout(keep);
  }).observe(document.body, { childList: true, subtree: true });
}

function pathOf(element: Element): readonly Element[] {
  const path: Element[] = [];
  for (let each: Element | null = element; each !== null; each = each.parentElement) path.push(each);
  return path;
}

function focusPart(part: HTMLElement): void {
  if (!part.hasAttribute("tabindex")) {
    part.tabIndex = -1;
    part.addEventListener("blur", () => part.removeAttribute("tabindex"), { once: true });
  }
  part.focus({ preventScroll: true });
}
