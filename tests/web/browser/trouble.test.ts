import type { Route } from "playwright-core";
import { expect, test } from "vitest";
import { erc20Abi } from "../../../core/chain/abi.ts";
import { mainnet } from "../../../core/chain/deployment.ts";
import { formatUsdg, splitPrice } from "../../../web/src/format.ts";
import { findFaultsAt, findFaultsAtBothWidths, readFocused } from "../../support/browser/access.ts";
import { makeUnknownChainOfAppRefusal } from "../../support/browser/answers.ts";
import { activate } from "../../support/browser/hand.ts";
import { type Keyboard, makeKeyboard } from "../../support/browser/keyboard.ts";
import {
  agreeToPay,
  askForText,
  chooseWallet,
  payNow,
  pressNextStep,
  readText,
} from "../../support/browser/reader.ts";
import { startSite, type Visit } from "../../support/browser/site.ts";
import { setOffline } from "../../support/browser/slow.ts";
import { makeDecline, makeLateDecline, walletName } from "../../support/browser/wallet.ts";
import { makeHttpClient } from "../../support/http-payer.ts";

const site = await startSite();
const findPress = (at = 1) => site.findPress(at);

const purse = 1_000_000n;

/** Expects that the text is shown and was paid for exactly once, and that the wallet has signed `signatures` times. */
async function expectPaidOnce(
  { page, wallet }: Visit,
  signatures = 2,
  keys?: Keyboard,
  press = findPress(),
): Promise<void> {
  expect((await readText(page, keys)).length).toBeGreaterThan(500);
  expect(wallet.signatures()).toBe(signatures);
  expect(await site.usdgOf(wallet.account)).toBe(purse - BigInt(press.priceUnits));
}

const isPaid = (route: Route) => route.request().headers()["payment-signature"] !== undefined;

