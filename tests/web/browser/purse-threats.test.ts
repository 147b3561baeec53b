import { createServer } from "node:http";
import type { Page } from "playwright-core";
import { toHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import * as z from "zod";
import { listen } from "../../../local/stand-in.ts";
import { deriveKey } from "../../../web/src/purse/key.ts";
import { activate } from "../../support/browser/hand.ts";
import { makePurse, visitWithPasskeys } from "../../support/browser/purse.ts";
import { agreeToPay, askForText, readShownText, readText } from "../../support/browser/reader.ts";
import { startSite } from "../../support/browser/site.ts";

/** Tries the attacks of a thief, to test what docs/security.md says about a passkey's purse. */
const site = await startSite(1);
const { findPress } = site;

/** Runs in a page: asks the passkey for the purse's secret, with the given host as `rpId`. */
async function askForSecret(page: Page, rpId: string): Promise<string> {
  return page.evaluate(async (host) => {
    const first = new TextEncoder().encode("press-market/purse/v1");
    try {
      const found = await navigator.credentials.get({
        publicKey: {
          rpId: host,
          challenge: new Uint8Array(32),
          userVerification: "required",
          timeout: 10_000,
          extensions: { prf: { eval: { first } } },
        },
      });
      return found === null ? "nothing" : "secret";
    } catch (error) {
      return error instanceof Error ? error.name : "error";
    }
  }, rpId);
}

/** A stranger's page at another origin. */
async function startStrangerPage(html: string) {
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end(html);
  });
  const { endpoint, stop } = await listen(server);
  return { port: new URL(endpoint).port, [Symbol.asyncDispose]: stop };
}

test("a page of another host gets no secret, whether it uses its own name or the site's name; the site names no related origins and lets no frame ask for the passkey", async () => {
  await using other = await startStrangerPage("<title>Press Market</title>");
  await using visit = await visitWithPasskeys(site, { timeout: 10_000, faulty: true });
  const { page, authenticator } = visit;
  await makePurse(page, site);
  expect(await askForSecret(page, "localhost")).toBe("secret");
  expect((await page.request.get("/.well-known/webauthn")).status()).toBe(404);
  for (const host of ["press.localhost", "localhost.localhost"]) {
    await page.goto(`http://${host}:${other.port}/`);
    expect(await askForSecret(page, "localhost")).toBe("SecurityError");
    expect(await askForSecret(page, host)).toBe("NotAllowedError");
  }
  await page.goto(`http://127.0.0.1:${other.port}/`);
  expect(await askForSecret(page, "localhost")).toBe("SecurityError");

  await using framing = await startStrangerPage(`<iframe src="${site.origin}/purse"></iframe>`);
  await page.goto(`http://127.0.0.1:${framing.port}/`);
  const [, framed] = page.frames();
  await expect.poll(() => framed?.url()).toMatch(/^chrome-error:/);
  // The site's page shows no frame of another site, so no frame inside the page can ask for the passkey either.
  await page.goto("/purse");
  await page.evaluate((address) => {
    const frame = document.createElement("iframe");
    frame.src = address;
    document.body.append(frame);
  }, `http://127.0.0.1:${framing.port}/`);
  await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
  expect((await authenticator.readGestures()).asked).toBe(0);
});

test("an injected script does not run, the purse is not announced to scripts, and a purse with a changed address signs nothing", async () => {
  await using visit = await visitWithPasskeys(site, { faulty: true });
  const { page } = visit;
  await page.addInitScript(() => {
    const announced: string[] = [];
    Reflect.set(window, "announced", announced);
    const dispatch = window.dispatchEvent.bind(window);
    window.dispatchEvent = (event) => {
      const isAnnouncement = event.type === "eip6963:announceProvider" && event instanceof CustomEvent;
      if (isAnnouncement) announced.push(event.detail.info.name);
      return dispatch(event);
    };
  });
  const address = await makePurse(page, site, 1_000_000n);
  const before = await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.injected = true";
    document.body.append(script);
    const blocked = Reflect.get(window, "injected") === undefined;
    dispatchEvent(new Event("eip6963:requestProvider"));
    return { blocked, ethereum: "ethereum" in window, announced: Reflect.get(window, "announced") };
  });
  // The devnet's own wallets announce themselves to scripts; the connected purse does not.
  expect(before).toMatchObject({ blocked: true, ethereum: false });
  const names = z.array(z.string()).parse(before.announced);
  expect(new Set(names)).toEqual(new Set(["Devnet reader", "Devnet publisher", "Devnet stockholder"]));

  // If an attacker changes the address in the browser's record, the purse's key does not sign for the changed address.
  const forged = "0x00000000000000000000000000000000000000ad";
  await page.evaluate((to) => {
    const known = JSON.parse(localStorage.getItem("purse:") ?? "{}");
    localStorage.setItem("purse:", JSON.stringify({ ...known, address: to }));
  }, forged);
  await site.fund({ address: forged }, 1_000_000n);
  await page.reload();
  await askForText(page, findPress());
  await agreeToPay(page);
  const alert = page.getByRole("alert").filter({ hasText: "Your purse did not sign" });
  await alert.getByText("The passkey that answered does not belong to this purse.").waitFor();
  expect(await site.usdgOf({ address })).toBe(1_000_000n);
});

