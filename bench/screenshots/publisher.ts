import type { Page } from "playwright-core";
import type { LocalAccount } from "viem";
import { testAccount } from "../../local/devnet/accounts.ts";
import { askingPrice, publishers } from "../../local/seed/articles.ts";
import { editorOf, signInToPublish, writePress } from "../../tests/support/browser/publisher.ts";
import type { Site } from "../../tests/support/browser/site.ts";
import { declining } from "../../tests/support/browser/wallet.ts";

export type View = {
  readonly account: LocalAccount;
  readonly width: number;
  readonly scheme: "light" | "dark";
};
type Take = (name: string, fullPage: boolean, page: Page) => Promise<void>;

/** A publisher's way through the site, from the gate to the live press, with what may come between. */
export async function photographPublisher(site: Site, view: View, photograph: Take): Promise<void> {
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
export async function photographOwner(site: Site, view: View, photograph: Take): Promise<void> {
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