test("a payment is sent again unchanged until the text opens, even if its answers are lost, the chain is slow and the page is loaded again", async () => {
  await using visit = await site.visit({ account: await site.newWallet(purse) });
  const { page, wallet } = visit;
  const transaction = `0x${"ab".repeat(32)}`;
  const pending = { error: "The payment waits.", code: "settlement_pending", requestId: "r", transaction };
  const [closed, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const sent: Record<string, (string | undefined)[]> = { treasury: [], publisher: [] };
  const count = (route: Route, leg: string) =>
    sent[leg]?.push(route.request().headers()["payment-signature"]) ?? 0;
  /** Lets a request move the money, but loses the answer to the request. */
  const lose = async (route: Route) => {
    expect((await route.fetch()).status()).toBe(200);
    return route.abort();
  };
  await page.route("**/api/pay/treasury", async (route) => {
    if (!isPaid(route)) return route.continue();
    const times = count(route, "treasury");
    if (times === 1) return lose(route);
    if (times === 2) return route.fulfill({ status: 503, headers: { "retry-after": "60" }, json: pending });
    await closed.promise;
    return route.continue();
  });
  await page.route("**/api/pay/publisher", async (route) => {
    if (!isPaid(route)) return route.continue();
    const times = count(route, "publisher");
    // The page first sends the payment to the publisher, and the service answers that the fee must be paid first. The test reloads the
    // page after the fee is paid.
    if (times === 2) return held.resolve();
    return times === 3 ? lose(route) : route.continue();
  });
  await askForText(page, findPress());
  await payNow(page);
  await page.getByText("The chain has not confirmed the payment yet").first().waitFor();
  await page.getByTitle(transaction).waitFor();
  await page.getByText("You can close this").waitFor();
  await page.keyboard.press("Escape");
  await activate(page.getByRole("button", { name: "Your payment is in progress…" }));
  // When the browser is online again, the wait of one minute ends early.
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  closed.resolve();
  await held.promise;
  expect(wallet.signatures()).toBe(2);
  await page.reload();
  await expectPaidOnce(visit);
  for (const [leg, times] of [
    ["treasury", 3],
    ["publisher", 4],
  ] as const) {
    expect(sent[leg]).toHaveLength(times);
    expect(new Set(sent[leg]).size).toBe(1);
  }
});

test("a reader with a keyboard on a telephone overcomes missing USDG, a declined switch of the network, a changed network, a declined signature and a chain that does not answer, and is not charged before the text opens", async () => {
  const account = await site.newWallet(100_000n);
  // The account delegates to code (EIP-7702) that accepts no signatures, so Permit2 would refuse a signature of this account. The account
  // pays like a plain account, without an approval and without ETH.
  const code = `0xef0100${mainnet.contracts.identityRegistry.slice(2)}` as const;
  await site.client.setCode({ address: account.address, bytecode: code });
  await site.client.setBalance({ address: account.address, value: 0n });
  await using visit = await site.visit({
    account,
    width: 390,
    chainId: 1,
    chains: [1],
    unknownChain: makeUnknownChainOfAppRefusal,
  });
  const { page, wallet } = visit;
  const keys = makeKeyboard(page);
  const refuseCall = (route: Route) =>
    route.fulfill({ status: 503, json: { error: "No node.", code: "chain_unavailable" } });
  await page.route("**/api/rpc", refuseCall);
  await askForText(page, findPress(), keys);
  await chooseWallet(page, keys);
  await page.getByText("Service or chain", { exact: true }).waitFor();
  await page.unroute("**/api/rpc", refuseCall);
  await pressNextStep(page, "The chain does not answer", "Try again", keys);

  await page
    .getByText("This wallet has $0.10 in USDG. The payment needs $0.60, which is $0.50 more.")
    .waitFor();
  await page.getByRole("img", { name: "QR code of your wallet’s address" }).waitFor();
  await keys.press(page.getByRole("button", { name: /Address of your wallet/ }));
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(account.address.toLowerCase());
  await page.getByText("How to get USDG on Robinhood Chain").waitFor();
  expect(await findFaultsAtBothWidths(page)).toEqual([]);
  await keys.press(page.getByRole("button", { name: "Change the wallet that pays" }));
  await chooseWallet(page, keys);
  await page.getByText("This wallet has $0.10 in USDG.").waitFor();
  await site.fund(account, purse - 100_000n);
  await pressNextStep(page, "Not enough USDG", "Check again", keys);

  await page.getByText("Your wallet will ask you 3 times:").waitFor();
  wallet.react(makeDecline("wallet_switchEthereumChain", "wallet_addEthereumChain"));
  await agreeToPay(page, keys);
  const alert = page.getByRole("alert");
  await alert.getByText("Nothing was charged.").waitFor();
  // The page shows how to switch the network by hand in a wallet that refuses the site's request.
  await page.getByText("RPC URL").waitFor();
  expect(await findFaultsAt(page, 390)).toEqual([]);
  expect(wallet.signatures()).toBe(0);
  // The user switches the chain while the wallet shows the signature request.
  wallet.react((method) => {
    if (method === "eth_signTypedData_v4") wallet.moveTo(10);
    return undefined;
  });
  await pressNextStep(page, "You declined the network Robinhood Chain", "Ask again", keys);
  await alert
    .filter({ hasText: "Your wallet is on another network" })
    .getByText("Nothing was charged.")
    .waitFor();
  expect(wallet.asked).toContain("wallet_addEthereumChain");
  wallet.moveTo(4663);
  wallet.react(makeLateDecline("eth_signTypedData_v4", 1));
  await pressNextStep(page, "Your wallet is on another network", "Check again", keys);
  await alert.getByText("Nothing was charged. Your signature for the author is not used").waitFor();
  expect(await site.usdgOf(account)).toBe(purse);
  wallet.react(undefined);
  // The wallet is not asked for the first signature again.
  await pressNextStep(page, "You declined in your wallet", "Ask again", keys);
  await expectPaidOnce(visit, 4, keys);
  expect(wallet.asked).not.toContain("eth_sendTransaction");
});

test("if only the fee was paid, the site shows, stores and lists the paid fee, and after a price change another browser asks only for the rest of the old price", async () => {
  const account = await site.newWallet(purse);
  const press = findPress(0);
  const { id, priceUnits, headline, slug } = press;
  const { fee, publisher } = splitPrice(priceUnits);
  const rest = `$${formatUsdg(publisher)}`;
  await using visit = await site.visit({ account, width: 390 });
  const { page, wallet } = visit;
  const keys = makeKeyboard(page);
  // After the fee is paid, the service refuses the payment to the publisher.
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
  await askForText(page, press, keys);
  await payNow(page, keys);
  const half = `You paid the platform fee of $${formatUsdg(fee)}. The fee is kept for this article and is not charged again.`;
  const alert = page.getByRole("alert");
  await alert.getByText(half).waitFor();
  expect(await alert.innerText()).not.toContain("Nothing was charged");
  await keys.go(alert.getByRole("button", { name: `Sign ${rest}` }));
  expect(await findFaultsAt(page, 390)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "Half paid" }).waitFor();
  await keys.go(page.getByRole("button", { name: `Pay the remaining ${rest}` }));
  expect(await site.usdgOf(account)).toBe(purse - BigInt(fee));
  expect(wallet.signatures()).toBe(2);

  const author = makeHttpClient(site.origin);
  const cookie = await author.signIn(site.author);
  const reprice = { body: { id, priceUsdg: 0.9 }, cookie, headers: { origin: site.origin } };
  expect(await author.ask("/api/press/price", reprice)).toMatchObject({ status: 200 });
  await using other = await site.visit({ account, width: 390 });
  const otherKeys = makeKeyboard(other.page);
  await other.page.goto("/history");
  await otherKeys.press(other.page.getByRole("button", { name: walletName }));
  const listed = other.page.getByRole("region", { name: "Half paid" });
  await listed.getByText(`${rest} for the author remains`).waitFor();
  await listed.getByRole("link", { name: headline, exact: true }).waitFor();
  expect(await findFaultsAtBothWidths(other.page)).toEqual([]);
  await otherKeys.press(listed.getByRole("link", { name: `Pay ${rest}` }));
  await otherKeys.press(other.page.getByRole("button", { name: `Pay the remaining ${rest}` }));
  await other.page.getByText("Your wallet will ask you once:").waitFor();
  await otherKeys.press(other.page.getByRole("button", { name: `Pay ${rest}` }));
  await expectPaidOnce(other, 1, otherKeys, press);
  expect(other.page.url()).toContain(slug);
});

