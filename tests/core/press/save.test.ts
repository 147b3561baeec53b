import fc from "fast-check";
import { keccak256, stringToBytes } from "viem/utils";
import { expect, test } from "vitest";
import { publishPress } from "../../../core/mint/publish.ts";
import { save } from "../../../core/press/own.ts";
import { draftsPerDay } from "../../../core/press/schema.ts";
import { actBeforeRequests } from "../../support/interference.ts";
import { startPart } from "../../support/provide.ts";
import { startTestTable } from "../../support/table.ts";
import { makeNewcomer as makeWallet } from "../draft/newsdesk.ts";
import {
  approve,
  makeArticle,
  makeDraft,
  makeManualClock,
  makeMarket,
  makeWords,
  publish,
  publisher,
  readPress,
  stranger,
} from "./newsroom.ts";

const storage = startPart(startTestTable);

function makePressPorts() {
  return { table: storage.table, clock: makeManualClock(), market: makeMarket({ now: 327.2 }) };
}
async function readStored(id: number) {
  const { press, body } = storage.table.entities;
  const [item, text] = await Promise.all([
    press.get({ id }).go({ consistent: true }),
    body.get({ id }).go({ consistent: true }),
  ]);
  return { ...item.data, body: text.data?.body, bodyRevision: text.data?.revision };
}

test("all concurrent edits are counted, and press and text always have the same revision", async () => {
  const room = makePressPorts();
  const wallet = makeWallet();
  const { id } = await save(room, wallet, makeDraft());
  const texts = ["one", "two", "three"].map((word) => `${makeWords(160)} ${word}`);
  await Promise.all(texts.map((body) => save(room, wallet, makeDraft({ id, body }))));
  const after = await readStored(id);
  expect(after.revision).toBe(4);
  expect(after.bodyRevision).toBe(4);
  expect(texts).toContain(after.body);
});

test("a save that is based on an outdated version is refused, and the answer contains the time of the newer version", async () => {
  const room = makePressPorts();
  const wallet = makeWallet();
  const { id } = await save(room, wallet, makeDraft());
  const { updatedAt } = await readStored(id);
  room.clock.pass(1_000);
  const first = await save(room, wallet, makeDraft({ id, updatedAt, headline: "Saved in one window" }));
  expect(first).toEqual({ id, updatedAt: "2026-11-20T12:00:01.000Z" });
  await expect(
    save(room, wallet, makeDraft({ id, updatedAt, headline: "Saved in the other" })),
  ).rejects.toMatchObject({
    kind: "conflict",
    code: "stale_draft",
    details: { updatedAt: first.updatedAt },
  });
  expect(await readStored(id)).toMatchObject({ headline: "Saved in one window", revision: 2 });

  const next = { id, updatedAt: first.updatedAt, headline: "Saved on top of it" };
  await save(room, wallet, makeDraft(next));
  await save(room, wallet, makeDraft({ id, headline: "The last one wins" }));
  expect(await readStored(id)).toMatchObject({ headline: "The last one wins", revision: 4 });
});

test("if several concurrent saves are based on the same version, exactly one of them is stored, even if all saves arrive within one millisecond", async () => {
  const room = makePressPorts();
  const wallet = makeWallet();
  const { id } = await save(room, wallet, makeDraft());
  const { updatedAt } = await readStored(id);
  const outcomes = await Promise.allSettled(
    ["one", "two", "three"].map((word) =>
      save(room, wallet, makeDraft({ id, updatedAt, body: `${makeWords(160)} ${word}` })),
    ),
  );
  const refusals = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
  expect(refusals).toHaveLength(2);
  for (const refusal of refusals) expect(refusal).toMatchObject({ code: "stale_draft" });
  expect(await readStored(id)).toMatchObject({ revision: 2, updatedAt: "2026-11-20T12:00:00.001Z" });
});

