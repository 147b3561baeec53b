import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { findFaultsAtBothWidths } from "../../support/browser/access.ts";
import { makeKeyboard } from "../../support/browser/keyboard.ts";
import { readShownText } from "../../support/browser/reader.ts";
import { startSite } from "../../support/browser/site.ts";

const site = await startSite();

const note = "The quarter ended in June, not in July as the second paragraph says.";
const promise = "This stock is guaranteed to double by Friday.";

async function measureTop(part: Locator): Promise<number> {
  const box = await part.boundingBox();
  if (box === null) throw new Error(`${part} is not shown.`);
  return box.y;
}

test("on a telephone an author with a keyboard corrects an article, changes the article's price, takes it off sale and puts it back on sale, and readers see each change", async () => {
  const press = site.findPress(1);
  const { headline, slug, publisher } = press;
  const account = await site.newWallet(1_000_000n);
  const session = await site.buy(account, press);
  await using author = await site.visit({
    account: site.author,
    width: 390,
    session: true,
  });
  const { page } = author;
  const keys = makeKeyboard(page);
  await page.goto(`/publish/${press.id}`);
  await page.getByRole("heading", { level: 1, name: headline }).waitFor();
  const changes = page.getByRole("region", { name: "After publication" });
  const button = (name: string) => changes.getByRole("button", { name });
  const correction = changes.getByRole("textbox", { name: "Correction" });
  await keys.write(correction, promise);
  await keys.press(button("Add the correction"));
  await changes.getByText(`A promise of a profit or a price: "${promise}" Say what is known`).waitFor();
  expect(await correction.inputValue()).toBe(promise);
  expect(await findFaultsAtBothWidths(page)).toEqual([]);
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
  await reader.goto("/");
  await card.getByText("New author", { exact: true }).waitFor();
  await card.getByText("0.90").waitFor();

  await keys.press(button("Take it off sale"));
  await button("Put it on sale again").waitFor();
  await changes.getByText("The author took this article off sale on").waitFor();
  expect(await page.getByText("Readers can find and unlock it now").count()).toBe(0);
  for (const list of ["/", `/by/${publisher}`, `/stock/${press.stock}`]) {
    await reader.goto(list);
    await reader.getByRole("heading", { level: 1 }).waitFor();
    await reader.waitForLoadState("networkidle");
    expect(await reader.getByRole("link", { name: headline }).count(), list).toBe(0);
  }
  await reader.goto(`/press/${slug}`);
  await reader.getByText("The author took this article off sale on").waitFor();
  await reader.getByRole("heading", { name: "Off sale" }).waitFor();
  expect(await reader.getByRole("button", { name: /^Unlock for/ }).count()).toBe(0);
  expect(await findFaultsAtBothWidths(reader)).toEqual([]);
  await using buyer = await site.visit({ account, session, width: 390 });
  await buyer.page.goto(`/press/${slug}`);
  expect((await readShownText(buyer.page)).length).toBeGreaterThan(500);
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
  // The footer links to the page about the ranking, which says how much the first place costs.
  await makeKeyboard(reader).press(reader.getByRole("link", { name: "How articles are ranked" }));
  await reader.getByRole("heading", { level: 1, name: "How articles are ranked" }).waitFor();
  await reader.getByText("With 50 articles on the list the lead costs at least 25.00 USDG of fees").waitFor();
  await reader
    .getByText("Right now, with 2 articles on the list, it would cost at least 1.50 USDG")
    .waitFor();
});
