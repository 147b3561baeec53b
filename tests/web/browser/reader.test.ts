import { readFile } from "node:fs/promises";
import { signReceiptEIP712 } from "@x402/extensions/offer-receipt";
import type { Locator } from "playwright-core";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { getAddress } from "viem/utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { findDisplayFault } from "../../../core/press/input.ts";
import { PressDetail } from "../../../core/press/schema.ts";
import { ReceiptList, SignedReceipt } from "../../../core/receipt/schema.ts";
import { getTestAccount } from "../../../local/devnet/accounts.ts";
import { formatUsdg, splitPrice } from "../../../web/src/format.ts";
import { activate, chooseInput, chooseWidth } from "../../support/browser/hand.ts";
import { makeKeyboard } from "../../support/browser/keyboard.ts";
import { askForText, chooseWallet, openPage, payNow, readShownText } from "../../support/browser/reader.ts";
import { startSite, type Visit } from "../../support/browser/site.ts";
import { countSeconds } from "../../support/browser/slow.ts";
import { makeDecline } from "../../support/browser/wallet.ts";
import { encodeVote, reputationRegistry } from "../../support/payment.ts";

const site = await startSite(2, { audited: true });
const { findPress } = site;

test("on a phone, a chart shows a price where a reader touches it, the front page's first screen contains the search, and no article appears on the front page twice", async () => {
  await using visit = await site.visit({ width: 390 });
  const { page } = visit;
  const { stock, headline } = findPress();
  await page.goto(`/stock/${stock}`);
  const chart = page.getByRole("slider", { name: /^Price of/ });
  await chart.waitFor();
  await page.getByText("Point at the line, touch it,").waitFor();
  const finger = { pointerType: "touch", bubbles: true };
  const box = await chart.boundingBox();
  const at = { clientX: (box?.x ?? 0) + 20, clientY: (box?.y ?? 0) + 50 };
  // The price stays visible after the reader lifts the finger.
  await chart.dispatchEvent("pointerdown", { ...finger, ...at });
  await chart.dispatchEvent("pointerout", { ...finger, ...at });
  await page
    .getByText(/^\$[\d,.]+ \d+ \w+ \d{4}, .* UTC$/)
    .first()
    .waitFor();
  await activate(page.getByRole("button", { name: /^Follow\b/ }));
  await openPage(page, "/");
  await page
    .getByRole("region", { name: "From authors and stocks you follow" })
    .getByRole("link", { name: headline })
    .waitFor();
  await page.getByText("2 articles, 1 of them above").waitFor();
  const search = await page.getByRole("searchbox").boundingBox();
  expect(search?.y).toBeLessThan(500);
  const shown = await page
    .locator("main a[href^='/press/']")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  expect(shown).toHaveLength(2);
  expect(new Set(shown).size).toBe(2);
  // Reading free pages needs no wallet, so the label "Connect wallet" is hidden.
  const wallet = page.getByRole("button", { name: "Connect wallet" }).locator("span");
  expect((await wallet.boundingBox())?.width).toBeLessThan(2);
});

test("an article's cover is the same in both colour schemes, and the price change of its stock is the same on the card, the stock's page and the article's page", async () => {
  await using visit = await site.visit();
  const { page } = visit;
  const { headline, slug, stock } = findPress();
  const look = async (cover: Locator) => {
    const lines = cover.locator("path");
    await lines.nth(1).waitFor();
    const drawn = await lines.evaluateAll((paths) => paths.map((path) => path.getAttribute("d")));
    const colors: unknown[] = [];
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      colors.push(
        await cover.evaluate((box) => [getComputedStyle(box).color, getComputedStyle(box).backgroundColor]),
      );
    }
    expect(colors[0]).not.toEqual(colors[1]);
    return { drawn, colors };
  };
  await page.goto("/");
  const card = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: headline }) });
  const onCard = await look(card.locator("> div").first());
  const change = /[+−]?\d+\.\d% in 7 days/;
  const changeOnCard = change.exec(await card.getByText(change).first().innerText())?.[0];
  const color = await card
    .locator("article svg path")
    .first()
    .evaluate((path) => getComputedStyle(path).stroke);
  await openPage(page, `/press/${slug}`);
  expect(await look(page.locator("main div.rounded-2xl.h-20"))).toEqual(onCard);
  await openPage(page, `/stock/${stock}`);
  expect(await look(card.locator("> div").first())).toEqual(onCard);
  const onPage = page.getByText(change).first();
  expect(await onPage.innerText()).toContain(changeOnCard);
  const accent = await onPage.locator("span").evaluate((text) => getComputedStyle(text).color);
  expect(color).toBe(accent);
  const written = await (await page.request.get(`/stock/${stock}`)).text();
  expect(change.exec(written)?.[0]).toBe(changeOnCard);
});

