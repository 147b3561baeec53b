/**
 * Writes a picture of every page, of every stop of a payment and of a press's way to its readers, to docs/screenshots/:
 * in both schemes and at two widths, from a service of its own. `node bench/screenshots.ts`, or a part of them:
 * `node bench/screenshots.ts 390 dark`. Git ignores the pictures.
 */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { LocalAccount } from "viem";
import * as z from "zod";
import type { Press } from "../core/press/schema.ts";
import { testAccount } from "../local/devnet/accounts.ts";
import { askingPrice, publishers } from "../local/seed/articles.ts";
import { publish, signIn } from "../local/seed/client.ts";
import { editorOf, signInToPublish, writePress } from "../tests/support/browser/publisher.ts";
import { agree, askForText, chooseWallet, readText } from "../tests/support/browser/reader.ts";
import { type Site, startSite } from "../tests/support/browser/site.ts";
import { declining, walletName } from "../tests/support/browser/wallet.ts";

type View = {
  readonly account: LocalAccount;
  readonly width: number;
  readonly scheme: "light" | "dark";
};
type Take = (name: string, fullPage: boolean, page: Page) => Promise<void>;

/** A publisher's way through the site, from the gate to the live press, with what may come between. */
async function photographPublisher(site: Site, view: View, photograph: Take): Promise<void> {
  await photographGate(site, view, photograph);
  // One author in every view: a text that another publisher has sold already would not be approved.
  const author = publishers.find(({ articles }) => articles.includes(askingPrice));
  if (author === undefined) throw new Error("Nobody wrote the article.");
  await using visit = await site.visit({ ...view, account: testAccount(author.account) });
  const { page, context, wallet } = visit;
  const editor = editorOf(page);
  const take = (name: string, fullPage = true) => photograph(name, fullPage, page);
  const top = () => page.evaluate(() => window.scrollTo(0, 0));
  await page.goto("/publish");
  await signInToPublish(page);
  await page.getByRole("link", { name: "Write a press" }).click();
  await editor.stock.selectOption("NVDA");
  await page.getByRole("button", { name: "Find angles for NVDA" }).click();
  await page.getByText("left today").waitFor();
  await top();
  await take("editor-angles");
  await writePress(page, askingPrice);
  await editor.saved.waitFor();
  await page
    .getByRole("button", { name: /^Write a draft/ })
    .first()
    .click();
  await page.getByRole("dialog").waitFor();
  await take("editor-replace", false);
  await page.getByRole("dialog").getByRole("button", { name: "Write the draft" }).click();
  await page.getByRole("button", { name: "Put my text back" }).waitFor();
  await editor.saved.waitFor();
  await top();
  await take("editor-drafted");

  await page.getByRole("button", { name: "Preview the press" }).click();
  await page.getByRole("dialog").getByRole("tab", { name: "Unlocked" }).waitFor();
  await take("editor-whole", false);
  await page.getByRole("dialog").getByRole("tab", { name: "Unlocked" }).click();
  await take("editor-whole-unlocked", false);
  await page.keyboard.press("Escape");
  await editor.body.fill(
    `${await editor.body.inputValue()}\n\n| Quarter | Revenue |\n| --- | --- |\n| Q3 | $57.0bn |\n`,
  );
  await page.getByRole("tab", { name: "Preview" }).click();
  await page.getByRole("tabpanel").getByRole("table").scrollIntoViewIfNeeded();
  await take("editor-table", false);
  await page.getByRole("tab", { name: "Write" }).click();
  await editor.body.fill(`${await editor.body.inputValue()}\n\nNVDA will surely double.\n`);
  await editor.price.fill("2,5");
  await editor.byline.focus();
  await top();
  await take("editor-fault");
  await editor.price.fill("2.5");
  const done = await held(page, "**/api/press/audit");
  await page.getByRole("button", { name: "Run the audit" }).click();
  await page.getByText("The audit is running").waitFor();
  await take("audit-running", false);
  done();
  await page.getByRole("heading", { name: "Audit: Needs revision" }).waitFor();
  await page.getByRole("button", { name: "Show in text" }).first().click();
  await take("audit-place", false);
  await top();
  await take("audit-revise");
  await page.getByRole("button", { name: "Dispute" }).first().click();
  await page.getByLabel("Why this finding is wrong").fill("The sentence quotes a slogan, and says so.");
  await take("audit-dispute", false);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Disputed:").waitFor();
  await page.getByText(/^What was checked/).click();
  await take("audit-disputed", false);

  await conflict(await context.newPage(), page.url(), async () => {
    await editor.headline.fill("What this tab makes of it");
    await page.getByText("This draft was saved elsewhere").waitFor();
    await top();
    await take("editor-conflict");
    await page.getByRole("button", { name: "Keep mine" }).click();
    await editor.saved.waitFor();
  });
  await page.route("**/api/press/save", (route) => route.abort());
  await editor.headline.fill(askingPrice.headline);
  await page.getByRole("heading", { name: "Not saved yet" }).waitFor();
  await top();
  await take("editor-offline");
  await page.unroute("**/api/press/save");
  await editor.preview.fill(askingPrice.preview);
  await editor.body.fill(askingPrice.body);
  await editor.saved.waitFor();
  await page.getByRole("button", { name: "Audit again" }).click();
  await page.getByRole("heading", { name: "Approved, and ready to mint" }).waitFor();
  await page.getByRole("tab", { name: "Preview" }).click();
  await page.getByRole("tabpanel").getByRole("paragraph").first().waitFor();
  await top();
  await take("editor-approved");

  await page.getByRole("link", { name: "Mint it" }).first().click();
  await page.getByRole("button", { name: "Mint it" }).waitFor();
  await take("mint");
  wallet.react(declining("eth_sendTransaction"));
  await page.getByRole("button", { name: "Mint it" }).click();
  await page.getByRole("button", { name: "Ask again" }).waitFor();
  await take("mint-declined");
  wallet.react(undefined);
  const confirmed = await held(page, "**/api/press/minted");
  await page.getByRole("button", { name: "Ask again" }).click();
  await page.getByText("Waiting for the chain").waitFor();
  await top();
  await take("mint-confirming");
  confirmed();
  await page.getByRole("heading", { name: "It is live" }).waitFor();
  await page
    .getByRole("link", { name: /explorer/ })
    .nth(1)
    .waitFor();
  await page.getByRole("region", { name: "Text", exact: true }).getByRole("paragraph").first().waitFor();
  await take("own-press");

  await page.goto("/publish/edit");
  await editor.headline.fill("Half a thought about a stock");
  await page.getByRole("link", { name: "Publish", exact: true }).click();
  await page
    .getByRole("link", { name: /^View and share/ })
    .first()
    .waitFor();
  await take("publish-dashboard");
}

