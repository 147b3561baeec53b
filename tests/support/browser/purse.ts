import type { Page, Request } from "playwright-core";
import type { Address } from "viem";
import { expect } from "vitest";
import { activate } from "./hand.ts";
import { type Authenticator, type AuthenticatorOptions, addAuthenticator } from "./passkey.ts";
import type { Site, Visit, VisitOptions } from "./site.ts";

export const findMakeButton = (page: Page) => page.getByRole("button", { name: "Make one" });
export const findHaveButton = (page: Page) => page.getByRole("button", { name: "I have a purse already" });

/** The deposit address on the page. */
export async function readPurseAddress(page: Page): Promise<Address> {
  const shown = await page
    .getByText(/^0x[0-9a-f]{40}$/)
    .first()
    .innerText();
  return `0x${shown.slice(2)}`;
}

export type PurseVisit = Visit & { readonly authenticator: Authenticator };

/** A visitor who has no wallet in the browser, and whose device stores passkeys. */
export async function visitWithPasskeys(
  site: Site,
  { hasPrf, timeout, ...options }: VisitOptions & AuthenticatorOptions = {},
): Promise<PurseVisit> {
  const visit = await site.visit({ ...options, wallet: "none" });
  const { page } = visit;
  const open = new Set<Request>();
  page.on("request", (request) => open.add(request));
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
  const leave = async () => {
    // The page checks the purse every few seconds. The page's requests are blocked first, because the service can stop only when no request
    // is open.
    await page.route("**/api/rpc", (route) => route.abort());
    await expect.poll(() => open.size).toBe(0);
    await visit[Symbol.asyncDispose]();
  };
  const authenticator = await addAuthenticator(page, { hasPrf, timeout });
  return { ...visit, authenticator, [Symbol.asyncDispose]: leave };
}

/** Makes a purse on the purse's page and funds the purse with `units` base units of USDG. */
export async function makePurse(page: Page, site: Site, units = 0n): Promise<Address> {
  await page.goto("/purse");
  await activate(findMakeButton(page));
  await page.getByRole("heading", { name: "It holds" }).waitFor();
  const address = await readPurseAddress(page);
  if (units > 0n) await site.fund({ address }, units);
  return address;
}

/** Deletes the browser's cookies and storage of the site. Passkeys belong to the device, so this function does not delete them. */
export async function clearSiteData({ context, page }: Pick<Visit, "context" | "page">): Promise<void> {
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await context.clearCookies();
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
}