test("a reader can reload a list that failed to load, can filter, search and sort the list, and finds these choices in the address of the page", async () => {
  await using visit = await site.visit();
  const { page } = visit;
  await page.route("**/api/presses?*", (route) => route.abort());
  await page.goto("/");
  await page.getByRole("alert").getByText("We could not reach the service").waitFor();
  await page.unroute("**/api/presses?*");
  await activate(page.getByRole("button", { name: "Try again" }));
  const rows = page.getByRole("region", { name: "Articles" }).getByRole("article");
  await page.getByText("2 articles", { exact: true }).waitFor();
  expect(await rows.count()).toBe(2);

  await page.getByRole("combobox", { name: "Stock" }).selectOption("AAPL");
  await page.getByText("1 of 2 articles").waitFor();
  expect(new URL(page.url()).search).toBe("?stock=AAPL");
  await page.reload();
  await page.getByText("1 of 2 articles").waitFor();

  await page.getByRole("searchbox").fill("no such words");
  await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
  await activate(page.getByRole("button", { name: "Show all articles" }));
  await page.getByRole("combobox", { name: "Sort by" }).selectOption("cheapest");
  const prices = await rows
    .locator("xpath=..")
    .getByText(/^\d+\.\d+ USDG$/)
    .allInnerTexts();
  expect(prices.map(Number.parseFloat)).toEqual(prices.map(Number.parseFloat).toSorted((a, b) => a - b));
});

