import axe, { type RunOptions } from "axe-core";
import type { Locator, Page } from "playwright-core";

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** What is asked of a page. */
const runs = {
  // What floats above the page stands outside its landmarks.
  all: { runOnly: { type: "tag", values: tags }, rules: { region: { enabled: false } } },
  contrast: { runOnly: { type: "rule", values: ["color-contrast"] } },
} as const satisfies Readonly<Record<string, RunOptions>>;

/** What of WCAG 2.2 AA axe finds broken in the page as it stands, as rule and place. */
async function violations(page: Page, rules: keyof typeof runs): Promise<readonly string[]> {
  // To load axe takes the page as long as many a run: once a document is enough. The site has no frames.
  const loaded = await page.evaluate(() => "axe" in window);
  if (!loaded) await page.evaluate(axe.source);
  const options: RunOptions = { ...runs[rules], resultTypes: ["violations"] };
  return page.evaluate(async (wanted) => {
    const { violations } = await window.axe.run(document, wanted);
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`));
  }, options);
}

/**
 * What is broken at the window's width: WCAG 2.2 AA in both schemes, and what is wider than the window. Colours are all that
 * differs between the schemes, so that the dark one is asked for contrast alone. It stays dark.
 */
export async function brokenIn(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    const broken = await violations(page, scheme === "light" ? "all" : "contrast");
    found.push(...broken.map((each) => `${scheme}: ${each}`));
  }
  return [...found, ...(await tooWide(page))];
}

/**
 * The same at 1280 pixels in the light scheme and at 390 in the dark one: two runs of axe see both widths and both schemes.
 * It stays dark and narrow, so that a journey goes on there.
 */
export async function brokenAtBothWidths(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [width, scheme] of [
    [1280, "light"],
    [390, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme });
    const broken = [...(await violations(page, "all")), ...(await tooWide(page))];
    found.push(...broken.map((each) => `${width} ${scheme}: ${each}`));
  }
  return found;
}

async function tooWide(page: Page): Promise<readonly string[]> {
  const pixels = await overflow(page);
  return pixels > 0 ? [`${pixels} pixels wider than its window`] : [];
}

/** Pixels by which the page is wider than its window. */
function overflow(page: Page): Promise<number> {
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

/** Goes on by Tab to this control, as a person would. */
export async function tabToControl(page: Page, control: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`The focus never comes to ${control}.`);
}