test("a thief with a stolen cookie can read the reader's texts but cannot move money: the purse's secrets appear in no storage, log, request or toJSON() output, and are overwritten in memory", async () => {
  await using visit = await visitWithPasskeys(site, { width: 390 });
  const { page } = visit;
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("request", (request) =>
    said.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData()}`),
  );
  await page.addInitScript(() => {
    const secrets: string[] = [];
    const given: Uint8Array[] = [];
    Reflect.set(window, "secrets", secrets);
    Reflect.set(window, "isOverwritten", () => given.every((bytes) => bytes.every((byte) => byte === 0)));
    Reflect.set(window, "serialized", 0);
    const own = PublicKeyCredential.prototype.getClientExtensionResults;
    PublicKeyCredential.prototype.getClientExtensionResults = function () {
      const results = own.call(this);
      const first = results.prf?.results?.first;
      if (first instanceof ArrayBuffer) {
        given.push(new Uint8Array(first));
        secrets.push(
          Array.from(new Uint8Array(first), (byte) => byte.toString(16).padStart(2, "0")).join(""),
        );
      }
      return results;
    };
    Reflect.set(PublicKeyCredential.prototype, "toJSON", () => {
      Reflect.set(window, "serialized", Reflect.get(window, "serialized") + 1);
    });
  });
  const address = await makePurse(page, site, 1_000_000n);
  const secrets = z.array(z.string()).parse(await page.evaluate(() => Reflect.get(window, "secrets")));
  await askForText(page, findPress());
  await agreeToPay(page);
  await readText(page);
  const left = await page.evaluate(async () => ({
    serialized: Reflect.get(window, "serialized"),
    isOverwritten: Reflect.get(window, "isOverwritten")(),
    kept: JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie]),
    databases: (await indexedDB.databases()).length,
    caches: (await caches.keys()).length,
    page: document.documentElement.outerHTML,
  }));
  // The passkey's creation and its later use gave the same secret, from which the purse's key was made.
  const [secret = ""] = secrets;
  expect(new Set(secrets)).toEqual(new Set([secret]));
  const key = toHex(await deriveKey(Uint8Array.from(Buffer.from(secret, "hex")), "localhost"));
  expect(privateKeyToAccount(key).address.toLowerCase()).toBe(address);
  expect([left.serialized, left.databases, left.caches]).toEqual([0, 0, 0]);
  expect(left.isOverwritten).toBe(true);
  const everything = [...said, left.kept, left.page].join("\n");
  expect(everything).toContain(address);
  for (const text of [secret, key.slice(2)].flatMap(listEncodings)) expect(everything).not.toContain(text);

  await using thief = await visitWithPasskeys(site, { timeout: 4_000 });
  await thief.context.addCookies(await visit.context.cookies());
  await thief.page.goto(`/press/${findPress().slug}`);
  await readShownText(thief.page);
  await thief.page.goto("/purse");
  await activate(thief.page.getByRole("button", { name: "I have a purse already" }));
  await thief.page.getByRole("alert").getByText("Your passkey was not used.").waitFor();
  // The browser's record of a purse is not secret, because the record shows the purse but cannot be used to sign.
  const kept = await page.evaluate(() => Object.entries(localStorage));
  await thief.page.evaluate((all) => {
    for (const [key, value] of all) localStorage.setItem(key, value);
  }, kept);
  await thief.page.reload();
  await activate(thief.page.getByRole("button", { name: "Show the key once" }));
  await thief.page.getByRole("alert").getByText("Your passkey was not used.").waitFor();
  expect(await site.usdgOf({ address })).toBe(1_000_000n - BigInt(findPress().priceUnits));
});

/** Lists the forms in which bytes may be stored: hex, base64, base64url, and a list of numbers. */
function listEncodings(hex: string): readonly string[] {
  const bytes = Buffer.from(hex, "hex");
  return [
    hex,
    bytes.toString("base64").slice(0, 40),
    bytes.toString("base64url").slice(0, 40),
    [...bytes].join(","),
  ];
}
