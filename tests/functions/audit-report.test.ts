import { expect, test } from "vitest";
import { save } from "../../core/press/own.ts";
import { report as handler } from "../../functions/http/audit.ts";
import { approve, makeDraft, publish, publisher, report } from "../core/press/newsroom.ts";
import { auditor } from "../core/verdict/desk.ts";
import { startPart } from "../support/provide.ts";
import { invoke } from "./lib/call.ts";
import { makePorts } from "./lib/desk.ts";
import { startStage } from "./lib/stage.ts";

const stored = startPart(startStage);

function ask(id: string) {
  return invoke(handler, "audit-report", { path: { id } });
}

async function publishWithReport(agentId: number) {
  const { id } = await publish(makePorts(stored.table), agentId);
  await stored.table.entities.audit.create({ id, number: 1, revision: 1, run: "run", report }).go();
  return String(id);
}

test("a report may be cached for an hour as soon as the verdict on the chain contains the report's hash", async () => {
  const id = await publishWithReport(3);
  const { verdict } = stored.table.entities;
  const sent = { id: Number(id), auditor, changedAt: "2026-11-20T12:00:00.000Z", file: '{"value":88}' };
  await verdict.put({ ...sent, state: "sent" }).go();
  expect(await ask(id)).toMatchObject({
    body: { value: 88 },
    headers: { "cache-control": "public, max-age=0, s-maxage=5" },
  });
  await verdict.put({ ...sent, state: "posted" }).go();
  expect(await ask(id)).toMatchObject({
    body: { value: 88 },
    headers: { "cache-control": "public, max-age=0, s-maxage=3600, stale-while-revalidate=86400" },
  });
});

test("a stored report keeps its bytes even if the form of new reports changes", async () => {
  const older = { ...report, formerly: { b: 1, a: [2.5, "é"] }, issues: [{ note: "of another form" }] };
  const { id } = await publish(makePorts(stored.table), 2);
  await stored.table.entities.audit.create({ id, number: 1, revision: 1, run: "run", report: older }).go();
  expect((await ask(String(id))).body).toEqual(older);
});

test("the public audit report of a press that is not live cannot be read, not even by the press's publisher", async () => {
  const room = makePorts(stored.table);
  const { id } = await save(room, publisher, makeDraft());
  await approve(room, id);
  await stored.table.entities.audit.create({ id, number: 1, revision: 1, run: "run", report }).go();
  for (const text of [String(id), "999999", "0", "-1", "x", "9".repeat(40)]) {
    const answer = await ask(text);
    expect(answer).toMatchObject({ status: 404, body: { code: "unknown_press" } });
    expect(answer.headers["cache-control"]).toBe("no-store");
  }
});
