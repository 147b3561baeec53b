import type { Locator, Page } from "playwright-core";
import { type Keyboard, makeKeyboard } from "./keyboard.ts";

/** `npm run journeys` gives every visitor a window of this width, a slow connection and no mouse. */
export const journeys =
  process.env.JOURNEYS === undefined
    ? undefined
    : ({ width: process.env.JOURNEYS === "390" ? 390 : 1280 } as const);

/** The window's width for a journey: the given width in `npm test`, and each of the two widths in turn in `npm run journeys`. */
export const chooseWidth = (width: 390 | 1280): 390 | 1280 => journeys?.width ?? width;

/** A visitor's mouse or keyboard, which presses buttons and chooses radio buttons. */
export type InputDevice = Pick<Keyboard, "press" | "choose">;

const mouse: InputDevice = {
  press: (control) => control.click(),
  choose: (radio) => radio.locator("xpath=ancestor::label[1]").click(),
};

const keyboards = new WeakMap<Page, Keyboard>();

/** Returns the visitor's mouse, or the keyboard in `npm run journeys`. */
export function chooseInput(page: Page): InputDevice {
  if (journeys === undefined) return mouse;
  const keyboard = keyboards.get(page) ?? makeKeyboard(page);
  keyboards.set(page, keyboard);
  return keyboard;
}

/** Presses a control with the visitor's mouse or keyboard. */
export function activate(control: Locator): Promise<void> {
  return chooseInput(control.page()).press(control);
}
