import type { Page } from "playwright-core";
import type { Press } from "../../../core/press/schema.ts";
import { walletName } from "./wallet.ts";

/** Opens a press and asks for its text; the dialog is open then. */
export async function askForText(page: Page, press: Press): Promise<void> {
  await page.goto(`/press/${press.slug}`);
  await page.getByRole("button", { name: /^Unlock for/ }).click();
}

/** Chooses the injected wallet where the page asks for one. */
export async function chooseWallet(page: Page): Promise<void> {
  await page.getByRole("dialog").getByRole("button", { name: walletName }).click();
}

/** Chooses the injected wallet, reads what it will be asked, and agrees. */
export async function payNow(page: Page): Promise<void> {
  await chooseWallet(page);
  await agree(page);
}

/** Agrees to what the wallet will be asked. */
export async function agree(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Pay \$/ }).click();
}

/** Waits for the end of a payment, and goes to the text. */
export async function readText(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Read it" }).click();
  return shownText(page);
}

/** The text of the press, once it is there. */
export async function shownText(page: Page): Promise<string> {
  const text = page.getByRole("region", { name: "Full text", exact: true });
  await text.getByRole("paragraph").first().waitFor();
  return text.innerText();
}
