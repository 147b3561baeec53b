import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import * as z from "zod";
import { startBedrock } from "../../../local/bedrock/index.ts";
import { getTestAccount } from "../../../local/devnet/accounts.ts";
import { askingPrice } from "../../../local/seed/articles.ts";
import { keepingPause } from "../../../web/src/publish/editor/draft.ts";
import { expectAccessible, readFocused } from "../../support/browser/access.ts";
import { activate, chooseWidth } from "../../support/browser/hand.ts";
import { makeKeyboard } from "../../support/browser/keyboard.ts";
import {
  approveDraft,
  findEditorFields,
  openDraft,
  openMarkdown,
  signInToPublish,
} from "../../support/browser/publisher.ts";
import { openPage } from "../../support/browser/reader.ts";
import { startSite } from "../../support/browser/site.ts";
import { countSeconds } from "../../support/browser/slow.ts";
import { makeDecline, walletName } from "../../support/browser/wallet.ts";
import { hostileTexts } from "../../support/hostile-texts.ts";
import { makeHttpClient } from "../../support/http-payer.ts";

let outage = false;
const down = { status: 400, type: "ValidationException", message: "The model is down." };
const model = await startBedrock({ fault: () => (outage ? down : undefined) });
afterAll(model.stop);
const site = await startSite(1, { detours: { model: () => model.endpoint } });

const promise = "NVDA will surely double.";

