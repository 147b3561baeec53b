import type { Locator, Page } from "playwright-core";
import * as z from "zod";
import { getTestAccount } from "../../../local/devnet/accounts.ts";
import { type Article, askingPrice } from "../../../local/seed/articles.ts";
import { signIn } from "../../../local/seed/client.ts";
import { activate } from "./hand.ts";
import type { Site, VisitOptions } from "./site.ts";
import { walletName } from "./wallet.ts";

/** Signs in on a publisher's page that asks for a sign-in. */
export async function signInToPublish(page: Page): Promise<void> {
  const wallet = page.getByRole("button", { name: walletName });
  const folded = page.getByRole("button", { name: "Choose a wallet" });
  await wallet.or(folded).first().waitFor();
  if (await folded.isVisible()) await activate(folded);
  await activate(wallet);
}

export function findEditorFields(page: Page) {
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

/** Saves a draft of a test account over HTTP, and opens the draft in the editor. */
export async function openDraft(
  site: Site,
  account: number,
  { body = askingPrice.body, ...options }: VisitOptions & { readonly body?: string } = {},
) {
  const signal = new AbortController().signal;
  const client = await signIn({ origin: site.origin, signal }, getTestAccount(account));
  const article = { ...askingPrice, body, publisherName: "Test Draft" };
  const { id } = await client.post("/api/press/save", article, z.object({ id: z.int() }));
  const visit = await site.visit({ account: getTestAccount(account), session: true, ...options });
  const { page } = visit;
  await page.goto(`/publish/edit?id=${id}`);
  const editor = findEditorFields(page);
  await editor.saved.waitFor();
  await editor.body.and(page.locator("[contenteditable=true]")).waitFor();
  return { page, editor, [Symbol.asyncDispose]: visit[Symbol.asyncDispose] };
}

/** Shows the text's Markdown in the editor, and returns the field with the Markdown. */
export async function openMarkdown(page: Page): Promise<Locator> {
  await page.getByRole("tab", { name: "Markdown" }).click();
  return page.locator("textarea").and(findEditorFields(page).body);
}

/**
 * Opens the editor's tab with the article. The Markdown stays visible for a moment, so the function waits until the Markdown is gone.
 */
export async function openArticle(page: Page): Promise<void> {
  await page.getByRole("tab", { name: "Article" }).click();
  await page.locator("textarea").and(findEditorFields(page).body).waitFor({ state: "hidden" });
}

/** Saves and audits a press with the page's session, without the editor. Returns the press's id. */
export function approveDraft(page: Page, article: Article): Promise<number> {
  return page.evaluate(
    async (text) => {
      const post = async (path: string, body: unknown) => {
        const headers = { "content-type": "application/json" };
        const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
        return answer.json();
      };
      const { id } = await post("/api/press/save", { ...text, publisherName: "Purse Desk" });
      await post("/api/press/audit", { id });
      return id;
    },
    { ...article },
  );
}
