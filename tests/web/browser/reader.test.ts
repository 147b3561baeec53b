import { readFile } from "node:fs/promises";
import type { LocalAccount } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askForText, chooseWallet, readText, shownText } from "../../support/browser/reader.ts";
import { type Site, startSite } from "../../support/browser/site.ts";
import { declining, walletName } from "../../support/browser/wallet.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());

function press(at = 0) {
  const found = site.presses[at];
  if (found === undefined) throw new Error("There is no such press.");
  return found;
}

test("the list is filtered, searched and sorted, and its address says how", async () => {
  await using visit = await site.visit();
  const { page, faults } = visit;
  await page.goto("/");
  const rows = page.getByRole("region", { name: "Presses" }).getByRole("article");
  await page.getByText("2 presses", { exact: true }).waitFor();
  expect(await rows.count()).toBe(2);

  await page.getByRole("combobox", { name: "Stock" }).selectOption("AAPL");
  await page.getByText("1 of 2 presses").waitFor();
  expect(new URL(page.url()).search).toBe("?stock=AAPL");
  await page.reload();
  await page.getByText("1 of 2 presses").waitFor();

  await page.getByRole("searchbox").fill("no such words");
  await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
  await page.getByRole("button", { name: "Show all presses" }).click();
  await page.getByRole("combobox", { name: "Sort by" }).selectOption("cheapest");
  const prices = await rows
    .locator("xpath=..")
    .getByText(/^\d+\.\d+ USDG$/)
    .allInnerTexts();
  expect(prices.map(Number.parseFloat)).toEqual(prices.map(Number.parseFloat).toSorted((a, b) => a - b));
  expect(faults).toEqual([]);
});

test("a list that cannot be read says so and can be asked for again", async () => {
  await using visit = await site.visit();
  const { page } = visit;
  await page.route("**/api/presses", (route) => route.abort());
  await page.goto("/");
  await page.getByRole("alert").getByText("The service could not be reached").waitFor();
  await page.unroute("**/api/presses");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("2 presses", { exact: true }).waitFor();
});

test("a press shows what is free: preview, audit, prices, votes and where it stands on the chain", async () => {
  await using visit = await site.visit();
  const { page, faults } = visit;
  const { headline, slug, preview, mintTx, priceUsdg } = press();
  await page.goto(`/press/${slug}`);
  await page.getByRole("heading", { level: 1, name: headline }).waitFor();
  expect(await page.title()).toBe(`${headline} · Press Market`);
  await page.getByText(preview).waitFor();
  await page.getByText("The audit raised no issue.").waitFor();
  await page.getByRole("img", { name: /at publication and is/ }).waitFor();
  await page.getByText("The publisher held no").waitFor();
  expect(await page.getByTitle(mintTx).getAttribute("href")).toContain(`/tx/${mintTx}`);
  await page.getByRole("button", { name: `Unlock for ${priceUsdg.toFixed(2)} USDG` }).waitFor();
  expect(faults).toEqual([]);
});

test("from an empty list of wallets to the text: each step once, the price exactly, the receipt with both payments", async () => {
  const account = await site.newWallet(1_000_000n);
  await using visit = await site.visit({ account });
  const { page, wallet, faults } = visit;
  await askForText(page, press());
  await chooseWallet(page);
  const text = await readText(page);
  expect(text.length).toBeGreaterThan(500);
  expect(wallet.asked.filter((method) => /^(personal|eth_(sign|send))/.test(method))).toEqual([
    "eth_sendTransaction",
    "eth_signTypedData_v4",
    "eth_signTypedData_v4",
  ]);
  expect(await site.usdgOf(account)).toBe(1_000_000n - BigInt(press().priceUnits));

  await page.reload();
  expect(await shownText(page)).toBe(text);

  await page.goto("/history");
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: /Receipt/ }).click();
  const receipt = JSON.parse(await readFile(await (await saving).path(), "utf8"));
  expect(receipt).toMatchObject({
    payer: account.address,
    press: { pressId: press().pressId },
    payments: [{ purpose: "platform fee" }, { purpose: "publisher" }],
  });
  expect(receipt.payments[0].transaction).not.toBe(receipt.payments[1].transaction);
  expect(faults).toEqual([]);
});

