import { expect, test } from "vitest";
import type { Address } from "../../../core/chain/hex.ts";
import { read } from "../../../core/press/index.ts";
import { save } from "../../../core/press/own.ts";
import { makeSession } from "../../../core/session/index.ts";
import { makeLegFields } from "../../support/leg.ts";
import { startPart } from "../../support/provide.ts";
import { startTestTable } from "../../support/table.ts";
import {
  approve,
  makeArticle,
  makeDraft,
  makeManualClock,
  makeMarket,
  publish,
  publisher,
  stranger,
} from "./newsroom.ts";

const storage = startPart(startTestTable, { each: true });

const price: { now: number | undefined } = { now: 327.2 };
function makePressPorts() {
  price.now = 327.2;
  return { table: storage.table, clock: makeManualClock(), market: makeMarket(price) };
}

/** Opens a session for a wallet and returns the session's token. */
async function makeSessionToken(wallet: Address, clock = makeManualClock()): Promise<string> {
  await storage.table.entities.session.put(makeSession(clock, `token of ${wallet}`, wallet, "payment")).go();
  return `token of ${wallet}`;
}

async function unlock(wallet: Address, pressId: number, state: "queued" | "settled") {
  const leg = { ...makeLegFields(wallet, pressId), leg: "publisher", state } as const;
  await storage.table.entities.settlement.put(leg).go();
}

test("a press's publisher and a wallet that has unlocked the press can read its text, and other wallets cannot", async () => {
  const room = makePressPorts();
  const { slug } = await publish(room, 0);
  expect(await read(room, slug, await makeSessionToken(publisher))).toMatchObject({
    unlocked: true,
    body: makeArticle().body,
  });
  expect(await read(room, slug, await makeSessionToken(stranger))).toMatchObject({
    unlocked: false,
    body: null,
  });
  await unlock(stranger, 0, "queued");
  expect(await read(room, slug, await makeSessionToken(stranger))).toMatchObject({
    unlocked: false,
    body: null,
  });
  await unlock(stranger, 0, "settled");
  expect(await read(room, slug, await makeSessionToken(stranger))).toMatchObject({
    unlocked: true,
    body: makeArticle().body,
  });
});

test("while the market source gives no answer, the last known price is shown, or the price at publication if no other price is known", async () => {
  const room = makePressPorts();
  const known = await publish(room, 0);
  await read(room, known.slug, undefined);
  price.now = undefined;
  room.clock.pass(600_000);
  expect((await read(room, known.slug, undefined)).press.priceNow).toBe(327.2);

  const other = await publish(room, 1, { stock: "NVDA" });
  expect((await read(room, other.slug, undefined)).press.priceNow).toBe(327.2);
});

test("a press is found only if it is live and the slug is exact", async () => {
  const room = makePressPorts();
  const { slug } = await publish(room, 0);
  const { id } = await save(room, publisher, makeDraft());
  await approve(room, id);
  const unknown = [
    `apple-s-margins-widen-again-${id}`,
    slug.replace("apple", "pear"),
    slug.toUpperCase(),
    `0${slug}`,
    slug.replace(/-1$/, "-01"),
    "nothing-zzz",
    "",
    "-",
  ];
  for (const other of unknown) {
    await expect(read(room, other, await makeSessionToken(publisher)), other).rejects.toMatchObject({
      kind: "missing",
      code: "unknown_press",
    });
  }
});
