import { afterAll, describe, expect, test } from "vitest";
import { makeExpectedAccount, readAccount, readPhase } from "./account.ts";
import { startDoomed } from "./doomed.ts";
import { type Death, listDeaths } from "./matrix.ts";
import type { Mode } from "./mode.ts";
import { type Begun, begin, record, type Scenario, type Stage } from "./scenario.ts";
import { startWorld } from "./world.ts";

/** A time limit against hanging: a test waits for all payments of its process, which a busy machine starts late. */
const timeout = 240_000;

/**
 * The maximum number of payments that one process runs. With more payments, all payments of the process would be late on a slow machine.
 */
const livesTogether = 16;

/**
 * Tests that every death in every scenario, however the payer continues, ends in one charge and the unlock, or in no charge. The points of
 * death come from a recorded run, so that no step is left out; a few payments die with one process.
 */
export async function testDeaths(scenarios: readonly Scenario[]): Promise<void> {
  const [world, doomed] = await Promise.all([
    startWorld(Math.max(...scenarios.map(({ modes }) => modes.length))),
    startDoomed(),
  ]);
  const stage: Stage = { world, doomed, livesTogether };
  const stop = async () => {
    await doomed.stop();
    await world.stop();
  };
  afterAll(stop);
  const traces = await record(stage, scenarios).catch(async (error: unknown) => {
    // Vitest runs no teardown if the collection of a file's tests fails.
    await stop();
    throw error;
  });
  const recorded = scenarios.map((scenario, index) => {
    const trace = traces[index] ?? [];
    const deaths = listDeaths(trace, scenario).map((death, turn) => ({
      scenario: scenario.inTurn === true ? pickOneMode(scenario, index + turn) : scenario,
      death,
    }));
    return { scenario, trace, deaths };
  });
  const dying = groupDeaths(
    stage,
    recorded.flatMap(({ deaths }) => deaths),
  );
  for (const { scenario, trace, deaths } of recorded) {
    describe(scenario.name, () => {
      test(`an undisturbed run shows ${scenario.shows.join(", ")}`, () => {
        expect(trace).toEqual(expect.arrayContaining([...scenario.shows]));
      });
      for (const one of deaths) testDeath(stage, one, () => dying(one));
    });
  }
}

function pickOneMode(scenario: Scenario, turn: number): Scenario {
  return { ...scenario, modes: scenario.modes.slice(turn % scenario.modes.length).slice(0, 1) };
}

type Dying = { readonly scenario: Scenario; readonly death: Death };

function testDeath(stage: Stage, { scenario, death }: Dying, dies: () => Promise<readonly Begun[]>): void {
  let endings: Promise<PromiseSettledResult<void>[]> | undefined;
  for (const [position, mode] of scenario.modes.entries()) {
    test.concurrent(makeTitle(scenario, death, mode), { timeout }, async () => {
      endings ??= dies().then((begun) => endCases(stage, scenario, death, begun));
      const ending = (await endings)[position];
      if (ending?.status !== "fulfilled") throw ending?.reason;
    });
  }
}

/** Divides the deaths of all scenarios among processes. A process starts when a test needs the first of its deaths. */
function groupDeaths(stage: Stage, all: readonly Dying[]): (one: Dying) => Promise<readonly Begun[]> {
  const processes: Dying[][] = [];
  let lives = 0;
  for (const one of all) {
    lives += one.scenario.modes.length;
    const last = processes.at(-1);
    if (last !== undefined && lives <= livesTogether) last.push(one);
    else {
      processes.push([one]);
      lives = one.scenario.modes.length;
    }
  }
  const died = new Map<Dying[], ReturnType<typeof dieAll>>();
  return async (one) => {
    const process = processes.find((deaths) => deaths.includes(one));
    if (process === undefined) throw new Error("Every death has its process");
    const dead = died.get(process) ?? dieAll(stage, process);
    died.set(process, dead);
    return (await dead)[process.indexOf(one)] ?? [];
  };
}

/**
 * Runs in one process a payment for each mode of each death, until all payments have reached their points of death and the process is
 * killed.
 */
async function dieAll(stage: Stage, deaths: readonly Dying[]): Promise<readonly (readonly Begun[])[]> {
  const begun = await begin(
    stage,
    deaths.map(({ scenario }) => ({ scenario, names: scenario.modes.map(({ named }) => named) })),
  );
  await stage.doomed.die(
    deaths.flatMap(({ death: { point } }, index) =>
      (begun[index] ?? []).map(({ life }) => ({ life, point })),
    ),
  );
  await Promise.all(
    deaths.flatMap(({ scenario }, index) =>
      (begun[index] ?? []).map(({ open }) => scenario.after?.(stage.world, open)),
    ),
  );
  return begun;
}

/** Brings the test cases of one death to their ends, in the order of the modes. */
async function endCases(stage: Stage, scenario: Scenario, death: Death, begun: readonly Begun[]) {
  const endings: Promise<void>[] = [];
  for (const [index, mode] of scenario.modes.entries()) {
    // The reconciler runs after all payers who repeat their requests, because it would otherwise finish their payments first.
    if (!mode.returns) await Promise.allSettled(endings);
    endings.push(end(begun[index], mode));
  }
  return Promise.allSettled(endings);

  async function end(one: Begun | undefined, mode: Mode): Promise<void> {
    if (one === undefined) throw new Error("Every mode has its case");
    const { open, header } = one;
    expect(await readPhase(open)).toBe(death.leaves);
    await mode.end(stage.world.roughly(open), header);
    expect(await readAccount(stage.world, open)).toEqual(
      makeExpectedAccount(open, isCharged(scenario, death, mode)),
    );
  }
}

/** Whether the leg is charged in the end: always if the payer repeats the request, else only if the reconciler can finish the payment. */
function isCharged(scenario: Scenario, { leaves }: Death, { returns }: Mode): boolean {
  return returns || scenario.charges.includes(leaves);
}

function makeTitle(scenario: Scenario, death: Death, mode: Mode): string {
  const once = scenario.leg === "publisher" ? "charged once, unlocked" : "charged once";
  const outcome = isCharged(scenario, death, mode) ? once : "charged nothing";
  return `killed ${death.title}, ${mode.title}: ${outcome}`;
}
