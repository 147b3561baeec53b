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

export type Article = {
  readonly stock: string;
  readonly headline: string;
  readonly preview: string;
  readonly body: string;
  readonly priceUsdg: number;
};

/** Writes a whole press, as somebody who pastes it. */
export async function writePress(page: Page, article: Article): Promise<void> {
  const editor = editorOf(page);
  await editor.stock.selectOption(article.stock);
  await editor.headline.fill(article.headline);
  await editor.preview.fill(article.preview);
  await editor.body.fill(article.body);
  await editor.byline.fill("Test Desk");
  await editor.price.fill(String(article.priceUsdg));
}
