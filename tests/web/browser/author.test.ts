import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { parseRssFeed } from "feedsmith";
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { jobs } from "../../../functions/jobs.ts";
import { getTestAccount } from "../../../local/devnet/accounts.ts";
import { importHandler, invoke } from "../../../local/lambda.ts";
import { askingPrice, publishers } from "../../../local/seed/articles.ts";
import { formatUsdg, splitPrice } from "../../../web/src/format.ts";
import { findFaultsAtBothWidths } from "../../support/browser/access.ts";
import { chooseWidth } from "../../support/browser/hand.ts";
import { makeKeyboard } from "../../support/browser/keyboard.ts";
import { approveDraft, signInToPublish } from "../../support/browser/publisher.ts";
import { openPage, readShownText } from "../../support/browser/reader.ts";
import { startSite } from "../../support/browser/site.ts";
import { publishApproved } from "../../support/demo-press.ts";
import { makeHttpClient } from "../../support/http-payer.ts";

const site = await startSite();
const { author } = site;

const note = "The quarter ended in June, not in July as the second paragraph says.";
const promise = "This stock is guaranteed to double by Friday.";

async function measureTop(part: Locator): Promise<number> {
  const box = await part.boundingBox();
  if (box === null) throw new Error(`${part} is not shown.`);
  return box.y;
}

const userAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0 Safari/537.36";

/** Requests a page like a reader's browser or like another program. */
async function requestPage(path: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const answer = await fetch(new URL(path, site.origin), {
    headers: { "user-agent": userAgent, ...headers },
  });
  expect([path, answer.status]).toEqual([path, 200]);
}

async function countViews(): Promise<void> {
  const job = jobs.find(({ id }) => id === "views-count");
  if (job === undefined) throw new Error("There is no job.");
  await invoke(job, importHandler, randomUUID(), {});
}

test("an author with a keyboard sees how often and from where each article was opened, the payments, each article's monthly income, and how long drafts have waited", async () => {
  const [press, other] = [site.findPress(0), site.findPress(1)];
  await site.buy(await site.newWallet(1_000_000n), press);
  await requestPage(`/press/${press.slug}`);
  for (const _ of [1, 2, 3])
    await requestPage(`/press/${press.slug}`, { referer: "https://www.example.org/list?q=1" });
  const [item] = parseRssFeed(await (await fetch(`${site.origin}/feed.xml`)).text()).items ?? [];
  await requestPage(item?.link ?? "", { referer: "https://feedly.com/" });
  await requestPage(`/press/${press.slug}`, { "user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1)" });
  await requestPage(`/api/presses/${other.slug}`, { "user-agent": "python-httpx/0.28" });
  await countViews();
  // If the job that counts views runs again, it adds no views.
  await countViews();

  const follower = makeHttpClient(site.origin);
  const cookie = await follower.signIn(getTestAccount(2));
  const sent = { cookie, headers: { origin: site.origin } };
  const follow = { kind: "author", id: author.address, name: "Desk", on: true };
  const followed = await follower.ask("/api/me/follows", { body: { base: 0, changes: [follow] }, ...sent });
  expect(followed).toMatchObject({ status: 200 });
  // The author's views and income are shown only to the author.
  expect(await follower.ask("/api/me/views", sent)).toMatchObject({ body: { views: [], followers: 0 } });
  expect(await follower.ask("/api/me/sales", sent)).toMatchObject({ body: { sales: [] } });
  const draft = { ...askingPrice, publisherName: "Desk" };
  const own = { cookie: await follower.signIn(author), headers: { origin: site.origin } };
  expect(await follower.ask("/api/press/save", { body: draft, ...own })).toMatchObject({ status: 200 });

  await using visit = await site.visit({ account: author, width: chooseWidth(390) });
  const { page } = visit;
  const keys = makeKeyboard(page);
  const verified = Promise.withResolvers<void>();
  await page.route("**/api/auth/verify", async (route) => {
    await verified.promise;
    await route.continue();
  });
  await page.goto("/publish");
  await signInToPublish(page);
  // The page is no wider than a telephone's screen while the wallet signs in.
  await page.getByRole("button", { name: "Waiting for your signature" }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(chooseWidth(390));
  verified.resolve();
  const readers = page.getByRole("region", { name: "Readers" });
  await readers.getByRole("img", { name: "6 views in the last 30 days" }).waitFor();
  await readers.getByText("1 wallet follows you.").waitFor();
  const sources = readers.getByRole("region", { name: "Views by source" });
  const readRows = async () =>
    (await sources.getByRole("row").allInnerTexts()).slice(1).map((row) => row.split(/\s*\t\s*/).slice(0, 2));
  expect(await readRows()).toEqual([
    ["example.org", "3"],
    ["Direct, or unknown", "1"],
    ["Feeds", "1"],
    ["Agents and programs", "1"],
  ]);
  await page.getByText(/Waits for an audit\. Saved (just now|\d+ minutes? ago)/).waitFor();
  await page.getByText(/Today a price of [\d.]+ USDG pays for the gas of a read/).waitFor();

  await keys.select(readers.getByLabel("Article"), press.headline);
  await readers.getByRole("img", { name: "5 views in the last 30 days" }).waitFor();
  await readers.getByText("1 unlock, 20.0% of views").waitFor();
  expect(await readRows()).not.toContainEqual(["Agents and programs", "1"]);
  await keys.go(sources);
  const summary = readers.getByText("What these numbers do not say");
  await keys.press(summary);
  await readers.getByText("nobody knows which view led to which unlock").waitFor();
  const months = page.getByRole("region", { name: "Payments by month" });
  const paid = formatUsdg(splitPrice(press.priceUnits).publisher);
  expect(await months.getByRole("row").last().innerText()).toContain(paid);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    keys.press(months.getByRole("button", { name: /^CSV/ })),
  ]);
  expect(download.suggestedFilename()).toMatch(/^payments-\d{4}-\d\d\.csv$/);
  const [head, line] = (await readFile(await download.path(), "utf8")).split("\r\n");
  expect(head).toBe("time,day,press,amount,currency,paidBy,paidTo,transaction");
  expect(line).toMatch(/^(\d{4}-\d\d-\d\d)T[\d:.]+Z,\1,/);
  expect(line).toContain(",USDG,");
  expect(await findFaultsAtBothWidths(page)).toEqual([]);

  const payments = page.getByRole("region", { name: "Payments", exact: true });
  const sale = await payments.getByRole("listitem").first().innerText();
  expect(sale).toContain(press.headline);
  expect(sale).toContain(`${paid} USDG`);
  await payments.getByText("There is nothing to withdraw").waitFor();
  await payments.getByRole("img", { name: /^1 unlock in the last 30 days/ }).waitFor();
  for (const link of [payments.getByRole("link").last(), payments.getByRole("link").first()]) {
    await keys.go(link);
  }
  await keys.press(page.getByRole("link", { name: /^View and share/ }).filter({ hasText: press.headline }));
  await page.getByRole("heading", { level: 1, name: press.headline }).waitFor();
  const earnings = await page.getByRole("region", { name: "Earnings" }).innerText();
  expect(earnings.replace(/\s+/g, " ")).toContain(`${paid} USDG Paid reads 1`);
  expect(await page.title()).toBe(`${press.headline} · Press Market`);
});

