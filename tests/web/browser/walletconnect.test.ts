import { setTimeout as delay } from "node:timers/promises";
import type { Page } from "playwright-core";
import type { LocalAccount } from "viem";
import { keccak256 } from "viem/utils";
import { afterAll, expect, test } from "vitest";
import { mainnet } from "../../../core/chain/deployment.ts";
import { type Address, lower } from "../../../core/chain/hex.ts";
import { walletConnectHosts, walletConnectPolicy } from "../../../functions/browser.ts";
import { getTestAccount } from "../../../local/devnet/accounts.ts";
import { findFaultsAt } from "../../support/browser/access.ts";
import { chooseInput } from "../../support/browser/hand.ts";
import { type Phone, startPhone } from "../../support/browser/phone.ts";
import { agreeToPay, askForText, pressNextStep, readText } from "../../support/browser/reader.ts";
import { startRelay } from "../../support/browser/relay.ts";
import { startSite } from "../../support/browser/site.ts";
import { compileTestContracts } from "../../support/devnet.ts";
import { buildStageSite, stageSettings } from "../../support/stage-site.ts";
import { deployContractWallet, execute } from "../../support/wallets.ts";

const { walletConnectProjectId: projectId } = stageSettings;
const relay = await startRelay(projectId);
afterAll(relay.stop);
const site = await startSite(2, { site: await buildStageSite() });
const { findPress } = site;

/**
 * WalletConnect's frame, which sends an attestation for each request. If the frame does not answer, the library waits five seconds before
 * each request.
 */
const frame = `<script>
  const id = new URL(location).searchParams.get("id");
  const attestation = [{ alg: "ES256", typ: "JWT" }, { id }, {}].map((part) => btoa(JSON.stringify(part))).join(".");
  parent.postMessage(JSON.stringify({ type: "verify_attestation", attestation }), "*");
</script>`;

/**
 * Visits a stage's site under the stage's content security policy. The test's relay answers in place of WalletConnect's relay. The test
 * collects what the content security policy refuses.
 */
async function visitStage() {
  const visit = await site.visit({ wallet: "none", faulty: true });
  const { context, page } = visit;
  const refused: string[] = [];
  const hosts = new Set<string>();
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) refused.push(message.text());
  });
  await context.routeWebSocket(/^wss:/, (socket) => {
    hosts.add(new URL(socket.url()).origin);
    const line = relay.take(socket.url(), (text) => socket.send(text));
    socket.onMessage((text) => line.hear(String(text)));
    socket.onClose(() => line.hangUp());
  });
  await context.route(/^https:/, (route) => {
    const { origin, pathname } = new URL(route.request().url());
    hosts.add(origin);
    return pathname === "/attestation"
      ? route.fulfill({ contentType: "text/html", body: frame })
      : route.abort();
  });
  await context.route(`${site.origin}/press/*`, async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), "content-security-policy": walletConnectPolicy };
    await route.fulfill({ response, headers });
  });
  return { ...visit, refused, hosts };
}

/** Chooses WalletConnect on the page, and waits for the QR code. */
async function showCode(page: Page): Promise<void> {
  await chooseInput(page).press(page.getByRole("dialog").getByRole("button", { name: "WalletConnect" }));
  await page.getByRole("img", { name: "QR code" }).waitFor();
}

/** Lets the phone read the link that stands beside the QR code. */
async function connectPhone(page: Page, phone: Phone): Promise<void> {
  const link = page.getByRole("link", { name: "Open wallet app" });
  await phone.pair((await link.getAttribute("href")) ?? "");
}

const startPhoneOf = (
  signer: LocalAccount,
  address: Address,
  send?: Parameters<typeof startPhone>[0]["send"],
) => startPhone({ relayUrl: relay.url, projectId, chainId: mainnet.chainId, signer, address, send });

test("a wallet on a phone buys an article by WalletConnect and is charged nothing while its user refuses, and the page contacts only the hosts in the content security policy", async () => {
  const account = await site.newWallet(1_000_000n);
  const phone = await startPhoneOf(account, lower(account.address));
  await using visit = await visitStage();
  const { page, refused, hosts } = visit;
  await askForText(page, findPress(0));
  await showCode(page);
  expect(await findFaultsAt(page, 1280)).toEqual([]);
  await connectPhone(page, phone);
  phone.decline(true);
  await agreeToPay(page);
  await page.getByRole("alert").getByText("Nothing was charged.").waitFor();
  expect(await site.usdgOf(account)).toBe(1_000_000n);
  phone.decline(false);
  await pressNextStep(page, "You declined in your wallet", "Ask again");
  expect((await readText(page)).length).toBeGreaterThan(500);
  const sign = "eth_signTypedData_v4";
  expect(phone.asked).toEqual([sign, sign, sign]);
  expect(await site.usdgOf(account)).toBe(1_000_000n - BigInt(findPress(0).priceUnits));
  expect(relay.asked).toContain("irn_publish");
  expect(refused).toEqual([]);
  const allowed = new Set<string>([...walletConnectHosts.connect, ...walletConnectHosts.frame]);
  expect([...hosts].filter((host) => !allowed.has(host))).toEqual([]);
  await phone.stop();
});

test("a contract wallet such as a Safe approves and pays by WalletConnect, although no node knows the hash that the wallet returns for the approval", async () => {
  const owner = getTestAccount(11);
  const chain = { client: site.client, devnet: { artifacts: compileTestContracts } };
  const wallet = await deployContractWallet(chain, owner, 0n);
  const phone = await startPhoneOf(owner, wallet, async ({ to, data }) => {
    // The owners of a Safe sign after the Safe's app has answered the site. Until all owners have signed, the Safe's app returns the hash
    // of the message to sign (safe-wallet-monorepo, apps/web/src/services/safe-wallet-provider, eth_sendTransaction).
    void delay(3_000).then(() => execute(chain, owner, wallet, { to: lower(to), data }));
    return keccak256(data);
  });
  await using visit = await visitStage();
  const { page } = visit;
  await askForText(page, findPress(1));
  await showCode(page);
  await connectPhone(page, phone);
  await agreeToPay(page);
  expect((await readText(page)).length).toBeGreaterThan(500);
  expect(phone.asked).toEqual(["eth_sendTransaction", "eth_signTypedData_v4", "eth_signTypedData_v4"]);
  await phone.stop();
});
