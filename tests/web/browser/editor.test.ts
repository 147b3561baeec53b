import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { askingPrice } from "../../../local/seed/articles.ts";
import { expectAccessible } from "../../support/browser/access.ts";
import { makeKeyboard } from "../../support/browser/keyboard.ts";
import { findEditorFields, openArticle, openDraft, openMarkdown } from "../../support/browser/publisher.ts";
import { startSite } from "../../support/browser/site.ts";
import { countSeconds } from "../../support/browser/slow.ts";
import { clipboards } from "../../support/clipboards.ts";

const site = await startSite(1);

/**
 * Presses a key that moves the caret, and waits a moment. The browser tells the editor about a move of the caret only in a later task. A
 * person also pauses between two keys.
 */
async function pressKey(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50))));
}

/** Pastes as a browser does: sends an event with all formats of the clipboard. */
function paste(page: Page, forms: Readonly<Record<string, string>>): Promise<void> {
  return findEditorFields(page).body.evaluate((field, data) => {
    const clipboardData = new DataTransfer();
    for (const [type, text] of Object.entries(data)) clipboardData.setData(type, text);
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, forms);
}

/** Reads the text in the Markdown view, then returns to the article's view. */
async function readMarkdown(page: Page): Promise<string> {
  const text = await (await openMarkdown(page)).inputValue();
  await openArticle(page);
  return text;
}

const makeNested = (start: string, end: string) => `${start.repeat(10_000)}Deep${end.repeat(10_000)}`;

/** HTML that would keep a browser busy for minutes, or cause a RangeError. */
const hostile: Readonly<Record<string, string>> = {
  blocks: makeNested("<div>", "</div>"),
  tables: makeNested("<table><tr><td>", "</td></tr></table>"),
  cells: `<table><tr>${"<td>1</td>".repeat(10_000)}</tr></table>`,
  lines: `${"<blockquote>".repeat(90)}${"<p>x</p>".repeat(9_000)}`,
  "open emphasis": Array.from({ length: 10_000 }, (_, each) => `<p><b class=${each}>x`).join(""),
  brackets: `<p>${"[".repeat(50_000)}</p>`,
};

const promise = "NVDA will surely double.";

const odd = "Sales  rose:\n\n* one\n* two_a < 3\n\n<div>kept</div>\n\n| a | b |\n|:-:|---|\n| 1 | 2 |";

test("a writer formats text by keys and by the toolbar, every unchanged block keeps its bytes, a pasted picture is refused, and the preview shows the whole article", async () => {
  await using one = await openDraft(site, 4, { body: `It sells.\n\n${askingPrice.body}\n\n${odd}\n` });
  const { page, editor } = one;
  const { keyboard } = page;
  const keys = makeKeyboard(page);
  const bar = page.getByRole("toolbar", { name: "Format the text" });
  await editor.body.getByRole("paragraph").first().click();
  await pressKey(page, "End");
  await keyboard.press("Enter");
  await keyboard.type("Its price is ");
  await keyboard.press("Control+b");
  await keyboard.type("high");
  await keyboard.press("Control+b");
  await keyboard.type(" and _rising_ today, says the filing");
  await editor.body.getByText("says the filing").waitFor();
  await pressKey(page, "Control+Shift+ArrowLeft");
  await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe("filing");
  await keyboard.press("Control+k");
  const address = page.getByRole("textbox", { name: "Address" });
  await address.fill("example.com/a_b");
  await expectAccessible(page, "the address of a link");
  await keyboard.press("Enter");
  await address.waitFor({ state: "detached" });
  await editor.body.getByRole("link", { name: "filing" }).waitFor();
  await pressKey(page, "End");
  await keyboard.press("Enter");
  await keyboard.type("## What it says");
  await keyboard.press("Enter");
  await keyboard.type("- first");
  await keyboard.press("Enter");
  await keyboard.type("second");
  await keyboard.press("Enter");
  await keyboard.press("Enter");
  await keyboard.type("Sold at 5 * 3 < a_b.");
  await bar.getByRole("button", { name: "Footnote" }).click();
  await keyboard.type("By the report.");
  const text = await readMarkdown(page);
  expect(text).toBe(
    [
      "It sells.",
      "Its price is **high** and _rising_ today, says the [filing](https://example.com/a_b)",
      "## What it says",
      "- first\n- second",
      "Sold at 5 * 3 < a_b.[^1]",
      askingPrice.body,
      odd,
      "[^1]: By the report.\n",
    ].join("\n\n"),
  );
  await page.setViewportSize({ width: 390, height: 800 });
  await keys.go(editor.body);
  await expectAccessible(page, "the editor on a telephone");
  await editor.saved.waitFor();

  for (const view of ["Article", "Markdown"]) {
    await page.getByRole("tab", { name: view }).click();
    // Both views are visible for a moment.
    await expect.poll(() => editor.body.count()).toBe(1);
    await editor.body.evaluate((field) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File(["x"], "chart.png", { type: "image/png" }));
      field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    });
    await page
      .getByRole("status")
      .getByText("1 picture was not added. An article cannot have pictures.")
      .waitFor();
  }
  await keys.press(page.getByRole("button", { name: "Preview the article" }));
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Unlock").first().waitFor();
  expect(await dialog.getByRole("table").count()).toBe(0);
  await keys.go(dialog.getByRole("tab", { name: "Locked", exact: true }));
  for (const key of ["ArrowRight", "Enter"]) await keyboard.press(key);
  await dialog.getByRole("table").waitFor();
  await dialog.getByRole("heading", { name: "Notes" }).waitFor();
  await expectAccessible(page, "an unlocked preview");
  await keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
});

