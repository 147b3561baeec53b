import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { parseRssFeed } from "feedsmith";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Audited } from "../../../core/audit/schema.ts";
import { Saved } from "../../../core/press/schema.ts";
import { jobs } from "../../../functions/jobs.ts";
import { testAccount } from "../../../local/devnet/accounts.ts";
import { importHandler, invoke } from "../../../local/lambda.ts";
import { askingPrice, publishers } from "../../../local/seed/articles.ts";
import { formatUsdg, splitPrice } from "../../../web/src/format.ts";
import { findFaultsAtBothWidths } from "../../support/browser/access.ts";
import { widthOr } from "../../support/browser/hand.ts";
import { makeKeyboard } from "../../support/browser/keyboard.ts";
import { signInToPublish } from "../../support/browser/publisher.ts";
import { askForText, payNow, readText } from "../../support/browser/reader.ts";
import { type Site, startSite } from "../../support/browser/site.ts";
import { makeHttpClient } from "../../support/http-payer.ts";

vi.setConfig({ testTimeout: 120_000 });

let site: Site;
beforeAll(async () => {
  site = await startSite(2);
});
afterAll(() => site.stop());

const userAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0 Safari/537.36";

/** Requests a page as a reader's browser or another program does. */
async function open(path: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
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

test("an author with a keyboard sees how often and from where each article was opened, each article's monthly income, and how long drafts have waited", async () => {
  const [press, other] = site.presses;
  if (press === undefined || other === undefined) throw new Error("There are no presses.");
  await using reader = await site.visit({ account: await site.newWallet(1_000_000n), userAgent });
  await askForText(reader.page, press);
  await payNow(reader.page);
  await readText(reader.page);
  for (const _ of [1, 2, 3])
    await open(`/press/${press.slug}`, { referer: "https://www.example.org/list?q=1" });
  const [item] = parseRssFeed(await (await fetch(`${site.origin}/feed.xml`)).text()).items ?? [];
  await open(item?.link ?? "", { referer: "https://feedly.com/" });
  await open(`/press/${press.slug}`, { "user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1)" });
  await open(`/api/presses/${other.slug}`, { "user-agent": "python-httpx/0.28" });
  await countViews();
  // Another run of the count adds no views.
  await countViews();

  const author = testAccount(publishers[0]?.account ?? 0);
  await using follower = await site.visit({ account: testAccount(2) });
  await follower.page.goto("/publish");
  await signInToPublish(follower.page);
  await follower.page.getByText("Write your first article").waitFor();
  const followed = await follower.page.evaluate(async (id) => {
    const body = JSON.stringify({ base: 0, changes: [{ kind: "author", id, name: "Desk", on: true }] });
    const headers = { "content-type": "application/json" };
    return (await fetch("/api/me/follows", { method: "POST", headers, body })).status;
  }, author.address);
  expect(followed).toBe(200);

  await using visit = await site.visit({ account: author, width: widthOr(390) });
  const { page, faults } = visit;
  const keys = makeKeyboard(page);
  await page.goto("/publish");
  await signInToPublish(page);
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
  await page.evaluate(async () => {
    const body = {
      headline: "A draft that waits",
      stock: "AAPL",
      priceUsdg: 0.5,
      publisherName: "Desk",
      preview: "What the last quarter says about services, and what it leaves out of the picture.",
      body: "word ".repeat(200),
    };
    const headers = { "content-type": "application/json" };
    await fetch("/api/press/save", { method: "POST", headers, body: JSON.stringify(body) });
  });
  await page.reload();
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
  expect(faults).toEqual([]);
});

test("an author's views and income are shown only to that author", async () => {
  await using visit = await site.visit({ account: testAccount(2) });
  await visit.page.goto("/publish");
  await signInToPublish(visit.page);
  await visit.page.getByText("Write your first article").waitFor();
  const numbers = await visit.page.evaluate(async () =>
    Promise.all(["/api/me/views", "/api/me/sales"].map(async (path) => (await fetch(path)).json())),
  );
  expect(numbers).toEqual([{ views: [], followers: 0 }, { sales: [] }]);
});

test("on a phone the publish page is no wider than the screen while a wallet signs in", async () => {
  await using visit = await site.visit({ account: testAccount(2), width: 390 });
  const { page } = visit;
  let goOn = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await page.route("**/api/auth/verify", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/publish");
  const signedIn = signInToPublish(page);
  await page.getByRole("button", { name: "Waiting for your signature" }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  goOn();
  await signedIn;
});

/** Makes an approved press with the given price. Returns the press's id. */
async function approve(priceUsdg: number): Promise<number> {
  const { ask, signIn } = makeHttpClient(site.origin);
  const cookie = await signIn(testAccount(6));
  const headers = { origin: site.origin };
  const article = { ...askingPrice, priceUsdg, publisherName: "Tomas Reyle" };
  const saved = await ask("/api/press/save", { body: article, cookie, headers });
  const { id } = Saved.parse(saved.body);
  const { status } = Audited.parse((await ask("/api/press/audit", { body: { id }, cookie, headers })).body);
  expect(status).toBe("approved");
  return id;
}

// On the devnet, at a gas price of 0.01 gwei, 0.08 USDG is the lowest price of an article whose fee covers the gas of a purchase.
test("before a mint and in the dashboard a publisher sees from which price the fee covers the gas of a purchase", async () => {
  const [cheap, fair] = [await approve(0.05), await approve(0.25)];
  await using visit = await site.visit({ account: testAccount(6), width: 390 });
  const { page, faults } = visit;
  await page.goto(`/publish/${cheap}/mint`);
  await signInToPublish(page);
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
  expect(await findFaultsAtBothWidths(page)).toEqual([]);
  expect(faults).toEqual([]);
});
