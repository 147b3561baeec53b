import type { Page, Response, Route } from "playwright-core";
import { type Hex, keccak256, parseEther } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import * as z from "zod";
import { HexInput } from "../../../core/chain/hex.ts";
import { type Article, askingPrice, tradingHalt } from "../../../local/seed/articles.ts";
import { findFaultsAt, findFaultsAtBothWidths } from "../../support/browser/access.ts";
import { activate, chooseInput, chooseWidth } from "../../support/browser/hand.ts";
import { makeKeyboard } from "../../support/browser/keyboard.ts";
import { approveDraft } from "../../support/browser/publisher.ts";
import {
  clearSiteData,
  findHaveButton,
  findMakeButton,
  makePurse,
  readPurseAddress,
  visitWithPasskeys,
} from "../../support/browser/purse.ts";
import {
  agreeToPay,
  askForText,
  openPage,
  pressNextStep,
  readShownText,
  readText,
} from "../../support/browser/reader.ts";
import { startSite } from "../../support/browser/site.ts";
import { setOffline } from "../../support/browser/slow.ts";

const site = await startSite(2);
const { findPress } = site;

const readPrice = () => BigInt(findPress().priceUnits);
const makeAddress = () => privateKeyToAccount(generatePrivateKey()).address;
const giveEther = (address: `0x${string}`) => site.client.setBalance({ address, value: parseEther("0.01") });

test("a reader without a wallet or ETH, whose clock is an hour slow, opens the text with four taps and one deposit, gets the purse and the text back with only the passkey, and moves the remaining money away", async () => {
  const width = chooseWidth(390);
  const userAgent = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)";
  await using visit = await visitWithPasskeys(site, { width, userAgent });
  const { page, authenticator } = visit;
  await page.addInitScript(() => {
    const { now } = Date;
    Date.now = () => now() - 3_600_000;
    Reflect.set(window, "taps", 0);
    const count = () => {
      Reflect.set(window, "taps", Reflect.get(window, "taps") + 1);
      Reflect.set(window, "tappedAt", performance.now());
    };
    addEventListener("click", count, true);
  });
  await askForText(page, findPress());
  await findMakeButton(page).waitFor();
  expect(await findFaultsAt(page, width)).toEqual([]);
  const link = page.getByRole("dialog").getByRole("link", { name: "Open in MetaMask" });
  await makeKeyboard(page).go(link);
  expect(await link.getAttribute("href")).toContain("https://link.metamask.io/dapp/");
  await activate(findMakeButton(page));
  await page.getByText("Not enough USDG").waitFor();
  await page.getByText("If you delete the passkey, you lose the purse.").waitFor();
  expect(await findFaultsAt(page, width)).toEqual([]);
  expect(await authenticator.readGestures()).toEqual({ made: 1, asked: 1 });
  const address = await readPurseAddress(page);
  await site.fund({ address }, 1_000_000n);

  // The page notices the deposit without a tap by the reader.
  await page.getByText("You confirm once with your passkey:").waitFor();
  expect(await findFaultsAt(page, width)).toEqual([]);
  await agreeToPay(page);
  await page.getByRole("button", { name: "Read it" }).waitFor();
  // `TAP_TIMES=1` prints the times of the taps (bench/README.md). The times include both payments and the 402 answers before them.
  const took = await page.evaluate(() => performance.now() - Reflect.get(window, "tappedAt"));
  if (process.env.TAP_TIMES !== undefined)
    console.log(`${width} pixels: ${Math.round(took)} ms from the tap on "Pay" to the text`);
  const text = await readText(page);
  expect(text.length).toBeGreaterThan(500);
  expect(await authenticator.readGestures()).toEqual({ made: 1, asked: 2 });
  expect(await page.evaluate(() => Reflect.get(window, "taps"))).toBe(4);
  expect(await site.usdgOf({ address })).toBe(1_000_000n - readPrice());

  await clearSiteData(visit);
  await page.reload();
  await activate(page.getByRole("button", { name: "Already bought it? Sign in" }));
  await activate(findHaveButton(page));
  expect(await readShownText(page)).toBe(text);
  await openPage(page, "/purse");
  await page.getByRole("heading", { name: "It holds" }).waitFor();
  expect(await readPurseAddress(page)).toBe(address);
  expect(await site.usdgOf({ address })).toBe(1_000_000n - readPrice());

  const to = makeAddress();
  await page.getByLabel("Address that receives the USDG").fill(to);
  await activate(page.getByRole("button", { name: "Review the move" }));
  await page
    .getByText("We pay the network for the move, from the fees that you have paid for articles.")
    .waitFor();
  const move = page.getByRole("button", { name: /^Move \$/ });
  const refusal = { status: 409, json: { error: "The move was refused.", code: "move_refused" } };
  await page.route("**/api/move", (route) => route.fulfill(refusal), { times: 1 });
  await activate(move);
  await page.getByRole("alert").getByText(refusal.json.error).waitFor();
  const before = (await authenticator.readGestures()).asked;
  await activate(move);
  await page.getByText(`was moved to ${to.toLowerCase()}.`).waitFor();
  expect((await authenticator.readGestures()).asked).toBe(before + 1);
  expect(await site.usdgOf({ address: to })).toBe(1_000_000n - readPrice());
  expect(await site.usdgOf({ address })).toBe(0n);
});