test("a publisher with a keyboard chooses an angle for an article, publishes the article and loses nothing by a reload, and all pages on the way are accessible", async () => {
  // The publisher's wallet holds the stock.
  await using visit = await site.visit({ account: getTestAccount(1), width: chooseWidth(390) });
  const { page, wallet } = visit;
  const keys = makeKeyboard(page);
  const findButton = (name: string | RegExp) => page.getByRole("button", { name });
  const editor = findEditorFields(page);
  await page.goto("/publish");
  await page.getByRole("heading", { name: "Sign in with your wallet" }).waitFor();
  await page.getByText("and get 90% of it from each reader").waitFor();
  await expectAccessible(page, "the gate");
  await keys.press(findButton("Choose a wallet"));
  await keys.press(findButton(walletName));
  await page.getByText("Write your first article").waitFor();

  await keys.press(page.getByRole("link", { name: "Write an article" }));
  const stock = page.getByLabel("Stock", { exact: true }).and(page.locator("select"));
  await keys.select(stock, "NVDA");
  await keys.press(findButton("Find angles for NVDA"));
  await page.getByText("5 AI drafts left today").waitFor();
  const angles = page.getByRole("list", { name: "Angles" }).getByRole("listitem");
  const news = angles.filter({ hasText: "News" }).first();
  expect(await news.getByRole("link").getAttribute("href")).toMatch(/^https:/);
  expect(await news.getByRole("time").count()).toBe(1);
  await expectAccessible(page, "the editor with angles");
  await keys.write(editor.byline, "Test Draft");
  await keys.write(editor.price, "0.25");
  const split = await page.getByRole("region", { name: "Per read" }).innerText();
  expect(split.match(/[\d.]+ USDG/g)).toEqual(["0.225 USDG", "0.025 USDG"]);
  const chooseOther = () => stock.selectOption("AAPL");
  await page.route("**/api/draft/generate", (route) => chooseOther().then(() => route.continue()));
  await keys.press(news.getByRole("button", { name: /^Write a draft/ }));
  await page.getByText("The draft is in the editor.").waitFor();
  expect(await stock.inputValue()).toBe("NVDA");
  await editor.saved.waitFor();
  expect(page.url()).toMatch(/\/publish\/edit\?id=\d+$/);
  await page.getByText("AI-assisted", { exact: true }).waitFor();
  await page.getByText("4 AI drafts left today").waitFor();
  expect(await page.getByRole("region", { name: "Written from" }).getByRole("link").count()).toBeGreaterThan(
    0,
  );

  for (const text of [editor.headline, editor.preview]) await keys.write(text, await text.inputValue());
  await keys.press(findButton("Add the disclosure"));
  await showView(page, "Markdown");
  const written = await editor.body.inputValue();
  await keys.write(editor.body, `${written}\n${promise}\n`);
  await keys.press(findButton("Run the audit"));
  await page.getByRole("heading", { name: "Audit: Needs revision" }).waitFor();
  await page.getByText("7 of 8 audits left").waitFor();
  await page.getByText("Promises of returns", { exact: true }).first().waitFor();
  await page.getByText(`"${promise}" Say what is known`).waitFor();
  await expectAccessible(page, "the editor with a report");
  await showView(page, "Article");
  await page
    .locator(".finding")
    .filter({ hasText: promise.slice(0, -1) })
    .waitFor();
  const finding = page.getByRole("listitem").filter({ hasText: "A promise" });
  await keys.press(finding.getByRole("button", { name: "Dispute" }));
  expect(await finding.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
  await keys.write(finding.getByLabel("Why this finding is wrong"), "It is a slogan that the text quotes.");
  await expectAccessible(page, "a finding that is being disputed");
  await keys.press(finding.getByRole("button", { name: "Save" }));
  await finding.getByText("Disputed: It is a slogan that the text quotes.").waitFor();
  await keys.press(finding.getByRole("button", { name: "Withdraw it" }));
  await finding.getByText("Disputed:").waitFor({ state: "detached" });
  await keys.press(finding.getByRole("button", { name: "Show in text" }));
  expect(await readSelection(page)).toBe(promise.slice(0, -1));

  await keys.press(finding.getByRole("button", { name: "Remove the sentence" }));
  await page.getByText("The text has changed since this audit.").waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.role)).toBe("textbox");
  await showView(page, "Markdown");
  expect((await editor.body.inputValue()).trim()).toBe(written.trim());
  await showView(page, "Article");
  await keys.press(findButton("Audit again"));
  await page.getByRole("heading", { name: "Approved, and ready to mint" }).waitFor();
  expect(await editor.body.getAttribute("aria-readonly")).toBe("true");
  await expectAccessible(page, "the approved press");

  await keys.press(page.getByRole("link", { name: "Mint it" }).first());
  wallet.react(makeDecline("eth_sendTransaction"));
  await page.getByText("The text is final.").waitFor();
  await page.getByText(/Gas costs at most about 0\.0*[1-9]\d* ETH/).waitFor();
  await expectAccessible(page, "the mint before it begins");
  await keys.press(findButton("Mint it"));
  await page.getByRole("alert").getByText("You declined in your wallet").waitFor();
  wallet.react(undefined);
  await page.route("**/api/press/minted", (route) =>
    route.fulfill({ status: 503, json: { error: "Wait.", code: "mint_pending", retryAfter: 1 } }),
  );
  await keys.press(findButton("Ask again"));
  await page.getByText("Waiting for the chain…").waitFor();
  await page.unroute("**/api/press/minted");
  await page.reload();
  await page.getByRole("heading", { name: "It is live" }).waitFor();
  expect(wallet.asked.filter((method) => method === "eth_sendTransaction")).toHaveLength(2);

  const onchain = page.getByRole("region", { name: "Onchain" });
  await onchain
    .getByRole("link", { name: /explorer/ })
    .nth(1)
    .waitFor();
  await expectAccessible(page, "the own live press");
  await keys.go(findButton(/^Copy/));
  const shared = await page.getByText(/^http.*\/press\//).innerText();
  await keys.press(page.getByRole("link", { name: "Publish" }));
  await keys.go(page.getByRole("link", { name: /^View and share/ }));
  await expectAccessible(page, "the dashboard");
  await openPage(page, shared);
  await page
    .getByRole("region", { name: "Full text", exact: true })
    .getByText("Disclosure: the author")
    .waitFor();
});

test("a text that is approved a second time is locked again", async () => {
  await using one = await openDraft(site, 3);
  const { page, editor } = one;
  const expectLocked = async () => {
    await page.getByRole("heading", { name: "Approved, and ready to mint" }).waitFor();
    expect(await editor.body.getAttribute("aria-readonly")).toBe("true");
  };
  await activate(page.getByRole("button", { name: "Run the audit" }));
  await expectLocked();
  await activate(page.getByRole("button", { name: "Edit it again" }));
  const unlocked = page.getByRole("heading", { name: "You are editing an approved article" });
  await unlocked.waitFor();
  await editor.price.fill("0.3");
  await unlocked.waitFor({ state: "detached" });
  await activate(page.getByRole("button", { name: "Audit again" }));
  await expectLocked();
});

