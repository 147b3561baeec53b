import type { Leg } from "../../../../core/payment/schema.ts";
import type { Doomed } from "./doomed.ts";
import { addIdentifier, makeFreshHeader } from "./header.ts";
import { type Life, type Point, runLife } from "./life.ts";
import type { Phase } from "./matrix.ts";
import type { Mode } from "./mode.ts";
import type { Place } from "./place.ts";
import { runWatched, type Visit } from "./watch.ts";
import type { Case, World } from "./world.ts";

/** A situation in which a process dies. */
export type Scenario = {
  readonly name: string;
  readonly leg: Leg;
  readonly node: Place["node"];
  /**
   * The point where an earlier process died at the payment's first try. `begins` is the settlement's state after the earlier process's
   * death.
   */
  readonly earlier?: Point;
  readonly begins: Phase;
  /** The work of the dying process, and the delay in milliseconds before it starts. */
  readonly act: "pay" | "reconcile";
  readonly later: number;
  /** Other events before the process starts, and other events after its death. */
  readonly before?: (world: World, open: Case, header: string) => Promise<void>;
  readonly after?: (world: World, open: Case) => Promise<void>;
  /** The states after the death from which the reconciler alone completes the payment. */
  readonly charges: readonly Phase[];
  /** The first and the last step whose deaths this scenario tests; another scenario tests the deaths at other steps. */
  readonly from?: string;
  readonly until?: string;
  /** The ways in which a payer may continue after each death. */
  readonly modes: readonly Mode[];
  /** Each death is tested with only one of the payer's ways to continue, taken in turn. */
  readonly inTurn?: true;
  /** Steps that the recorded run must contain, so that the matrix of deaths cannot be empty. */
  readonly shows: readonly string[];
};

/** A test case at the moment before the dying process begins; `header` is the payer's last payment header. */
export type Begun = { readonly open: Case; readonly header: string; readonly life: Life };

/** The parts that scenarios need to run. */
export type Stage = {
  readonly world: World;
  readonly doomed: Doomed;
  /** The maximum number of payments that one process runs. */
  readonly livesTogether: number;
};

/** Test cases of a scenario that die together: one case for each entry of `names`. */
export type Group = {
  readonly scenario: Scenario;
  /** Whether the payer of each test case has given the payment an identifier. */
  readonly names: readonly boolean[];
};

/**
 * Prepares groups of test cases for their scenario's process. An earlier process that dies does so for the maximum number of payments per
 * process, because starting a process takes longer than the payments.
 */
export async function begin(stage: Stage, groups: readonly Group[]): Promise<readonly (readonly Begun[])[]> {
  const opened = await Promise.all(
    groups.map(async ({ scenario, names }) => ({ scenario, cases: await open(stage, scenario, names) })),
  );
  const lost = opened.flatMap(({ scenario: { earlier: point }, cases }) =>
    point === undefined
      ? []
      : cases.map(({ open, header }) => ({ life: makePaymentLife(open, header), point })),
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
  // A reconciler handles everything in its table, so each reconciler gets a table with one test case, and dies at that case.
  const shares = act === "reconcile" ? names.map(() => 1) : [names.length];
  const opened = await Promise.all(shares.map((count) => world.open(leg, node, count)));
  return Promise.all(
    opened.flat().map(async (open, index) => {
      const signed = await makeFreshHeader(open);
      return { open, header: names[index] ? addIdentifier(signed) : signed };
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
      return { open, header: first, life: makePaymentLife(open, first) };
    }),
  );
}

function makePaymentLife({ place, leg, pressId }: Case, header: string): Life {
  return { place, act: { kind: "pay", leg, pressId, header } };
}

/** The steps of each scenario's process if the process does not die. */
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
      for (const { life } of cases) await runWatched(recorder, () => runLife(life));
      return trace;
    }),
  );
}
