import { beforeAll, expect, test } from "vitest";
import type { Address } from "../../../core/chain/hex.ts";
import type { MarketData } from "../../../core/market/port.ts";
import { publishPress } from "../../../core/mint/publish.ts";
import * as Press from "../../../core/press/index.ts";
import { SaveInput } from "../../../core/press/input.ts";
import { startPart } from "../../support/provide.ts";
import { startTestTable } from "../../support/table.ts";
import { readPress } from "../press/newsroom.ts";
import { makeChainWithBalance, makeTestClock, startAudits } from "./parts.ts";
import { appleFacts, goodDraft } from "./sample.ts";

const author: Address = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const copier: Address = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const { symbol, address } = appleFacts.stock;
/** A market with a second stock, so that a test can publish a copy of the first stock's press under the second stock. */
const market: MarketData = {
  listTokens: async () =>
    [symbol, "APPL2"].map((ticker) => ({ symbol: ticker, name: "Apple", address, multiplier: 1 })),
  fetchQuote: async (listing) => ({ ...appleFacts.quote, symbol: listing.symbol }),
};
const clock = makeTestClock();
const { headline, preview, body } = goodDraft;
const original = { stock: symbol, headline, preview, body };
/** Another headline and preview, which have nothing in common with the original text. */
const disguise = {
  ...original,
  headline: "Deferred revenue, a line that owners of Apple overlook",
  preview:
    "One line of the balance sheet turns before growth does. Apple's subscriptions, its commissions in Europe and the payments from Google make it worth a look.",
};

let minted = 0;

const database = startPart(startTestTable);
const service = startPart(() =>
  startAudits({ table: database.table, clock, market, chain: makeChainWithBalance(0n) }),
);
beforeAll(() => publish(author, original));

async function audit(wallet: Address, text: typeof original) {
  const input = SaveInput.parse({ ...text, priceUsdg: 0.5, publisherName: "A Desk" });
  const { id } = await Press.save({ table: database.table, clock, market }, wallet, input);
  const report = (await service.run(id, wallet)).audit;
  return { id, verdict: report.verdict, copied: report.issues.filter(({ check }) => check === "copied") };
}

async function publish(wallet: Address, text: typeof original): Promise<void> {
  const { id, verdict } = await audit(wallet, text);
  expect(verdict).toBe("approve");
  minted += 1;
  const mint = { txHash: `0x${String(minted).padStart(64, "0")}`, agentId: minted, mark: 327 } as const;
  const outcome = await publishPress(
    { table: database.table, clock },
    await readPress(database.table, id),
    mint,
  );
  expect(outcome).toMatchObject({ status: "done" });
}

test("a verbatim copy by another wallet under another headline is not approved", async () => {
  const { verdict, copied } = await audit(copier, disguise);
  expect(verdict).not.toBe("approve");
  expect(copied).toMatchObject([{ severity: "high", detail: expect.stringContaining("another author's") }]);
});

test("a copy of another wallet's article is not approved, even if the copy names another stock", async () => {
  expect(await audit(copier, { ...disguise, stock: "APPL2" })).toMatchObject({
    verdict: "revise",
    copied: [{ severity: "high" }],
  });
});

test("a copied text is found even if new paragraphs stand before and after it", async () => {
  const own = `Apple's owners look at the wrong line, and have done so for years. ${"Every quarter the same headline counts phones. ".repeat(3)}`;
  const padded = `${own}\n\n${body}\n\nWhat remains is to wait for the next filing and to read it from the end.`;
  expect((await audit(copier, { ...disguise, body: padded })).copied).toMatchObject([{ severity: "high" }]);
});

test("quoted passages and lists of sources do not count as copies", async () => {
  const quoted = body
    .split("\n\n")
    .map((paragraph) => `> ${paragraph}`)
    .join("\n");
  const own =
    "I read the passage twice and disagree with it. Deferred revenue at Apple turns late, since most subscriptions run for a month only, and a month is soon delivered. ".replaceAll(
      "Apple",
      "Apple's services",
    );
  const text = `${own}\n\n${quoted}\n\nThe European commissions matter less than the author thinks, because developers outside of the largest ten pay a lower rate already and would go on paying it under either table. That leaves the payments for search, on which nobody outside of two companies has a figure.`;
  expect((await audit(copier, { ...disguise, body: text })).copied).toEqual([]);
});

test("a publisher may publish a revised version of its own press", async () => {
  const revised = {
    ...disguise,
    body: `${body}\n\nThis version adds what the company said on its call about Japan.`,
  };
  expect(await audit(author, revised)).toMatchObject({ verdict: "approve", copied: [] });
});

test("the first publisher of a text is still its author after somebody else publishes a revised copy", async () => {
  await publish(author, { ...disguise, body: `${body}\n\nThis version adds one sentence.` });
  const { copied } = await audit(copier, {
    ...original,
    headline: "Deferred revenue tells more than growth",
  });
  expect(copied.map(({ severity }) => severity)).toContain("high");
  expect((await audit(author, disguise)).copied.filter(({ severity }) => severity === "high")).toEqual([]);
});
