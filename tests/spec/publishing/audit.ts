import { expect } from "vitest";
import { prove } from "../holds.ts";
import { ask } from "../world/ask.ts";
import { Audited, audit, ofRival, rival, saveSuccessfully, writer } from "../world/desk.ts";
import { makeOnce } from "../world/scene.ts";
import { runWithoutPart, service } from "../world/service.ts";
import { desk, readOwnPress, readStatus } from "./office.ts";

/** One press that is audited once while the model is down, then eight times, and then a ninth time. */
const series = makeOnce(async () => {
  const id = await saveSuccessfully(rival, ofRival);
  const before = await readOwnPress(rival, id);
  const away = await runWithoutPart("model", () => audit(rival, id));
  const after = await readOwnPress(rival, id);
  const statuses: number[] = [];
  for (let count = 0; count < 8; count += 1) statuses.push((await audit(rival, id)).status);
  return { id, before, away, after, statuses, ninth: await audit(rival, id) };
});

async function expectEightAuditsADay(): Promise<void> {
  const { id, statuses, ninth } = await series();
  expect(statuses).toEqual(Array(8).fill(200));
  expect(ninth).toMatchObject({ status: 429, body: { code: "audit_limit" } });
  expect(await readStatus(id, rival)).toBe("approved");
}

prove("4.8 audit: eight", expectEightAuditsADay);
prove("7 429 press/audit", expectEightAuditsADay);
prove("8 audits", expectEightAuditsADay);

async function expectUnchanged(): Promise<void> {
  const { before, away, after } = await series();
  expect(away).toMatchObject({ status: 503, body: { code: "audit_unavailable" } });
  expect(Number(away.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(after).toEqual(before);
  expect(after.press.status).toBe("draft");
}

prove("4.8 audit: unavailable", expectUnchanged);
prove("7 503 press/audit", expectUnchanged);

prove("3 audit: condition", async () => {
  await expectUnchanged();
  await expectEightAuditsADay();
});

prove("3 audit: counted", async () => {
  // The first audit was not counted, the next eight audits succeeded, and the last audit was refused.
  const { away, statuses, ninth } = await series();
  expect([away.status, statuses.length, ninth.status]).toEqual([503, 8, 429]);
});

prove("3 audit: next state", async () => {
  const { results, ...ids } = await desk();
  for (const name of ["revise", "rejected", "approved"] as const) {
    expect(results[name].status).toBe(name);
    expect(await readStatus(ids[name])).toBe(name);
  }
});

prove("3 audit: stored", async () => {
  const { results, revise, approved } = await desk();
  expect((await readOwnPress(writer, revise)).audit).toMatchObject(results.revise.audit);
  expect((await readOwnPress(writer, approved)).audit).toMatchObject(results.approved.audit);
});

prove("3 audit: metaUrl", async () => {
  const { results, ...ids } = await desk();
  const { origin } = await service();
  for (const name of ["approved", "revise", "rejected"] as const) {
    expect([name, results[name].metaUrl]).toEqual([name, `${origin}/api/meta/${ids[name]}`]);
  }
  // The registration file exists only for presses that may be minted.
  expect(await ask(`/api/meta/${ids.approved}`)).toMatchObject({ status: 200, body: { registrations: [] } });
  for (const name of ["revise", "rejected"] as const) {
    expect([name, (await ask(`/api/meta/${ids[name]}`)).status]).toEqual([name, 404]);
  }
});

prove("4.8 audit", async () => {
  const answer = await audit(writer, await saveSuccessfully(writer));
  expect(answer.status).toBe(200);
  expect(Object.keys(Object(answer.body)).toSorted()).toEqual(["audit", "metaUrl", "status"]);
  expect(Audited.parse(answer.body).metaUrl).toMatch(/^http/);
});

prove("4.8 audit: status", async () => {
  const { revise, rejected, approved } = (await desk()).results;
  expect([approved.status, revise.status, rejected.status]).toEqual(["approved", "revise", "rejected"]);
});
