import { expect } from "vitest";
import * as z from "zod";
import { getTestAccount } from "../../../local/devnet/accounts.ts";
import { prove } from "../holds.ts";
import { ask, read, signInOnce, wire } from "../world/ask.ts";
import { article, auditSuccessfully, save, saveSuccessfully } from "../world/desk.ts";
import { makeOnce } from "../world/scene.ts";
import { runOnNextDay, runWithinOneDay } from "../world/service.ts";
import { readOwnPress } from "./office.ts";

/** Accounts that generate drafts with the AI; `tireless` uses up the daily limit. */
const helped = getTestAccount(7);
const tireless = getTestAccount(8);
const day = 24 * 60 * 60_000;

const Angle = z.looseObject({ id: z.string(), kind: z.string(), title: z.string(), detail: z.string() });
const Angles = z.strictObject({ angles: z.array(Angle), freshNews: z.boolean(), remaining: z.int() });
const Generated = z.strictObject({
  generationId: z.int(),
  draft: z.strictObject({ headline: z.string(), preview: z.string(), body: z.string() }),
  sources: z.array(z.strictObject({ title: z.string(), source: z.string(), link: z.string() })),
  remaining: z.int(),
});

async function requestAngles(account = helped, stock = "MSFT") {
  return read(Angles, "/api/draft/angles", { body: { stock }, cookie: await signInOnce(account) });
}

async function generate(angleId: string, account = helped) {
  const cookie = await signInOnce(account);
  return ask("/api/draft/generate", { body: { stock: "MSFT", angleId }, cookie });
}

/** The angles before a generation, a generated draft about the longest headline, and the angles after the generation. */
const written = makeOnce(async () => {
  const before = await requestAngles();
  const headlines = before.angles.filter(({ kind }) => kind === "headline");
  const angle = headlines.toSorted((one, other) => other.title.length - one.title.length)[0];
  if (angle === undefined) throw new Error("There is no news.");
  const generated = Generated.parse((await generate(angle.id)).body);
  return { before, angle, generated, after: await requestAngles() };
});

prove("4.8 angles", async () => {
  expect((await written()).before.angles.length).toBeGreaterThan(2);
});

prove("4.8 angles: freshNews", async () => {
  const { freshNews, angles } = (await written()).before;
  const newest = angles.flatMap(({ publishedAt }) => (typeof publishedAt === "string" ? [publishedAt] : []));
  const fresh = newest.some((time) => Date.now() - Date.parse(time) < 2 * day);
  expect(freshNews).toBe(fresh);
});

prove("4.8 angles: remaining", async () => {
  const { before, after } = await written();
  expect([before.remaining, after.remaining]).toEqual([5, 4]);
});

prove("4.8 angle", async () => {
  for (const { kind, title, detail } of (await written()).before.angles) {
    expect(["headline", "price", "fundamentals"]).toContain(kind);
    expect([title, detail]).not.toContain("");
  }
});

prove("4.8 angle: headline", async () => {
  for (const angle of (await written()).before.angles) {
    if (angle.kind !== "headline") continue;
    expect(angle).toMatchObject({
      source: expect.any(String),
      link: expect.stringMatching(/^https?:/),
      publishedAt: expect.stringMatching(wire.time),
    });
  }
  expect((await written()).angle.source).not.toBe("");
});

prove("4.8 angle: headline ids", async () => {
  const { angles } = (await written()).before;
  const ids = angles.filter(({ kind }) => kind === "headline").map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(0);
  expect(ids).toEqual(ids.map((_, index) => `h${index}`));
});

prove("4.8 angle: other ids", async () => {
  const others = (await written()).before.angles.filter(({ kind }) => kind !== "headline");
  expect(others.map(({ id, kind }) => [id, kind])).toEqual([
    ["price", "price"],
    ["fundamentals", "fundamentals"],
  ]);
});

prove("4.8 generate", async () => {
  const { angle, generated } = await written();
  expect(generated.draft.body).toContain(angle.link);
});

async function expectLabelOnGeneratedDraft(): Promise<void> {
  const { generationId, draft } = (await written()).generated;
  const unlabelled = { ...article, ...draft, stock: "MSFT", publisherName: "The Helped Desk" };
  const labelled = { ...unlabelled, generationId };
  const readLabel = async (saved: object) =>
    (await readOwnPress(helped, await saveSuccessfully(helped, saved))).press.aiAssisted;
  expect([await readLabel(labelled), await readLabel(unlabelled)]).toEqual([true, false]);
  // A save is refused if it names an AI draft that belongs to another wallet or does not exist.
  expect((await save(tireless, labelled)).status).toBe(400);
  expect((await save(helped, { ...labelled, generationId: 987_654 })).status).toBe(400);
}

prove("4.8 generate: generationId", expectLabelOnGeneratedDraft);
prove("4.8 save: AI label", expectLabelOnGeneratedDraft);
prove("2.9 generationId", expectLabelOnGeneratedDraft);

prove("4.8 save: AI facts", async () => {
  const { angle, generated } = await written();
  // The text is copied from its source, and only a comparison with the source can show the copying.
  const taken = `${generated.draft.body}\n\n${angle.title}. Fictional: ${angle.title}.`;
  const copy = { ...article, ...generated.draft, body: taken, stock: "MSFT" };
  const { generationId } = generated;
  const listChecks = async (draft: object) => {
    const { issues } = (await auditSuccessfully(helped, await saveSuccessfully(helped, draft))).audit;
    return issues.map(({ check }) => check);
  };
  expect(await listChecks({ ...copy, generationId })).toContain("copied");
  expect(await listChecks(copy)).not.toContain("copied");
});

prove("4.8 generate: draft", async () => {
  const { draft, generationId } = (await written()).generated;
  const rest = { stock: "MSFT", priceUsdg: 1, publisherName: "The Helped Desk", generationId };
  expect((await save(helped, { ...draft, ...rest })).status).toBe(200);
});

prove("4.8 generate: sources", async () => {
  const { angle, generated } = await written();
  expect(generated.sources).toContainEqual({ title: angle.title, source: angle.source, link: angle.link });
});

prove("4.8 generate: remaining", async () => {
  const { before, generated } = await written();
  expect(generated.remaining).toBe(before.remaining - 1);
});

/** Six requests for an AI draft on one day, and one request on the next day. */
const longDay = makeOnce(async () => {
  await requestAngles(tireless);
  const answers = await runWithinOneDay(async () => {
    const six: Awaited<ReturnType<typeof generate>>[] = [];
    for (let count = 0; count < 6; count += 1) six.push(await generate("price", tireless));
    return six;
  });
  return { answers, nextDay: await runOnNextDay(() => generate("price", tireless)) };
});

async function expectFiveGenerationsADay(): Promise<void> {
  const { answers, nextDay } = await longDay();
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
  expect(answers[5]).toMatchObject({ body: { code: "generation_limit" } });
  expect(nextDay.status).toBe(200);
}

prove("4.8 generate: five a day", expectFiveGenerationsADay);
prove("7 429 draft/generate", expectFiveGenerationsADay);
prove("8 AI generations", expectFiveGenerationsADay);