test("a reader finds a company by name, votes on the chain only once even if the page is loaded again, may change the vote, and can print a receipt, and the page recognises a forged receipt", async () => {
  // The test's wallet holds AAPL and NVDA (local/devnet).
  const account = getTestAccount(1);
  await using visit = await site.visit({ account, session: await site.buy(account, findPress()) });
  const { page, wallet } = visit;
  await page.goto("/");
  const rows = page.getByRole("region", { name: "Articles" }).getByRole("article");
  await rows
    .getByText(/^(Audit found|No issues found)/)
    .first()
    .waitFor();
  await rows
    .getByText(/ago$|just now/)
    .first()
    .waitFor();
  await page.getByRole("main").getByText("Unlocked", { exact: true }).waitFor();
  const held = page.getByRole("region", { name: "About your holdings" });
  await held.getByText(/^Your wallet holds/).waitFor();
  const search = page.getByRole("searchbox");
  await search.fill("aplle");
  await page.getByText("No article contains “aplle”.").waitFor();
  const answered = Promise.withResolvers<void>();
  await page.route("**/api/search?*", async (route) => {
    await answered.promise;
    await route.continue();
  });
  await search.fill("ale");
  await page.locator("[aria-busy=true]").waitFor();
  expect(await page.getByText("No article contains").count()).toBe(0);
  answered.resolve();
  await search.press("Home");
  await search.press("ArrowRight");
  await search.pressSequentially("pp");
  expect(await search.inputValue()).toBe("apple");
  await page.getByText("1 article").waitFor();
  await page.getByRole("link", { name: "Press Market" }).first().click();
  await expect.poll(() => search.inputValue()).toBe("");

  await openPage(page, `/press/${findPress().slug}`);
  const text = await readShownText(page);
  const radios = page.getByRole("group", { name: "Your vote" }).getByRole("radio");
  await radios.nth(1).waitFor();
  expect(await radios.evaluateAll((all) => all.map((each) => Reflect.get(each, "checked")))).toEqual([
    false,
    false,
  ]);
  const send = page.getByRole("button", { name: "Vote onchain" });
  await activate(send);
  await page.getByRole("alert").getByText("Choose “Worth it” or “Not worth it” first.").waitFor();
  expect(wallet.asked).toEqual([]);
  await chooseInput(page).choose(page.getByRole("radio", { name: "Not worth it" }));
  await page.getByRole("combobox", { name: "Tag" }).selectOption("outdated");
  wallet.react(makeDecline("eth_sendTransaction"));
  await activate(send);
  await chooseWallet(page);
  await page.getByRole("alert").getByText("You declined in your wallet").waitFor();
  wallet.react(undefined);
  const recording = Promise.withResolvers<void>();
  let recordings = 0;
  // The first request is never answered, and the reload aborts the request. The test keeps the Playwright route that holds this request,
  // because removing the route would disturb other requests.
  await page.route("**/api/votes/record", async (route) => {
    recordings += 1;
    if (recordings > 1) return route.continue();
    recording.resolve();
  });
  await activate(send);
  await recording.promise;
  const sent = wallet.asked.filter((method) => method === "eth_sendTransaction").length;
  // To count a vote, the service needs the transaction but not the wallet, so a wallet that no longer answers does not block the count.
  wallet.react(() => "silence");
  await page.reload();
  expect(await readShownText(page)).toBe(text);
  await activate(page.getByRole("button", { name: "Count my vote" }));
  const card = page.getByRole("region", { name: "Was it worth reading?" });
  await card.getByText("You voted:").waitFor();
  await card.getByText("Not worth it").waitFor();
  await page.getByText("Outdated × 1").waitFor();
  const counts = page.getByRole("region", { name: "Readers" });
  await counts.getByText("0 up, 1 down").waitFor();
  expect(await counts.getByText("0 up, 0 down").count()).toBe(1);
  expect(wallet.asked.filter((method) => method === "eth_sendTransaction")).toHaveLength(sent);
  await activate(card.getByRole("button", { name: "Change your vote" }));
  await send.waitFor();
  await openPage(page, "/history");
  const votes = page.getByRole("region", { name: "Votes" });
  await votes.getByText("Outdated").waitFor();
  await votes.getByText("Not worth it").waitFor();

  wallet.react(undefined);
  await activate(page.getByRole("link", { name: /^Receipt/ }));
  const receipt = page.getByRole("article");
  await receipt.getByText(findPress().headline).waitFor();
  expect(await receipt.getByRole("link", { name: /^0x[0-9a-f]{64}/ }).count()).toBe(2);
  await receipt.getByText("Signed receipt, verified.").nth(1).waitFor();
  const signed = await receipt
    .getByRole("link", { name: "Show the signed receipt as JSON" })
    .first()
    .getAttribute("href");
  expect(await (await page.request.get(signed ?? "")).json()).toMatchObject({
    receipts: [{ format: "eip712" }],
  });
  // The route answers with a forged receipt, which another key has signed instead of the service's key.
  const foreign = privateKeyToAccount(generatePrivateKey());
  await page.route("**/api/receipts/*", async (route) => {
    const { receipts } = ReceiptList.parse(await (await route.fetch()).json());
    const [{ payload }] = z.tuple([SignedReceipt]).parse(receipts);
    const signature = await signReceiptEIP712(payload, (data) => foreign.signTypedData(data));
    await route.fulfill({ json: { receipts: [{ format: "eip712", payload, signature }] } });
  });
  await page.reload();
  await receipt.getByText("The receipt’s signature is not ours.").nth(1).waitFor();
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  expect(
    await page.getByRole("navigation").or(page.getByRole("button")).filter({ visible: true }).count(),
  ).toBe(0);
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
    "rgb(255, 255, 255)",
  );
  await page.emulateMedia({ media: "screen" });
  const saving = page.waitForEvent("download");
  await activate(page.getByRole("button", { name: "Download as JSON" }));
  const saved = JSON.parse(await readFile(await (await saving).path(), "utf8"));
  const { pressId, headline, slug, priceUnits } = findPress();
  const { fee, publisher } = splitPrice(priceUnits);
  expect(saved).toMatchObject({
    payer: account.address.toLowerCase(),
    press: { pressId, headline, url: `${site.origin}/press/${slug}` },
    price: { amount: formatUsdg(priceUnits), units: priceUnits },
    network: "eip155:4663",
    payments: [
      { purpose: "platform fee", amount: formatUsdg(fee), units: fee },
      { purpose: "author", amount: formatUsdg(publisher), units: publisher },
    ],
  });
  expect(saved.payments[0].transaction).not.toBe(saved.payments[1].transaction);
});