/** What a wallet sees that has published nothing, before and after it signs in. */
async function photographGate(site: Site, view: View, photograph: Take): Promise<void> {
  await using visit = await site.visit(view);
  const { page } = visit;
  await page.goto("/publish");
  await page.getByRole("heading", { name: "Sign in with your wallet" }).waitFor();
  await page.getByRole("button", { name: "Test Wallet" }).waitFor();
  await photograph("publish-signed-out", true, page);
  await signInToPublish(page);
  await page.getByText("Write your first press").waitFor();
  await photograph("publish-empty", true, page);
}

/** The dashboard of a publisher whose presses were bought. */
async function photographOwner(site: Site, view: View, photograph: Take): Promise<void> {
  await using visit = await site.visit(view);
  const { page } = visit;
  await page.goto("/publish");
  await signInToPublish(page);
  await page.getByRole("region", { name: "Payments" }).getByRole("listitem").first().waitFor();
  await photograph("publish-payments", true, page);
}

/** Holds requests back until they are let go. */
async function held(page: Page, path: string): Promise<() => void> {
  const go = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    await go.promise;
    return route.continue();
  });
  return go.resolve;
}

/** Has the draft saved by another tab first. */
async function conflict(other: Page, url: string, then: () => Promise<void>): Promise<void> {
  await other.goto(url);
  const editor = editorOf(other);
  await editor.saved.waitFor();
  await editor.headline.fill("What the other tab makes of it");
  await other.getByText("Not saved yet").waitFor();
  await editor.saved.waitFor();
  await then();
  await other.close();
}

/** A refusal that takes a new signature. */
const refusedCode = "invalid_exact_evm_payload_authorization_valid_before";

const directory = join(import.meta.dirname, "..", "docs", "screenshots");
const widths = [390, 1280] as const;
const schemes = ["light", "dark"] as const;

const asked = new Set(process.argv.slice(2));
const unknown = [...asked].filter((word) => ![...widths, ...schemes].map(String).includes(word));
if (unknown.length > 0) throw new Error(`Only widths and schemes are known, not ${unknown.join(" ")}.`);
const chosen = <Item extends number | string>(all: readonly Item[]) =>
  all.some((one) => asked.has(String(one))) ? all.filter((one) => asked.has(String(one))) : all;