test("a writer can undo steps that were made in both views of the editor, and can make and change a table in a narrow window", async () => {
  await using one = await openDraft(site, 3, { width: 390 });
  const { page, editor } = one;
  const { keyboard } = page;
  const bar = page.getByRole("toolbar", { name: "Format the text" });
  await editor.body.getByRole("paragraph").last().click();
  await pressKey(page, "End");
  await bar.getByRole("button", { name: "Table" }).click();
  // One undo removes a whole text that was inserted in one piece. If a busy machine types words slowly, the editor divides the words into
  // several steps to undo.
  await keyboard.insertText("Quarter");
  await pressKey(page, "Tab");
  await keyboard.insertText("Sales");
  await page.getByRole("button", { name: "Add a column" }).click();
  await page.getByRole("button", { name: "Delete row" }).scrollIntoViewIfNeeded();
  await expectAccessible(page, "the editor in a table");
  const table = `${askingPrice.body}\n\n| Quarter | Sales | |\n| --- | ---: | --- |\n| | | |\n| | | |`;
  const field = await openMarkdown(page);
  expect(await field.inputValue()).toBe(table);
  await field.press("Control+End");
  await keyboard.insertText("\n\nTyped as Markdown.");
  await page.waitForTimeout(600);
  await field.press("Control+z");
  expect(await field.inputValue()).toBe(table);
  for (let step = 0; step < 40 && (await field.inputValue()) !== askingPrice.body; step += 1)
    await field.press("Control+z");
  expect(await field.inputValue()).toBe(askingPrice.body);
  await field.press("Control+Shift+z");
  expect(await field.inputValue()).not.toBe(askingPrice.body);
  await openArticle(page);
  await editor.body.click();
  const typed = editor.body.getByText("Typed as Markdown.");
  for (let step = 0; step < 40 && !(await typed.isVisible()); step += 1) await keyboard.press("Control+y");
  await typed.waitFor();
});

