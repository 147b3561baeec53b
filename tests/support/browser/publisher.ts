import type { Locator, Page } from "playwright-core";
import { push } from "./hand.ts";
import { walletName } from "./wallet.ts";

/** Signs in where a publisher's page asks for it. */
export async function signInToPublish(page: Page): Promise<void> {
  await push(page.getByRole("button", { name: walletName }));
}

/** The controls of the editor. */
export function editorOf(page: Page) {
  return {
    stock: page.getByLabel("Stock"),
    headline: page.getByRole("textbox", { name: "Headline" }),
    preview: page.getByRole("textbox", { name: "Preview" }),
    body: page.getByRole("textbox", { name: "Text", exact: true }),
    byline: page.getByRole("textbox", { name: "Byline" }),
    price: page.getByRole("textbox", { name: "Price in USDG" }),
    saved: page.getByText(/^Saved \d\d:\d\d$/),
  } satisfies Readonly<Record<string, Locator>>;
}