test("a reader whose wallet pays by Permit2 chooses an exact or unlimited approval and sees the approval's gas", async () => {
  const account = await site.newWallet(purse);
  const { usdg, permit2 } = mainnet.contracts;
  const token = { address: usdg, abi: erc20Abi } as const;
  const approval = { account, ...token, functionName: "approve", args: [permit2, 1n] } as const;
  await site.client.writeContractSync(approval);
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
  expect(await findFaultsAt(page, 390)).toEqual([]);
  await keys.choose(page.getByRole("radio", { name: "Exactly $0.60" }));
  await page.getByText("Approve Permit2 for $0.60").waitFor();
  await agreeToPay(page, keys);
  await expectPaidOnce(visit, 2, keys);
  expect(wallet.asked.filter((method) => method === "eth_sendTransaction")).toHaveLength(1);
  // The payments have used the whole approved amount.
  const args = [account.address, permit2] as const;
  expect(await site.client.readContract({ ...token, functionName: "allowance", args })).toBe(0n);
});

test("a second tab shows the first tab's payment until the text opens, and continues the payment if the first tab is closed", async () => {
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
  // If a signed payment has no answer yet, its dialog opens without a click.
  await dialog.getByText("This payment is open in another tab").waitFor();
  await dialog.getByText("We do not know yet whether it was charged.").waitFor();
  expect(await findFaultsAt(second, 390)).toEqual([]);
  await page.close();
  released.resolve();
  expect((await readText(second, makeKeyboard(second))).length).toBeGreaterThan(500);
  expect(wallet.signatures()).toBe(2);
  expect(await site.usdgOf(wallet.account)).toBe(purse - BigInt(findPress().priceUnits));
});