// The devnet's gas price is 0.01 gwei. At a gas price of 0.01 gwei, an article must cost at least 0.08 USDG, so that its fee covers the gas
// of a purchase.
test("before a mint and in the dashboard, a publisher sees the lowest price at which the fee covers the gas of a purchase", async () => {
  await using visit = await site.visit({ account: getTestAccount(6), width: 390, session: true });
  const { page } = visit;
  await page.goto("/publish");
  const cheap = await approveDraft(page, { ...askingPrice, priceUsdg: 0.05 });
  const fair = await approveDraft(page, { ...askingPrice, priceUsdg: 0.25 });
  await openPage(page, `/publish/${cheap}/mint`);
  await page
    .getByText(
      "At 0.05 USDG the platform’s 10% does not pay for the gas of a read now: the price must be at least 0.08 USDG.",
    )
    .waitFor();
  expect(await findFaultsAtBothWidths(page)).toEqual([]);
  await openPage(page, `/publish/${fair}/mint`);
  await page.getByText("From 0.08 USDG on, the platform’s 10% pays for the gas of a read").waitFor();
  // The dashboard that the page has loaded may be older than the two drafts, so the page is loaded again.
  await page.goto("/publish");
  await page.getByText("A price below 0.08 USDG does not pay for the gas of a read").waitFor();
  expect(await page.getByText("A price below 0.08 USDG").count()).toBe(1);
});

