import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** The keyboard of a visitor without a mouse. Throws an Error if the focus is faulty at any stop on the way to a control. */
export type Keyboard = {
  /** Moves the focus by Tab or Shift+Tab to this control, and checks the focus at every stop. */
  readonly go: (control: Locator) => Promise<unknown>;
  /** Moves by Tab to a button or a link, and presses it. */
  readonly press: (control: Locator) => Promise<void>;
  /** Moves by Tab to a field, and replaces its text. */
  readonly write: (field: Locator, text: string) => Promise<void>;
  /** Moves by Tab to a group of radio buttons, and chooses a button by arrow keys. */
  readonly choose: (radio: Locator) => Promise<void>;
  /** Moves by Tab to a select element, and types the beginning of an option. */
  readonly select: (field: Locator, option: string) => Promise<void>;
};

/** The maximum number of tab stops to a control. Every page of the site has fewer tab stops than this maximum. */
const mostStops = 90;

/**
 * A visitor who uses only the keyboard. After the first press of a key, the focus must always be on a visible element: never on the body,
 * or behind a dialog, a bar or the window's edge. The focused element counts as visible only if a pointer can also reach this element.
 */
export function makeKeyboard(page: Page): Keyboard {
  // A freshly loaded page has no focus yet.
  let untouched = true;
  page.on("domcontentloaded", () => {
    untouched = true;
  });

  const pressKey = async (name: string) => {
    untouched = false;
    await page.keyboard.press(name);
  };

  const go = async (control: Locator) => {
    // The control is found only once, because finding a control by its role takes several times as long as pressing Tab once.
    let element = await control.elementHandle();
    if (!untouched || (await page.locator("[role=dialog], dialog").count()) > 0) {
      const isSomewhere = await page.waitForFunction(hasFocus).catch(() => undefined);
      if (isSomewhere === undefined)
        throw new Error(`Before ${control} the focus is nowhere, or not in the dialog.`);
    }
    const inspect = async (): Promise<TabStop> => {
      let stop: TabStop | undefined = await element.evaluate(inspectFocus);
      while (stop === undefined) {
        element = await control.elementHandle();
        stop = await element.evaluate(inspectFocus);
      }
      return stop;
    };
    const way = await element.evaluate(findKeyTo);
    let before: TabStop | undefined;
    for (let stops = 0, wraps = 0; stops < mostStops; stops += 1) {
      let stop = await inspect();
      // A dialog moves the focus to its elements only in the next frame.
      if (stop.fault !== undefined) {
        await page.evaluate(() => new Promise(requestAnimationFrame));
        stop = await inspect();
      }
      if (stop.here && (stops > 0 || stop.fault === undefined)) {
        if (stop.fault !== undefined) throw new Error(`${control}: ${stop.fault}`);
        return element;
      }
      // After the last stop, the focus goes to the browser's own controls.
      if (stop.place === "body" && stops > 0) wraps += 1;
      if (wraps > 1) throw new Error(`The focus leaves the page on the way to ${control}.`);
      if (stops > 0 && stop.fault !== undefined) throw new Error(`On the way to ${control}: ${stop.fault}`);
      if (before !== undefined && way === "Tab" && isAbove(before, stop)) {
        throw new Error(`On the way to ${control} the focus jumps up from ${before.place} to ${stop.place}.`);
      }
      before = stops > 0 ? stop : undefined;
      await pressKey(way === "here" ? "Tab" : way);
    }
    throw new Error(`The focus never comes to ${control}.`);
  };

  const press = async (control: Locator) => {
    const element = await go(control);
    await pressKey((await element.evaluate(({ localName }) => localName)) === "summary" ? "Space" : "Enter");
  };

  return {
    go,
    press,
    async write(field, text) {
      await go(field);
      await pressKey("ControlOrMeta+a");
      await page.keyboard.insertText(text);
    },
    async choose(radio) {
      await go(radio.locator("xpath=ancestor::fieldset[1]"));
      for (let steps = 0; steps < 5; steps += 1) {
        if (await radio.evaluate((each) => each === document.activeElement)) break;
        await pressKey("ArrowRight");
      }
      if (!(await radio.isChecked())) await pressKey("Space");
      expect(await radio.isChecked()).toBe(true);
    },
    async select(field, option) {
      const wanted = field.getByRole("option").filter({ hasText: option }).first();
      await wanted.waitFor({ state: "attached" });
      await go(field);
      const typeOption = async () => {
        await page.keyboard.type(option);
        const isSelected = await wanted.evaluate((each) => Reflect.get(each, "selected"));
        // If the field has forgotten the earlier letters, a space opens the list of options, and Escape closes this list.
        if (!isSelected) await pressKey("Escape");
        return isSelected;
      };
      // A select element forgets the typed letters if no key is pressed for a second; a busy machine can cause such a pause.
      await expect.poll(typeOption, { interval: 1_500 }).toBe(true);
    },
  };
}

