import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/**
 * What of WCAG 2.2 AA axe finds broken, as rule and place. Colours are all that differs between the schemes, so that the
 * dark one is asked for contrast alone.
 */
export async function violations(page: Page, scheme: "light" | "dark"): Promise<readonly string[]> {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  // The site has no frames, whose results axe would gather in a page of its own.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  // What floats above the page stands outside its landmarks.
  const rules =
    scheme === "light" ? axe.withTags(tags).disableRules("region") : axe.withRules("color-contrast");
  const { violations } = await rules.analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`));
}

/** Pixels by which the page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}

/** What the element in focus says. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent ?? "");
}

/** Goes on by Tab to the element that begins so, as a person would who looks at where the focus is. */
export async function tabTo(page: Page, text: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await focused(page)).startsWith(text)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`The focus never comes to "${text}".`);
}
