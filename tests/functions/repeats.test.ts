import { beforeAll, beforeEach, expect, test } from "vitest";
import * as z from "zod";
import { save } from "../../core/press/own.ts";
import { save as saveHandler } from "../../functions/http/press.ts";
import { makeArticle, makeDraft, publisher, stranger } from "../core/press/newsroom.ts";
import { makeRefusal } from "../support/http-payer.ts";
import { startPart } from "../support/provide.ts";
import { invoke } from "./lib/call.ts";
import { cookie, makePorts, other } from "./lib/desk.ts";
import { startStage } from "./lib/stage.ts";

const Saved = z.object({ id: z.int(), updatedAt: z.string().optional() });

const stored = startPart(startStage);
beforeAll(() => save(makePorts(stored.table), stranger, makeDraft()));

let count = 0;
let key = "";
beforeEach(() => {
  count += 1;
  key = `save-of-test-${count}`;
});

const saveDraft = (changes: object = {}, sessionCookie = cookie, header = key) =>
  invoke(saveHandler, "press-save", {
    cookies: [sessionCookie],
    headers: { "idempotency-key": header },
    body: { ...makeArticle(), ...changes },
  });

/** Counts the drafts that a wallet has. */
async function countDrafts(wallet = publisher): Promise<number> {
  const { data } = await stored.table.entities.press.query
    .byPublisher({ publisher: wallet })
    .go({ pages: "all" });
  return data.length;
}

test("if a save is sent again under the same key because its answer was lost, only one draft is made, and the answer is the same", async () => {
  const before = await countDrafts();
  const first = await saveDraft();
  const again = await saveDraft();
  expect([first.status, again.status]).toEqual([200, 200]);
  expect(again.body).toEqual(first.body);
  expect(await countDrafts()).toBe(before + 1);
});

test("ten simultaneous saves with one key make one draft, and all answers contain the draft's id", async () => {
  const before = await countDrafts();
  const answers = await Promise.all(Array.from({ length: 10 }, () => saveDraft()));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(new Set(answers.map(({ body }) => Saved.parse(body).id)).size).toBe(1);
  expect(await countDrafts()).toBe(before + 1);
});

test("a save under a key that was used for another text is refused, because the key is taken", async () => {
  await saveDraft();
  const before = await countDrafts();
  expect(await saveDraft({ headline: "Another headline than the first one" })).toMatchObject(
    makeRefusal(409, "idempotency_key_reused"),
  );
  expect(await countDrafts()).toBe(before);
});

test("a save's key belongs to one wallet, so another wallet's save with the same key makes a separate draft and reveals nothing about the first draft", async () => {
  const { id } = Saved.parse((await saveDraft()).body);
  const theirs = await saveDraft({}, other);
  expect(theirs.status).toBe(200);
  expect(Saved.parse(theirs.body).id).not.toBe(id);
});

test("a repeated update gets the same answer as the first time and changes nothing, even if the draft was saved in the meantime", async () => {
  const { id } = Saved.parse(
    (await invoke(saveHandler, "press-save", { cookies: [cookie], body: makeArticle() })).body,
  );
  const { data } = await stored.table.entities.press.get({ id }).go();
  const updatedAt = data?.updatedAt ?? "";
  const update = { id, updatedAt, headline: "What the first save had as its headline" };
  const first = await saveDraft(update);
  await saveDraft({ id, headline: "What somebody saved after the first save" }, cookie, `${key}-later`);
  const again = await saveDraft(update);
  expect(again).toMatchObject({ status: 200, body: Saved.parse(first.body) });
  const { data: now } = await stored.table.entities.press.get({ id }).go();
  expect(now?.headline).toBe("What somebody saved after the first save");
});

test("a save's key is valid for a day, and an expired key makes a new draft even if the key's record still exists", async () => {
  const { id } = Saved.parse((await saveDraft()).body);
  const of = { wallet: publisher, operation: "save", key } as const;
  const { data } = await stored.table.entities.answer.get(of).go();
  const left = (data?.expiresAt ?? 0) - Date.now() / 1000;
  expect(left).toBeGreaterThan(23.9 * 3600);
  expect(left).toBeLessThan(24.1 * 3600);
  await stored.table.entities.answer.patch(of).set({ expiresAt: 1 }).go();
  expect(Saved.parse((await saveDraft()).body).id).not.toBe(id);
});

test("after a refused save, the same key can be used for the corrected text", async () => {
  expect((await saveDraft({ stock: "NOSUCH" })).status).toBe(400);
  expect((await saveDraft()).status).toBe(200);
});

test("a save with a malformed key is refused before anything is saved", async () => {
  const before = await countDrafts();
  for (const header of ["short", "with spaces in it", "x".repeat(129)]) {
    expect(await saveDraft({}, cookie, header)).toMatchObject(makeRefusal(400, "invalid_idempotency_key"));
  }
  expect(await countDrafts()).toBe(before);
});