test("a purse's page recommends a full wallet for large sums, shows the key once after the reader confirms, and moves the whole balance by one confirmation", async () => {
  await using visit = await visitWithPasskeys(site);
  const { page, authenticator } = visit;
  const address = await makePurse(page, site, 50_000_000n);
  await page.getByText("$50.00", { exact: true }).waitFor();
  expect(await page.getByText("This is a lot for a purse").count()).toBe(0);
  await page.getByText(/^Each transaction costs about 0\.\d+ ETH at the moment\.$/).waitFor();
  await site.fund({ address }, 10_000n);
  await page.getByText("This is a lot for a purse").waitFor();

  await page.getByText("Anyone who sees the key can take everything in the purse.").waitFor();
  let before = (await authenticator.readGestures()).asked;
  await activate(page.getByRole("button", { name: "Show the key once" }));
  const shown = await page.getByText(/^0x[0-9a-f]{64}$/).innerText();
  expect((await authenticator.readGestures()).asked).toBe(before + 1);
  expect(await findFaultsAtBothWidths(page)).toEqual([]);
  const elsewhere = privateKeyToAccount(`0x${shown.slice(2)}`);
  expect(elsewhere.address.toLowerCase()).toBe(address);
  await activate(page.getByRole("button", { name: "I have kept the key. Hide it" }));
  await page.getByText("The key is hidden.").waitFor();
  expect(await page.content()).not.toContain(shown);

  const to = makeAddress();
  const field = page.getByLabel("Address that receives the USDG");
  for (const [entry, says] of [
    ["0x1234", "This is not an address."],
    [address, "This is the purse’s own address."],
    [to, `$50.01 goes to ${to.toLowerCase()}.`],
  ] as const) {
    await field.fill(entry);
    await activate(page.getByRole("button", { name: "Review the move" }));
    await page.getByText(says).waitFor();
  }
  await page
    .getByText(/The move costs about 0\.\d+ ETH for the network, and the purse has 0 ETH\./)
    .waitFor();
  const move = page.getByRole("button", { name: "Move $50.01" });
  expect(await move.isDisabled()).toBe(true);
  expect(await findFaultsAt(page, 390)).toEqual([]);
  await giveEther(address);
  await page.getByText(/The purse pays the network about 0\.\d+ ETH for the move\./).waitFor();
  before = (await authenticator.readGestures()).asked;
  await activate(move);
  await page.getByText(`$50.01 was moved to ${to.toLowerCase()}.`).waitFor();
  expect((await authenticator.readGestures()).asked).toBe(before + 1);
  expect(await site.usdgOf({ address: to })).toBe(50_010_000n);
  expect(await site.usdgOf({ address })).toBe(0n);

  await authenticator.refusesFinger();
  await activate(page.getByRole("button", { name: "Show the key once" }));
  await page.getByRole("alert").getByText("Your passkey was not used.").waitFor();
  expect(await page.content()).not.toContain(shown);
  await activate(page.getByRole("banner").getByRole("button", { name: /^0x/ }));
  await activate(page.getByRole("menuitem", { name: "Disconnect wallet" }));
  await findMakeButton(page).waitFor();
});