test("on the screen of a telephone and with only the keyboard, an author corrects an article, changes its price, takes it off sale and puts it back on sale, and readers see each change", async () => {
  const press = site.findPress(1);
  const { headline, slug } = press;
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
  await page.getByText("Reader votes").waitFor();
  const changes = page.getByRole("region", { name: "After publication" });
  const findButton = (name: string) => changes.getByRole("button", { name });
  const correction = changes.getByRole("textbox", { name: "Correction" });
  await keys.write(correction, promise);
  await keys.press(findButton("Add the correction"));
  await changes.getByText(`A promise of a profit or a price: "${promise}" Say what is known`).waitFor();
  expect(await correction.inputValue()).toBe(promise);
  expect(await findFaultsAtBothWidths(page)).toEqual([]);
  await keys.write(correction, "Too short");
  await keys.press(findButton("Add the correction"));
  await changes.getByText("It needs at least 10 characters").waitFor();
  await keys.write(correction, note);
  await keys.press(findButton("Add the correction"));
  const notes = changes.getByRole("region", { name: "Corrections" });
  await notes.getByText(note).waitFor();
  expect(await correction.inputValue()).toBe("");
  const changed = changes.getByText("Changed. Readers see the change within a minute.");
  await changed.waitFor();
  await keys.write(correction, "Words that are not sent yet");
  await changed.waitFor({ state: "detached" });

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
  await keys.press(findButton("Change the price"));
  await changes.getByText("It must be from 0.01 to").waitFor();
  await keys.write(price, String(press.priceUsdg));
  await keys.press(findButton("Change the price"));
  await changes.getByRole("alert").getByText("This is already the price.").waitFor();
  await keys.write(price, "0.9");
  await keys.press(findButton("Change the price"));
  const earnings = page.getByRole("region", { name: "Earnings" });
  await earnings.getByText("0.90 USDG").waitFor();
  await earnings.getByText("Price since").waitFor();
  await reader.reload();
  await reader.getByRole("button", { name: "Unlock for $0.90" }).waitFor();
  await reader.getByText(/^Price since \d+ \w+ \d{4}$/).waitFor();

  const card = reader.getByRole("article").filter({ has: reader.getByRole("link", { name: headline }) });
  await openPage(reader, "/");
  await card.getByText("New author", { exact: true }).waitFor();
  await card.getByText("0.90").waitFor();

  const refusal = { status: 503, json: { error: "the table is busy" } };
  await page.route("**/api/press/unlist", (route) => route.fulfill(refusal), { times: 1 });
  await keys.press(findButton("Take it off sale"));
  await changes.getByRole("alert").getByText("the table is busy.").waitFor();
  await keys.press(findButton("Take it off sale"));
  await findButton("Put it on sale again").waitFor();
  await changes.getByText("The author took this article off sale on").waitFor();
  expect(await page.getByText("Readers can find and unlock it now").count()).toBe(0);
  await reader.goto("/");
  await reader.getByRole("heading", { level: 1 }).waitFor();
  await reader.waitForLoadState("networkidle");
  expect(await reader.getByRole("link", { name: headline }).count()).toBe(0);
  await openPage(reader, `/press/${slug}`);
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
  await keys.press(findButton("Put it on sale again"));
  await findButton("Take it off sale").waitFor();
  await reader.reload();
  await reader.getByRole("button", { name: "Unlock for $0.90" }).waitFor();
  await openPage(reader, "/");
  await card.getByText("New author", { exact: true }).waitFor();
  // The footer links to the page about the ranking; that page says how much the lead story's place costs.
  await makeKeyboard(reader).press(reader.getByRole("link", { name: "How articles are ranked" }));
  await reader.getByRole("heading", { level: 1, name: "How articles are ranked" }).waitFor();
  await reader
    .getByText("With 50 articles on the list, the lead story’s place costs at least 25.00 USDG of fees")
    .waitFor();
  await reader
    .getByText("Right now, with 2 articles on the list, the lead story’s place would cost at least 1.50 USDG")
    .waitFor();
});

const formatLongHex = (address: string) =>
  `${address.slice(0, 10).toLowerCase()}…${address.slice(-8).toLowerCase()}`;

test("if two wallets with similar bylines appear on a page, readers also see the wallets' addresses", async () => {
  const [article = expect.unreachable("There is no article to publish.")] = publishers[2]?.articles ?? [];
  const account = await site.newWallet(0n);
  const copyist = account.address.toLowerCase();
  const copy = await publishApproved(site, account, { ...article, publisherName: "Іnеs Саllоwау" });
  const press = site.findPress();
  expect(press.publisherName).toBe("Ines Calloway");
  await using visit = await site.visit({ width: chooseWidth(390), wallet: "none" });
  const { page } = visit;
  const both = [formatLongHex(author.address), formatLongHex(copyist)];
  await page.goto("/");
  for (const address of both) await page.getByText(address).first().waitFor();
  await openPage(page, `/press/${press.slug}`);
  await page.locator("header").getByText(formatLongHex(author.address)).waitFor();
  await openPage(page, `/press/${copy.slug}`);
  await page.locator("header").getByText(formatLongHex(copyist)).waitFor();
  await openPage(page, `/stock/${press.stock}`);
  await page.getByRole("article").getByText(formatLongHex(author.address)).first().waitFor();
  await openPage(page, "/?q=calloway");
  await page.getByRole("link", { name: `Ines Calloway, ${formatLongHex(author.address)}` }).waitFor();
  await page.getByRole("article").getByText(formatLongHex(author.address)).first().waitFor();
  await openPage(page, `/by/${copyist}`);
  await page.getByText(copyist, { exact: true }).waitFor();
  await page
    .getByText("Because of the name, readers could mistake another wallet for this author.")
    .waitFor();
  expect(await findFaultsAtBothWidths(page)).toEqual([]);
});

test("an author with a keyboard writes a profile, and a reader sees the profile's text, link and picture", async () => {
  await using visit = await site.visit({ account: author, width: chooseWidth(1280), session: true });
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
  await page.getByText("Saved. Readers see the change within a minute.").waitFor();

  await using reading = await site.visit({ width: chooseWidth(1280), wallet: "none" });
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
