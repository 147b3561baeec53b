import { beforeAll, describe, expect, test } from "vitest";
import { type Address, lower } from "../../../core/chain/hex.ts";
import { listPurchases, readHistory } from "../../../core/history/index.ts";
import { History } from "../../../core/history/schema.ts";
import { recordVote } from "../../../core/vote/index.ts";
import { makeCountingPorts } from "../../support/counting.ts";
import { makeLegFields } from "../../support/leg.ts";
import { approve, getTestAccount, payLeg } from "../../support/payment.ts";
import { startPart } from "../../support/provide.ts";
import { startTestTable } from "../../support/table.ts";
import { addPress, castVote, publisherAccount, startPolls } from "../vote/polls.ts";

describe("a wallet that has paid and voted on the chain sees its history", () => {
  const reader = getTestAccount(2);
  const polls = startPart(startPolls);
  beforeAll(() => approve(polls, reader));

  const readStrictHistory = async (address: Address) =>
    History.strict().parse(await readHistory(polls.ports, lower(address)));

  const makePressFields = (pressId: number) => ({
    slug: `a-press-${pressId + 1000}`,
    headline: "A press",
    stock: "AAPL",
  });

  test("the history leaves out fees for presses that the wallet has not unlocked, and all entries of other wallets", async () => {
    const pressId = await addPress(polls);
    const before = await readStrictHistory(reader.address);
    const fee = await payLeg(polls, reader, "fee", pressId);
    await recordVote(polls.ports, { txHash: await castVote(polls, getTestAccount(3), pressId) });
    const { value, cost } = await makeCountingPorts(polls).measureCost(() =>
      readStrictHistory(reader.address),
    );
    expect(value).toEqual(before);
    expect(cost).toMatchObject({ rpcTrips: 0, tableRequests: 2 });
    expect((await readStrictHistory(getTestAccount(3).address)).unlocks).toEqual([]);
    expect(await readStrictHistory(publisherAccount.address)).toEqual({ votes: [], unlocks: [] });

    const tx = fee.kind === "paid" ? fee.receipt.transaction : "";
    const half = await listPurchases(polls.ports, lower(reader.address));
    expect(half.purchases[0]).toEqual({
      pressId,
      ...makePressFields(pressId),
      priceUnits: "250000",
      payments: [
        { leg: "fee", tx, at: expect.any(String), units: "25000", payTo: polls.ports.settings.treasury },
      ],
      unlocked: false,
    });
    await payLeg(polls, reader, "publisher", pressId);
    const whole = makeCountingPorts(polls);
    const all = await whole.measureCost(() => listPurchases(whole.ports, lower(reader.address)));
    expect(all.value.purchases[0]).toMatchObject({
      pressId,
      payments: [
        { leg: "fee", tx },
        { leg: "publisher", units: "225000", payTo: lower(publisherAccount.address) },
      ],
      unlocked: true,
    });
    expect(all.cost).toMatchObject({ rpcTrips: 0, tableRequests: 2 });
    expect(await listPurchases(polls.ports, lower(getTestAccount(3).address))).toEqual({ purchases: [] });
  });
});

/** Makes the record of a wallet's settled fee for a press; if the press id is even, also makes the settled payment to the publisher. */
function pay(wallet: string, pressId: number) {
  const at = new Date(Date.parse("2026-11-20T12:00:00.000Z") + (pressId % 7) * 1_000).toISOString();
  const leg = {
    ...makeLegFields(wallet, pressId),
    state: "settled",
    txHash: `0x${"1".repeat(64)}`,
    settledAt: at,
  } as const;
  const fee = {
    ...leg,
    leg: "fee",
    listedAs: "fee",
    listedFor: wallet,
    listedAt: at,
    listedPress: pressId,
  } as const;
  const rest = {
    ...leg,
    leg: "publisher",
    unlockedBy: wallet,
    unlockedAt: at,
    unlockedPress: pressId,
  } as const;
  return pressId % 2 === 0 ? [fee, rest] : [fee];
}

const wallet = "0x00000000000000000000000000000000000000aa";
const store = startPart(startTestTable);

function storeVote(number: number, at: string, headline = "A press") {
  const position = `${String(number).padStart(16, "0")}-${"0".repeat(16)}`;
  const txHash = `0x${number.toString(16).padStart(64, "0")}`;
  const ofPress = { slug: `a-press-${number}`, headline, stock: "AAPL" };
  const vote = { pressId: number, wallet, value: 1, tag: "", txHash, position, at, ...ofPress };
  return store.table.entities.vote.create(vote).go();
}

test("votes from the same second are listed in the chain's order, and each vote appears on exactly one page", async () => {
  const text = "x".repeat(100_000);
  for (const number of [9, 10, 11, 2, 100, 3]) await storeVote(number, "2026-11-20T12:00:00.000Z", text);
  for (const number of [1, 4, 5, 6, 7, 8]) await storeVote(number, "2026-11-19T12:00:00.000Z", text);
  const readPage = async (cursor?: string) => {
    const { votes, cursor: next } = await readHistory({ table: store.table }, wallet, cursor);
    return { numbers: votes.map(({ slug }) => Number(slug.slice("a-press-".length))), next };
  };
  const first = await readPage();
  const second = await readPage(first.next);
  expect(first.numbers.length).toBeLessThan(12);
  expect([...first.numbers, ...second.numbers]).toEqual([100, 11, 10, 9, 3, 2, 8, 7, 6, 5, 4, 1]);
  expect(second.next).toBeUndefined();
  for (const cursor of ["x", "W10", Buffer.from('[["2026","1"],null]').toString("base64url")]) {
    await expect(readPage(cursor)).rejects.toMatchObject({ code: "invalid_cursor" });
  }
});

test("a page lists a hundred purchases in the order in which their fees were paid, each with its payment to the publisher", async () => {
  const buyer = "0x00000000000000000000000000000000000000bb";
  const items = Array.from({ length: 103 }, (_, pressId) => pay(buyer, pressId)).flat();
  await store.table.entities.settlement.put(items).go();
  const first = await listPurchases({ table: store.table }, buyer);
  const second = await listPurchases({ table: store.table }, buyer, first.cursor);
  expect([first, second].map((page) => page.purchases.length)).toEqual([100, 3]);
  const all = [...first.purchases, ...second.purchases];
  expect(new Set(all.map(({ pressId }) => pressId)).size).toBe(103);
  expect(all.every(({ pressId, unlocked }) => unlocked === (pressId % 2 === 0))).toBe(true);
  expect(second.cursor).toBeUndefined();
});
