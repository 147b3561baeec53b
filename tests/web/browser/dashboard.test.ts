import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { parseRssFeed } from "feedsmith";
import { expect, test } from "vitest";
import { jobs } from "../../../functions/jobs.ts";
import { testAccount } from "../../../local/devnet/accounts.ts";
import { importHandler, invoke } from "../../../local/lambda.ts";
import { askingPrice } from "../../../local/seed/articles.ts";
import { formatUsdg, splitPrice } from "../../../web/src/format.ts";
import { findFaultsAtBothWidths } from "../../support/browser/access.ts";
import { widthOr } from "../../support/browser/hand.ts";
import { makeKeyboard } from "../../support/browser/keyboard.ts";
import { approve, signInToPublish } from "../../support/browser/publisher.ts";
import { startSite } from "../../support/browser/site.ts";
import { makeHttpClient } from "../../support/http-payer.ts";

const site = await startSite(2);

const userAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0 Safari/537.36";

/** Requests a page as a reader's browser or another program does. */
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
  // When the job that counts views runs again, it adds no views.
  await countViews();

  const { author } = site;
  const follower = makeHttpClient(site.origin);
  const cookie = await follower.signIn(testAccount(2));
  const sent = { cookie, headers: { origin: site.origin } };
  const follow = { kind: "author", id: author.address, name: "Desk", on: true };
  const followed = await follower.ask("/api/me/follows", { body: { base: 0, changes: [follow] }, ...sent });
  expect(followed).toMatchObject({ status: 200 });
  // The author's views and income are shown only to the author.
  expect(await follower.ask("/api/me/views", sent)).toMatchObject({ body: { views: [], followers: 0 } });
  expect(await follower.ask("/api/me/sales", sent)).toMatchObject({ body: { sales: [] } });
  const draft = {
    headline: "A draft that waits",
    stock: "AAPL",
    priceUsdg: 0.5,
    publisherName: "Desk",
    preview: "What the last quarter says about services, and what it leaves out of the picture.",
    body: "word ".repeat(200),
  };
  const own = { cookie: await follower.signIn(author), headers: { origin: site.origin } };
  expect(await follower.ask("/api/press/save", { body: draft, ...own })).toMatchObject({ status: 200 });

  await using visit = await site.visit({ account: author, width: widthOr(390) });
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
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(widthOr(390));
  verified.resolve();
  const readers = page.getByRole("region", { name: "Readers" });
  await readers.getByRole("img", { name: "6 views in the last 30 days" }).waitFor();
  await readers.getByText("1 wallet follows you.").waitFor();
  const sources = readers.getByRole("region", { name: "Views by source" });
  const rows = async () =>
    (await sources.getByRole("row").allInnerTexts()).slice(1).map((row) => row.split(/\s*\t\s*/).slice(0, 2));
  expect(await rows()).toEqual([
    ["example.org", "3"],
    ["Direct, or unknown", "1"],
    ["Feeds", "1"],
    ["Agents and programs", "1"],
  ]);
  await page.getByText("Waits for an audit. Saved just now").waitFor();
  await page.getByText(/Today a price of [\d.]+ USDG pays for the gas of a read/).waitFor();

  await keys.select(readers.getByLabel("Article"), press.headline);
  await readers.getByRole("img", { name: "5 views in the last 30 days" }).waitFor();
  await readers.getByText("1 unlock, 20.0% of views").waitFor();
  expect(await rows()).not.toContainEqual(["Agents and programs", "1"]);
  await keys.go(sources);
  const summary = readers.getByText("What these numbers do not say");
  await keys.press(summary);
  await readers.getByText("nobody knows which view became which unlock").waitFor();
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

// On the devnet the gas price is 0.01 gwei. At this gas price an article must cost at least 0.08 USDG, so that its fee covers the gas of a
// purchase.
test("before a mint and in the dashboard a publisher sees the lowest price at which the fee covers the gas of a purchase", async () => {
  await using visit = await site.visit({ account: testAccount(6), width: 390, session: true });
  const { page } = visit;
  await page.goto("/publish");
  const cheap = await approve(page, { ...askingPrice, priceUsdg: 0.05 });
  const fair = await approve(page, { ...askingPrice, priceUsdg: 0.25 });
  await page.goto(`/publish/${cheap}/mint`);
  await page
    .getByText(
      "At 0.05 USDG the platform’s 10% does not pay for the gas of a read now: that takes 0.08 USDG.",
    )
    .waitFor();
  expect(await findFaultsAtBothWidths(page)).toEqual([]);
  await page.goto(`/publish/${fair}/mint`);
  await page.getByText("From 0.08 USDG on, the platform’s 10% pays for the gas of a read").waitFor();
  await page.goto("/publish");
  await page.getByText("A price below 0.08 USDG does not pay for the gas of a read").waitFor();
  expect(await page.getByText("A price below 0.08 USDG").count()).toBe(1);
});
