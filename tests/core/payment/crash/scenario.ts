import type { Leg } from "../../../../core/payment/schema.ts";
import type { Doomed } from "./doomed.ts";
import { freshHeader, nameIn } from "./header.ts";
import { type Life, live, type Point } from "./life.ts";
import type { Phase } from "./matrix.ts";
import type { Mode } from "./mode.ts";
import type { Place } from "./place.ts";
import { type Visit, watching } from "./watch.ts";
import type { Case, World } from "./world.ts";

/** Something that a process is at when it dies. */
export type Scenario = {
  readonly name: string;
  readonly leg: Leg;
  readonly node: Place["node"];
  /** Where an earlier process died at the first try of the payment, and how that left the settlement. */
  readonly earlier?: Point;
  readonly begins: Phase;
  /** What the dying process does, and how many milliseconds later. */
  readonly act: "pay" | "reconcile";
  readonly later: number;
  /** What happens to the world before it, and after its death. */
  readonly before?: (world: World, open: Case, header: string) => Promise<void>;
  readonly after?: (world: World, open: Case) => Promise<void>;
  /** What the death may leave that ends in a charge when nobody but the reconciler sees to it. */
  readonly charges: readonly Phase[];
  /** The first and the last step whose deaths are this scenario's: the rest of its run is another's too. */
  readonly from?: string;
  readonly until?: string;
  /** How each death may go on. */
  readonly modes: readonly Mode[];
  /** Each death goes on in the next of these ways, and not in all of them. */
  readonly inTurn?: true;
  /** Steps that its record must show, lest the matrix be a matrix of nothing. */
  readonly shows: readonly string[];
};

/** A case at the moment before the dying process begins; `header` is the payer's last. */
export type Begun = { readonly open: Case; readonly header: string; readonly life: Life };

/** What scenarios are played with. */
export type Stage = {
  readonly world: World;
  readonly doomed: Doomed;
  /** How many payments one process leads at most. */
  readonly livesTogether: number;
};

/** Cases of a scenario that share what comes next: one for each entry of `names`. */
export type Group = {
  readonly scenario: Scenario;
  /** Whether the payer of each case has given the attempt a name. */
  readonly names: readonly boolean[];
};

/**
 * Brings groups of cases to where their scenario's process begins. Where an earlier process died, one process dies for as
 * many of them as it may lead: a start takes longer than these payments take.
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
  // A reconciler takes up everything in its table: each has one case there, so that it dies at that one.
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
