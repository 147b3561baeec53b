import type { Route } from "playwright-core";
import type { LocalAccount } from "viem";
import { generatePrivateKey } from "viem/accounts";
import { encodeFunctionData, parseAbi } from "viem/utils";
import { afterAll, beforeAll, expect, test } from "vitest";
import { paymentHeader } from "../../../client/signing.ts";
import { mainnet } from "../../../core/chain/deployment.ts";
import { splitPrice } from "../../../web/src/format.ts";
import { buildTypedData } from "../../../web/src/payment/chain.ts";
import { findPayableTerms, TermsForm } from "../../../web/src/payment/purchase.ts";
import { findFaultsAt, findFaultsAtBothWidths, readFocused } from "../../support/browser/access.ts";
import { makeUnknownChainOfAppRefusal } from "../../support/browser/answers.ts";
import { push } from "../../support/browser/hand.ts";
import { type Keyboard, makeKeyboard } from "../../support/browser/keyboard.ts";
import {
  agree,
  askForText,
  chooseWallet,
  payNow,
  pressNextStep,
  readText,
} from "../../support/browser/reader.ts";
import { type Site, startSite, type Visit } from "../../support/browser/site.ts";
import { setOffline, slowDown } from "../../support/browser/slow.ts";
import { decline, declineAfter, walletName } from "../../support/browser/wallet.ts";
import { openDevnetClient } from "../../support/devnet.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite(1);
});
afterAll(() => site.stop());

const purse = 1_000_000n;

function findPress() {
  const [found] = site.presses;
  if (found === undefined) throw new Error("There is no press.");
  return found;
}

/** Expects that the text is shown, that it was paid exactly once, and that the wallet has signed `signatures` times. */
async function expectPaidOnce(
  { page, wallet, faults }: Visit,
  signatures = 2,
  keys?: Keyboard,
): Promise<void> {
  expect((await readText(page, keys)).length).toBeGreaterThan(500);
  expect(wallet.signatures()).toBe(signatures);
  expect(await site.usdgOf(wallet.account)).toBe(purse - BigInt(findPress().priceUnits));
  expect(faults).toEqual([]);
}

const asset = mainnet.contracts.usdg;
const { permit2 } = mainnet.contracts;
const erc20 = parseAbi([
  "function approve(address, uint256) returns (bool)",
  "function allowance(address, address) view returns (uint256)",
]);

async function approvePermit2(account: LocalAccount, units: bigint): Promise<void> {
  const client = openDevnetClient(site.rpcUrl);
  const data = encodeFunctionData({ abi: erc20, functionName: "approve", args: [permit2, units] });
  const hash = await client.sendTransaction({ account, to: asset, data });
  await client.waitForTransactionReceipt({ hash });
}

function readAllowance({ address }: LocalAccount): Promise<bigint> {
  const args = [address, permit2] as const;
  return openDevnetClient(site.rpcUrl).readContract({
    address: asset,
    abi: erc20,
    functionName: "allowance",
    args,
  });
}

