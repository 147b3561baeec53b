import { expect, test } from "vitest";
import { publishers } from "../../../local/seed/articles.ts";
import { publish, signIn } from "../../../local/seed/client.ts";
import { findFaultsAtBothWidths } from "../../support/browser/access.ts";
import { widthOr } from "../../support/browser/hand.ts";
import { makeKeyboard } from "../../support/browser/keyboard.ts";
import { startSite } from "../../support/browser/site.ts";

const [, , third] = publishers;
const site = await startSite();
const { author } = site;
const [article] = third?.articles ?? [];
if (article === undefined) throw new Error("There is no article to publish");
const account = await site.newWallet(0n);
const copyist = account.address.toLowerCase();
const client = await signIn({ origin: site.origin, signal: AbortSignal.timeout(60_000) }, account);
const publisherName = "Іnеs Саllоwау";
const copy = await publish({ client, account, publisherName, rpcUrl: site.rpcUrl }, article);

const longHex = (address: string) =>
  `${address.slice(0, 10).toLowerCase()}…${address.slice(-8).toLowerCase()}`;

test("readers also see the wallets' addresses on every page on which two wallets with similar bylines appear", async () => {
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
