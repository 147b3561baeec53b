import { mkdirSync } from "node:fs";
import axe, { type RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

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
  const found = await page.evaluate(async (wanted) => {
    // Colours that still change, as after another scheme, are neither the old nor the new ones.
    const changing = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(changing.map(({ finished }) => finished));
    const { violations } = await window.axe.run(document, wanted);
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`));
  }, options);
  if (process.env.SCREENSHOTS !== undefined) await photograph(page);
  return found;
}

const pictures = new URL("../../../docs/screenshots/", import.meta.url).pathname;
let taken = 0;

/** `npm run screenshots`: a picture of every place that is looked at, named after its test. */
async function photograph(page: Page): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  const words = expect
    .getState()
    .currentTestName?.replace(/[^a-z0-9]+/gi, "-")
    .slice(0, 60);
  const name = `${words}-${String(taken++).padStart(3, "0")}-${page.viewportSize()?.width}.png`;
  await page.screenshot({ path: `${pictures}${name}`, fullPage: true });
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

/** A telephone's width and a computer's, in pixels. */
export const widths = [390, 1280] as const;

/** The scheme that a width is looked at in: two runs of axe see both widths and both schemes. */
const schemes = { 390: "dark", 1280: "light" } as const;

/** What is broken at this width, in the scheme that goes with it. The page stays so, and a journey goes on there. */
export async function brokenAt(page: Page, width: keyof typeof schemes): Promise<readonly string[]> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme: schemes[width] });
  const broken = [...(await violations(page, "all")), ...(await tooWide(page))];
  return broken.map((each) => `${width} ${schemes[width]}: ${each}`);
}

/** The same at 1280 pixels and at 390, where it stays. */
export async function brokenAtBothWidths(page: Page): Promise<readonly string[]> {
  return [...(await brokenAt(page, 1280)), ...(await brokenAt(page, 390))];
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
