import type { Page } from "playwright-core";
import type { Press } from "../../../core/press/schema.ts";
import { chooseInput } from "./hand.ts";
import { walletName } from "./wallet.ts";

/**
 * Opens a page of the app. If the tab already shows the app, the page opens as after a click on a link, and the app is not loaded again.
 */
export async function openPage(page: Page, path: string): Promise<void> {
  if (page.url() === "about:blank") {
    await page.goto(path);
    return;
  }
  // The app notices a change of the page's URL only after the app itself has loaded.
  await page.locator("#root > div").first().waitFor();
  await page.evaluate((to) => history.pushState(null, "", to), path);
}

/** Opens a press and asks for its text; the page then opens the payment dialog. */
export async function askForText(page: Page, press: Press, input = chooseInput(page)): Promise<void> {
  await openPage(page, `/press/${press.slug}`);
  await input.press(page.getByRole("button", { name: /^Unlock for/ }));
}

/** Chooses the injected wallet if the page asks for one. */
export async function chooseWallet(page: Page, input = chooseInput(page)): Promise<void> {
  await input.press(page.getByRole("dialog").getByRole("button", { name: walletName }));
}

/** Chooses the injected wallet and agrees to the requests that the page announces. */
export async function payNow(page: Page, input = chooseInput(page)): Promise<void> {
  await chooseWallet(page, input);
  await agreeToPay(page, input);
}

/** Agrees to the wallet requests that the page announces. */
export async function agreeToPay(page: Page, input = chooseInput(page)): Promise<void> {
  await input.press(page.getByRole("button", { name: /^Pay \$/ }));
}

/** In the page's message about the given problem, presses the button for the given next step by mouse or keyboard. */
export async function pressNextStep(
  page: Page,
  problem: string,
  action: string,
  input = chooseInput(page),
): Promise<void> {
  const alert = page.getByRole("alert").filter({ hasText: problem });
  await input.press(alert.getByRole("button", { name: action }));
}

/** Waits for the end of a payment, and goes to the text. */
export async function readText(page: Page, input = chooseInput(page)): Promise<string> {
  await input.press(page.getByRole("button", { name: "Read it" }));
  return readShownText(page);
}

/** Waits until the page shows the text of the press, and returns the text. */
export async function readShownText(page: Page): Promise<string> {
  const text = page.getByRole("region", { name: "Full text", exact: true });
  await text.getByRole("paragraph").first().waitFor();
  return text.innerText();
}
