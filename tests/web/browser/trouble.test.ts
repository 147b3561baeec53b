import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askForText, chooseWallet, readText } from "../../support/browser/reader.ts";
import { type Site, startSite, type Visit } from "../../support/browser/site.ts";
import { declining } from "../../support/browser/wallet.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite(1);
});
afterAll(() => site.stop());

const purse = 1_000_000n;

function press() {
  const [found] = site.presses;
  if (found === undefined) throw new Error("There is no press.");
  return found;
}

/** The next thing to do, as the page names it. */
async function goOn(page: Page, problem: string, action: string): Promise<void> {
  const alert = page.getByRole("alert").filter({ hasText: problem });
  await alert.getByRole("button", { name: action }).click();
}

/** The text is here, and was paid for exactly once, with one signature a leg. */
async function expectPaidOnce({ page, wallet, faults }: Visit): Promise<void> {
  expect((await readText(page)).length).toBeGreaterThan(500);
  expect(wallet.signatures()).toBe(2);
  expect(await site.usdgOf(wallet.account)).toBe(purse - BigInt(press().priceUnits));
  expect(faults).toEqual([]);
}

const isPaid = (route: Route) => route.request().headers()["payment-signature"] !== undefined;

test("a reload in the middle of a payment: what was signed is sent again as it was, and nothing else is signed", async () => {
  await using visit = await site.visit({ account: await site.newWallet(purse) });
  const { page, wallet } = visit;
  const headers: (string | undefined)[] = [];
  const sent = Promise.withResolvers<void>();
  await page.route("**/api/pay/publisher", async (route) => {
    if (!isPaid(route)) return route.continue();
    headers.push(route.request().headers()["payment-signature"]);
    // The first one is on its way when the page is left.
    if (headers.length > 1) return route.continue();
    return sent.resolve();
  });
  await askForText(page, press());
  await chooseWallet(page);
  await sent.promise;
  expect(wallet.signatures()).toBe(2);
  await page.reload();
  await expectPaidOnce(visit);
  expect(headers).toHaveLength(2);
  expect(headers[0]).toBe(headers[1]);
});

test("an answer that is lost after the money moved: the same payment brings the text", async () => {
  await using visit = await site.visit({ account: await site.newWallet(purse) });
  const { page } = visit;
  let lost = 0;
  for (const leg of ["treasury", "publisher"]) {
    await page.route(`**/api/pay/${leg}`, async (route) => {
      if (!isPaid(route) || lost > (leg === "treasury" ? 0 : 1)) return route.continue();
      lost += 1;
      await route.fetch();
      return route.abort();
    });
  }
  await askForText(page, press());
  await chooseWallet(page);
  await expectPaidOnce(visit);
  expect(lost).toBe(2);
});

test("a payment that waits for the chain is shown as such with its transaction, may be closed, and asks for no other signature", async () => {
  await using visit = await site.visit({ account: await site.newWallet(purse) });
  const { page } = visit;
  const transaction = `0x${"ab".repeat(32)}`;
  const body = { error: "The payment waits.", code: "settlement_pending", requestId: "r", transaction };
  const released = Promise.withResolvers<void>();
  let answers = 0;
  await page.route("**/api/pay/treasury", async (route) => {
    if (!isPaid(route)) return route.continue();
    answers += 1;
    if (answers === 1) {
      return route.fulfill({ status: 503, headers: { "retry-after": "1" }, json: body });
    }
    await released.promise;
    return route.continue();
  });
  await askForText(page, press());
  await chooseWallet(page);
  await page.getByText("waits for the chain", { exact: false }).first().waitFor();
  await page.getByTitle(transaction).waitFor();
  await page.getByText("You may close this").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Your payment is under way…" }).click();
  released.resolve();
  await expectPaidOnce(visit);
});

