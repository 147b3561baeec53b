import { afterAll, expect, test } from "vitest";
import { roughSeed } from "../../support/rough.ts";
import { searchAll } from "./explore/search.ts";
import { openScene, type SceneName, sceneNames } from "./explore/setting.ts";
import type { FaultsLeft } from "./explore/world.ts";

/**
 * Checks the invariants of docs/payments.md in every state that the real code can reach in a small simulated world. The states include
 * every order of the processes, every answer to a call, and every death of a process. Each search allows a limited number of faults, and
 * counts the states that it reaches. The simulated world has one relayer key and plain accounts; contract wallets, a second key and lagging
 * indexes are tested in guards.test.ts.
 */
type Case = {
  readonly scene: SceneName;
  readonly left: Partial<FaultsLeft>;
  /**
   * The minimum number of states that a search must reach. A search that reaches fewer states than this minimum no longer tries some of the
   * events.
   */
  readonly states: number;
};

const [each, twice, permit, authorization, batch, short, frozen, dear, whole, two] = sceneNames;

/**
 * Some searches allow two lost answers. After the first lost answer, a transaction that no node has clearly accepted is sent again at once.
 * The answer to this second broadcast may be lost too.
 */
const few: readonly Case[] = [
  { scene: each, left: { crashes: 1, strangers: 1 }, states: 3_000 },
  { scene: each, left: { failures: 1 }, states: 2_000 },
  { scene: each, left: { lags: 1 }, states: 1_400 },
  { scene: twice, left: { conflicts: 1, crashes: 1 }, states: 2_700 },
  { scene: permit, left: { outages: 1 }, states: 60 },
  { scene: authorization, left: { losses: 2 }, states: 1_500 },
  { scene: authorization, left: { crashes: 1, losses: 1 }, states: 500 },
  { scene: authorization, left: { losses: 1, strangers: 1 }, states: 2_000 },
  { scene: authorization, left: { failures: 1, crashes: 2 }, states: 220 },
  { scene: authorization, left: { outages: 1, strangers: 1 }, states: 250 },
  { scene: batch, left: { crashes: 2, strangers: 1 }, states: 1_500 },
  { scene: batch, left: { failures: 1, lags: 1 }, states: 100 },
  { scene: batch, left: { crashes: 2, burns: 1, failures: 1 }, states: 1_440 },
  { scene: batch, left: { outages: 1 }, states: 700 },
  // The process of a payment dies, and later the run of the reconciler that should finish the payment dies too.
  { scene: each, left: { crashes: 2, reconciliations: 1 }, states: 1_700 },
  { scene: permit, left: { crashes: 2, reconciliations: 1, strangers: 1 }, states: 900 },
  { scene: permit, left: { crashes: 2, reconciliations: 1, failures: 1 }, states: 1_350 },
  { scene: authorization, left: { crashes: 2, reconciliations: 1 }, states: 300 },
  { scene: batch, left: { crashes: 2, reconciliations: 1 }, states: 1_250 },
  { scene: short, left: { crashes: 1, losses: 2 }, states: 1_450 },
  { scene: frozen, left: { crashes: 1, losses: 2 }, states: 15 },
  { scene: dear, left: { crashes: 1, losses: 2 }, states: 15 },
  // The fee may fail while the payment to the publisher is requested, and a failed fee does not count as paid.
  { scene: whole, left: { failures: 1, crashes: 1 }, states: 900 },
  { scene: whole, left: { outages: 1 }, states: 400 },
];

/**
 * Searches with faults and combinations of faults that `few` does not contain. These searches run only if the variable `ROUGH` is set.
 */
const many: readonly Case[] = [
  { scene: each, left: { losses: 1 }, states: 2_500 },
  { scene: permit, left: { crashes: 1, failures: 1, strangers: 1 }, states: 2_800 },
  { scene: batch, left: { losses: 2 }, states: 2_000 },
  // A lease of a relayer key may expire before the transaction is stored. If the lease has expired, the write's condition on the relayer
  // key decides whether the transaction is stored (also tested in guards.test.ts).
  { scene: two, left: { pauses: 1 }, states: 6_000 },
  { scene: each, left: { crashes: 2, strangers: 1 }, states: 3_000 },
  { scene: each, left: { failures: 1, strangers: 1 }, states: 10_000 },
  { scene: each, left: { losses: 2 }, states: 7_000 },
  { scene: twice, left: { outages: 1 }, states: 1_000 },
  { scene: each, left: { outages: 1 }, states: 1_400 },
  { scene: permit, left: { crashes: 1, pauses: 1, reconciliations: 1 }, states: 14_000 },
  { scene: authorization, left: { crashes: 1, losses: 2, strangers: 1 }, states: 29_000 },
  { scene: batch, left: { failures: 1, lags: 1, losses: 2 }, states: 8_000 },
  // A lagging node shows our reverted payment as unpaid, although a stranger has settled the payment in the meantime.
  { scene: permit, left: { failures: 1, lags: 1, losses: 1, strangers: 1 }, states: 80_000 },
  { scene: authorization, left: { failures: 1, lags: 1, losses: 1, strangers: 1 }, states: 80_000 },
  { scene: short, left: { failures: 1, lags: 1, losses: 1, strangers: 1 }, states: 30_000 },
];

// ElectroDB makes an error for each refused write. Stack traces for these errors would cost a tenth of the test's time.
const { stackTraceLimit } = Error;
Error.stackTraceLimit = 0;
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit;
});

const cases = roughSeed === undefined ? few : [...few, ...many];

test.each(cases)("$scene: $left", async ({ scene, left, states }) => {
  const world = await openScene(scene, left);
  const seen = await searchAll(world, 100_000);
  console.log(
    `${scene}: ${JSON.stringify(left)}: ${seen.states} states, ${seen.steps} steps, ${seen.ends} ends`,
  );
  expect(seen.whole).toBe(true);
  expect(seen.states).toBeGreaterThanOrEqual(states);
});