/** Pays the fee as another browser of the same reader would. */
async function payFee(account: LocalAccount): Promise<void> {
  const ask = (headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${site.origin}/api/pay/treasury`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ pressId: findPress().pressId }),
    });
  const document = TermsForm.parse(await (await ask()).json());
  const offeredAt = Math.floor(Date.now() / 1000);
  const terms = findPayableTerms(
    document,
    { network: "eip155:4663", asset },
    { method: "eip3009", offeredAt },
  );
  if (terms === undefined) throw new Error("The terms cannot be signed.");
  const chance = { nonce: generatePrivateKey(), identifier: "another-browser-here" };
  const { typed, payload } = buildTypedData(terms, account.address, chance, { chainId: 4663, permit2 });
  if (typed.primaryType !== "TransferWithAuthorization") throw new Error("This is another method.");
  const signature = await account.signTypedData(typed);
  const answer = await ask({ "payment-signature": paymentHeader(terms, { signature, ...payload }, chance) });
  expect(answer.status).toBe(200);
}

const isPaid = (route: Route) => route.request().headers()["payment-signature"] !== undefined;

test("after a reload during a payment the page sends the same payment again, and asks for no other signature", async () => {
  await using visit = await site.visit({ account: await site.newWallet(purse) });
  const { page, wallet } = visit;
  const headers: (string | undefined)[] = [];
  const sent = Promise.withResolvers<void>();
  await page.route("**/api/pay/publisher", async (route) => {
    if (!isPaid(route)) return route.continue();
    headers.push(route.request().headers()["payment-signature"]);
    // The reload comes after the fee is paid, while the publisher's payment is being sent.
    if (headers.length !== 2) return route.continue();
    return sent.resolve();
  });
  await askForText(page, findPress());
  await payNow(page);
  await sent.promise;
  expect(wallet.signatures()).toBe(2);
  await page.reload();
  await expectPaidOnce(visit);
  expect(headers).toHaveLength(3);
  expect(new Set(headers).size).toBe(1);
});

test("when an answer is lost after the money has moved, the same payment is sent again and gets the text", async () => {
  await using visit = await site.visit({ account: await site.newWallet(purse) });
  const { page } = visit;
  let lost = 0;
  for (const leg of ["treasury", "publisher"]) {
    await page.route(`**/api/pay/${leg}`, async (route) => {
      if (!isPaid(route) || lost > (leg === "treasury" ? 0 : 1)) return route.continue();
      const answer = await route.fetch();
      // The publisher's payment is sent before the fee and waits for the fee.
      if (!answer.ok()) return route.fulfill({ response: answer });
      lost += 1;
      return route.abort();
    });
  }
  await askForText(page, findPress());
  await payNow(page);
  await expectPaidOnce(visit);
  expect(lost).toBe(2);
});

test("the dialog of a payment that waits for the chain shows the transaction, can be closed, and asks for no other signature", async () => {
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
  await askForText(page, findPress());
  await payNow(page);
  await page.getByText("The chain has not confirmed it yet").first().waitFor();
  await page.getByTitle(transaction).waitFor();
  await page.getByText("You can close this").waitFor();
  await page.keyboard.press("Escape");
  await push(page.getByRole("button", { name: "Your payment is in progress…" }));
  released.resolve();
  await expectPaidOnce(visit);
});

test("a reader with keys on a telephone sees how much USDG the wallet lacks, and can repeat a request to change the network that the wallet has declined", async () => {
  const account = await site.newWallet(100_000n);
  await using visit = await site.visit({ account, width: 390, chainId: 1, chains: [1] });
  const { page, wallet } = visit;
  const keys = makeKeyboard(page);
  await askForText(page, findPress(), keys);
  await chooseWallet(page, keys);
  await page.getByText("This wallet has $0.10 in USDG. It needs $0.60, which is $0.50 more.").waitFor();
  await page.getByRole("img", { name: "QR code of your wallet’s address" }).waitFor();
  await keys.press(page.getByRole("button", { name: /Address of your wallet/ }));
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(account.address.toLowerCase());
  await page.getByText("How to get USDG on Robinhood Chain").waitFor();
  expect(await findFaultsAtBothWidths(page)).toEqual([]);
  await keys.press(page.getByRole("button", { name: "Change the wallet that pays" }));
  await chooseWallet(page, keys);
  await page.getByText("This wallet has $0.10 in USDG.").waitFor();
  expect(wallet.signatures()).toBe(0);
  await site.fund(account, purse - 100_000n);
  await pressNextStep(page, "Not enough USDG", "Check again", keys);

  await page.getByText("Your wallet will ask you 3 times:").waitFor();
  wallet.react(decline("wallet_switchEthereumChain", "wallet_addEthereumChain"));
  await agree(page, keys);
  const alert = page.getByRole("alert");
  await alert.getByText("Nothing was charged.").waitFor();
  // The page shows how to switch the network by hand in a wallet that refuses the site's request.
  await page.getByText("RPC URL").waitFor();
  expect(await findFaultsAtBothWidths(page)).toEqual([]);
  wallet.react(decline("eth_signTypedData_v4"));
  await pressNextStep(page, "You declined the network Robinhood Chain", "Ask again", keys);
  await page.getByText("Sign $0.54 for the author.").first().waitFor({ state: "detached" });
  await alert.getByText("Nothing was charged.").waitFor();
  wallet.react(undefined);
  await pressNextStep(page, "You declined in your wallet", "Ask again", keys);
  await expectPaidOnce(visit, 3, keys);
  expect(wallet.asked).toContain("wallet_addEthereumChain");
  expect(wallet.asked).not.toContain("eth_sendTransaction");
});

test("a payment stops when the wallet changes its chain before a signature, and continues when the wallet is on the right chain again", async () => {
  const account = await site.newWallet(purse);
  await using visit = await site.visit({
    account,
    chainId: 1,
    chains: [1],
    unknownChain: makeUnknownChainOfAppRefusal,
  });
  const { page, wallet } = visit;
  await askForText(page, findPress());
  await chooseWallet(page);
  await page.getByText("Your wallet will ask you 3 times:").waitFor();
  // The user switches the chain while the wallet shows the signature request.
  wallet.react((method) => {
    if (method === "eth_signTypedData_v4") wallet.moveTo(10);
    return undefined;
  });
  await agree(page);
  await page.getByRole("alert").getByText("Nothing was charged.").waitFor();
  expect(wallet.asked).toContain("wallet_addEthereumChain");
  expect(await site.usdgOf(account)).toBe(purse);
  wallet.react(undefined);
  wallet.moveTo(4663);
  await pressNextStep(page, "Your wallet is on another network", "Check again");
  await expectPaidOnce(visit, 3);
});

test("a reader who declines the second signature is charged nothing, and is not asked for the first signature again", async () => {
  await using visit = await site.visit({ account: await site.newWallet(purse) });
  const { page, wallet } = visit;
  await askForText(page, findPress());
  await chooseWallet(page);
  await page.getByText("Your wallet will ask you 2 times:").waitFor();
  wallet.react(declineAfter("eth_signTypedData_v4", 1));
  await agree(page);
  const alert = page.getByRole("alert");
  await alert.getByText("Nothing was charged. Your signature for the author is not used").waitFor();
  expect(await site.usdgOf(wallet.account)).toBe(purse);
  expect(await findFaultsAtBothWidths(page)).toEqual([]);
  wallet.react(undefined);
  await pressNextStep(page, "You declined in your wallet", "Ask again");
  await expectPaidOnce(visit, 3);
});

test("a fee that is paid without the rest is shown, kept and listed, and another browser does not ask for the fee again, by keys on a slow telephone", async () => {
  const account = await site.newWallet(purse);
  const { priceUnits, headline, slug } = findPress();
  const { fee } = splitPrice(priceUnits);
  await using visit = await site.visit({ account, width: 390 });
  const { page, wallet } = visit;
  const keys = makeKeyboard(page);
  // The service refuses the publisher's payment after the fee is paid.
  let presented = 0;
  await page.route("**/api/pay/publisher", async (route) => {
    if (!isPaid(route)) return route.continue();
    presented += 1;
    if (presented === 1) return route.continue();
    const terms = await route.fetch({ headers: { "content-type": "application/json" } });
    const document = {
      ...(await terms.json()),
      code: "invalid_exact_evm_payload_authorization_valid_before",
    };
    return route.fulfill({ status: 402, json: document });
  });
  await askForText(page, findPress(), keys);
  await payNow(page, keys);
  const half = "You paid the platform fee of $0.06. It is kept for this article and is not charged again.";
  const alert = page.getByRole("alert");
  await alert.getByText(half).waitFor();
  expect(await alert.innerText()).not.toContain("Nothing was charged");
  await keys.go(alert.getByRole("button", { name: "Sign $0.54" }));
  expect(await findFaultsAtBothWidths(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "Half paid" }).waitFor();
  await keys.go(page.getByRole("button", { name: "Pay the remaining $0.54" }));
  expect(await site.usdgOf(account)).toBe(purse - BigInt(fee));
  expect(wallet.signatures()).toBe(2);

  await using other = await site.visit({ account, width: 390 });
  const otherKeys = makeKeyboard(other.page);
  const slow = await slowDown(other.page);
  await other.page.goto("/history");
  await otherKeys.press(other.page.getByRole("button", { name: walletName }));
  const listed = other.page.getByRole("region", { name: "Half paid" });
  await listed.getByText("$0.54 for the author remains").waitFor();
  await listed.getByRole("link", { name: headline, exact: true }).waitFor();
  expect(await findFaultsAtBothWidths(other.page)).toEqual([]);
  await otherKeys.press(listed.getByRole("link", { name: "Pay $0.54" }));
  await otherKeys.press(other.page.getByRole("button", { name: "Pay the remaining $0.54" }));
  await other.page.getByText("Your wallet will ask you once:").waitFor();
  await otherKeys.press(other.page.getByRole("button", { name: "Pay $0.54" }));
  await expectPaidOnce(other, 1, otherKeys);
  expect(other.page.url()).toContain(slug);
  expect(slow).toEqual([]);
});

test("after the fee is paid, another browser asks only for the unpaid part of the price, even without a sign-in", async () => {
  const account = await site.newWallet(purse);
  await payFee(account);
  await using visit = await site.visit({ account });
  await askForText(visit.page, findPress());
  await payNow(visit.page);
  await expectPaidOnce(visit, 1);
});

test("a reader whose wallet pays by Permit2 chooses an exact or unlimited approval and sees the approval's gas", async () => {
  const account = await site.newWallet(purse);
  await approvePermit2(account, 1n);
  await using visit = await site.visit({ account });
  const { page, wallet } = visit;
  const keys = makeKeyboard(page);
  await askForText(page, findPress(), keys);
  await chooseWallet(page, keys);
  await page.getByText("Your wallet will ask you 2 times:").waitFor();
  await keys.choose(page.getByRole("radio", { name: "Permit2" }));
  await page.getByText("Your wallet will ask you 3 times:").waitFor();
  await page.getByText("Approve Permit2 for $0.60").waitFor();
  await page.getByText(/The gas costs about 0\.0\d+ ETH/).waitFor();
  await keys.choose(page.getByRole("radio", { name: "Unlimited" }));
  await page.getByText("Approve Permit2 for any amount").waitFor();
  expect(await findFaultsAtBothWidths(page)).toEqual([]);
  await keys.choose(page.getByRole("radio", { name: "Exactly $0.60" }));
  await page.getByText("Approve Permit2 for $0.60").waitFor();
  await agree(page, keys);
  await expectPaidOnce(visit, 2, keys);
  expect(wallet.asked.filter((method) => method === "eth_sendTransaction")).toHaveLength(1);
  // The payments have used up the exact approval.
  expect(await readAllowance(account)).toBe(0n);
});

test("an account that delegates to code (EIP-7702) pays like a plain account: by two signatures, without an approval or ETH", async () => {
  const account = await site.newWallet(purse);
  const client = openDevnetClient(site.rpcUrl);
  // The account's code accepts no signatures, so Permit2 would refuse a signature of this account.
  const code = `0xef0100${mainnet.contracts.identityRegistry.slice(2)}` as const;
  await client.setCode({ address: account.address, bytecode: code });
  await client.setBalance({ address: account.address, value: 0n });
  await using visit = await site.visit({ account });
  await askForText(visit.page, findPress());
  await payNow(visit.page);
  await expectPaidOnce(visit);
  expect(visit.wallet.asked).not.toContain("eth_sendTransaction");
});

test("while the chain does not answer, the page asks for no signature, and the reader may try again", async () => {
  await using visit = await site.visit({ account: await site.newWallet(purse) });
  const { page, wallet } = visit;
  const silent = (route: Route) =>
    route.fulfill({ status: 503, json: { error: "No node.", code: "chain_unavailable" } });
  await page.route("**/api/rpc", silent);
  await askForText(page, findPress());
  await chooseWallet(page);
  await page.getByText("The chain does not answer").waitFor();
  await page.getByText("Service or chain", { exact: true }).waitFor();
  expect(wallet.signatures()).toBe(0);
  await page.unroute("**/api/rpc", silent);
  await pressNextStep(page, "The chain does not answer", "Try again");
  await agree(page);
  await expectPaidOnce(visit);
});

test("the page shows a changed price before it asks for a signature", async () => {
  await using visit = await site.visit({ account: await site.newWallet(purse) });
  const { page, wallet } = visit;
  await page.route("**/api/presses/*", async (route) => {
    const answer = await route.fetch();
    const detail = await answer.json();
    detail.press.priceUnits = "500000";
    return route.fulfill({ response: answer, json: detail });
  });
  await askForText(page, findPress());
  await payNow(page);
  await page.getByText("The price was $0.45. It is now $0.54.").waitFor();
  expect(wallet.signatures()).toBe(0);
  await push(page.getByRole("button", { name: "Sign $0.54" }));
  await push(page.getByRole("button", { name: "Sign $0.06" }));
  await expectPaidOnce(visit);
});

test("a browser that cannot store a payment does not send the payment", async () => {
  await using visit = await site.visit({ account: await site.newWallet(purse) });
  const { page, wallet } = visit;
  await page.addInitScript(() => {
    const write = Storage.prototype.setItem;
    Storage.prototype.setItem = function (key: string, value: string) {
      if (key.startsWith("payment:")) throw new DOMException("No room.", "QuotaExceededError");
      write.call(this, key, value);
    };
  });
  await askForText(page, findPress());
  await chooseWallet(page);
  await page.getByText("This browser keeps no data for this site").waitFor();
  expect(wallet.signatures()).toBeLessThanOrEqual(1);
  expect(await site.usdgOf(wallet.account)).toBe(purse);
});

test.each([
  ["gets links to wallets", 1280, undefined, "Install Rabby", "https://rabby.io"],
  [
    "gets links on a phone that open this page in a wallet's browser",
    390,
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)",
    "Open in MetaMask",
    "https://link.metamask.io/dapp/",
  ],
] as const)("a reader without a wallet %s, by keys at %d pixels", async (_, width, userAgent, link, href) => {
  await using visit = await site.visit({ wallet: "none", userAgent, width });
  const { page, faults } = visit;
  const keys = makeKeyboard(page);
  await askForText(page, findPress(), keys);
  const found = page.getByRole("dialog").getByRole("link", { name: link });
  await keys.go(found);
  expect(await found.getAttribute("href")).toContain(href);
  expect(await findFaultsAt(page, width)).toEqual([]);
  // The dialog keeps the focus inside until it closes, and then returns the focus to the earlier element.
  const close = page.getByRole("button", { name: "Close" });
  for (const control of [close, found]) await keys.go(control);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await expect.poll(() => readFocused(page)).toMatch(/^Unlock for/);
  expect(faults).toEqual([]);
});

test("a second and a third tab show the first tab's payment until the text opens, and take over the payment if the first tab is closed", async () => {
  await using visit = await site.visit({ account: await site.newWallet(purse) });
  const { page, context, wallet } = visit;
  const released = Promise.withResolvers<void>();
  const sent = Promise.withResolvers<void>();
  await page.route("**/api/pay/treasury", async (route) => {
    if (!isPaid(route)) return route.continue();
    sent.resolve();
    await released.promise;
    return route.continue().catch(() => undefined);
  });
  await askForText(page, findPress());
  await payNow(page);
  await sent.promise;
  const second = await context.newPage();
  await second.goto(`/press/${findPress().slug}`);
  const dialog = second.getByRole("dialog");
  // The dialog of a signed payment without an answer opens by itself.
  await dialog.getByText("This payment is open in another tab").waitFor();
  await dialog.getByText("We do not know yet whether it was charged.").waitFor();
  expect(await findFaultsAtBothWidths(second)).toEqual([]);
  await second.setViewportSize({ width: 1280, height: 900 });
  const third = await context.newPage();
  await third.setViewportSize({ width: 390, height: 900 });
  await third.goto(`/press/${findPress().slug}`);
  await third.getByText("This payment is open in another tab").waitFor();
  await page.close();
  released.resolve();
  await Promise.all([second, third].map((tab) => tab.getByRole("button", { name: "Read it" }).waitFor()));
  for (const tab of [second, third]) {
    await tab.bringToFront();
    expect((await readText(tab, makeKeyboard(tab))).length).toBeGreaterThan(500);
  }
  expect(wallet.signatures()).toBe(2);
  expect(await site.usdgOf(wallet.account)).toBe(purse - BigInt(findPress().priceUnits));
});

test("the page shows a broken connection at once, and the payment continues when the connection is back", async () => {
  await using visit = await site.visit({ account: await site.newWallet(purse) });
  const { page } = visit;
  await askForText(page, findPress());
  await chooseWallet(page);
  await page.getByText("Your wallet will ask you 2 times:").waitFor();
  await setOffline(page, true);
  await page.getByText("You are offline.").first().waitFor();
  await agree(page);
  await page.getByRole("alert").getByText("Nothing was charged.").waitFor();
  await setOffline(page, false);
  await expectPaidOnce(visit);
});

test("on a slow network each step of a payment shows at once the reason for waiting, and a late answer can be requested again", async () => {
  await using visit = await site.visit({ account: await site.newWallet(purse) });
  const { page } = visit;
  await page.goto(`/press/${findPress().slug}`);
  await page.getByRole("button", { name: /^Unlock for/ }).waitFor();
  await page.waitForLoadState("networkidle");
  // The test delays the code of the dialog and of the wallets.
  let held: Route[] | undefined = [];
  await page.route("**/assets/*.js", (route) =>
    held === undefined ? route.continue() : void held.push(route),
  );
  const keys = makeKeyboard(page);
  const buy = page.getByRole("button", { name: /^Unlock for/ });
  await keys.press(buy);
  await page.getByRole("status").getByText("Opening…").waitFor();
  await expect.poll(() => held?.length).toBeGreaterThan(0);
  // The page behind the dialog does not react to keys, and Escape returns the focus to that page.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Escape");
  await page.getByText("Opening…").waitFor({ state: "detached" });
  await expect.poll(() => readFocused(page)).toMatch(/^Unlock for/);
  await keys.press(buy);
  const lost = held;
  held = [];
  await Promise.all(lost.map((route) => route.abort()));
  await page.getByRole("alert").getByText("The payment could not be loaded.").waitFor();
  const late = held;
  held = undefined;
  await Promise.all(late.map((route) => route.continue()));
  await keys.press(page.getByRole("button", { name: "Load the page again" }));
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await keys.press(buy);
  await payNow(page, keys);
  await expectPaidOnce(visit, 2, keys);
});