test("if the chain has never seen a mint's transaction, the publisher can send another transaction at once", async () => {
  await using visit = await site.visit({ account: getTestAccount(5) });
  const { page, wallet } = visit;
  await page.goto("/publish");
  await signInToPublish(page);
  await page.getByText("Write your first article").waitFor();
  await openPage(page, `/publish/${await approveDraft(page, askingPrice)}/mint`);
  await page.route(
    "**/api/press/minted",
    (route) => route.fulfill({ status: 400, json: { error: "Not found.", code: "transaction_not_found" } }),
    { times: 1 },
  );
  await activate(page.getByRole("button", { name: "Mint it" }));
  const alert = page.getByRole("alert").filter({ hasText: "The chain has not seen this transaction" });
  await activate(alert.getByRole("button", { name: "Send another transaction" }));
  await page.getByRole("heading", { name: "It is live" }).waitFor();
  expect(wallet.asked.filter((method) => method === "eth_sendTransaction")).toHaveLength(2);
});

/** Selects one of the editor's tabs with the keyboard. */
async function showView(page: Page, name: "Article" | "Markdown"): Promise<void> {
  const keys = makeKeyboard(page);
  await keys.go(page.getByRole("tab", { name: name === "Article" ? "Markdown" : "Article" }));
  await page.keyboard.press(name === "Article" ? "ArrowLeft" : "ArrowRight");
  await expect.poll(() => readFocused(page)).toBe(name);
  await page.keyboard.press("Enter");
  // Both views are visible for a moment.
  await expect.poll(() => findEditorFields(page).body.count()).toBe(1);
}

/** Returns the selected words in the focused field. */
function readSelection(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const field = document.activeElement;
    return field instanceof HTMLTextAreaElement
      ? field.value.slice(field.selectionStart, field.selectionEnd)
      : getSelection()?.toString();
  });
}

