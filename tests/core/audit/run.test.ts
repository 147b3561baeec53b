import { describe, expect, test } from "vitest";
import { systemIds } from "../../../core/adapter/system.ts";
import * as Audit from "../../../core/audit/index.ts";
import { makeReview, type Reading } from "../../../core/audit/reading.ts";
import { countRun, endReservation, refundRun, reservePress } from "../../../core/audit/run.ts";
import { auditLimit, type Reviewer, type RunFindings } from "../../../core/audit/schema.ts";
import { readRunReport, saveAudit } from "../../../core/audit/store.ts";
import { AppError } from "../../../core/error.ts";
import { auditHoldMs } from "../../../core/press/schema.ts";
import { actBefore } from "../../support/interference.ts";
import { startPart } from "../../support/provide.ts";
import { startTestTable, type TestTable } from "../../support/table.ts";
import { readPress } from "../press/newsroom.ts";
import {
  appleMarket,
  edit,
  kindReviewer,
  makeChainWithBalance,
  makeReviewer,
  makeTestClock,
  origin,
  publisher,
  saveNewPress,
  startAuditOfNewPress,
} from "./parts.ts";
import { appleFacts, goodDraft, soundReading } from "./sample.ts";

const database = startPart(startTestTable);

test("if a press is edited before the model is asked, its audit does not ask the model and does not count", async () => {
  const { table } = database;
  let reviews = 0;
  const reviewer = makeReviewer(() => {
    reviews += 1;
    return soundReading;
  });
  const { chain } = actBefore({ chain: makeChainWithBalance(0n) }, /./, async () => {
    await edit(table, id);
  });
  const { run, id } = await startAuditOfNewPress(database.table, { reviewer, chain });
  await expect(run(id)).rejects.toMatchObject({
    code: "edited_meanwhile",
    message: expect.stringContaining("The run does not count."),
  });
  expect(reviews).toBe(0);
  expect(await readPress(table, id)).toMatchObject({ auditCount: 0 });
});

test("an audit asks a busy model again, but not a model that fails for another reason", async () => {
  const makeFailingReviewer = (code: string) => {
    const calls: string[] = [];
    const review: Reviewer<Reading>["review"] = async (request) => {
      calls.push(code);
      const failure = new AppError("upstream", code, "Not now.");
      return calls.length === 1 ? { failure, usage: [] } : kindReviewer.review(request);
    };
    return { calls, reviewer: { most: () => [], review } };
  };
  const busy = makeFailingReviewer("model_busy");
  const patient = await startAuditOfNewPress(database.table, { reviewer: busy.reviewer });
  expect(await patient.run(patient.id)).toMatchObject({ status: "approved" });
  expect(busy.calls).toHaveLength(2);
  const broken = makeFailingReviewer("model_unavailable");
  const strict = await startAuditOfNewPress(database.table, { reviewer: broken.reviewer });
  await expect(strict.run(strict.id)).rejects.toMatchObject({ code: "audit_unavailable" });
  expect(broken.calls).toHaveLength(1);
});

