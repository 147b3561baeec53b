import { mkdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type axe from "axe-core";
import type { RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * The accessibility rules of axe-core for a page, without the rule for the contrast of colours. The rule for landmarks is off, because
 * popups above the page are outside the page's landmarks.
 */
const rules: RunOptions = {
  runOnly: { type: "tag", values: tags },
  rules: { region: { enabled: false }, "color-contrast": { enabled: false } },
  resultTypes: ["violations"],
};

/** The minified source code of axe. Without minification, axe's comments and long names would take a third of the loading time. */
const source = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

declare global {
  /** The variable is global, because Vitest loads modules again for every test file of a process. */
  var goodKinds: Set<number> | undefined;
}

/** The kinds of text in which axe found no fault of contrast on an earlier page of this process. */
globalThis.goodKinds ??= new Set();
const good = globalThis.goodKinds;

/** The rules of WCAG 2.2 AA that the page breaks, each with the element that breaks the rule. */
async function runAxe(page: Page, options: RunOptions | undefined): Promise<readonly string[]> {
  // Loading axe takes as long as many runs of axe, so axe is loaded once per document. The site has no frames.
  const loaded = await page.evaluate(() => "axe" in window);
  if (!loaded) await page.evaluate(source);
  const { found, kinds } = await page.evaluate(runChecks, { options, known: [...good] });
  for (const kind of kinds) good.add(kind);
  return found;
}

/**
 * Runs axe in the page. Axe needs four times as long for contrast as for all other rules. To save time, the contrast is measured only once
 * for texts that have the same elements, classes and colours at every level from the root.
 */
async function runChecks({ options, known }: { options: RunOptions | undefined; known: readonly number[] }) {
  // A colour must not be measured while it is still changing, for example after a change of scheme.
  const changing = document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(changing.map(({ finished }) => finished));

  const kinds = new Map<Element, number>();
  const computeKind = (element: Element): number => {
    const before = kinds.get(element);
    if (before !== undefined) return before;
    const { color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight, position } =
      getComputedStyle(element);
    const look = [color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight, position];
    const isOff = element.matches(":disabled, [aria-disabled=true]");
    let kind = element.parentElement === null ? 0 : computeKind(element.parentElement);
    for (const each of `${element.localName} ${element.getAttribute("class")} ${look} ${isOff}`)
      kind = Math.imul(kind ^ each.charCodeAt(0), 16_777_619);
    kinds.set(element, kind);
    return kind;
  };
  const isText = ({ childNodes }: Element) =>
    [...childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== "");
  const unknown = new Map<number, Element>();
  for (const element of document.body.querySelectorAll("*")) {
    if (!element.checkVisibility() || !(isText(element) || element.matches("input, select, textarea")))
      continue;
    const kind = computeKind(element);
    if (!known.includes(kind)) unknown.set(kind, element);
  }

  const results = options === undefined ? [] : [await window.axe.run(document, options)];
  const contrast = { runOnly: ["color-contrast"] };
  // The page may have removed elements while axe checked the other rules.
  const left = [...unknown].filter(([, { isConnected }]) => isConnected);
  if (left.length > 0)
    results.push(await window.axe.run({ include: left.map(([, element]) => element) }, contrast));
  const found = results
    .flatMap(({ violations }) => violations)
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`));
  return { found, kinds: found.length === 0 ? left.map(([kind]) => kind) : [] };
}

const pictures = new URL("../../../docs/screenshots/", import.meta.url).pathname;
let taken = 0;

/** `npm run screenshots` takes a picture of every checked page in its colour scheme, and names the picture after the test. */
async function photograph(page: Page, scheme: "light" | "dark"): Promise<void> {
  if (process.env.SCREENSHOTS === undefined) return;
  await page.emulateMedia({ colorScheme: scheme });
  mkdirSync(pictures, { recursive: true });
  const words = expect
    .getState()
    .currentTestName?.replace(/[^a-z0-9]+/gi, "-")
    .slice(0, 60);
  const name = `${words}-${String(taken++).padStart(3, "0")}-${page.viewportSize()?.width}-${scheme}.png`;
  await page.screenshot({ path: `${pictures}${name}`, fullPage: true });
}

/**
 * The faults at the window's width: broken rules of WCAG 2.2 AA in both colour schemes, and elements wider than the window. Only colours
 * differ between the schemes, so the dark scheme is checked only for contrast. After the checks, the page stays in the dark scheme.
 */
async function findFaults(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    const broken = await runAxe(page, scheme === "light" ? rules : undefined);
    await photograph(page, scheme);
    found.push(...broken.map((each) => `${scheme}: ${each}`));
  }
  return [...found, ...(await findTooWide(page))];
}

/** Each width is checked in one colour scheme, so that two runs of axe cover both widths and both schemes. */
const schemes = { 390: "dark", 1280: "light" } as const;

/**
 * The faults of the page at the given width. Each width is checked in only one colour scheme. The page keeps the width and the scheme for
 * the rest of the browser test.
 */
export async function findFaultsAt(page: Page, width: keyof typeof schemes): Promise<readonly string[]> {
  await page.setViewportSize({ width, height: 900 });
  for (const scheme of ["light", "dark"] as const) await photograph(page, scheme);
  await page.emulateMedia({ colorScheme: schemes[width] });
  const broken = [...(await runAxe(page, rules)), ...(await findTooWide(page))];
  return broken.map((each) => `${width} ${schemes[width]}: ${each}`);
}

/** The faults of the page at a width of 1280 pixels and of 390 pixels. After the checks, the window gets its earlier width again. */
export async function findFaultsAtBothWidths(page: Page): Promise<readonly string[]> {
  const window = page.viewportSize();
  const found = [...(await findFaultsAt(page, 1280)), ...(await findFaultsAt(page, 390))];
  if (window !== null) await page.setViewportSize(window);
  return found;
}

/**
 * Expects that the page meets WCAG 2.2 AA in both colour schemes and fits its window, or a window of the given width. A page on a telephone
 * must also fit the narrowest window.
 */
export async function expectAccessible(page: Page, what: string, width?: number): Promise<void> {
  const window = page.viewportSize();
  const narrow = width ?? (window?.width === 390 ? 320 : undefined);
  if (window !== null && narrow !== undefined) await page.setViewportSize({ ...window, width: narrow });
  expect({ what, found: await findFaults(page) }).toEqual({ what, found: [] });
  if (window !== null) await page.setViewportSize(window);
}

async function findTooWide(page: Page): Promise<readonly string[]> {
  const pixels = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  return pixels > 0 ? [`${pixels} pixels wider than its window`] : [];
}

/** The text of the focused element. */
export function readFocused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent ?? "");
}
