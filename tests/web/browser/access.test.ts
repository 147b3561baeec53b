import { expect, test } from "vitest";
import { expectAccessible, readFocused } from "../../support/browser/access.ts";
import { activate, chooseWidth } from "../../support/browser/hand.ts";
import { makeKeyboard } from "../../support/browser/keyboard.ts";
import { agreeToPay, chooseWallet, openPage, readText } from "../../support/browser/reader.ts";
import { startSite } from "../../support/browser/site.ts";
import { slowDown } from "../../support/browser/slow.ts";
import { walletName } from "../../support/browser/wallet.ts";

const site = await startSite(1, { audited: true });
const { findPress } = site;

test("every page meets WCAG 2.2 AA in both colour schemes, and fits a width of 320 pixels", async () => {
  await using visit = await site.visit({ width: 320 });
  const { page } = visit;
  const findHeading = (name: string) => page.getByRole("heading", { name });
  const pages = [
    ["/", page.getByRole("article").first()],
    [`/press/${findPress().slug}`, page.getByRole("slider", { name: /at publication and is/ })],
    [`/stock/${findPress().stock}`, page.getByRole("slider", { name: /^Price of/ })],
    [`/by/${findPress().publisher}`, page.getByRole("region", { name: "Prices after publication" })],
    ["/history", page.getByRole("button", { name: walletName })],
    ["/sessions", page.getByText("Only you can see your sessions.")],
    ["/developers", findHeading("Rules")],
    ["/ranking", findHeading("What buying the lead story’s place would cost")],
    ["/audit", findHeading("How often the audit is wrong")],
    [`/report/${findPress().slug}`, findHeading("What was checked")],
    ["/nowhere", findHeading("Page not found")],
    ["/terms", findHeading("Payments are final")],
    ["/privacy", findHeading("What we keep")],
    ["/contact", page.getByText("This copy of the service names no operator.")],
  ] as const;
  for (const [path, shown] of pages) {
    // The app opens its pages without loading a new document. The last three pages in the list are also built as separate documents without
    // a script.
    if (["/terms", "/privacy", "/contact"].includes(path)) await page.goto(path);
    else await openPage(page, path);
    await shown.waitFor();
    await expectAccessible(page, path);
  }
});

test("a reader can choose the colour scheme, which is stored and applied before the first paint", async () => {
  await using visit = await site.visit({ scheme: "light" });
  const { page } = visit;
  const readPaperColour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const readMastheadColour = () =>
    page.getByRole("banner").evaluate((element) => getComputedStyle(element).backgroundColor);
  await page.goto("/");
  const light = await readPaperColour();
  await activate(page.getByRole("button", { name: /^Colours: system/ }));
  await activate(page.getByRole("button", { name: /^Colours: light/ }));
  await page.getByRole("button", { name: /^Colours: dark/ }).waitFor();
  const dark = await readPaperColour();
  expect(dark).not.toBe(light);
  // The masthead covers the content that scrolls under the masthead.
  expect(await readMastheadColour()).toBe(dark);
  await page.reload({ waitUntil: "commit" });
  const painted = await page.waitForFunction(
    () => performance.getEntriesByType("paint").length > 0 && getComputedStyle(document.body).backgroundColor,
  );
  expect(await painted.jsonValue()).toBe(dark);
});

/** Tells whether a wallet asks its user before the wallet answers the given method. */
const needsConsent = (method: string) => /^(personal|wallet_(switch|add)|eth_(sign|send))/.test(method);

test("a reader with a keyboard and a slow connection pays exactly the price by two signatures, reads the text, votes and sees the receipt, and every page on the way is accessible", async () => {
  const account = await site.newWallet(1_000_000n);
  await using visit = await site.visit({ account, width: chooseWidth(1280) });
  const { page, wallet } = visit;
  const keys = makeKeyboard(page);
  const slow = await slowDown(page);
  await page.goto("/");
  await page.getByRole("article").first().waitFor();

  const skip = page.getByRole("link", { name: "Skip to the content" });
  await keys.press(skip);
  await keys.write(page.getByRole("searchbox"), "no such words");
  await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
  await keys.write(page.getByRole("searchbox"), findPress().stock);
  const found = page.getByRole("region", { name: "Articles" });
  await keys.press(found.getByRole("link", { name: findPress().headline }));
  await page.getByRole("heading", { level: 1, name: findPress().headline }).waitFor();
  const buy = page.getByRole("button", { name: /^Unlock for/ });
  await buy.waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");

  // A dialog keeps the focus inside until it closes, and then returns the focus to the element that had the focus before.
  await keys.press(buy);
  const dialog = page.getByRole("dialog");
  const choice = dialog.getByRole("button", { name: walletName });
  for (const control of [choice, dialog.getByRole("button", { name: "Close" }), choice]) {
    await keys.go(control);
  }
  await expectAccessible(page, "the choice of a wallet", 320);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await expect.poll(() => readFocused(page)).toMatch(/^Unlock for/);

  await keys.press(buy);
  await chooseWallet(page, keys);
  await page.getByText("Your wallet will ask you 2 times:").waitFor();
  await page.getByText("You need no approval and no ETH").waitFor();
  // A wallet's address is always shown in lower case, whatever its case in the wallet and in the session.
  const address = account.address.toLowerCase();
  const face = page.locator("header:has(nav)").getByText(`${address.slice(0, 6)}…${address.slice(-4)}`);
  expect(await face.count()).toBe(1);
  expect(wallet.asked.filter(needsConsent)).toEqual([]);
  await expectAccessible(page, "what the wallet will ask", 320);
  await agreeToPay(page, keys);
  await page.getByRole("button", { name: "Read it" }).waitFor();
  await expectAccessible(page, "a payment that is made", 320);
  expect((await readText(page, keys)).length).toBeGreaterThan(500);
  expect(await face.count()).toBe(1);
  expect(wallet.asked.filter(needsConsent)).toEqual(["eth_signTypedData_v4", "eth_signTypedData_v4"]);
  expect(await site.usdgOf(account)).toBe(1_000_000n - BigInt(findPress().priceUnits));
  // After the dialog has closed, the focus is at the start of the article's text, because the button that opened the dialog no longer
  // exists.
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("text");
  await keys.choose(page.getByRole("group", { name: "Your vote" }).getByRole("radio").first());
  await keys.press(page.getByRole("button", { name: "Vote onchain" }));
  await page.getByText("You voted:").waitFor();
  await expectAccessible(page, "the text with a vote", 320);
  await keys.press(page.getByRole("link", { name: "History" }));
  const receipt = page.getByRole("link", { name: /^Receipt/ });
  await keys.go(receipt);
  await expectAccessible(page, "the history", 320);
  await keys.press(receipt);
  await keys.go(page.getByRole("button", { name: "Print" }));
  await expectAccessible(page, "the receipt", 320);
  await keys.press(page.getByRole("button", { name: /^0x/ }));
  await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
  await expectAccessible(page, "the wallet's menu", 320);
  for (let steps = 0; steps < 9 && (await readFocused(page)).trim() !== "Sign out"; steps += 1) {
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
  await keys.go(page.getByRole("button", { name: /^0x/ }));
  expect(slow).toEqual([]);
});
