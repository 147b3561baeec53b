import type { Point } from "./life.ts";

/** How a settlement stands in the table. */
export type Phase = "nothing" | "queued" | "submitted" | "settled" | "failed";

/** A death: where, and how it leaves the settlement. */
export type Death = { readonly title: string; readonly point: Point; readonly leaves: Phase };

/** Steps that are looked at again and again until the chain has an answer: one look is like the next. */
const looks = new Set(["receipt"]);

/** Steps that hand a transaction to the node: a process may die when the node has it and the answer is not back. */
const sends = new Set(["broadcast", "send"]);

const phases: Readonly<Record<string, Phase>> = {
  claim: "queued",
  store: "submitted",
  finish: "settled",
  "give back": "failed",
};

/** What the matrix needs to know of a recorded run beside its steps. */
type Run = {
  /** How the settlement stood before. */
  readonly begins: Phase;
  readonly node: "answers" | "is polled";
  /** The first and the last step whose deaths count. */
  readonly from?: string;
  readonly until?: string;
};

/**
 * Every death that a recorded run can die: before and after each step, and once the node has what it was sent.
 */
export function deathsOf(trace: readonly string[], { begins, node, from, until }: Run): readonly Death[] {
  const first = from === undefined ? 0 : trace.indexOf(from);
  const last = until === undefined ? trace.length - 1 : trace.lastIndexOf(until);
  if (first < 0 || last < first) throw new Error(`The record does not show ${from} to ${until}: ${trace}`);
  let phase = begins;
  return trace.flatMap((step, index): readonly Death[] => {
    const visit = trace.slice(0, index + 1).filter((name) => name === step).length;
    const before = phase;
    phase = phases[step] ?? phase;
    if (index < first || index > last || (looks.has(step) && visit > 1)) return [];
    const name = visit === 1 ? step : `${step} (${visit})`;
    const unanswered = sends.has(step) && (node === "answers" || step !== "broadcast");
    return [
      { title: `before ${name}`, point: { step, visit, moment: "before" }, leaves: before },
      ...(unanswered
        ? [
            {
              title: `when the node has it and ${name} is not answered`,
              point: { step, visit, moment: "unanswered" } as const,
              leaves: phase,
            },
          ]
        : []),
      { title: `after ${name}`, point: { step, visit, moment: "after" }, leaves: phase },
    ];
  });
}
