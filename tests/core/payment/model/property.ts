import * as fc from "fast-check";
import { cases } from "./generate.ts";
import { openGround } from "./ground.ts";
import type { Case } from "./operation.ts";
import { run, type Stage } from "./run.ts";
import { smallest } from "./shrink.ts";
import { openStore } from "./store.ts";
import type { Tally } from "./violation.ts";

/** Operations of a run, at most. */
const length = 45;

export type ModelCheck = {
  readonly seed: number;
  readonly runs: number;
  /** A failing case to go back to, as a report names it. */
  readonly path?: string | undefined;
  /** Milliseconds for which a failing case is made smaller. */
  readonly timeLimit: number;
};

/** A case that broke an invariant. */
export type Failure = { readonly error: unknown; readonly report: string };

export async function openStage(): Promise<Stage & { stop(): Promise<void> }> {
  const [ground, store] = await Promise.all([openGround(), openStore()]);
  return {
    ground,
    store,
    async stop() {
      await store.stop();
      await ground.stop();
    },
  };
}

/** Tries generated cases against the invariants; answers what broke one, ready to be replayed, or `undefined`. */
export async function checkModel(
  stage: Stage,
  { seed, runs, path, timeLimit }: ModelCheck,
  tally: Tally,
): Promise<Failure | undefined> {
  const property = fc.asyncProperty(cases(length), (one) => run(stage, one, tally));
  const details = await fc.check(property, {
    seed,
    numRuns: runs,
    // fast-check makes lists smaller entry by entry, which takes minutes here.
    endOnFailure: true,
    ...(path !== undefined && { path }),
  });
  if (!details.failed || details.counterexample === null) return undefined;
  const errors = [details.errorInstance];
  const fails = async (one: Case) => {
    const [outcome] = await Promise.allSettled([run(stage, one, new Map())]);
    if (outcome.status === "rejected") errors.push(outcome.reason);
    return outcome.status === "rejected";
  };
  const small = await smallest(details.counterexample[0], fails, timeLimit);
  const lines: string[] = [];
  const [last] = await Promise.allSettled([run(stage, small, new Map(), (line) => lines.push(line))]);
  const error = last.status === "rejected" ? last.reason : errors.at(-1);
  const replay = `Replay: MODEL_SEED=${details.seed} MODEL_PATH=${details.counterexamplePath} npx vitest run tests/core/payment/model.test.ts`;
  return { error, report: [...lines, ...settings(small), String(error), replay].join("\n") };
}

function settings({ choices, skew, back }: Case): readonly string[] {
  return [`Choices ${choices.join(" ")}; clock ${skew} ms ahead; payers return ${JSON.stringify(back)}`];
}