test("a writer with a telephone formats by touch and reads the audit's findings; the mark of a finding disappears and returns together with the quoted words, however the text is replaced", async () => {
  await using one = await openDraft(site, 0, {
    body: `${askingPrice.body}\n\n${promise}\n`,
    width: 390,
    touch: true,
  });
  const { page, editor } = one;
  const bar = page.getByRole("toolbar", { name: "Format the text" });
  const isWriting = () => page.evaluate(() => document.activeElement?.role === "textbox");
  await editor.body.getByRole("paragraph").first().tap();
  await pressKey(page, "End");
  await bar.getByRole("button", { name: "Bold" }).tap();
  expect(await isWriting()).toBe(true);
  await page.keyboard.insertText("Loud");
  await editor.body.locator("strong").filter({ hasText: "Loud" }).waitFor();
  // The editor undoes two edits together if the second edit follows at once, so the test waits between the edits.
  await page.waitForTimeout(600);
  await bar.getByRole("button", { name: "List", exact: true }).tap();
  await editor.body.getByRole("listitem").waitFor();
  await bar.getByRole("button", { name: "Undo" }).tap();
  await editor.body.getByRole("listitem").waitFor({ state: "detached" });
  await bar.getByRole("button", { name: "Undo" }).tap();
  await editor.body.locator("strong").filter({ hasText: "Loud" }).waitFor({ state: "detached" });
  await bar.getByRole("button", { name: "Redo" }).tap();
  await editor.body.locator("strong").filter({ hasText: "Loud" }).waitFor();
  expect(await isWriting()).toBe(true);
  await page.getByRole("button", { name: "Run the audit" }).tap();
  await page.getByRole("heading", { name: "Audit: Needs revision" }).waitFor();
  await editor.body.getByRole("paragraph").first().tap();
  const heading = page.getByRole("heading", { name: "Audit", exact: true });
  const isSeen = () =>
    heading.evaluate((each) => {
      const { top, bottom } = each.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
  expect(await isSeen()).toBe(false);
  await page.getByRole("button", { name: /^\d+ findings?$/ }).tap();
  await expect.poll(isSeen).toBe(true);
  await page.setViewportSize({ width: 1280, height: 900 });

  const findButton = (name: string | RegExp) => page.getByRole("button", { name });
  const finding = page.getByRole("listitem").filter({ hasText: promise });
  const gone = finding.getByText("The words that this finding quotes are not in the text any more.");
  const mark = editor.body.locator(".finding").filter({ hasText: promise.slice(0, -1) });
  await mark.waitFor();
  expect(await gone.count()).toBe(0);
  await page.getByText("AI draft", { exact: true }).click();
  await findButton(/^Find angles for/).click();
  await findButton(/^Write a draft/)
    .first()
    .click();
  await findButton("Write the draft").click();
  await page.getByText("The draft is in the editor.").waitFor();
  await gone.waitFor();
  expect(await mark.count()).toBe(0);
  await page.waitForTimeout(600);
  await findButton("Put my text back").click();
  await mark.waitFor();
  await gone.waitFor({ state: "detached" });
  await editor.body.getByRole("paragraph").first().click();
  await page.keyboard.press("Control+z");
  await mark.waitFor({ state: "detached" });
  await page.keyboard.press("Control+y");
  await mark.waitFor();
});

test("pasted text is cleaned: text of other programs keeps only its structure, a link loses its tracking parameters, and a text that exceeds an article's limits becomes plain text within two seconds", async () => {
  await using one = await openDraft(site, 5);
  const { page, editor } = one;
  const says = (words: string | RegExp) => page.getByRole("status").getByText(words).waitFor();
  const field = await openMarkdown(page);
  await field.press("Control+Home");
  await paste(page, { "text/plain": "[a](https://example.com/?utm_source=x&id=7) " });
  await says("Tracking was removed from 1 link.");
  await page.keyboard.insertText("and ");
  const clean = `[a](https://example.com/?id=7) and ${askingPrice.body}`;
  expect(await field.inputValue()).toBe(clean);
  await openArticle(page);
  await editor.body.getByRole("link", { name: "a", exact: true }).waitFor();
  expect(await (await openMarkdown(page)).inputValue()).toBe(clean);
  for (let step = 0; step < 3; step += 1) await field.press("Control+z");
  expect(await field.inputValue()).toBe(askingPrice.body);
  await openArticle(page);

  for (const [name, { forms, markdown, says: all }] of Object.entries(clipboards)) {
    await editor.body.click();
    await pressKey(page, "Control+a");
    await paste(page, forms);
    for (const words of all) await says(words);
    expect({ name, text: await readMarkdown(page) }).toEqual({ name, text: markdown });
    await page.keyboard.press("Tab");
  }

  for (const [name, html] of Object.entries(hostile)) {
    await editor.body.click();
    await pressKey(page, "Control+a");
    const seconds = await countSeconds(page);
    await paste(page, { "text/html": html, "text/plain": `Words of ${name}.` });
    const took = await seconds();
    await editor.body.getByText(`Words of ${name}.`).waitFor();
    await says("The content was added as plain text");
    expect({ name, isQuick: took < 2 }).toEqual({ name, isQuick: true });
  }
  expect(await readMarkdown(page)).toBe(`Words of ${Object.keys(hostile).at(-1)}.`);
  await editor.body.click();
  await paste(page, { "text/html": makeNested("<div>", "</div>") });
  await says("Nothing was added");

  // A text that a page could not render stays Markdown in the editor.
  const long = "A ".repeat(50_000);
  await editor.body.click();
  await pressKey(page, "Control+a");
  const seconds = await countSeconds(page);
  await paste(page, { "text/plain": long });
  await page.getByText("This text is shown as Markdown only").waitFor();
  expect(await seconds()).toBeLessThan(8);
  expect((await page.locator("textarea").and(editor.body).inputValue()).trim()).toBe(long.trim());
});