test("if the code of a dialog or wallet cannot be loaded, the dialog offers to load the page again, because the browser does not load this code a second time", async () => {
  await using visit = await site.visit();
  const { page } = visit;
  const [dialog, code] = ["**/assets/wallet-dialog-*.js", "**/assets/devnet-*.js"];
  for (const each of [dialog, code]) await page.route(each, (route) => route.abort());
  await page.goto("/");
  const connect = page.getByRole("button", { name: "Connect wallet" });
  await activate(connect);
  await page.getByRole("alert").getByText("This part of the page could not be loaded.").waitFor();
  await activate(page.getByRole("button", { name: "Close" }));
  await page.getByRole("article").first().waitFor();
  await page.unroute(dialog);
  await page.reload();
  await activate(connect);
  await page.getByRole("alert").getByText("The wallets could not be loaded.").waitFor();
  await page.goto("/purse");
  const again = page.getByRole("button", { name: "Load again" });
  await again.waitFor();
  await page.goto("/");
  await activate(connect);
  await again.waitFor();
  await page.unroute(code);
  await activate(again);
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await activate(connect);
  await page.getByRole("dialog").getByRole("button", { name: walletName }).waitFor();
});

test("the page asks for no signature if it cannot store a payment, shows the reason for each wait, and shows a changed price before it asks for a signature", async () => {
  await using visit = await site.visit({ account: await site.newWallet(purse) });
  const { page, wallet } = visit;
  // The page gets a price of $0.50, but the terms of the payment have the real price.
  await page.route("**/api/presses/*", async (route) => {
    const answer = await route.fetch();
    const detail = await answer.json();
    detail.press.priceUnits = "500000";
    return route.fulfill({ response: answer, json: detail });
  });
  // The browser stores no payment until the page has the property `hasRoom`.
  await page.addInitScript(() => {
    const write = Storage.prototype.setItem;
    Storage.prototype.setItem = function (key: string, value: string) {
      if (key.startsWith("payment:") && !("hasRoom" in window))
        throw new DOMException("No room.", "QuotaExceededError");
      write.call(this, key, value);
    };
  });
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
  await page.getByRole("alert").getByText("This part of the page could not be loaded.").waitFor();
  const late = held;
  held = undefined;
  await Promise.all(late.map((route) => route.continue()));
  await keys.press(page.getByRole("button", { name: "Load again" }));
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await keys.press(buy);
  await chooseWallet(page, keys);
  await page.getByText("This browser keeps no data for this site").waitFor();
  await page.evaluate(() => Reflect.set(window, "hasRoom", true));
  await pressNextStep(page, "This browser keeps no data for this site", "Try again", keys);
  const plan = page.getByText("Your wallet will ask you 2 times:");
  await plan.waitFor();
  const missing = { status: 404, json: { error: "There is no such press.", code: "unknown_press" } };
  await page.route("**/api/pay/**", (route) => route.fulfill(missing), { times: 1 });
  await agreeToPay(page, keys);
  const gone = page.getByRole("alert").filter({ hasText: "This article is not for sale" });
  await gone.getByRole("link", { name: "Show all articles" }).waitFor();
  expect(await gone.getByRole("button").count()).toBe(0);
  await page.keyboard.press("Escape");
  await keys.press(buy);
  await plan.waitFor();
  await setOffline(page, true);
  await page.getByText("You are offline.").first().waitFor();
  await agreeToPay(page, keys);
  await page.getByRole("alert").getByText("Nothing was charged.").waitFor();
  await setOffline(page, false);
  await page.getByText("The price was $0.45. It is now $0.54.").waitFor();
  expect(wallet.signatures()).toBe(0);
  await keys.press(page.getByRole("button", { name: "Sign $0.54" }));
  await expectPaidOnce(visit, 2, keys);
  // At the end of the test, the page may be loading the press again.
  await page.unrouteAll({ behavior: "ignoreErrors" });
});