if (asked.size === 0) await rm(directory, { recursive: true, force: true });
await mkdir(directory, { recursive: true });
const site = await startSite(2);
try {
  await publishMore(site);
  let pictures = 0;
  for (const width of chosen(widths)) {
    for (const scheme of chosen(schemes)) pictures += await photograph(site, width, scheme);
  }
  console.log(`${pictures} pictures in docs/screenshots.`);
} finally {
  await site.stop();
  await site.browser.close();
}

/** One visitor's way through the site. Answers how many pictures it left. */
async function photograph(site: Site, width: number, scheme: (typeof schemes)[number]): Promise<number> {
  const account = await site.newWallet(100_000n);
  await using visit = await site.visit({ account, width, scheme });
  const { page } = visit;
  const press = site.presses[0];
  if (press === undefined) throw new Error("There is no press.");
  let pictures = 0;
  const take = async (name: string, fullPage = true, page = visit.page) => {
    await page.evaluate(() => document.fonts.ready);
    if (fullPage) await page.evaluate(() => window.scrollTo(0, 0));
    await page.screenshot({ path: join(directory, `${name}-${width}-${scheme}.png`), fullPage });
    pictures += 1;
  };

  await page.goto("/");
  await page.getByRole("article").first().waitFor();
  await take("list");
  await page.getByRole("searchbox").fill("nothing like it");
  await take("list-nothing");
  await offline(page, "**/api/presses?*", () => take("list-failed"));

  await page.goto(`/stock/${press.stock}`);
  await page.getByRole("slider").waitFor();
  await take("stock");
  await page.goto(`/by/${press.publisher}`);
  await page.getByRole("slider").or(page.getByRole("row").nth(1)).waitFor();
  await take("author");
  await page.goto("/history");
  await page.getByRole("button", { name: walletName }).waitFor();
  await take("history-signed-out");
  await page.goto("/developers");
  await page.getByRole("heading", { name: "Rules" }).waitFor();
  await take("developers");
  await page.goto("/audit");
  await page.getByRole("heading", { name: "How often it is wrong" }).waitFor();
  await take("audit");
  for (const [name, path] of [
    ["terms", "/terms"],
    ["privacy", "/privacy"],
    ["contact", "/contact"],
    ["report", `/report/${press.slug}`],
  ] as const) {
    await page.goto(path);
    await page.getByRole("heading", { level: 2 }).last().waitFor();
    await take(name);
  }
  await page.goto("/nowhere");
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await take("missing");

  await page.goto(`/press/${press.slug}`);
  await page.getByText("The audit found no issues.").waitFor();
  await page.getByRole("button", { name: /^Unlock for / }).waitFor();
  await take("press-locked");
  await noWallet(site, { width, scheme }, press, (other) => take("payment-no-wallet", false, other));
  await askForText(page, press);
  await page.getByRole("button", { name: walletName }).waitFor();
  await take("payment-connect", false);
  await chooseWallet(page);
  await page.getByText("Not enough USDG").waitFor();
  await page.getByRole("img", { name: "QR code of your wallet’s address" }).waitFor();
  await take("payment-funds", false);
  await site.fund(account, 1_000_000n);
  await page.getByRole("button", { name: "Check again" }).click();
  await page.getByText("Your wallet will ask you 2 times:").waitFor();
  await take("payment-review", false);
  await pending(page, () => take("payment-pending", false));
  await page.getByRole("button", { name: "Read it" }).waitFor();
  await take("payment-done", false);
  await readText(page);
  await page.getByRole("button", { name: "Vote onchain" }).waitFor();
  await page.evaluate(() => window.scrollTo(0, 0));
  await take("press-unlocked");
  await page.getByText("Worth it", { exact: true }).click();
  await page.getByRole("button", { name: "Vote onchain" }).click();
  await page.getByText("You voted:").waitFor();
  await take("press-voted");
  await page.goto("/history");
  await page.getByRole("link", { name: /^Receipt/ }).waitFor();
  await take("history");
  await page.getByRole("link", { name: /^Receipt/ }).click();
  await page.getByText("Signed receipt, verified.").nth(1).waitFor();
  await take("receipt");
  await page.goto(`/press/${site.presses[1]?.slug}`);
  await page.getByRole("button", { name: /^Unlock for / }).waitFor();
  await take("press-locked-signed-in", false);
  await page.goto("/sessions");
  await page.getByText("This browser").first().waitFor();
  await take("sessions");
  await page.goto("/history");
  await page.getByRole("link", { name: /^Receipt/ }).waitFor();
  await page.getByRole("button", { name: "0x" }).first().click();
  await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
  await take("account-menu", false);
  await photographHalf(site, { account: await site.newWallet(1_000_000n), width, scheme }, take);
  await photographOwner(site, { account: testAccount(publishers[0]?.account ?? 0), width, scheme }, take);
  await photographPublisher(site, { account: await site.newWallet(0n), width, scheme }, take);
  return pictures;
}

