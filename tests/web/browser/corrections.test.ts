import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testAccount } from "../../../local/devnet/accounts.ts";
import { publishers } from "../../../local/seed/articles.ts";
import { findFaultsAtBothWidths } from "../../support/browser/access.ts";
import { makeKeyboard } from "../../support/browser/keyboard.ts";
import { signInToPublish } from "../../support/browser/publisher.ts";
import { askForText, payNow, readShownText, readText } from "../../support/browser/reader.ts";
import { type Site, startSite } from "../../support/browser/site.ts";
import { makeHttpClient } from "../../support/http-payer.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());

const note = "The quarter ended in June, not in July as the second paragraph says.";
const promise = "This stock is guaranteed to double by Friday.";

/** Expects that the page meets WCAG 2.2 AA and fits its window at both widths. Afterwards the window is 390 pixels wide. */
async function expectAccessible(page: Page, what: string): Promise<void> {
  expect({ what, found: await findFaultsAtBothWidths(page) }).toEqual({ what, found: [] });
}

async function measureTop(part: Locator): Promise<number> {
  const box = await part.boundingBox();
  if (box === null) throw new Error(`${part} is not shown.`);
  return box.y;
}

test("on a telephone an author with a keyboard corrects an article, changes the article's price, takes it off sale and puts it back on sale, and readers see each change", async () => {
  const press = site.presses[1];
  if (press === undefined) throw new Error("There is no such press.");
  const { headline, slug, publisher } = press;
  await using buyer = await site.visit({ account: await site.newWallet(1_000_000n), width: 390 });
  await askForText(buyer.page, press);
  await payNow(buyer.page);
  const sold = await readText(buyer.page);

  await using author = await site.visit({ account: testAccount(publishers[0]?.account ?? 0), width: 390 });
  const { page } = author;
  const keys = makeKeyboard(page);
  await page.goto(`/publish/${press.id}`);
  await signInToPublish(page);
  await page.getByRole("heading", { level: 1, name: headline }).waitFor();
  const changes = page.getByRole("region", { name: "After publication" });
  const button = (name: string) => changes.getByRole("button", { name });
  const correction = changes.getByRole("textbox", { name: "Correction" });
  await keys.write(correction, promise);
  await keys.press(button("Add the correction"));
  await changes.getByText(`A promise of a profit or a price: "${promise}" Say what is known`).waitFor();
  expect(await correction.inputValue()).toBe(promise);
  await expectAccessible(page, "a refused correction");
  await keys.write(correction, "Too short");
  await keys.press(button("Add the correction"));
  await changes.getByText("It needs at least 10 characters").waitFor();
  await keys.write(correction, note);
  await keys.press(button("Add the correction"));
  const notes = changes.getByRole("region", { name: "Corrections" });
  await notes.getByText(note).waitFor();
  expect(await correction.inputValue()).toBe("");
  await changes.getByText("Changed. Readers see it within a minute.").waitFor();

  await using stranger = await site.visit({ width: 390, wallet: "none" });
  const reader = stranger.page;
  await reader.goto(`/press/${slug}`);
  const shown = reader.getByRole("region", { name: "Corrections" });
  await shown.getByText(/^Correction, \d+ \w+ \d{4}:$/).waitFor();
  await shown.getByText(note).waitFor();
  expect(await measureTop(shown)).toBeLessThan(
    await measureTop(reader.getByText(press.preview, { exact: true })),
  );
  await reader.locator("header").getByText("New author", { exact: true }).waitFor();
  expect(await reader.getByText(/Price since/).count()).toBe(0);
  await expectAccessible(reader, "an article with a correction");

  const price = changes.getByRole("textbox", { name: "New price in USDG" });
  await keys.write(price, "a dollar");
  await keys.press(button("Change the price"));
  await changes.getByText("It must be from 0.01 to").waitFor();
  await keys.write(price, String(press.priceUsdg));
  await keys.press(button("Change the price"));
  await changes.getByText("This is the price already.").waitFor();
  await keys.write(price, "0.9");
  await keys.press(button("Change the price"));
  const earnings = page.getByRole("region", { name: "Earnings" });
  await earnings.getByText("0.90 USDG").waitFor();
  await earnings.getByText("Price since").waitFor();
  await reader.reload();
  await reader.getByRole("button", { name: "Unlock for $0.90" }).waitFor();
  await reader.getByText(/^Price since \d+ \w+ \d{4}$/).waitFor();

  const card = reader.getByRole("article").filter({ has: reader.getByRole("link", { name: headline }) });
  const lists = ["/", `/by/${publisher}`, `/stock/${press.stock}`];
  for (const list of lists) {
    await reader.goto(list);
    await card.getByText("New author", { exact: true }).waitFor();
    await card.getByText("0.90").waitFor();
  }

  await keys.press(button("Take it off sale"));
  await button("Put it on sale again").waitFor();
  await changes.getByText("The author took this article off sale on").waitFor();
  expect(await page.getByText("Readers can find and unlock it now").count()).toBe(0);
  await expectAccessible(page, "an own article that is off sale");
  for (const list of lists) {
    await reader.goto(list);
    await reader.getByRole("heading", { level: 1 }).waitFor();
    await reader.waitForLoadState("networkidle");
    expect(await reader.getByRole("link", { name: headline }).count(), list).toBe(0);
  }
  await reader.goto(`/press/${slug}`);
  await reader.getByText("The author took this article off sale on").waitFor();
  await reader.getByRole("heading", { name: "Off sale" }).waitFor();
  expect(await reader.getByRole("button", { name: /^Unlock for/ }).count()).toBe(0);
  await expectAccessible(reader, "an article that is off sale");
  await buyer.page.reload();
  expect(await readShownText(buyer.page)).toBe(sold);
  await buyer.page.getByText("The author took this article off sale on").waitFor();
  await keys.press(page.getByRole("link", { name: "Publish" }));
  await page.getByText("Off sale", { exact: true }).first().waitFor();

  await keys.press(page.getByRole("link", { name: /^View and share/ }).filter({ hasText: headline }));
  await keys.press(button("Put it on sale again"));
  await button("Take it off sale").waitFor();
  await reader.reload();
  await reader.getByRole("button", { name: "Unlock for $0.90" }).waitFor();
  await reader.goto("/");
  await card.getByText("New author", { exact: true }).waitFor();
  expect([...author.faults, ...buyer.faults, ...stranger.faults]).toEqual([]);
});

