import type { Leg } from "../../../../core/payment/schema.ts";
import type { Doomed } from "./doomed.ts";
import { freshHeader, nameIn } from "./header.ts";
import { type Life, live, type Point } from "./life.ts";
import type { Phase } from "./matrix.ts";
import type { Mode } from "./mode.ts";
import type { Place } from "./place.ts";
import { type Visit, watching } from "./watch.ts";
import type { Case, World } from "./world.ts";

/** A situation in which a process dies. */
export type Scenario = {
  readonly name: string;
  readonly leg: Leg;
  readonly node: Place["node"];
  /** Where an earlier process died at the payment's first try. `begins` is the settlement's state after that. */
  readonly earlier?: Point;
  readonly begins: Phase;
  /** The work of the dying process, and how many milliseconds later it starts. */
  readonly act: "pay" | "reconcile";
  readonly later: number;
  /** Other events before the process starts, and after its death. */
  readonly before?: (world: World, open: Case, header: string) => Promise<void>;
  readonly after?: (world: World, open: Case) => Promise<void>;
  /** The states after the death from which the reconciler alone brings the payment to a charge. */
  readonly charges: readonly Phase[];
  /** The first and the last step whose deaths this scenario tests: another scenario tests the others. */
  readonly from?: string;
  readonly until?: string;
  /** The ways in which a payer may go on after each death. */
  readonly modes: readonly Mode[];
  /** Each death is tested with the next of these ways instead of all of them. */
  readonly inTurn?: true;
  /** Steps that the recorded run must contain, so that the matrix cannot be empty. */
  readonly shows: readonly string[];
};

/** A case at the moment before the dying process begins; `header` is the payer's last. */
export type Begun = { readonly open: Case; readonly header: string; readonly life: Life };

/** All that is needed to run scenarios. */
export type Stage = {
  readonly world: World;
  readonly doomed: Doomed;
  /** The most payments that one process runs. */
  readonly livesTogether: number;
};

/** Cases of a scenario that die together: one for each entry of `names`. */
export type Group = {
  readonly scenario: Scenario;
  /** Whether the payer of each case has given the attempt a name. */
  readonly names: readonly boolean[];
};

/**
 * Prepares groups of cases for their scenario's process. Where an earlier process died, one process dies for as many payments as it may
 * run, because a start takes longer than they do.
 */
export async function begin(stage: Stage, groups: readonly Group[]): Promise<readonly (readonly Begun[])[]> {
  const opened = await Promise.all(
    groups.map(async ({ scenario, names }) => ({ scenario, cases: await open(stage, scenario, names) })),
  );
  const lost = opened.flatMap(({ scenario: { earlier: point }, cases }) =>
    point === undefined ? [] : cases.map(({ open, header }) => ({ life: payment(open, header), point })),
  );
  for (let first = 0; first < lost.length; first += stage.livesTogether) {
    await stage.doomed.die(lost.slice(first, first + stage.livesTogether));
  }
  return Promise.all(opened.map(({ scenario, cases }) => resume(stage, scenario, cases)));
}

type Opened = Omit<Begun, "life">;

async function open(
  { world }: Stage,
  { leg, node, act }: Scenario,
  names: readonly boolean[],
): Promise<readonly Opened[]> {
  // A reconciler handles everything in its table, so each has a table with one case and dies at that case.
  const shares = act === "reconcile" ? names.map(() => 1) : [names.length];
  const opened = await Promise.all(shares.map((count) => world.open(leg, node, count)));
  return Promise.all(
    opened.flat().map(async (open, index) => {
      const signed = await freshHeader(open);
      return { open, header: names[index] ? nameIn(signed) : signed };
    }),
  );
}

function resume({ world }: Stage, { act, later, before }: Scenario, cases: readonly Opened[]) {
  return Promise.all(
    cases.map(async ({ open: opened, header: first }) => {
      await before?.(world, opened, first);
      const open = { ...opened, place: { ...opened.place, ahead: later } };
      if (act === "reconcile")
        return { open, header: first, life: { place: open.place, act: { kind: act } } as const };
      return { open, header: first, life: payment(open, first) };
    }),
  );
}

function payment({ place, leg, pressId }: Case, header: string): Life {
  return { place, act: { kind: "pay", leg, pressId, header } };
}

/** The steps of each scenario's process when nothing kills it. */
export async function record(
  stage: Stage,
  scenarios: readonly Scenario[],
): Promise<readonly (readonly string[])[]> {
  const begun = await begin(
    stage,
    scenarios.map((scenario) => ({ scenario, names: [false] })),
  );
  return Promise.all(
    begun.map(async (cases) => {
      const trace: string[] = [];
      const recorder: Visit = (step, run) => {
        trace.push(step);
        return run();
      };
      for (const { life } of cases) await watching(recorder, () => live(life));
      return trace;
    }),
  );
}
