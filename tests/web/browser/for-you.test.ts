import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { findFaultsAtBothWidths } from "../../support/browser/access.ts";
import { widthOr } from "../../support/browser/hand.ts";
import { makeKeyboard } from "../../support/browser/keyboard.ts";
import { signInToPublish } from "../../support/browser/publisher.ts";
import { startSite } from "../../support/browser/site.ts";

const site = await startSite();
const { findPress } = site;

/** Waits until the page has sent all changes to the wallet's list of follows. Returns the revision of the wallet's list of follows. */
const waitUntilSent = (page: Page) =>
  page.waitForFunction(() =>
    Object.entries(localStorage).every(
      ([key, value]) => !key.startsWith("follow:") || JSON.parse(value).sent === true,
    ),
  );

test("after signing in, a reader with a keyboard has the same follows and saved articles on two devices, an item that is removed on one device stays removed on both, and a sign-out removes them from the browser", async () => {
  const width = widthOr(390);
  const account = await site.newWallet(0n);
  await using first = await site.visit({ account, width });
  const { page } = first;
  const keys = makeKeyboard(page);
  await page.goto("/for-you");
  await page.getByText("You follow nobody yet").first().waitFor();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await findFaultsAtBothWidths(page)).toEqual([]);

  await page.goto(`/stock/${findPress(0).stock}`);
  await keys.press(page.getByRole("button", { name: "Follow", exact: true }));
  await page.getByRole("button", { name: "Following" }).waitFor();
  await page.goto(`/press/${findPress(1).slug}`);
  await keys.press(page.getByRole("button", { name: "Save", exact: true }));
  await page.getByRole("button", { name: "Saved" }).waitFor();
  await page.goto("/for-you");
  await page
    .getByRole("region", { name: "Newest" })
    .getByRole("link", { name: findPress(0).headline })
    .waitFor();
  const saved = page.getByRole("region", { name: "Saved articles" });
  await saved.getByRole("link", { name: findPress(1).headline }).waitFor();
  await signInToPublish(page);
  await page.getByRole("region", { name: "Private feed" }).waitFor();
  await waitUntilSent(page);
  // After the page has scrolled, the masthead covers half of a card's link, so axe would report that the link is too small.
  await page.evaluate(() => window.scrollTo(0, 0));
  expect(await findFaultsAtBothWidths(page)).toEqual([]);

  await using second = await site.visit({ account, width });
  const other = second.page;
  await other.goto("/for-you");
  await signInToPublish(other);
  const theirs = other.getByRole("region", { name: "Saved articles" });
  await theirs.getByRole("link", { name: findPress(1).headline }).waitFor();
  await makeKeyboard(other).press(theirs.getByRole("button", { name: /^Remove/ }));
  await theirs.getByText("Nothing is saved").waitFor();
  await waitUntilSent(other);

  await page.reload();
  await saved.getByText("Nothing is saved").waitFor();
  await page
    .getByRole("region", { name: "You follow" })
    .getByRole("link", { name: findPress(0).stock })
    .waitFor();

  await keys.press(page.getByRole("button", { name: "Make an address" }));
  const address = page.getByRole("status").locator("code");
  await address.waitFor();
  const url = (await address.textContent()) ?? "";
  const feed = () => fetch(url);
  expect(await (await feed()).text()).toContain(findPress(0).slug);
  await page.reload();
  await page.getByText("You have an address").waitFor();
  expect(await page.content()).not.toContain(url);
  await keys.press(page.getByRole("button", { name: "End the address" }));
  await page.getByRole("button", { name: "Make an address" }).waitFor();
  expect((await feed()).status).toBe(404);

  // A sign-out removes the wallet's follows from the browser, so the next wallet in that browser does not get them.
  await page.evaluate(() => fetch("/api/auth/logout", { method: "POST" }));
  await page.reload();
  await page.getByText("You follow nobody yet").first().waitFor();
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("follow"))),
  ).toEqual([]);
});
