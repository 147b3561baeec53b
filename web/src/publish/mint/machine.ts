import type { Hash } from "../../api/form.ts";
import { type MintProblem, needsAnother } from "./problem.ts";

/** Where a mint stands. Each phase either has a task, which the runner does, or waits for the person. */
export type MintPhase =
  /** Waits: nothing was begun. */
  | { readonly name: "idle" }
  /** Task: look which wallet is connected. */
  | { readonly name: "finding" }
  /** Waits for the wallet of the session. `other`: the one that is connected instead. */
  | { readonly name: "connect"; readonly other: string | undefined }
  /** Task: bring the wallet to the service's chain. */
  | { readonly name: "network" }
  /** Task: have the wallet send the registration. */
  | { readonly name: "register" }
  /** Task: tell the service. `asked`: how often it has been told before. */
  | { readonly name: "confirm"; readonly tx: Hash; readonly asked: number }
  /** Task: wait so many seconds, then tell it again. */
  | { readonly name: "pause"; readonly tx: Hash; readonly asked: number; readonly after: number }
  /** The end. */
  | { readonly name: "live"; readonly slug: string }
  /** Waits: something is in the way. `back` is where another try goes on. */
  | { readonly name: "stopped"; readonly problem: MintProblem; readonly back: MintPhase };

export type MintEvent =
  | { readonly type: "start" | "retry" | "on_chain" | "waited" | "connected" | "another" }
  | { readonly type: "found"; readonly wallet: string | undefined; readonly right: boolean }
  | { readonly type: "sent"; readonly tx: Hash }
  | { readonly type: "pending"; readonly after: number }
  | { readonly type: "live"; readonly slug: string }
  | { readonly type: "failed"; readonly problem: MintProblem };

/** Where a visit begins: with the confirmation, where a transaction was sent before. */
export function begin(tx: Hash | undefined): MintPhase {
  return tx === undefined ? { name: "idle" } : { name: "confirm", tx, asked: 0 };
}

/** The next phase. Events that do not belong to the phase change nothing: they are late. */
export function advance(phase: MintPhase, event: MintEvent): MintPhase {
  switch (event.type) {
    case "start":
      return phase.name === "idle" ? { name: "finding" } : phase;
    case "found":
      if (phase.name !== "finding") return phase;
      return event.right ? { name: "network" } : { name: "connect", other: event.wallet };
    case "connected":
      return phase.name === "connect" ? { name: "finding" } : phase;
    case "on_chain":
      return phase.name === "network" ? { name: "register" } : phase;
    case "sent":
      return phase.name === "live" ? phase : { name: "confirm", tx: event.tx, asked: 0 };
    case "pending":
      return phase.name === "confirm"
        ? { name: "pause", tx: phase.tx, asked: phase.asked + 1, after: event.after }
        : phase;
    case "waited":
      return phase.name === "pause" ? { name: "confirm", tx: phase.tx, asked: phase.asked } : phase;
    case "live":
      return { name: "live", slug: event.slug };
    case "another":
      return phase.name === "confirm" || phase.name === "pause" ? { name: "finding" } : phase;
    case "retry":
      return phase.name === "stopped" ? phase.back : phase;
    case "failed":
      return hasTask(phase) ? stopped(phase, event.problem) : phase;
  }
}

/** Whether the runner has something to do, or the person has. */
export function hasTask({ name }: MintPhase): boolean {
  return !["idle", "connect", "live", "stopped"].includes(name);
}

function stopped(phase: MintPhase, problem: MintProblem): MintPhase {
  const anew = problem.code === "gone" || needsAnother(problem) || !("tx" in phase);
  return { name: "stopped", problem, back: anew ? { name: "finding" } : phase };
}
