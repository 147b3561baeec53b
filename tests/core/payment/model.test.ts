import { afterAll, beforeAll, expect, test } from "vitest";
import { onceBroken } from "./model/once-broken.ts";
import { checkModel, openStage } from "./model/property.ts";
import { run } from "./model/run.ts";
import type { Tally } from "./model/violation.ts";

/** The same cases every time, other seeds by hand and in `npm run chaos`. A failing case is replayed by what its report says. */
const { MODEL_SEED = "20261120", MODEL_PATH, MODEL_RUNS = "15" } = process.env;

/** Milliseconds for making a failing case smaller. The cases themselves are all run, however long they take. */
const timeLimit = 120_000;
let stage: Awaited<ReturnType<typeof openStage>>;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.stop());

test("whatever interleaves, a leg is charged once and what is charged is delivered", {
  timeout: 5 * timeLimit,
}, async () => {
  const tally: Tally = new Map();
  const failure = await checkModel(
    stage,
    {
      seed: Number(MODEL_SEED),
      runs: Number(MODEL_RUNS),
      path: MODEL_PATH,
      timeLimit,
    },
    tally,
  );
  expect(failure?.report ?? "").toBe("");
  if (MODEL_PATH === undefined) expect(tally.get("cases")).toBe(Number(MODEL_RUNS));
  expect(tally.get("unlocks")).toBeGreaterThan(0);
});

test.each(onceBroken)("$name", async ({ one }) => {
  const tally: Tally = new Map();
  await run(stage, one, tally);
  expect(tally.get("charges on the chain")).toBeGreaterThan(0);
});
