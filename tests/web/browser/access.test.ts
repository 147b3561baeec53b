import { afterAll, beforeAll, expect, test } from "vitest";
import { brokenIn, focused, tabTo, tabToControl } from "../../support/browser/access.ts";
import { agree, askForText, chooseWallet, readText, shownText } from "../../support/browser/reader.ts";
import { type Site, startSite } from "../../support/browser/site.ts";
import { walletName } from "../../support/browser/wallet.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite(1);
});
afterAll(() => site.stop());

function press() {
  const [found] = site.presses;
  if (found === undefined) throw new Error("There is no press.");
  return found;
}

test("every page meets WCAG 2.2 AA in both schemes, and fits 320 pixels", async () => {
  await using visit = await site.visit({ width: 320 });
  const { page, faults } = visit;
  const pages = [
    ["/", page.getByRole("article").first()],
    [`/press/${press().slug}`, page.getByText("The audit found no issues.")],
    [`/stock/${press().stock}`, page.getByRole("slider", { name: /^Price of/ })],
    [`/by/${press().publisher}`, page.getByRole("region", { name: "Prices after publication" })],
    ["/history", page.getByRole("button", { name: walletName })],
    ["/sessions", page.getByRole("button", { name: walletName })],
    ["/developers", page.getByRole("heading", { name: "Rules" })],
    ["/audit", page.getByRole("heading", { name: "How often it is wrong" })],
    [`/report/${press().slug}`, page.getByRole("heading", { name: "What was checked" })],
    ["/terms", page.getByRole("heading", { name: "Payments are final" })],
    ["/privacy", page.getByRole("heading", { name: "What we keep" })],
    ["/contact", page.getByText("This copy of the service names no operator.")],
    ["/nowhere", page.getByRole("heading", { name: "Page not found" })],
  ] as const;
  for (const [path, shown] of pages) {
    await page.goto(path);
    await shown.waitFor();
    expect({ path, found: await brokenIn(page) }).toEqual({ path, found: [] });
  }
  expect(faults).toEqual([]);
});

test("so do the payment's dialog at every stop, the text, the vote and the history", async () => {
  const account = await site.newWallet(100_000n);
  await using visit = await site.visit({ account, width: 320 });
  const { page } = visit;
  await askForText(page, press());
  await page.getByRole("button", { name: walletName }).waitFor();
  expect(await brokenIn(page)).toEqual([]);
  await chooseWallet(page);
  await page.getByRole("alert").getByText("Not enough USDG").waitFor();
  expect(await brokenIn(page)).toEqual([]);
  await site.fund(account, 1_000_000n);
  await page.getByRole("button", { name: "Check again" }).click();
  await page.getByText("Your wallet will ask you 2 times:").waitFor();
  expect(await brokenIn(page)).toEqual([]);
  await agree(page);
  await page.getByRole("button", { name: "Read it" }).waitFor();
  expect(await brokenIn(page)).toEqual([]);
  await readText(page);
  await page.getByRole("button", { name: "Vote onchain" }).waitFor();
  expect(await brokenIn(page)).toEqual([]);
  await page.getByRole("button", { name: "0x" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
  expect(await brokenIn(page)).toEqual([]);
  await page.goto("/history");
  await page.getByRole("link", { name: /^Receipt/ }).waitFor();
  expect(await brokenIn(page)).toEqual([]);
  await page.getByRole("link", { name: /^Receipt/ }).click();
  await page.getByRole("button", { name: "Print" }).waitFor();
  expect(await brokenIn(page)).toEqual([]);
});

test("the scheme can be chosen, is kept, and is there before the first paint", async () => {
  await using visit = await site.visit({ scheme: "light" });
  const { page } = visit;
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const masthead = () =>
    page.getByRole("banner").evaluate((element) => getComputedStyle(element).backgroundColor);
  await page.goto("/");
  const light = await paper();
  await page.getByRole("button", { name: /^Colours: system/ }).click();
  await page.getByRole("button", { name: /^Colours: light/ }).click();
  await page.getByRole("button", { name: /^Colours: dark/ }).waitFor();
  const dark = await paper();
  expect(dark).not.toBe(light);
  // The masthead stays above what passes beneath it, and lets nothing of it through.
  expect(await masthead()).toBe(dark);
  await page.reload({ waitUntil: "commit" });
  await page.waitForFunction(() => document.body !== null);
  expect(await paper()).toBe(dark);
});

test("with the keyboard alone, on a narrow window: from the list to the text, the vote and the receipt", async () => {
  const account = await site.newWallet(1_000_000n);
  await using visit = await site.visit({ account, width: 390 });
  const { page, faults } = visit;
  await page.goto("/");
  await page.getByRole("article").first().waitFor();

  await page.keyboard.press("Tab");
  expect(await focused(page)).toBe("Skip to the content");
  await page.keyboard.press("Enter");
  await tabToControl(page, page.getByRole("searchbox"));
  await page.keyboard.type("no such words");
  await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(press().stock);
  await tabTo(page, press().headline);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: press().headline }).waitFor();
  await page.getByRole("button", { name: /^Unlock for/ }).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");

  await tabTo(page, "Unlock for");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: walletName }).waitFor();
  await tabTo(page, walletName);
  expect(await page.evaluate(() => document.activeElement?.closest("[role=dialog]") !== null)).toBe(true);
  await page.keyboard.press("Enter");
  await page.getByText("Your wallet will ask you 2 times:").waitFor();
  await tabTo(page, "Pay $");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Read it" }).waitFor();
  await tabTo(page, "Read it");
  await page.keyboard.press("Enter");
  // What opened the dialog is gone: the focus is where the text begins.
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("text");
  expect((await shownText(page)).length).toBeGreaterThan(500);
  await tabToControl(page, page.getByRole("group", { name: "Your vote" }).getByRole("radio").first());
  await page.keyboard.press("Space");
  await tabTo(page, "Vote onchain");
  await page.keyboard.press("Enter");
  await page.getByText("You voted:").waitFor();
  expect(await brokenIn(page)).toEqual([]);
  await page.goto("/history");
  await page.getByRole("link", { name: /^Receipt/ }).waitFor();
  await tabTo(page, "Receipt");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Print" }).waitFor();
  await tabTo(page, "Print");
  expect(faults).toEqual([]);
});