type TabStop = {
  /** Whether the focus is on the wanted control. */
  readonly here: boolean;
  /** A short name of the focused element. */
  readonly place: string;
  readonly fault: string | undefined;
  /**
   * The element's box on the page in pixels. The box is `undefined` for an element in a fixed bar or at the end of the page, because the
   * position of such an element says nothing about the tab order.
   */
  readonly box: { readonly left: number; readonly right: number; readonly top: number } | undefined;
};

/** Whether the second tab stop is above the first tab stop in the same column. */
function isAbove({ box: one }: TabStop, { box: other }: TabStop): boolean {
  if (one === undefined || other === undefined) return false;
  const overlap = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  return overlap > 8 && other.top < one.top - 24;
}

/** Runs in the page: returns whether an element other than the body has the focus. If there is a dialog, the element must be in it. */
function hasFocus(): boolean {
  const { activeElement } = document;
  const dialog = [...document.querySelectorAll("[role=dialog], dialog")].at(-1);
  return (
    activeElement !== null && activeElement !== document.body && dialog?.contains(activeElement) !== false
  );
}

/** Runs in the page: returns the key that moves the focus towards the control. */
function findKeyTo(control: Element): "here" | "Tab" | "Shift+Tab" {
  const { activeElement } = document;
  if (activeElement !== null && control.contains(activeElement)) return "here";
  if (activeElement === null || activeElement === document.body) return "Tab";
  const isBefore = activeElement.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_PRECEDING;
  return isBefore !== 0 && !activeElement.contains(control) ? "Shift+Tab" : "Tab";
}

/** Runs in the page: returns the focused element and the faults of its focus; `undefined` if the page has replaced the control. */
function inspectFocus(control: Element): TabStop | undefined {
  if (!control.isConnected) return undefined;
  const active = document.activeElement;
  if (active === null || active === document.body) {
    const isTrapped = document.querySelector("[role=dialog], dialog") !== null;
    const fault = isTrapped ? "The focus leaves a dialog." : undefined;
    return { here: false, place: "body", fault, box: undefined };
  }
  const words = (active.getAttribute("aria-label") ?? active.textContent ?? "").trim().slice(0, 40);
  const place = `${active.localName} "${words}"`;
  // In a radio group, the chosen button takes the focus.
  const here = active === control || (control.localName === "fieldset" && control.contains(active));
  // A dialog has focus guards at its edges, which pass the focus on to other elements.
  if (active.hasAttribute("data-base-ui-focus-guard"))
    return { here, place, fault: undefined, box: undefined };
  const dialog = [...document.querySelectorAll("[role=dialog], dialog")].at(-1);
  if (dialog !== undefined && !dialog.contains(active)) {
    return { here, place, fault: `The focus is behind the dialog, on ${place}.`, box: undefined };
  }
  // An element that only a script can focus shows no focus ring. The next Tab starts at the element that a script has focused.
  if (active.getAttribute("tabindex") === "-1" && !here)
    return { here, place, fault: undefined, box: undefined };

  // A hidden control shows its focus on its label.
  let shown: Element | null = active;
  for (let up = 0; up < 3 && shown !== null; up += 1, shown = shown.parentElement) {
    const { outlineStyle, outlineWidth } = getComputedStyle(shown);
    const isRing = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
    if (isRing && shown.getBoundingClientRect().width > 8) break;
    if (up === 2) return { here, place, fault: `The focus on ${place} is not seen.`, box: undefined };
  }
  const { left, right, top, bottom, width, height } = (shown ?? active).getBoundingClientRect();
  const inset = Math.min(4, width / 3, height / 3);
  // If an element is higher than the window, only a part of the element is visible.
  const [first, last] = [Math.max(0, top), Math.min(window.innerHeight, bottom)];
  const isSeen = [first + inset, (first + last) / 2, last - inset].some((y) =>
    [left + inset, (left + right) / 2, right - inset].some((x) => {
      const hit = document.elementFromPoint(x, y);
      return hit !== null && (shown?.contains(hit) || hit.contains(active));
    }),
  );
  const fault = isSeen ? undefined : `${place} is hidden while it has the focus.`;
  const stays = active.closest("header:has(nav), footer, aside, [role=toolbar]") !== null;
  const from = window.scrollY;
  return { here, place, fault, box: stays ? undefined : { left, right, top: top + from } };
}