/** Presses of other authors, so that the first page has its parts. */
async function publishMore({ origin, rpcUrl }: Site): Promise<void> {
  const signal = AbortSignal.timeout(120_000);
  for (const { account: number, publisherName, articles } of publishers.slice(1)) {
    const account = testAccount(number);
    const client = await signIn({ origin, signal }, account);
    for (const article of articles) await publish({ client, account, publisherName, rpcUrl }, article);
  }
}

/** The dialog in a browser without a wallet: a desktop's, or a phone's where the page is narrow. */
async function noWallet(
  { visit }: Site,
  view: { readonly width: number; readonly scheme: (typeof schemes)[number] },
  press: Press,
  take: (page: Page) => Promise<void>,
): Promise<void> {
  const userAgent = view.width < 640 ? "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)" : undefined;
  await using other = await visit({ ...view, userAgent, wallet: "none" });
  await askForText(other.page, press);
  await other.page
    .getByRole("dialog")
    .getByRole("link", { name: /MetaMask/ })
    .waitFor();
  if (userAgent === undefined) {
    await other.page
      .getByRole("img", { name: "QR code that opens this page in MetaMask on a phone" })
      .waitFor();
  }
  await take(other.page);
}

/** A purchase whose fee is paid and whose second payment was refused: in the dialog, at the press and in the history. */
async function photographHalf(
  { presses, visit }: Site,
  view: View,
  take: (name: string, fullPage: boolean, page: Page) => Promise<void>,
): Promise<void> {
  const press = presses[1];
  if (press === undefined) throw new Error("There is only one press.");
  await using other = await visit(view);
  const { page, wallet } = other;
  let presented = 0;
  await page.route("**/api/pay/publisher", async (route) => {
    if (route.request().headers()["payment-signature"] === undefined) return route.continue();
    presented += 1;
    if (presented === 1) return route.continue();
    const terms = await route.fetch({ headers: { "content-type": "application/json" } });
    const document = { ...z.looseObject({}).parse(await terms.json()), code: refusedCode };
    return route.fulfill({ status: 402, json: document });
  });
  await askForText(page, press);
  await chooseWallet(page);
  await page.getByText("Your wallet will ask you 2 times:").waitFor();
  wallet.react(declining("eth_signTypedData_v4"));
  await agree(page);
  await page.getByText("You declined in your wallet").waitFor();
  await take("payment-declined", false, page);
  wallet.react(undefined);
  await page.getByRole("button", { name: "Ask again" }).click();
  await page.getByRole("alert").getByText("You paid the platform fee").waitFor();
  await take("payment-half", false, page);
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "Half paid" }).waitFor();
  await take("press-half", false, page);
  await using elsewhere = await visit(view);
  await elsewhere.page.goto("/history");
  await elsewhere.page.getByRole("button", { name: walletName }).click();
  await elsewhere.page.getByRole("region", { name: "Half paid" }).waitFor();
  await take("history-half", true, elsewhere.page);
}

/** What a page shows whose data cannot be read. */
async function offline(page: Page, path: string, take: () => Promise<void>): Promise<void> {
  await page.route(path, (route) => route.abort());
  await page.goto("/");
  await page.getByRole("alert").waitFor();
  await take();
  await page.unroute(path);
}

/** The dialog while the chain has not confirmed the fee. */
async function pending(page: Page, take: () => Promise<void>): Promise<void> {
  const taken = Promise.withResolvers<void>();
  let first = true;
  await page.route("**/api/pay/treasury", async (route) => {
    if (route.request().headers()["payment-signature"] === undefined) return route.continue();
    if (!first) {
      await taken.promise;
      return route.continue();
    }
    first = false;
    const transaction = `0x${"5a".repeat(32)}`;
    return route.fulfill({ status: 503, json: { error: "Waits.", code: "settlement_pending", transaction } });
  });
  await agree(page);
  await page.getByText("You can close this").waitFor();
  await page.getByText("The chain has not confirmed it yet").first().waitFor();
  await take();
  taken.resolve();
}