test("who has read votes onchain with a tag, and finds the vote in the history", async () => {
  const account = await site.newWallet(1_000_000n);
  await using visit = await site.visit({ account });
  const { page, wallet, faults } = visit;
  await askForText(page, press(1));
  await chooseWallet(page);
  await readText(page);
  await page.getByText("Not worth it").click();
  await page.getByRole("combobox", { name: "In a word" }).selectOption("outdated");
  await page.getByRole("button", { name: "Vote onchain" }).click();
  await page.getByText("Your vote counts.").waitFor();
  await page.getByText("Outdated × 1").waitFor();
  expect(wallet.asked.filter((method) => method === "eth_sendTransaction")).toHaveLength(2);
  await page.goto("/history");
  const votes = page.getByRole("region", { name: "Votes" });
  await votes.getByText("Outdated").waitFor();
  await votes.getByText("Down").waitFor();
  expect(faults).toEqual([]);
});

test("a vote that a reload broke off is counted, and not sent again", async () => {
  const account = await site.newWallet(1_000_000n);
  await using visit = await site.visit({ account });
  const { page, wallet, faults } = visit;
  await askForText(page, press());
  await chooseWallet(page);
  await readText(page);
  wallet.react(declining("eth_sendTransaction"));
  await page.getByRole("button", { name: "Vote onchain" }).click();
  await page.getByRole("alert").getByText("You declined in your wallet").waitFor();
  wallet.react(undefined);
  const recording = Promise.withResolvers<void>();
  await page.route("**/api/votes/record", () => recording.resolve());
  await page.getByRole("button", { name: "Vote onchain" }).click();
  await recording.promise;
  const sent = wallet.asked.filter((method) => method === "eth_sendTransaction").length;
  // First the reload, which breaks the request off: without its route it would go on its way.
  await page.reload();
  await page.unroute("**/api/votes/record");
  await page.getByRole("button", { name: "Count my vote" }).click();
  await page.getByText("Your vote counts.").waitFor();
  expect(wallet.asked.filter((method) => method === "eth_sendTransaction")).toHaveLength(sent);
  expect(faults).toEqual([]);
});

describe("a press that was unlocked in another browser", () => {
  let account: LocalAccount;
  let before: bigint;
  beforeAll(async () => {
    account = await site.newWallet(2_000_000n);
    await using first = await site.visit({ account });
    await askForText(first.page, press());
    await chooseWallet(first.page);
    await readText(first.page);
    before = await site.usdgOf(account);
  });

  test("opens after a sign-in", async () => {
    await using visit = await site.visit({ account });
    const { page } = visit;
    await page.goto(`/press/${press().slug}`);
    await page.getByRole("button", { name: "Bought it before? Sign in" }).click();
    await chooseWallet(page);
    await shownText(page);
    expect(await site.usdgOf(account)).toBe(before);
  });

  test("is listed among the reader's sessions, which a sign-in ends", async () => {
    await using visit = await site.visit({ account });
    const { page, faults } = visit;
    await page.goto("/sessions");
    await page.getByRole("button", { name: walletName }).click();
    const rows = page.getByRole("list", { name: "Sessions" }).getByRole("listitem");
    await rows
      .filter({ hasText: "This browser" })
      .getByText(/^By sign-in/)
      .first()
      .waitFor();
    await rows.filter({ hasText: "By a payment" }).first().waitFor();
    await page.getByRole("button", { name: "End all others" }).click();
    await page.getByText("There is no other session.").waitFor();
    expect(await rows.count()).toBe(1);
    await rows.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("Your sessions are shown to nobody but you.").waitFor();
    expect(faults).toEqual([]);
  });

  test("is not sold again: who tries is asked to sign in", async () => {
    await using visit = await site.visit({ account });
    const { page } = visit;
    await askForText(page, press());
    await chooseWallet(page);
    const dialog = page.getByRole("dialog", { name: "This wallet has unlocked this press before" });
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await shownText(page);
    expect(await site.usdgOf(account)).toBe(before);
  });
});

test("an address without a page says so", async () => {
  await using visit = await site.visit();
  await visit.page.goto("/nowhere");
  await visit.page.getByRole("heading", { name: "Page not found" }).waitFor();
  await visit.page.goto("/press/no-such-press");
  await visit.page.getByRole("heading", { name: "Page not found" }).waitFor();
});
