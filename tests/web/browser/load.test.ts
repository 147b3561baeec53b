import { brotliCompressSync, constants } from "node:zlib";
import type { Page, Response } from "playwright-core";
import { expect, test } from "vitest";
import { makePurse, visitWithPasskeys } from "../../support/browser/purse.ts";
import { readShownText } from "../../support/browser/reader.ts";
import { startSite } from "../../support/browser/site.ts";
import {
  readShift,
  setConnectionSpeed,
  slowLine,
  stillGood,
  watchShifts,
} from "../../support/browser/slow.ts";

const site = await startSite(1, { audited: true });
const press = site.findPress();

/** The maximum number of bytes in the first load of a page, with document, styles, typefaces, script, pictures and data. */
const budget = 200_000;
/** The maximum number of bytes for a page that offers the sign-in at once and therefore also loads the code of the wallets. */
const budgetWithWallets = 300_000;

test.concurrent.for<[name: string, path: string, most?: number]>([
  ["list", "/"],
  ["press", `/press/${press.slug}`],
  ["stock", `/stock/${press.stock}`],
  ["author", `/by/${press.publisher}`],
  ["publisher's page, signed out,", "/publish"],
  ["developers", "/developers"],
  ["audit's report", `/report/${press.slug}`],
  ["history", "/history", budgetWithWallets],
])(
  "on 400 kbit/s the first load of the %s stays within its budget of bytes, sends no request to a wallet, and shifts no part of the page",
  async ([, path, most = budget], { expect }) => {
    await using visit = await site.visit({ width: 390 });
    const { page, wallet } = visit;
    const { readLoads, endLoads } = collectLoads(page);
    await setConnectionSpeed(page, slowLine);
    await page.addInitScript(watchShifts);
    await page.goto(path);
    await page.locator("#root h1").waitFor();
    // On a slow machine the scripts may run so long that the browser reports an idle network before the page has asked for data.
    await expect
      .poll(async () => (await readLoads()).map(({ type }) => type))
      .toEqual(expect.arrayContaining(["document", "stylesheet", "font", "script", "fetch"]));
    await page.waitForLoadState("networkidle");
    const all = await endLoads();
    expect(computeTotal(all)).toBeGreaterThan(100_000);
    expect(computeTotal(all)).toBeLessThan(most);
    expect(wallet.asked).toEqual([]);
    expect(await readShift(page)).toBeLessThan(stillGood);
  },
);

test("the first load of a press with its text also stays within the maximum number of bytes", async () => {
  const account = await site.newWallet(1_000_000n);
  await using visit = await site.visit({ account, session: await site.buy(account, press) });
  const { page } = visit;
  const { endLoads } = collectLoads(page);
  await page.goto(`/press/${press.slug}`);
  await readShownText(page);
  await page.waitForLoadState("networkidle");
  const scripts = (await endLoads()).filter(({ type }) => type === "script");
  expect(computeTotal(scripts)).toBeLessThan(budget);
});

test("an offline app says that a page cannot be loaded, loads the page when the connection is back, and loads the purse's code when a reader makes a purse", async () => {
  // The browser reports each request that fails while the page is offline.
  await using visit = await visitWithPasskeys(site, { faulty: true });
  const { page, context } = visit;
  const scripts = new Set<string>();
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.add(request.url());
  });
  const hasPurse = async () => {
    const texts = await Promise.all([...scripts].map(async (url) => (await fetch(url)).text()));
    return texts.some((text) => text.includes("press-market/purse/v1"));
  };
  await page.goto("/");
  await page.getByRole("article").first().waitFor();
  await page.waitForLoadState("networkidle");
  expect([scripts.size > 0, await hasPurse()]).toEqual([true, false]);
  await context.setOffline(true);
  const offline = page.getByRole("alert").getByText("You seem to be offline");
  await page.getByRole("link", { name: "Developers" }).first().click();
  await offline.waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await offline.waitFor();
  // A page that was opened before is still shown offline.
  await page.getByRole("link", { name: "Articles", exact: true }).click();
  await page.getByRole("article").first().waitFor();
  await page.getByRole("link", { name: "Developers" }).first().click();
  await page.getByRole("alert").waitFor();
  await context.setOffline(false);
  await page.getByRole("heading", { level: 1, name: "For developers and agents" }).waitFor();
  await makePurse(page, site);
  expect(await hasPurse()).toBe(true);
});

type FileLoad = { readonly type: string; readonly size: number };

/** Collects the files that a page loads, until `endLoads` is called. */
function collectLoads(page: Page) {
  const loads: Promise<FileLoad>[] = [];
  const collect = (response: Response) => loads.push(measureLoad(response));
  page.on("response", collect);
  const readLoads = (): Promise<readonly FileLoad[]> => Promise.all(loads);
  const endLoads = () => {
    page.off("response", collect);
    return readLoads();
  };
  return { readLoads, endLoads };
}

/**
 * Counts the bytes of a load in the form in which the edge sends the files: text with Brotli at a medium level, fonts and pictures
 * unchanged.
 */
async function measureLoad(response: Response): Promise<FileLoad> {
  const type = response.request().resourceType();
  const body = await response.body();
  const size =
    type === "font"
      ? body.length
      : brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length;
  return { type, size };
}

function computeTotal(loaded: readonly FileLoad[]): number {
  return loaded.reduce((sum, { size }) => sum + size, 0);
}
