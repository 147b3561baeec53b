import type { StepState } from "../../ui/stepper.tsx";
import type { MintPhase } from "./machine.ts";

export const stepNames = ["wallet", "network", "register", "confirm", "live"] as const;
export type StepName = (typeof stepNames)[number];

/** The step that a phase belongs to. */
function stepOf(phase: MintPhase): StepName {
  switch (phase.name) {
    case "idle":
    case "finding":
    case "connect":
      return "wallet";
    case "network":
    case "register":
      return phase.name;
    case "confirm":
    case "pause":
      return "confirm";
    case "live":
      return "live";
    case "stopped":
      return stoppedAt(phase);
  }
}

/** How a step is shown while a mint is in a phase. */
export function stateOf(name: StepName, phase: MintPhase): StepState {
  if (phase.name === "live") return "done";
  const ahead = stepNames.indexOf(name) - stepNames.indexOf(stepOf(phase));
  if (ahead !== 0) return ahead < 0 ? "done" : "waiting";
  if (phase.name === "stopped") return "failed";
  return phase.name === "idle" || phase.name === "connect" ? "current" : "busy";
}

/** Where it stopped, which is not always where another try goes on. */
function stoppedAt({ problem, back }: Extract<MintPhase, { name: "stopped" }>): StepName {
  switch (problem.code) {
    case "rejected":
    case "busy":
    case "walletFailed":
      return "register";
    case "network":
      return "network";
    case "gone":
      return "wallet";
    default:
      return back.name === "finding" || "tx" in back ? "confirm" : stepOf(back);
  }
}