test("a wallet that declines the allowance, the chain and the signature is asked again where it declined", async () => {
  await using visit = await site.visit({ account: await site.newWallet(purse), chainId: 1, chains: [1] });
  const { page, wallet } = visit;
  wallet.react(declining("wallet_switchEthereumChain", "wallet_addEthereumChain"));
  await askForText(page, press());
  await chooseWallet(page);
  await page.getByText("You declined in your wallet").waitFor();
  wallet.react(declining("eth_sendTransaction"));
  await goOn(page, "You declined in your wallet", "Ask again");
  await page
    .getByRole("listitem", { name: /Stopped/ })
    .or(page.getByRole("alert"))
    .first()
    .waitFor();
  wallet.react(declining("eth_signTypedData_v4"));
  await goOn(page, "You declined in your wallet", "Ask again");
  await page.getByRole("alert").filter({ hasText: "You declined" }).waitFor();
  wallet.react(undefined);
  await goOn(page, "You declined in your wallet", "Ask again");
  expect((await readText(page)).length).toBeGreaterThan(500);
  expect(wallet.asked).toContain("wallet_addEthereumChain");
});

test("a wallet without enough USDG is told what it lacks, and goes on once it has it", async () => {
  const account = await site.newWallet(100_000n);
  await using visit = await site.visit({ account });
  const { page, wallet } = visit;
  await askForText(page, press());
  await chooseWallet(page);
  await page.getByText("It has 0.10 USDG and needs 0.60 USDG.").waitFor();
  await page.getByText("Network or funds").waitFor();
  expect(wallet.signatures()).toBe(0);
  await site.fund(account, purse);
  await goOn(page, "Not enough USDG", "Check again");
  expect((await readText(page)).length).toBeGreaterThan(500);
});

test("while the chain gives no answer nothing is signed, and the person may try again", async () => {
  await using visit = await site.visit({ account: await site.newWallet(purse) });
  const { page, wallet } = visit;
  const silent = (route: Route) =>
    route.fulfill({ status: 503, json: { error: "No node.", code: "chain_unavailable" } });
  await page.route("**/api/rpc", silent);
  await askForText(page, press());
  await chooseWallet(page);
  await page.getByText("The chain gives no answer").waitFor();
  await page.getByText("Service or chain", { exact: true }).waitFor();
  expect(wallet.signatures()).toBe(0);
  await page.unroute("**/api/rpc", silent);
  await goOn(page, "The chain gives no answer", "Try again");
  await expectPaidOnce(visit);
});

test("a price that has changed is shown before it is signed", async () => {
  await using visit = await site.visit({ account: await site.newWallet(purse) });
  const { page, wallet } = visit;
  await page.route("**/api/presses/*", async (route) => {
    const answer = await route.fetch();
    const detail = await answer.json();
    detail.press.priceUnits = "500000";
    return route.fulfill({ response: answer, json: detail });
  });
  await askForText(page, press());
  await chooseWallet(page);
  await page.getByText("You were shown 0.05 USDG; now 0.06 USDG is asked for.").waitFor();
  expect(wallet.signatures()).toBe(0);
  await page.getByRole("button", { name: "Sign 0.06 USDG" }).click();
  await page.getByRole("button", { name: "Sign 0.54 USDG" }).click();
  await expectPaidOnce(visit);
});

test("a browser that keeps nothing sends nothing", async () => {
  await using visit = await site.visit({ account: await site.newWallet(purse) });
  const { page, wallet } = visit;
  await page.addInitScript(() => {
    const write = Storage.prototype.setItem;
    Storage.prototype.setItem = function (key: string, value: string) {
      if (key.startsWith("payment:")) throw new DOMException("No room.", "QuotaExceededError");
      write.call(this, key, value);
    };
  });
  await askForText(page, press());
  await chooseWallet(page);
  await page.getByText("This browser does not let the site remember").waitFor();
  expect(wallet.signatures()).toBeLessThanOrEqual(1);
  expect(await site.usdgOf(wallet.account)).toBe(purse);
});
