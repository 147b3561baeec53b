import { expect } from "vitest";
import * as z from "zod";
import { lower } from "../../../core/chain/hex.ts";
import { getTestAccount } from "../../../local/devnet/accounts.ts";
import { openSession } from "../../functions/lib/desk.ts";
import { prove, proveEach } from "../holds.ts";
import { ask, read } from "../world/ask.ts";
import {
  article,
  auditSuccessfully,
  boastful,
  ofRival,
  rival,
  save,
  saveSuccessfully,
  scheming,
  writer,
} from "../world/desk.ts";
import { makeOnce } from "../world/scene.ts";
import { runOnNextDay, runWithinOneDay, service } from "../world/service.ts";
import { approveDraft, desk, mint, readOwnPress, readStatus, updateDraft } from "./office.ts";

/** An account that saves more drafts than the daily limit allows. */
const busy = getTestAccount(6);
const day = 24 * 60 * 60_000;

/** Saves twenty drafts, one more draft on the same day, an update of the first draft, and a draft on the next day. */
const dayOfWork = makeOnce(async () => {
  const today = await runWithinOneDay(async () => {
    const ids: number[] = [];
    for (let count = 0; count < 20; count += 1) ids.push(await saveSuccessfully(busy));
    const oneMore = await save(busy);
    return { ids, oneMore, updated: await save(busy, { ...article, id: ids[0] }) };
  });
  return { ...today, nextDay: await runOnNextDay(() => save(busy)) };
});

async function expectTwentyDraftsADay(): Promise<void> {
  const { ids, oneMore, nextDay } = await dayOfWork();
  expect(new Set(ids).size).toBe(20);
  expect(oneMore).toMatchObject({ status: 429, body: { code: "draft_limit" } });
  expect(Number(oneMore.headers.get("retry-after"))).toBeLessThanOrEqual(day / 1000);
  expect(nextDay.status).toBe(200);
}

prove("4.8 save: twenty a day", expectTwentyDraftsADay);
prove("8 new drafts", expectTwentyDraftsADay);

prove("7 429 press/save", async () => {
  const { oneMore } = await dayOfWork();
  expect(oneMore.status).toBe(429);
  // Another wallet has its own daily limit.
  expect((await save(rival, ofRival)).status).toBe(200);
});

prove("3 save: daily limit", async () => {
  const { oneMore, updated } = await dayOfWork();
  expect([oneMore.status, updated.status]).toEqual([429, 200]);
});

prove("4.8 save", async () => {
  const answer = await save(writer);
  expect(answer.status).toBe(200);
  const { id } = z.strictObject({ id: z.int() }).parse(answer.body);
  expect(await readOwnPress(writer, id)).toMatchObject({ press: { id, stock: "AAPL" }, body: article.body });
});

/**
 * Saves three drafts with different verdicts again: the first with another byline, the second with another text, and the third without any
 * change.
 */
async function expectDraftAfterEachSave(): Promise<void> {
  expect(await readStatus((await desk()).draft)).toBe("draft");
  const edits = [
    { status: "approved", draft: article, changed: { publisherName: "Another byline" } },
    { status: "revise", draft: boastful, changed: article },
    { status: "rejected", draft: scheming, changed: scheming },
  ];
  for (const { status, draft, changed } of edits) {
    const id = await saveSuccessfully(writer, draft);
    await auditSuccessfully(writer, id);
    expect(await readStatus(id)).toBe(status);
    await updateDraft(id, changed);
    expect(await readStatus(id)).toBe("draft");
  }
}

prove("4.8 save: resets", expectDraftAfterEachSave);
prove("3 save", expectDraftAfterEachSave);

prove("3 save: audit again", async () => {
  const { id, metaUrl } = await approveDraft();
  await updateDraft(id, { headline: "An afterthought that nobody has read" });
  expect(await mint(id, metaUrl)).toMatchObject({ status: 409, body: { code: "not_approved" } });
  expect(await readStatus(id)).toBe("draft");
});

const Detail = z.looseObject({ press: z.looseObject({}) });

proveEach<string>(
  {
    "3 save: live": "A headline that would be another",
    "4.8 save: live": "A headline that would be another",
    "7 409 press/save": "A headline that would be another",
  },
  async (headline) => {
    const { id, slug } = (await desk()).live;
    const before = await read(Detail, `/api/presses/${slug}`);
    expect(await updateDraft(id, { headline })).toMatchObject({ status: 409, body: { code: "press_live" } });
    expect((await read(Detail, `/api/presses/${slug}`)).press).toMatchObject({
      headline: article.headline,
      votes: before.press.votes,
    });
    expect(await readStatus(id)).toBe("live");
  },
);

prove("4.8 session", async () => {
  const requests: readonly (readonly [path: string, body?: object])[] = [
    ["/api/press/save", article],
    ["/api/press/audit", { id: 1 }],
    ["/api/press/minted", { id: 1, txHash: `0x${"0".repeat(64)}` }],
    ["/api/draft/angles", { stock: "AAPL" }],
    ["/api/draft/generate", { stock: "AAPL", angleId: "price" }],
    ["/api/me/dashboard"],
    ["/api/me/press/1"],
  ];
  // A wallet whose session began with a payment has not signed in, so the wallet cannot publish.
  const paid = await openSession((await service()).table, lower(busy.address), "payment");
  for (const [path, body] of requests) {
    const [nobody, reader] = [await ask(path, { body }), await ask(path, { body, cookie: paid })];
    expect({ path, ...nobody }).toMatchObject({ path, status: 401, body: { code: "no_session" } });
    expect({ path, ...reader }).toMatchObject({ path, status: 401, body: { code: "sign_in_required" } });
  }
});
