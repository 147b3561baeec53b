import type { Locator, Page } from "playwright-core";
import { type Keyboard, keyboardOf } from "./keyboard.ts";

/**
 * `npm run journeys`: every visitor has a window of this width, a slow line and no mouse, not only those of the tests that are
 * about it.
 */
export const journeys =
  process.env.JOURNEYS === undefined ? undefined : { width: Number(process.env.JOURNEYS) };

/** What presses a button and chooses among radio buttons: the mouse, or a keyboard. */
export type Hand = Pick<Keyboard, "press" | "choose">;

const mouse: Hand = {
  press: (control) => control.click(),
  choose: (radio) => radio.locator("xpath=ancestor::label[1]").click(),
};

const keyboards = new WeakMap<Page, Keyboard>();

/** The mouse, and on journeys the keyboard. */
export function handOf(page: Page): Hand {
  if (journeys === undefined) return mouse;
  const keyboard = keyboards.get(page) ?? keyboardOf(page);
  keyboards.set(page, keyboard);
  return keyboard;
}

/** Presses a control by whatever the visitor has. */
export function push(control: Locator): Promise<void> {
  return handOf(control.page()).press(control);
}