test("a reader with a keyboard and a purse without ETH sees how much ETH a vote needs, gets this ETH because the article's fee covers the gas, and votes", async () => {
  await using visit = await visitWithPasskeys(site, { width: 390 });
  const { page } = visit;
  const address = await makePurse(page, site, 1_000_000n);
  await askForText(page, findPress(1));
  // The page offers ETH for gas only to the session's wallet, and the session begins with the payment.
  const isSession = async (answer: Response) =>
    new URL(answer.url()).pathname === "/api/me" && (await answer.json()).address === address;
  await Promise.all([page.waitForResponse(isSession), agreeToPay(page)]);
  await readText(page);
  const keys = makeKeyboard(page);
  await keys.choose(page.getByRole("radio", { name: "Worth it", exact: true }));
  await keys.press(page.getByRole("button", { name: "Vote onchain" }));
  const lacks = page.getByRole("alert").getByText(/your wallet lacks about 0\.\d+ ETH\./);
  expect(await lacks.innerText()).toContain(`to ${address}`);
  const offer = page.getByRole("button", { name: "Get the gas for this vote" });
  await offer.waitFor();
  expect(await findFaultsAt(page, 390)).toEqual([]);
  await keys.press(offer);
  await page.getByText("You voted:").waitFor();
  // The ETH that remains in the purse is less than a vote needs.
  expect(await site.client.getBalance({ address })).toBeGreaterThan(0n);
});

/** Signs in with the purse, saves an approved press, and opens the page for its mint. */
async function openMint(page: Page, article: Article): Promise<void> {
  await openPage(page, "/publish");
  await activate(page.getByRole("button", { name: "Sign in", exact: true }).last());
  await page.getByText("Write your first article").waitFor();
  await openPage(page, `/publish/${await approveDraft(page, article)}/mint`);
}

test("a purse can publish: the page says how much ETH the mint needs and where to send the ETH, and one confirmation is enough for the mint", async () => {
  await using visit = await visitWithPasskeys(site, { width: 390 });
  const { page, authenticator } = visit;
  const address = await makePurse(page, site);
  await activate(page.getByRole("button", { name: "Take 10 USDG" }));
  await page.getByText("$10.00", { exact: true }).waitFor();
  await openMint(page, askingPrice);
  await page.getByText(/^Your wallet lacks about 0\.\d+ ETH for the gas\. Send it to this address/).waitFor();
  expect(await readPurseAddress(page)).toBe(address);
  expect(await findFaultsAt(page, 390)).toEqual([]);
  const mint = page.getByRole("button", { name: "Mint it" });
  await activate(mint);
  const alert = page.getByRole("alert").filter({ hasText: "Your wallet has too little ETH" });
  await alert.getByText(`to ${address}`).waitFor();
  await page.reload();
  await activate(page.getByRole("button", { name: "Take 0.01 ETH" }));
  await page
    .getByText(/Gas costs at most about 0\.\d+ ETH at the moment, and your wallet has 0\.01 ETH/)
    .waitFor();
  const before = (await authenticator.readGestures()).asked;
  await activate(mint);
  await page.getByRole("heading", { name: "It is live" }).waitFor();
  expect((await authenticator.readGestures()).asked).toBe(before + 1);
});

const Calls = z
  .unknown()
  .transform((body) => [body].flat())
  .pipe(z.array(z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()).default([]) })));

