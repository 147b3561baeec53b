import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { publishers } from "../../../local/seed/articles.ts";
import { publish, signIn } from "../../../local/seed/client.ts";
import { findFaultsAtBothWidths } from "../../support/browser/access.ts";
import { widthOr } from "../../support/browser/hand.ts";
import { makeKeyboard } from "../../support/browser/keyboard.ts";
import { readShownText } from "../../support/browser/reader.ts";
import { startSite } from "../../support/browser/site.ts";

const site = await startSite();
const { author } = site;

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
  await using desk = await site.visit({
    account: author,
    width: 390,
    session: true,
  });
  const { page } = desk;
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

const longHex = (address: string) =>
  `${address.slice(0, 10).toLowerCase()}…${address.slice(-8).toLowerCase()}`;

test("readers also see the wallets' addresses on every page on which two wallets with similar bylines appear", async () => {
  const [article = expect.unreachable("There is no article to publish.")] = publishers[2]?.articles ?? [];
  const account = await site.newWallet(0n);
  const copyist = account.address.toLowerCase();
  const client = await signIn({ origin: site.origin, signal: AbortSignal.timeout(60_000) }, account);
  const copy = await publish(
    { client, account, publisherName: "Іnеs Саllоwау", rpcUrl: site.rpcUrl },
    article,
  );
  const press = site.findPress();
  expect(press.publisherName).toBe("Ines Calloway");
  await using visit = await site.visit({ width: widthOr(390), wallet: "none" });
  const { page } = visit;
  const both = [longHex(author.address), longHex(copyist)];
  await page.goto("/");
  for (const address of both) await page.getByText(address).first().waitFor();
  await page.goto(`/press/${press.slug}`);
  await page.locator("header").getByText(longHex(author.address)).waitFor();
  await page.goto(`/press/${copy.slug}`);
  await page.locator("header").getByText(longHex(copyist)).waitFor();
  await page.goto(`/stock/${press.stock}`);
  await page.getByRole("article").getByText(longHex(author.address)).first().waitFor();
  await page.goto("/?q=calloway");
  await page.getByRole("link", { name: `Ines Calloway, ${longHex(author.address)}` }).waitFor();
  await page.getByRole("article").getByText(longHex(author.address)).first().waitFor();
  await page.goto(`/by/${copyist}`);
  await page.getByText(copyist, { exact: true }).waitFor();
  await page.getByText("By the name another wallet could be taken for this author.").waitFor();
  expect(await findFaultsAtBothWidths(page)).toEqual([]);
});

test("an author with a keyboard writes a profile, and a reader sees the profile's text, link and picture", async () => {
  await using visit = await site.visit({ account: author, width: widthOr(1280), session: true });
  const { page } = visit;
  const keys = makeKeyboard(page);
  await page.goto(`/by/${author.address}`);
  const text = page.getByRole("textbox", { name: "About you" });
  const link = page.getByRole("textbox", { name: "A link" });
  const button = page.getByRole("button", { name: "Save" });
  const says = "Reads filings at night.";
  await keys.write(text, "This stock is guaranteed to double by Friday.");
  await keys.press(button);
  await page.getByText("A promise of a profit or a price").waitFor();
  expect(await findFaultsAtBothWidths(page)).toEqual([]);
  await keys.write(text, says);
  await keys.write(link, "javascript:alert(1)");
  await keys.press(button);
  await page.getByText("It must be a whole https address").waitFor();
  await keys.write(link, "https://example.com/ines");
  await keys.press(button);
  await page.getByText("Saved. Readers see it within a minute.").waitFor();

  await using reading = await site.visit({ width: widthOr(1280), wallet: "none" });
  const reader = reading.page;
  await reader.goto(`/by/${author.address.toLowerCase()}`);
  const about = reader.getByRole("region", { name: "About the author" });
  await about.getByText(says).waitFor();
  const shown = about.getByRole("link", { name: "example.com" });
  expect(await shown.getAttribute("rel")).toBe("nofollow ugc noopener");
  expect(await shown.getAttribute("href")).toBe("https://example.com/ines");
  expect(await about.locator("svg").count()).toBe(1);
  expect(await reader.getByRole("textbox", { name: "About you" }).count()).toBe(0);
  expect(await findFaultsAtBothWidths(reader)).toEqual([]);
});