test("if the wallet has replaced a vote's transaction, the reader can send another vote, even with hardly enough ETH for its gas", async () => {
  const account = await site.newWallet(2_000_000n);
  const press = findPress(1);
  await using visit = await site.visit({ account, session: await site.buy(account, press) });
  const vote = { account, to: reputationRegistry, data: encodeVote(press.pressId) };
  const [gas, price] = await Promise.all([site.client.estimateGas(vote), site.client.getGasPrice()]);
  await site.client.setBalance({ address: account.address, value: (gas * price * 14n) / 10n });
  const { page } = visit;
  await page.clock.install();
  await page.addInitScript(([name, vote]) => localStorage.setItem(name, vote), [
    `vote:${press.pressId}`,
    JSON.stringify({ tx: `0x${"7".repeat(64)}`, value: -1, tag: "" }),
  ] as const);
  await page.goto(`/press/${press.slug}`);
  const receipt = page.waitForRequest(
    (each) => each.postData()?.includes("eth_getTransactionReceipt") === true,
  );
  await activate(page.getByRole("button", { name: "Count my vote" }));
  await receipt;
  await page.clock.fastForward(120_000);
  await page.getByRole("alert").getByText("The chain has not confirmed your vote yet.").waitFor();
  await activate(page.getByRole("button", { name: "Send another vote" }));
  await chooseInput(page).choose(page.getByRole("radio", { name: "Worth it", exact: true }));
  await activate(page.getByRole("button", { name: "Vote onchain" }));
  await chooseWallet(page);
  const card = page.getByRole("region", { name: "Was it worth reading?" });
  await card.getByText("You voted:").waitFor();
});

test("an article that was bought in another browser opens after a sign-in and is not sold again, and the reader can end the other browser's session and close the message about a failed copy", async () => {
  const account = await site.newWallet(2_000_000n);
  await site.buy(account, findPress());
  const before = await site.usdgOf(account);
  await using visit = await site.visit({ account });
  const { page } = visit;
  await askForText(page, findPress());
  // The wallet signs the payment to the publisher and then a sign-in. The payment to the publisher is not charged.
  await payNow(page);
  await readShownText(page);
  await openPage(page, "/sessions");
  const rows = page.getByRole("list", { name: "Sessions" }).getByRole("listitem");
  await rows
    .filter({ hasText: "This browser" })
    .getByText(/^By sign-in/)
    .first()
    .waitFor();
  await rows.filter({ hasText: "By a payment" }).first().waitFor();
  await activate(page.getByRole("button", { name: "End all others" }));
  await page.getByText("There are no other sessions.").waitFor();
  await page.evaluate(() => Reflect.set(navigator.clipboard, "writeText", () => Promise.reject("No.")));
  await activate(page.getByRole("button", { name: /^0x/ }));
  await activate(page.getByRole("menuitem", { name: /^Copy/ }));
  await activate(page.getByRole("button", { name: "Close" }));
  await page.getByRole("alert").waitFor({ state: "detached" });
  expect(await rows.count()).toBe(1);
  await activate(rows.getByRole("button", { name: "Sign out" }));
  await page.getByText("Only you can see your sessions.").waitFor();
  expect(await site.usdgOf(account)).toBe(before);
});