test("an audit does not make the editor's version outdated, and the next save makes the press a draft again", async () => {
  const room = makePressPorts();
  const wallet = makeWallet();
  const { id } = await save(room, wallet, makeDraft());
  const { updatedAt } = await readStored(id);
  await approve(room, id);
  await save(room, wallet, makeDraft({ id, updatedAt }));
  const after = await readStored(id);
  expect(after).toMatchObject({ status: "draft", revision: 2 });
  expect(after).not.toHaveProperty("audit");
});

test("any valid Unicode text is read byte for byte as it was saved", async () => {
  const room = makePressPorts();
  const wallet = makeWallet();
  const { id } = await save(room, wallet, makeDraft());
  const scrap = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: "binary" }),
    fc.constantFrom("\r", "\r\n", "\t ", "\u0000", "\ufeff", "\u2028", "nai\u0308ve", "  \n"),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(scrap), async (scraps) => {
      const body = `${scraps.join("")}\n\n${makeWords(150)}${scraps.join(" ")}`;
      await save(room, wallet, makeDraft({ id, body }));
      const after = await readStored(id);
      expect(Buffer.from(after.body ?? "")).toEqual(Buffer.from(body));
      expect(after.contentHash).toBe(keccak256(stringToBytes(body)));
    }),
    { numRuns: 10 },
  );
});

test("twenty new drafts of an author are accepted on a day, even in concurrent requests, and the next draft is accepted only after midnight UTC", async () => {
  const room = makePressPorts();
  const wallet = makeWallet();
  await save(room, stranger, makeDraft());
  const attempts = Array.from({ length: draftsPerDay + 5 }, () => save(room, wallet, makeDraft()));
  const outcomes = await Promise.allSettled(attempts);
  const refusals = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
  expect(refusals).toHaveLength(5);
  for (const refusal of refusals) {
    expect(refusal).toMatchObject({ kind: "limit", code: "draft_limit", retryAfter: 12 * 60 * 60 });
  }
  const own = await room.table.entities.press.query.byPublisher({ publisher: wallet }).go();
  expect(own.data).toHaveLength(draftsPerDay);

  const [first] = own.data;
  expect(await save(room, wallet, makeDraft({ id: first?.id }))).toEqual({ id: first?.id });
  room.clock.pass(12 * 60 * 60 * 1000);
  await save(room, wallet, makeDraft());
});

test("if a press goes live before a save is committed, the save does not change the sold text", async () => {
  const room = makePressPorts();
  const { id } = await save(room, publisher, makeDraft());
  await approve(room, id);
  let hasGoneLive = false;
  const stop = actBeforeRequests(storage, "TransactItems", async () => {
    if (hasGoneLive) return;
    // The press was a draft when the save read it. The audit and the mint of the press happen before the save is committed.
    hasGoneLive = true;
    const press = await readPress(room.table, id);
    await publishPress(room, press, { txHash: `0x${"7".repeat(64)}`, agentId: 77, mark: 327.2 });
  });
  try {
    await expect(save(room, publisher, makeDraft({ id, body: makeWords(200) }))).rejects.toMatchObject({
      code: "press_live",
    });
  } finally {
    stop();
  }
  const body = makeArticle().body;
  const contentHash = keccak256(stringToBytes(String(body)));
  expect(await readStored(id)).toMatchObject({
    status: "live",
    body,
    contentHash,
    revision: 1,
    bodyRevision: 1,
  });
});

test("a save of a live press is refused because the press is live, even if the save's price, stock and AI draft are not accepted any more", async () => {
  const room = makePressPorts();
  const { id } = await publish(room, 78);
  const ports = { ...room, settings: { minPriceUnits: 2_000_000n } };
  const input = makeDraft({ id, stock: "MOON", generationId: 1 });
  await expect(save(ports, publisher, input)).rejects.toMatchObject({ kind: "conflict", code: "press_live" });
  await expect(save(ports, stranger, input)).rejects.toMatchObject({
    kind: "missing",
    code: "unknown_press",
  });
});
