import type { Point } from "./life.ts";

/** The state of a settlement record in the table. */
export type Phase = "nothing" | "queued" | "submitted" | "settled" | "failed";

/** The point where a process dies, and the state in which it leaves the settlement record. */
export type Death = { readonly title: string; readonly point: Point; readonly leaves: Phase };

/**
 * Steps that change neither table nor chain. A death before such a step leaves the same state as a death after it, because all that the
 * process had read or signed is lost.
 */
const changesNothing =
  /^(?:read .*|state|in flight|used transfers|inspect|transfers|proof|price|outcome|receipt|head|relayer|call|sign)$/;

/**
 * Steps that send a transaction to the node: a process may die after the node has received the transaction and before the answer arrives.
 */
const sends = new Set(["broadcast", "send"]);

const phases: Readonly<Record<string, Phase>> = {
  claim: "queued",
  store: "submitted",
  finish: "settled",
  "give back": "failed",
};

/** The facts about a recorded run that the matrix needs besides the run's steps. */
type Run = {
  /** The settlement record's state before the run. */
  readonly begins: Phase;
  readonly node: "answers" | "is polled";
  /** The first and the last step at which deaths are tested. */
  readonly from?: string;
  readonly until?: string;
};

/**
 * Every point of death in a recorded run that leaves a different state: before the first change, after each change, and once the node has a
 * transaction.
 */
export function listDeaths(trace: readonly string[], { begins, node, from, until }: Run): readonly Death[] {
  const first = from === undefined ? 0 : trace.indexOf(from);
  const last = until === undefined ? trace.length - 1 : trace.lastIndexOf(until);
  if (first < 0 || last < first) throw new Error(`The record does not show ${from} to ${until}: ${trace}`);
  const visitOf = (index: number) => trace.slice(0, index + 1).filter((name) => name === trace[index]).length;
  // A second broadcast is left out: a node that answers gets the same transaction again only if a busy machine answers too late.
  const isLate = (step: string, index: number) =>
    step === "send" && node === "answers" && trace.slice(0, index).includes("broadcast");
  const changes = trace.flatMap((step, index) =>
    changesNothing.test(step) || isLate(step, index) ? [] : [{ step, index }],
  );
  let phase = begins;
  return changes.flatMap(({ step, index }): readonly Death[] => {
    const before = phase;
    phase = phases[step] ?? phase;
    if (index < first || index > last) return [];
    const visit = visitOf(index);
    const name = visit === 1 ? step : `${step} (${visit})`;
    const isFirst = !changes.some((other) => other.index >= first && other.index < index);
    const unanswered = sends.has(step) && (node === "answers" || step !== "broadcast");
    const deaths: readonly (Death | undefined)[] = [
      isFirst
        ? { title: `before ${name}`, point: { step, visit, moment: "before" }, leaves: before }
        : undefined,
      unanswered
        ? {
            title: `when the node has it and ${name} is not answered`,
            point: { step, visit, moment: "unanswered" },
            leaves: phase,
          }
        : undefined,
      { title: `after ${name}`, point: { step, visit, moment: "after" }, leaves: phase },
    ];
    return deaths.filter((death) => death !== undefined);
  });
}
