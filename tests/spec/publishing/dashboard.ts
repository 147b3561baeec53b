import { expect } from "vitest";
import * as z from "zod";
import { Standing } from "../../../core/rank/schema.ts";
import { prove } from "../holds.ts";
import { ask, read, signInOnce, wire } from "../world/ask.ts";
import { article, holder, ofHolder, publish, save, saveSuccessfully, writer } from "../world/desk.ts";
import { buy, makeReader } from "../world/purse.ts";
import { makeOnce } from "../world/scene.ts";
import { desk, readOwnPress } from "./office.ts";

const Press = z.looseObject({
  id: z.int(),
  status: z.string(),
  earnedUsdg: z.number(),
  updatedAt: z.string(),
  reads: z.int(),
});
const Dashboard = z.strictObject({
  presses: z.array(Press),
  totals: z.strictObject({ earnedUsdg: z.number(), live: z.int(), reads: z.int() }),
});

async function readDashboard(account = holder) {
  return read(Dashboard, "/api/me/dashboard", { cookie: await signInOnce(account) });
}

/** A publisher of two presses: one press is live and was bought twice, and the other press is a draft. */
const shop = makeOnce(async () => {
  const sold = await publish(holder, ofHolder);
  const draft = await saveSuccessfully(holder, ofHolder);
  for (const count of [1, 2]) {
    const { publisher } = await buy(await makeReader(), sold.pressId);
    expect({ count, status: publisher.status }).toEqual({ count, status: 200 });
  }
  const dashboard = await readDashboard();
  const find = (id: number) => Press.parse(dashboard.presses.find((press) => press.id === id));
  return { sold, draft, dashboard, items: { sold: find(sold.id), draft: find(draft) } };
});

const DraftFields = z.strictObject({
  id: z.int(),
  headline: z.string(),
  preview: z.string(),
  stock: z.string(),
  publisher: z.string().regex(wire.address),
  publisherName: z.string(),
  priceUsdg: z.number(),
  priceUnits: z.string().regex(/^\d+$/),
  readMinutes: z.int(),
  aiAssisted: z.boolean(),
  votes: z.strictObject({ up: z.literal(0), down: z.literal(0) }),
  readerVotes: z.strictObject({ up: z.literal(0), down: z.literal(0) }),
  standing: Standing,
  tags: z.strictObject({}),
  reads: z.literal(0),
  bylineAmbiguous: z.literal(false),
  newAuthorUntil: z.null(),
  corrections: z.tuple([]),
  priceChangedAt: z.null(),
  unlistedAt: z.null(),
  pressId: z.null(),
  slug: z.null(),
  publishedAt: z.null(),
  auditScore: z.null(),
  publisherHolds: z.null(),
  priceAtPublish: z.null(),
  mintTx: z.null(),
  auditTx: z.null(),
  status: z.literal("draft"),
  earnedUsdg: z.literal(0),
  updatedAt: z.string().regex(wire.time),
});

prove("2.10 press fields", async () => {
  const { sold, items } = await shop();
  const { status, earnedUsdg, updatedAt, ...rest } = items.sold;
  expect(rest).toEqual(await findListed(sold.slug));
  expect([status, earnedUsdg, updatedAt]).not.toContain(undefined);
  expect(Object.keys(items.draft).toSorted()).toEqual(Object.keys(items.sold).toSorted());
  // The fields of a draft have the types of specification §2.1, except for fields whose values come from the audit and the mint.
  expect(DraftFields.safeParse(items.draft).error?.issues ?? []).toEqual([]);
});

/** Reads the press's entry in the list of presses. */
async function findListed(slug: string) {
  const List = z.object({ presses: z.array(z.looseObject({ slug: z.string() })) });
  const { presses } = await read(List, "/api/presses");
  return presses.find((press) => press.slug === slug);
}

prove("2.10 status", async () => {
  const { items } = await shop();
  expect([items.sold.status, items.draft.status]).toEqual(["live", "draft"]);
});

prove("2.10 earnedUsdg", async () => {
  const { items } = await shop();
  // Each of the two sales earned 0.123457 USDG minus the platform's fee; the fee is a tenth of the price, rounded down.
  expect(items.sold.earnedUsdg).toBe(0.222224);
  expect(items.draft.earnedUsdg).toBe(0);
});

prove("2.10 updatedAt", async () => {
  const { items, draft } = await shop();
  expect(items.draft.updatedAt).toMatch(wire.time);
  await save(holder, { ...ofHolder, id: draft });
  const after = (await readDashboard()).presses.find(({ id }) => id === draft);
  expect(after?.updatedAt.localeCompare(items.draft.updatedAt)).toBe(1);
});

prove("4.8 dashboard", async () => {
  const { sold, draft, dashboard } = await shop();
  expect(dashboard.presses.map(({ id }) => id).toSorted()).toEqual([sold.id, draft].toSorted());
  const { draft: other, approved, live } = await desk();
  const writers = (await readDashboard(writer)).presses.map(({ id }) => id);
  expect(writers).toEqual(expect.arrayContaining([other, approved, live.id]));
  expect(writers).not.toContain(sold.id);
});

prove("4.8 dashboard: totals", async () => {
  expect((await shop()).dashboard.totals).toEqual({ earnedUsdg: 0.222224, live: 1, reads: 2 });
});

prove("4.8 own press", async () => {
  const { approved, results } = await desk();
  expect(await readOwnPress(writer, approved)).toMatchObject({
    press: { id: approved },
    body: article.body,
    audit: results.approved.audit,
    metaUrl: results.approved.metaUrl,
  });
});

prove("4.8 own press: fields", async () => {
  const { draft, approved } = await desk();
  const cookie = await signInOnce(writer);
  for (const id of [draft, approved]) {
    const { body } = await ask(`/api/me/press/${id}`, { cookie });
    expect(Object.keys(Object(body)).toSorted()).toEqual(["audit", "auditCount", "body", "metaUrl", "press"]);
  }
  expect(await readOwnPress(writer, draft)).toMatchObject({ audit: null, metaUrl: null });
});
