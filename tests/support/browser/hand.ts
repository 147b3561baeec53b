import type { Locator, Page } from "playwright-core";
import { type Keyboard, keyboardOf } from "./keyboard.ts";

/** `npm run journeys` gives every visitor a window of this width, a slow connection and no mouse. */
export const journeys =
  process.env.JOURNEYS === undefined
    ? undefined
    : ({ width: process.env.JOURNEYS === "390" ? 390 : 1280 } as const);

/** The width of a journey in `npm test`; `npm run journeys` takes each at both. */
export const widthOr = (width: 390 | 1280): 390 | 1280 => journeys?.width ?? width;

/** Presses buttons and chooses radio buttons, by mouse or keyboard. */
export type Hand = Pick<Keyboard, "press" | "choose">;

const mouse: Hand = {
  press: (control) => control.click(),
  choose: (radio) => radio.locator("xpath=ancestor::label[1]").click(),
};

const keyboards = new WeakMap<Page, Keyboard>();

/** Returns the mouse, or the keyboard on journeys. */
export function handOf(page: Page): Hand {
  if (journeys === undefined) return mouse;
  const keyboard = keyboards.get(page) ?? keyboardOf(page);
  keyboards.set(page, keyboard);
  return keyboard;
}

/** Presses a control with the visitor's hand. */
export function push(control: Locator): Promise<void> {
  return handOf(control.page()).press(control);
}
