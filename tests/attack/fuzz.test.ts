import { expect, test } from "vitest";
import { routes } from "../../functions/routes.ts";
import { startPart } from "../support/provide.ts";
import { fuzz } from "./fuzz/run.ts";
import { openWorld } from "./fuzz/world.ts";

/** The variables `FUZZ_SEED` and `FUZZ_COUNT` let this test repeat a run of `npm run chaos`. */
const seed = Number(process.env.FUZZ_SEED ?? 1);
const count = Number(process.env.FUZZ_COUNT ?? 160);

const world = startPart(openWorld);

test(`${count} requests of a documented or slightly wrong form get documented answers, and refused requests change nothing`, async () => {
  const { answers, findings } = await fuzz(world, seed, count);
  expect(findings).toEqual([]);
  const asked = [...answers.keys()].map((name) => name.split(" ")[0]);
  expect(new Set(asked)).toEqual(new Set(routes.map(({ id }) => id)));
});
