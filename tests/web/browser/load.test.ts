import { gzipSync } from "node:zlib";
import type { Page, Response } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askForText, chooseWallet, readText, shownText } from "../../support/browser/reader.ts";
import { type Site, startSite } from "../../support/browser/site.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite(1);
});
afterAll(() => site.stop());

/** Compressed script of a first load: React, router, Query, forms, and the page itself. */
const budget = 200_000;

test.each([
  ["list", (): string => "/"],
  ["press", (): string => `/press/${site.presses[0]?.slug}`],
  ["developers", (): string => "/developers"],
])("the first load of the %s stays within 200 kB of script, and speaks to no wallet", async (_, path) => {
  await using visit = await site.visit();
  const { page, wallet, faults } = visit;
  const scripts = scriptsOf(page);
  await page.goto(path());
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForLoadState("networkidle");
  const size = await total(scripts);
  expect(size).toBeGreaterThan(50_000);
  expect(size).toBeLessThan(budget);
  expect(wallet.asked).toEqual([]);
  expect(faults).toEqual([]);
});

test("so does the first load of a press with its text", async () => {
  const [press] = site.presses;
  if (press === undefined) throw new Error("There is no press.");
  const account = await site.newWallet(1_000_000n);
  await using bought = await site.visit({ account });
  await askForText(bought.page, press);
  await chooseWallet(bought.page);
  await readText(bought.page);
  await using visit = await site.visit({ account });
  await visit.context.addCookies(await bought.context.cookies());
  const { page } = visit;
  const scripts = scriptsOf(page);
  await page.goto(`/press/${press.slug}`);
  await shownText(page);
  await page.waitForLoadState("networkidle");
  expect(await total(scripts)).toBeLessThan(budget);
});

/** The compressed sizes of the scripts that a page loads from now on. */
function scriptsOf(page: Page): readonly Promise<number>[] {
  const scripts: Promise<number>[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "script") scripts.push(compressed(response));
  });
  return scripts;
}

async function total(sizes: readonly Promise<number>[]): Promise<number> {
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** As the edge would send it. */
async function compressed(response: Response): Promise<number> {
  return gzipSync(await response.body(), { level: 6 }).length;
}