describe("an audit locks its press and is counted", () => {
  async function lockPress() {
    const { table } = database;
    const clock = makeTestClock();
    const id = await saveNewPress(table);
    const ports = { table, clock, ids: systemIds };
    return { ports, id, hold: await reservePress(ports, { id, wallet: publisher }) };
  }
  const countOf = async ({ ports, id }: Awaited<ReturnType<typeof lockPress>>) =>
    (await readPress(ports.table, id)).auditCount;
  const makeFindings = (order: RunFindings["order"]): RunFindings => ({
    order,
    facts: { quote: appleFacts.quote, publisherHolds: false, publisherBalance: "0" },
    issues: [],
    review: makeReview(goodDraft, soundReading),
    engine: "test",
  });

  test("while an audit locks its press, other audits of the press are refused, and the lock expires by itself", async () => {
    const { ports, id } = await lockPress();
    ports.clock.pass(auditHoldMs - 1);
    await expect(reservePress(ports, { id, wallet: publisher })).rejects.toMatchObject({
      code: "audit_running",
    });
    ports.clock.pass(1);
    await expect(reservePress(ports, { id, wallet: publisher })).resolves.toMatchObject({ id });
  });

  test("an audit whose lock on the press has expired can neither store a result nor unlock the press", async () => {
    const { ports, id, hold } = await lockPress();
    ports.clock.pass(auditHoldMs);
    const next = await reservePress(ports, { id, wallet: publisher });
    await expect(countRun(ports, hold)).rejects.toMatchObject({ code: "audit_running" });
    await expect(saveAudit(ports, makeFindings(hold))).rejects.toMatchObject({ code: "audit_running" });
    await endReservation(ports, hold);
    expect(await readPress(ports.table, id)).toMatchObject({ auditRun: next.run, auditCount: 0 });
    await countRun(ports, next);
    await saveAudit(ports, makeFindings(next));
    expect(await readPress(ports.table, id)).toMatchObject({ status: "approved", auditCount: 1 });
  });

  test("an audit that has released its lock on the press cannot store a result", async () => {
    const { ports, id, hold } = await lockPress();
    await endReservation(ports, hold);
    await expect(saveAudit(ports, makeFindings(hold))).rejects.toMatchObject({ kind: "conflict" });
    expect(await readRunReport(ports, hold)).toBeUndefined();
    expect(await readPress(ports.table, id)).toMatchObject({ status: "draft", auditCount: 0 });
  });

  test("if the store step of an audit is repeated, it returns the first result", async () => {
    const { ports, id, hold } = await lockPress();
    await countRun(ports, hold);
    const first = await saveAudit(ports, makeFindings(hold));
    expect(await saveAudit(ports, makeFindings(hold))).toEqual(first);
    expect((await readPress(ports.table, id)).auditCount).toBe(1);
  });

  test("an audit is counted once, at the moment when its model is asked, and an audit that has not asked the model cannot store a result", async () => {
    const scene = await lockPress();
    const { ports, hold } = scene;
    expect(await countOf(scene)).toBe(0);
    await expect(saveAudit(ports, makeFindings(hold))).rejects.toMatchObject({ code: "audit_running" });
    await countRun(ports, hold);
    await countRun(ports, hold);
    expect(await countOf(scene)).toBe(1);
  });

  test("if an audit's model fails, the audit is subtracted from the count once, and a repeated step adds the audit to the count again", async () => {
    const scene = await lockPress();
    const { ports, hold } = scene;
    await countRun(ports, hold);
    await refundRun(ports, hold);
    await refundRun(ports, hold);
    expect(await countOf(scene)).toBe(0);
    await countRun(ports, hold);
    expect(await countOf(scene)).toBe(1);
    await endReservation(ports, hold);
    await endReservation(ports, hold);
    expect(await countOf(scene)).toBe(0);
  });

  test("an audit is still counted if its text was edited after the model was asked", async () => {
    const scene = await lockPress();
    const { ports, id, hold } = scene;
    await countRun(ports, hold);
    await edit(ports.table, id);
    await endReservation(ports, hold);
    expect(await readPress(ports.table, id)).toMatchObject({ auditCount: 1 });
    expect((await readPress(ports.table, id)).auditAsked).toBeUndefined();
  });

  test("an audit whose process died is no longer counted after its lock on the press has expired, unless the text was edited in the meantime", async () => {
    const scene = await lockPress();
    const { ports, id, hold } = scene;
    await countRun(ports, hold);
    ports.clock.pass(auditHoldMs);
    const next = await reservePress(ports, { id, wallet: publisher });
    expect(await countOf(scene)).toBe(0);
    await countRun(ports, next);
    await edit(ports.table, id);
    ports.clock.pass(auditHoldMs);
    await reservePress(ports, { id, wallet: publisher });
    expect(await countOf(scene)).toBe(1);
  });

  test("a ninth audit of a press is refused and not counted, even if it read the press before the eighth audit was counted", async () => {
    const { ports, id, hold } = await lockPress();
    const { press } = ports.table.entities;
    await press.patch({ id }).set({ auditCount: auditLimit }).go();
    await expect(countRun(ports, hold)).rejects.toMatchObject({ code: "audit_limit" });
    expect((await readPress(ports.table, id)).auditCount).toBe(auditLimit);
    await press
      .patch({ id })
      .set({ auditCount: auditLimit - 1 })
      .go();
    await endReservation(ports, hold);
    // The eighth audit is counted after the ninth audit has read the press, and before the ninth audit writes.
    const stale: TestTable["table"] = Object.create(ports.table, {
      transaction: {
        value: {
          write: (work: Parameters<typeof ports.table.transaction.write>[0]) => ({
            go: async () => {
              await press.patch({ id }).set({ auditCount: auditLimit }).go();
              return ports.table.transaction.write(work).go();
            },
          }),
        },
      },
    });
    await expect(reservePress({ ...ports, table: stale }, { id, wallet: publisher })).rejects.toMatchObject({
      code: "audit_limit",
    });
    expect((await readPress(ports.table, id)).auditRun).toBeUndefined();
  });

  test("if a press goes live during its audit, the audit does not change the press", async () => {
    const { ports, id, hold } = await lockPress();
    await ports.table.entities.press.patch({ id }).set({ status: "live" }).go();
    await expect(saveAudit(ports, makeFindings(hold))).rejects.toMatchObject({ code: "press_live" });
    expect(await readPress(ports.table, id)).toMatchObject({ status: "live", auditCount: 0 });
  });
});

test("an audit counts even if its answer is lost after the result was stored, and a repeated request returns the stored result", async () => {
  const { table } = database;
  const clock = makeTestClock();
  const id = await saveNewPress(table);
  const answer = await Audit.run(
    {
      table,
      clock,
      ids: systemIds,
      settings: { origin },
      workflow: {
        async run(order) {
          const evidence = await Audit.gatherEvidence(
            { table, clock, market: appleMarket, chain: makeChainWithBalance(0n), settings: {} },
            order,
          );
          const review = makeReview(goodDraft, soundReading);
          await countRun({ table, clock }, evidence.order);
          await saveAudit({ table, clock }, { ...evidence, issues: [], review, engine: "test" });
          throw new AppError("upstream", "audit_unavailable", "The connection was cut.");
        },
      },
    },
    { id, wallet: publisher },
  );
  expect(answer).toMatchObject({ status: "approved", audit: { score: 100 } });
  expect((await readPress(table, id)).auditCount).toBe(1);
});
