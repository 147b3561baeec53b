import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { AuditReport } from "../../core/audit/schema.ts";
import { save } from "../../core/press/own.ts";
import { OwnPress } from "../../core/press/schema.ts";
import { press as handler } from "../../functions/http/me.ts";
import { approve, article, draft, publisher } from "../core/press/newsroom.ts";
import { report } from "../core/verdict/desk.ts";
import type { TestTable } from "../support/table.ts";
import { call, site } from "./lib/call.ts";
import { cookieFor, roomOf } from "./lib/desk.ts";
import { startStage } from "./lib/stage.ts";

const Answer = z.strictObject({ ...OwnPress.shape, audit: AuditReport.nullable() });

let stored: TestTable;
let cookie: string;
beforeAll(async () => {
  stored = await startStage();
  cookie = await cookieFor(stored.table, publisher);
});
afterAll(() => stored.stop());

function ask(id: string, as = cookie) {
  return call(handler, "my-press", { cookies: [as], path: { id } });
}

test("a publisher's own press has its text, latest report and metaUrl as soon as each exists", async () => {
  const room = roomOf(stored.table);
  const { id } = await save(room, publisher, draft());
  const fresh = await ask(String(id));
  expect(fresh).toMatchObject({ status: 200, headers: { "cache-control": "private, no-store" } });
  expect(Answer.parse(fresh.body)).toMatchObject({
    press: { id, status: "draft" },
    body: article().body,
    audit: null,
    metaUrl: null,
  });

  await approve(room, id);
  const { audit } = stored.table.entities;
  await audit.create({ id, number: 1, revision: 1, run: "one", report: { ...report, score: 60 } }).go();
  await audit.create({ id, number: 2, revision: 1, run: "two", report }).go();
  const approved = Answer.parse((await ask(String(id))).body);
  expect(approved).toMatchObject({
    press: { status: "approved", auditScore: 88 },
    metaUrl: `${site}/api/meta/${id}`,
  });
  expect(approved.audit).toEqual(report);

  // What the auditor said of the text before stays to be read while it is reworked.
  await save(room, publisher, draft({ id }));
  const edited = Answer.parse((await ask(String(id))).body);
  expect(edited).toMatchObject({
    press: { status: "draft", auditScore: null },
    audit: report,
    metaUrl: null,
  });
});