test("a reader with a keyboard uses the quote, chart, table, presses and feed of a stock's page, and follows the stock", async () => {
  await using visit = await site.visit({ width: chooseWidth(1280) });
  const { page } = visit;
  const keys = makeKeyboard(page);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`/stock/${findPress().stock}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.getByText("Day’s range").waitFor();
  await page.getByRole("link", { name: findPress().headline }).waitFor();
  // If the service answers late, the page repeats a request.
  const paths = new Set(asked.filter((path) => /^\/api\/(stocks|presses|market|quotes)/.test(path)));
  expect([...paths].toSorted()).toEqual(["/api/presses", `/api/stocks/${findPress().stock}`]);
  const feed = page.getByRole("link", { name: "RSS feed" });
  expect(await feed.getAttribute("href")).toBe(`/feed.xml?stock=${findPress().stock}`);
  await keys.press(page.getByRole("button", { name: /^Follow\b/ }));
  await page.getByRole("button", { name: "Following" }).waitFor();
  await keys.go(feed);
  const chart = page.getByRole("slider", { name: /^Price of/ });
  await keys.go(chart);
  await page.keyboard.press("Home");
  const first = await chart.getAttribute("aria-valuetext");
  expect(first).toMatch(/^\$[\d,.]+, .* UTC$/);
  await page.keyboard.press("ArrowRight");
  expect(await chart.getAttribute("aria-valuetext")).not.toBe(first);
  await keys.choose(page.getByRole("radio", { name: "Year" }));
  await page.getByRole("slider", { name: /, year:/ }).waitFor();
  await keys.press(page.locator("summary", { hasText: "Prices as a table" }));
  await page.getByRole("row").nth(5).waitFor();
  await keys.go(page.getByRole("link", { name: findPress().headline }));
  await openPage(page, "/");
  const followed = page.getByRole("region", { name: "From authors and stocks you follow" });
  await followed.getByText("Nothing new since your last visit").waitFor();
  await page.evaluate(() => {
    const last = Date.now() - 2 * 60 * 60 * 1000;
    localStorage.setItem("visit:", JSON.stringify({ last }));
  });
  await page.reload();
  await followed.getByText("since your last visit").waitFor();
  await followed.getByText("New", { exact: true }).first().waitFor();
  await keys.go(followed.getByRole("link", { name: findPress().headline }));
});

test("a reader with a keyboard sees the free parts of an article, shares the article, opens the author's next article and the author's page, and follows the author", async () => {
  await using visit = await site.visit({ width: chooseWidth(390) });
  const { page } = visit;
  const keys = makeKeyboard(page);
  const { publisher, publisherName, headline, slug, preview, mintTx, priceUsdg } = findPress();
  await page.goto(`/press/${slug}`);
  await page.getByRole("heading", { level: 1, name: headline }).waitFor();
  expect(await page.title()).toBe(`${headline} · Press Market`);
  await page.getByText(preview).waitFor();
  await page.getByText("No issues found.").waitFor();
  await page.getByRole("slider", { name: /at publication and is/ }).waitFor();
  await page.getByText("The author held no").waitFor();
  expect(await page.getByTitle(mintTx).getAttribute("href")).toContain(`/tx/${mintTx}`);
  await page.getByRole("button", { name: `Unlock for $${priceUsdg.toFixed(2)}` }).waitFor();

  await keys.press(page.locator("summary", { hasText: "How the link looks" }));
  const card = page.getByRole("img", { name: `Preview card: ${headline}` });
  await expect.poll(() => card.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1200);
  await keys.press(page.getByRole("button", { name: /: Link$/ }));
  const readClipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(readClipboard).toBe(`${site.origin}/press/${slug}`);
  const share = page.getByRole("link", { name: "Share on X" });
  await keys.go(share);
  const url = new URL((await share.getAttribute("href")) ?? "").searchParams.get("url");
  expect(url).toBe(`${site.origin}/press/${slug}`);
  const next = page.getByRole("region", { name: `Next by ${publisherName}` });
  // The list of next articles loads only when it is near the visible part of the page, so the test scrolls to the list with a key.
  await keys.go(page.getByRole("region", { name: "Onchain" }).getByRole("link").last());
  await page.keyboard.press("Tab");
  await keys.press(next.getByRole("link", { name: findPress(1).headline }));
  await page.getByRole("heading", { level: 1, name: findPress(1).headline }).waitFor();

  await keys.press(page.getByRole("link", { name: `By ${publisherName}` }));
  await page.getByRole("heading", { level: 1, name: publisherName }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/by/${publisher}`);
  const moves = page.getByRole("region", { name: "Prices after publication" });
  const row = moves.getByRole("row", { name: new RegExp(findPress().stock) }).first();
  await row.waitFor();
  await keys.press(page.getByRole("button", { name: /^Follow\b/ }));
  await page.getByRole("button", { name: "Following" }).waitFor();
  const feed = page.getByRole("link", { name: "RSS feed" });
  expect(await feed.getAttribute("href")).toBe(`/feed.xml?author=${publisher}`);
  await keys.press(page.getByRole("region", { name: "Published" }).getByRole("link", { name: headline }));
  await page.getByRole("heading", { level: 1, name: headline }).waitFor();
  // An author's page opens even if the author's address in the URL is in mixed case, and a URL without a page shows “Page not found”.
  await openPage(page, `/by/${getAddress(publisher)}`);
  await page.getByRole("heading", { level: 1, name: publisherName }).waitFor();
  for (const path of [`/by/0x${"9".repeat(40)}`, "/stock/MOON", "/press/no-such-press"]) {
    await openPage(page, path);
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: publisherName }).waitFor();
  }
});