test("a text that is written offline survives a reload, does not overwrite what another tab has saved meanwhile, and is kept even if the writer chooses the other tab's text", async () => {
  await using one = await openDraft(site, 2);
  const { page, editor } = one;
  const second = await page.context().newPage();
  const other = findEditorFields(second);
  await second.goto(page.url());
  await other.saved.waitFor();
  const saveElsewhere = async (headline: string) => {
    await second.bringToFront();
    await other.headline.fill(headline);
    await other.saved.waitFor();
    await page.bringToFront();
  };
  const expectHeadline = (text: string) => expect.poll(() => editor.headline.inputValue()).toBe(text);
  const [train, elsewhere] = [
    "Bid, ask and mid, written on the train",
    "Bid, ask and mid, from the other tab",
  ];
  await page.addInitScript(breakSaves);
  await page.evaluate(breakSaves);
  await page.evaluate(() => sessionStorage.setItem("offline", "yes"));
  await editor.headline.fill(train);
  await page.getByRole("heading", { name: "Not saved yet" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Not saved yet" }).waitFor();
  await expectHeadline(train);
  await saveElsewhere(elsewhere);
  await page.evaluate(() => {
    sessionStorage.removeItem("offline");
    window.dispatchEvent(new Event("online"));
  });
  const conflict = page.getByRole("alert").filter({ hasText: "This draft was saved elsewhere" });
  await conflict.getByText("from the other tab").waitFor();
  expect(await conflict.innerText()).toContain("Differs in: Headline");
  await expectAccessible(page, "a conflict");
  await activate(conflict.getByRole("button", { name: "Take theirs" }));
  await editor.saved.waitFor();
  await expectHeadline(elsewhere);
  // The text that the writer did not choose is kept across a reload, and can still be chosen.
  await page.reload();
  await page.getByText("written on the train”").waitFor();
  await expectAccessible(page, "the text that was not chosen");
  await activate(page.getByRole("button", { name: "Exchange the two texts" }));
  await expectHeadline(train);
  await editor.saved.waitFor();

  await second.reload();
  await other.saved.waitFor();
  await saveElsewhere("Bid, ask and mid, from the other tab again");
  await editor.headline.fill("Bid, ask and mid, the last word");
  await activate(conflict.getByRole("button", { name: "Keep mine" }));
  await editor.saved.waitFor();
  for (const at of [1, 0]) await activate(page.getByRole("button", { name: "Drop it" }).nth(at));
  await page.reload();
  await editor.saved.waitFor();
  await expectHeadline("Bid, ask and mid, the last word");
});

test("the editor reacts to keys despite a hostile text, names the exceeded limit and the line, shows the service's refusal, saves the corrected text, and counts no audit while the audit's model is down", async () => {
  await using one = await openDraft(site, 7);
  const { page, editor } = one;
  await openMarkdown(page);
  const [opening = ""] = askingPrice.body.split("\n");
  for (const [name, [text, says]] of Object.entries(hostileTexts)) {
    const seconds = await countSeconds(page);
    await editor.body.fill(`${opening}\n\n${text}`);
    await page.keyboard.press("x");
    await page.keyboard.press("Tab");
    await waitForHint(page, says);
    expect(await seconds(), name).toBeLessThan(6);
    expect(await editor.body.inputValue(), name).toBe(`${opening}\n\n${text}x`);
  }

  const seconds = await countSeconds(page);
  await page.reload();
  await page.getByText("This text is shown as Markdown only").waitFor();
  await editor.body.waitFor();
  expect(await seconds(), "an own hostile text that is opened").toBeLessThan(4);

  // The service refuses this text, which only an outdated page would send.
  const [text, says] = hostileTexts.lists ?? ["", /never/];
  await page.route("**/api/press/save", (route) => {
    const sent = z.looseObject({}).parse(route.request().postDataJSON());
    return route.continue({ postData: JSON.stringify({ ...sent, body: `${opening}\n\n${text}` }) });
  });
  const mended = `${askingPrice.body}\n\nOne more sentence.`;
  await editor.body.fill(mended);
  const refusal = page.getByRole("alert").filter({ hasText: "The draft was not saved" });
  await refusal.getByText(says).waitFor();
  await page.unroute("**/api/press/save");
  await activate(refusal.getByRole("button", { name: "Try again" }));
  await editor.saved.waitFor();
  await page.reload();
  await editor.saved.waitFor();
  expect(await (await openMarkdown(page)).inputValue()).toBe(mended);

  outage = true;
  const runAudit = page.getByRole("button", { name: "Run the audit" });
  await activate(runAudit);
  const alert = page.getByRole("alert").filter({ hasText: "The audit is not available" });
  await alert.getByText("Your draft is saved, and this run does not count.").waitFor();
  await page.getByText("8 of 8 audits left").waitFor();
  outage = false;
  await activate(runAudit);
  await page.getByText("7 of 8 audits left").waitFor();
  expect(await alert.count()).toBe(0);
});

test("a text that is written during another wallet's session in another tab is not saved for that other wallet, stays in the editor after a sign-out, and is saved after the writer has signed in again", async () => {
  await using one = await openDraft(site, 6);
  const { page, editor } = one;
  const context = page.context();
  const headline = "Bid, ask and mid, written while signed out";
  /** Comes back to the tab after more than a minute, so that the page asks again who is signed in. */
  const comeBack = async () => {
    await page.clock.fastForward(61_000);
    await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
  };
  const expectHeld = async (why: string) => {
    const alert = page.getByRole("alert").filter({ hasText: why });
    await alert.getByText("Your text is kept in this browser.").waitFor();
    expect(await editor.headline.inputValue()).toBe(headline);
  };
  const elsewhere = await context.newPage();
  await page.clock.install();
  const [name = "", value = ""] = (await makeHttpClient(site.origin).signIn(getTestAccount(7))).split("=");
  await context.addCookies([{ name, value, url: site.origin }]);
  // The page still assumes that its own wallet is signed in, and requests the session only after the service has refused the text.
  await editor.headline.fill("Bid, ask and mid");
  await page.clock.runFor(5_000);
  await page.getByRole("alert").getByText("Your text is kept in this browser.").waitFor();
  await editor.headline.fill(headline);
  await page.clock.runFor(5_000);
  await expectHeld("This text belongs to a wallet other than the one that is signed in");

  await elsewhere.goto("/developers");
  await elsewhere.evaluate(() => fetch("/api/auth/logout", { method: "POST" }));
  await page.bringToFront();
  await comeBack();
  await expectHeld("You are signed out");
  await expectAccessible(page, "the editor after a sign-out");

  await signInToPublish(page);
  await editor.saved.waitFor();
  await page.reload();
  await editor.saved.waitFor();
  expect(await editor.headline.inputValue()).toBe(headline);
});

/**
 * Waits until a hint with the given words appears beside a field. Playwright's own text search takes many seconds if a field contains
 * certain texts.
 */
async function waitForHint(page: Page, words: RegExp): Promise<void> {
  await page.waitForFunction(
    (source) =>
      [...document.querySelectorAll(".text-bad")].some(({ textContent }) => RegExp(source).test(textContent)),
    words.source,
  );
}

/**
 * Runs in the page: makes every save fail while the page is offline. A save may be a keepalive request, which Playwright's routes cannot
 * see.
 */
function breakSaves(): void {
  const real = window.fetch;
  window.fetch = (input, init) =>
    sessionStorage.getItem("offline") !== null && input === "/api/press/save"
      ? Promise.reject(new TypeError("Failed to fetch"))
      : real(input, init);
}

test("a session from a payment cannot write, and an unfinished text appears on its writer's other device, is never overwritten before the writer is asked, and can be discarded", async () => {
  const account = getTestAccount(0);
  await using visit = await site.visit({ account, session: await site.buy(account, site.findPress()) });
  const { page } = visit;
  const waitUntilStored = async (tab: Page) => {
    await tab.clock.fastForward(keepingPause);
    await tab.getByText(/Unfinished draft stored/).waitFor();
  };
  await page.clock.install();
  await page.goto("/publish/edit");
  await page.getByText("This session began with a payment").waitFor();
  await signInToPublish(page);
  await findEditorFields(page).headline.fill("Half a thought about a stock");
  await waitUntilStored(page);

  await using elsewhere = await site.visit({ account, width: 390, session: true });
  const phone = elsewhere.page;
  await phone.clock.install();
  await phone.goto("/publish");
  await phone.getByRole("heading", { name: "Unfinished" }).waitFor();
  await expectAccessible(phone, "the dashboard with an unfinished draft");
  await makeKeyboard(phone).press(phone.getByRole("link", { name: /^Continue writing/ }));
  await expect.poll(() => findEditorFields(phone).headline.inputValue()).toBe("Half a thought about a stock");
  // The panel with the audit's result is below the text, but the button for the audit is on the first screen.
  const audit = await phone.getByRole("button", { name: "Run the audit" }).boundingBox();
  expect((audit?.y ?? 0) + (audit?.height ?? 0)).toBeLessThanOrEqual(900);
  expect(audit?.width).toBeGreaterThan(300);
  await findEditorFields(phone).headline.fill("Half a thought, from the phone");
  await waitUntilStored(phone);

  await findEditorFields(page).headline.fill("Half a thought, from the desk");
  await page.clock.fastForward(keepingPause);
  const conflict = page.getByRole("alert").filter({ hasText: "This draft was saved elsewhere" });
  await activate(conflict.getByRole("button", { name: "Take theirs" }));
  await expect
    .poll(() => findEditorFields(page).headline.inputValue())
    .toBe("Half a thought, from the phone");
  await waitUntilStored(page);
  await page.reload();
  await expect
    .poll(() => findEditorFields(page).headline.inputValue())
    .toBe("Half a thought, from the phone");

  const keys = makeKeyboard(page);
  await keys.press(page.getByRole("link", { name: "Publish" }));
  await keys.press(page.getByRole("button", { name: /^Discard/ }));
  await keys.press(page.getByRole("dialog").getByRole("button", { name: "Discard" }));
  await page.getByText("Write your first article").waitFor();
  await page.reload();
  await page.getByText("Write your first article").waitFor();
  expect(await page.getByText("Half a thought").count()).toBe(0);
});