test("the footer links to the page about the ranking, which says how much the first place costs", async () => {
  await using visit = await site.visit({ width: 390 });
  const { page, faults } = visit;
  await page.goto(`/by/${site.presses[0]?.publisher}`);
  await page.getByRole("article").first().waitFor();
  await makeKeyboard(page).press(page.getByRole("link", { name: "How articles are ranked" }));
  await page.getByRole("heading", { level: 1, name: "How articles are ranked" }).waitFor();
  await page.getByText("With 50 articles on the list the lead costs at least 25.00 USDG of fees").waitFor();
  await page.getByText("Right now, with 2 articles on the list, it would cost at least 1.50 USDG").waitFor();
  await expectAccessible(page, "the ranking");
  expect(faults).toEqual([]);
});

test("a reader who has paid the fee is asked for the rest of the old price even after the author has raised the price", async () => {
  const [press] = site.presses;
  if (press === undefined) throw new Error("There is no press.");
  const { ask, signIn } = makeHttpClient(site.origin);
  const cookie = await signIn(testAccount(publishers[0]?.account ?? 0));
  const reprice = async (priceUsdg: number) => {
    const headers = { origin: site.origin };
    expect(
      await ask("/api/press/price", { body: { id: press.id, priceUsdg }, cookie, headers }),
    ).toMatchObject({
      status: 200,
    });
  };
  await reprice(0.4);
  await using visit = await site.visit({ account: await site.newWallet(1_000_000n) });
  const { page } = visit;
  // The first payment request to the publisher finds the fee unpaid. The second request, after the fee is paid, is refused.
  let presented = 0;
  await page.route("**/api/pay/publisher", async (route) => {
    if (route.request().headers()["payment-signature"] === undefined) return route.continue();
    presented += 1;
    if (presented === 1) return route.continue();
    const terms = await route.fetch({ headers: { "content-type": "application/json" } });
    const code = "invalid_exact_evm_payload_authorization_valid_before";
    return route.fulfill({ status: 402, json: { ...(await terms.json()), code } });
  });
  await askForText(page, press);
  await payNow(page);
  await page.getByRole("alert").getByText("You paid the platform fee of $0.04.").waitFor();
  await page.unroute("**/api/pay/publisher");
  await reprice(0.8);
  await page.goto(`/press/${press.slug}`);
  await page.getByRole("heading", { name: "Half paid" }).waitFor();
  await page.getByRole("button", { name: "Pay the remaining $0.36" }).click();
  await page.getByRole("button", { name: "Pay $0.36" }).click();
  await readText(page);
});