const large = 100_000;
const fillText = (unit: string, end = "") =>
  unit.repeat((large - end.length) / new TextEncoder().encode(unit).length) + end;

/**
 * Texts that the service would refuse today. If a live press has one of these texts, the browser shows it as plain text.
 */
const refusedTexts = [
  `Words.\n\n${"+ ".repeat(5000)}a`,
  fillText("A "),
  // Soft hyphens that belong to no word.
  fillText("\u00ad"),
  // Accents that belong to no letter.
  fillText("\u0301"),
  // A long text without spaces, which a browser can break into lines only with a dictionary.
  fillText("\u0e01"),
  // Letters that alternate between two scripts.
  fillText("a\u064a"),
  fillText("a\n"),
];

/** Texts that slow down the Markdown parser, but not the browser's layout, are tested in `tests/web/showable.test.ts`. */
const asWritten: Readonly<Record<string, string>> = {
  "every kind that the service refuses": refusedTexts.join("\n\n"),
  "a kind at which the parser fails": "Words [before the fault] and after it.",
};

/** For each kind of text, the largest text that a save accepts. */
const asMarkdown: Readonly<Record<string, string>> = {
  "long paragraphs": fillText(`${"A ".repeat(4990)}\n\n`),
  "long words": fillText(`${`${"V.".repeat(990)} `.repeat(5)}\n\n`),
  "words that only a dictionary breaks": fillText(`${`${"\u0e01".repeat(490)} `.repeat(20)}\n\n`),
  "words of scripts in turn": `${`${"a\u064aa ".repeat(480)}\n\n`.repeat(10)}${`${"A ".repeat(4990)}\n\n`.repeat(7)}`,
  "letters with marks": fillText(`${"e\u0301 ".repeat(3300)}\n\n`),
  emphasis: `${`${"*A* ".repeat(480)}\n\n`.repeat(10)}${`${"A ".repeat(4990)}\n\n`.repeat(5)}`,
};

describe("every hostile live text opens within seconds", () => {
  const texts = [
    ...Object.entries(asWritten).map(([name, body]) => [name, body, "#text pre"] as const),
    ...Object.entries(asMarkdown).map(([name, body]) => [name, body, "#text div.prose"] as const),
  ];

  // One browser page shows all texts in turn, because starting a browser and compiling the site takes longer than showing most texts.
  let visit: Visit;
  let body = "";
  beforeAll(async () => {
    visit = await site.visit({ wallet: "none", faulty: true });
    const { page } = visit;
    await page.addInitScript(() => {
      const toLowerCase = String.prototype.toLowerCase;
      String.prototype.toLowerCase = function (this: string) {
        if (String(this) === "before the fault") throw new RangeError("Maximum call stack size exceeded");
        return toLowerCase.call(this);
      };
    });
    await page.route(`**/api/presses/${findPress().slug}`, async (route) => {
      const detail = PressDetail.parse(await (await route.fetch()).json());
      await route.fulfill({ json: { ...detail, unlocked: true, body } });
    });
  });
  afterAll(() => visit[Symbol.asyncDispose]());

  test.each(texts)("a live press with a text of %s opens within seconds", async (_, written, shown) => {
    if (shown === "#text div.prose") expect(findDisplayFault(written)).toBeUndefined();
    body = written;
    const { page } = visit;
    const { slug, headline } = findPress();
    // Each load of the page restarts the count of seconds.
    const seconds = await countSeconds(page);
    await page.goto(`/press/${slug}`, { waitUntil: "commit" });
    // Code inside the page finds the words, because Playwright's locators need a minute to search some of these texts.
    const text = await page.waitForFunction(
      (where) => {
        const found = document.querySelector<HTMLElement>(where);
        return found !== null && found.offsetHeight > 0 ? found.textContent : undefined;
      },
      shown,
      // The test checks the time that the page itself measures. On a busy machine, this wait for the text can take longer.
      { timeout: 200_000 },
    );
    if (shown === "#text pre") expect(await text.jsonValue()).toBe(body);
    expect(await page.evaluate(() => document.querySelector("#main h1")?.textContent)).toBe(headline);
    // A usual article opens in 0.4 s.
    expect(await seconds()).toBeLessThan(written.length > large ? 12 : 6);
  });
});