/** Lets the relay send each transaction of the page, and ends the page's request by `answer` instead of the relay's answer. */
async function replaceSendAnswers(
  page: Page,
  answer: (route: Route, id: number, transactionHash: Hex) => Promise<void>,
): Promise<void> {
  await page.route("**/api/rpc", async (route) => {
    const calls = Calls.parse(route.request().postDataJSON());
    const sent = calls.find(({ method }) => method === "eth_sendRawTransaction");
    if (sent === undefined) return route.continue();
    await route.fetch();
    await answer(route, sent.id, keccak256(HexInput.parse(sent.params[0])));
  });
}

test("if the relay's answers to a purse's mint are lost, the page continues with the sent transaction and sends no second one", async () => {
  await using visit = await visitWithPasskeys(site);
  const { page } = visit;
  const address = await makePurse(page, site);
  await giveEther(address);
  await openMint(page, tradingHalt);
  await replaceSendAnswers(page, (route) => route.abort());
  await activate(page.getByRole("button", { name: "Mint it" }));
  await page.getByRole("heading", { name: "It is live" }).waitFor();
  expect(await site.client.getTransactionCount({ address })).toBe(1);
});

test("if the relay does not know whether it has sent a purse's vote, the page waits for this vote and counts it", async () => {
  await using visit = await visitWithPasskeys(site);
  const { page } = visit;
  const address = await makePurse(page, site, 1_000_000n);
  await giveEther(address);
  await askForText(page, findPress(1));
  await agreeToPay(page);
  await readText(page);
  await replaceSendAnswers(page, (route, id, transactionHash) => {
    const error = { code: -32603, message: "It is not known.", data: { transactionHash } };
    return route.fulfill({ json: [{ jsonrpc: "2.0", id, error }] });
  });
  await chooseInput(page).choose(page.getByRole("radio", { name: "Worth it", exact: true }));
  await activate(page.getByRole("button", { name: "Vote onchain" }));
  await page.getByText("You voted:").waitFor();
  expect(await site.client.getTransactionCount({ address })).toBe(1);
});

const expectNoPurse = async (page: Page) => {
  expect(await page.getByText(/^0x[0-9a-f]{40}$/).count()).toBe(0);
  expect(await page.evaluate(() => localStorage.getItem("purse:"))).toBeNull();
};

test("a passkey without PRF makes no purse, and a browser that reports no support for PRF is not asked to make a passkey", async () => {
  await using visit = await visitWithPasskeys(site, { hasPrf: false });
  const { page } = visit;
  await page.goto("/purse");
  await activate(findMakeButton(page));
  await page.getByRole("alert").getByText("This passkey cannot open a purse").waitFor();
  await expectNoPurse(page);
  expect(await findFaultsAtBothWidths(page)).toEqual([]);
  await page.addInitScript(() => {
    Reflect.set(PublicKeyCredential, "getClientCapabilities", async () => ({ "extension:prf": false }));
  });
  await page.reload();
  await page.getByText("This browser has no passkeys with the function that a purse needs").waitFor();
  expect(await findMakeButton(page).count()).toBe(0);
});

test("no purse is made if the reader cancels the first or the second passkey prompt", async () => {
  await using visit = await visitWithPasskeys(site);
  const { page, authenticator } = visit;
  await page.goto("/purse");
  await authenticator.cancels(true);
  await activate(findMakeButton(page));
  const alert = page.getByRole("alert").getByText("Your passkey was not used.");
  await alert.waitFor();
  await expectNoPurse(page);
  await activate(findHaveButton(page));
  await alert.waitFor();
  await authenticator.cancels(false);
  await page.evaluate(() => {
    const { credentials } = navigator;
    credentials.get = () => Promise.reject(new DOMException("No.", "NotAllowedError"));
  });
  await activate(findMakeButton(page));
  await expect.poll(() => authenticator.countPasskeys()).toBe(1);
  await alert.waitFor();
  await expectNoPurse(page);
  // A passkey that was stored before the cancellation still opens a purse.
  await page.reload();
  await activate(findHaveButton(page));
  await page.getByRole("heading", { name: "It holds" }).waitFor();
});

