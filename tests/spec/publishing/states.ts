import { expect } from "vitest";
import type { Severity } from "../../../core/audit/schema.ts";
import { findStatus, makeVerdict } from "../../../core/audit/store.ts";
import { prove } from "../holds.ts";
import { ask, signInOnce } from "../world/ask.ts";
import {
  article,
  audit,
  boastful,
  confirm,
  register,
  rival,
  saveSuccessfully,
  scheming,
  writer,
} from "../world/desk.ts";
import { service } from "../world/service.ts";
import { approveDraft, desk, readStatus } from "./office.ts";

prove("3 status values", async () => {
  const { live, results: _, ...others } = await desk();
  for (const [status, id] of Object.entries({ ...others, live: live.id })) {
    expect(await readStatus(id)).toBe(status);
  }
});

prove("3 thresholds", () => {
  const judge = (score: number, ...severities: readonly Severity[]) => {
    const issues = severities.map((severity) => ({ severity, check: "balance", detail: "A detail." }));
    return findStatus(makeVerdict(score, issues));
  };
  expect([judge(100, "critical"), judge(70), judge(70, "medium")]).toEqual([
    "rejected",
    "approved",
    "approved",
  ]);
  expect([judge(100, "high"), judge(69), judge(40), judge(39)]).toEqual([
    "revise",
    "revise",
    "revise",
    "rejected",
  ]);
});

prove("3 other transitions", async () => {
  const { live, draft } = await desk();
  expect(await audit(writer, live.id)).toMatchObject({ status: 409, body: { code: "press_live" } });
  const { origin } = await service();
  const txHash = await register(writer, `${origin}/api/meta/${draft}`);
  const [revise, rejected] = [
    await saveSuccessfully(rival, boastful),
    await saveSuccessfully(rival, scheming),
  ];
  for (const id of [revise, rejected]) {
    expect((await audit(rival, id)).status).toBe(200);
    expect(await readStatus(id, rival)).not.toBe("approved");
    expect(await confirm(rival, id, txHash)).toMatchObject({ status: 409, body: { code: "not_approved" } });
    expect((await audit(rival, id)).status).toBe(200);
  }
  expect(await confirm(writer, draft, txHash)).toMatchObject({ status: 409 });
  expect((await audit(writer, (await approveDraft()).id)).status).toBe(200);
});

prove("4.8 own presses", async () => {
  const { draft, approved, live } = await desk();
  const cookie = await signInOnce(rival);
  const txHash = `0x${"0".repeat(64)}`;
  for (const id of [draft, approved, live.id]) {
    const answers = [
      await ask(`/api/me/press/${id}`, { cookie }),
      await ask("/api/press/save", { body: { ...article, id }, cookie }),
      await ask("/api/press/audit", { body: { id }, cookie }),
      await ask("/api/press/minted", { body: { id, txHash }, cookie }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  }
  expect((await ask("/api/me/dashboard", { cookie })).text).not.toContain(live.slug);
  expect(await readStatus(draft)).toBe("draft");
});