test("no purse is made if a browser claims to support PRF, but the passkey gives no secret, a different secret each time, or a secret that is too short", async () => {
  await using visit = await visitWithPasskeys(site);
  const { page } = visit;
  await page.addInitScript(() => {
    const own = PublicKeyCredential.prototype.getClientExtensionResults;
    PublicKeyCredential.prototype.getClientExtensionResults = function () {
      const { lie, asked } = Reflect.get(window, "lying");
      Reflect.set(window, "lying", { lie, asked: asked + 1 });
      if (lie === "none") return asked === 0 ? own.call(this) : { prf: { enabled: true } };
      const { buffer } = crypto.getRandomValues(new Uint8Array(lie === "short" ? 31 : 32));
      return { prf: { enabled: true, results: { first: buffer } } };
    };
  });
  await page.goto("/purse");
  for (const [lie, says] of [
    ["none", "This passkey cannot open a purse"],
    ["other", "This passkey gave two different answers"],
    ["short", "This passkey cannot open a purse"],
  ] as const) {
    await page.evaluate((name) => Reflect.set(window, "lying", { lie: name, asked: 0 }), lie);
    await activate(findMakeButton(page));
    await page.getByRole("alert").getByText(says).waitFor();
    await expectNoPurse(page);
  }
});

test("a purse pays nothing if its passkey prompt is cancelled or times out, if the browser is offline, or if the passkey is deleted; it pays as soon as the reader confirms", async () => {
  await using visit = await visitWithPasskeys(site, { timeout: 10_000 });
  const { page, authenticator } = visit;
  const funds = 2_000_000n;
  const address = await makePurse(page, site, funds);
  const paying: string[] = [];
  page.on("request", (request) => {
    if (request.headers()["payment-signature"] !== undefined) paying.push(request.url());
  });
  await askForText(page, findPress());
  await authenticator.cancels(true);
  await agreeToPay(page);
  const stopped = page.getByRole("alert").filter({ hasText: "Your purse did not sign" });
  await stopped.getByText("Nothing was charged.", { exact: true }).waitFor();
  expect(await findFaultsAt(page, 390)).toEqual([]);
  await authenticator.cancels(false);
  await authenticator.setPresence(false);
  await pressNextStep(page, "Your purse did not sign", "Ask again");
  await page.getByText("Confirm on your device…").first().waitFor();
  await stopped.waitFor();
  await authenticator.setPresence(true);
  await setOffline(page, true);
  await pressNextStep(page, "Your purse did not sign", "Ask again");
  await page.getByRole("alert").getByText("You are offline").waitFor();
  expect(paying).toEqual([]);
  expect(await site.usdgOf({ address })).toBe(funds);
  await setOffline(page, false);
  await readText(page);
  expect(await site.usdgOf({ address })).toBe(funds - readPrice());

  await authenticator.deleteAll();
  await askForText(page, findPress(1));
  await agreeToPay(page);
  await page.getByRole("alert").getByText("there is no passkey for this site here").waitFor();
  expect(await site.usdgOf({ address })).toBe(funds - readPrice());
});

test("making a second purse does not change the first purse, and each passkey opens its own purse", async () => {
  await using visit = await visitWithPasskeys(site);
  const { page, authenticator } = visit;
  const first = await makePurse(page, site, 1_000_000n);
  const kept = await page.evaluate(() => localStorage.getItem("purse:"));
  await clearSiteData(visit);
  const second = await makePurse(page, site);
  expect(second).not.toBe(first);
  expect(await authenticator.countPasskeys()).toBe(2);
  // A browser that has stored the first purse asks only for the passkey of that purse.
  await page.evaluate((text) => localStorage.setItem("purse:", text ?? ""), kept);
  await page.reload();
  await page.getByText("$1.00", { exact: true }).waitFor();
  expect(await readPurseAddress(page)).toBe(first);
  await activate(page.getByRole("button", { name: "Show the key once" }));
  const key = await page.getByText(/^0x[0-9a-f]{64}$/).innerText();
  expect(privateKeyToAccount(`0x${key.slice(2)}`).address.toLowerCase()).toBe(first);
});
