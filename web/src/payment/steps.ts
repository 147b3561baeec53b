import type { Phase, State } from "./state.ts";

export const stepNames = ["wallet", "network", "funds", "allowance", "fee", "publisher", "text"] as const;
export type StepName = (typeof stepNames)[number];
type StepState = "waiting" | "current" | "busy" | "done" | "failed";

/** How far each step of a payment is. */
export function stepStates(state: State): Readonly<Record<StepName, StepState>> {
  const at = stepOf(state.phase);
  const position = at === undefined ? -1 : stepNames.indexOf(at);
  const stateOf = (name: StepName): StepState => {
    const index = stepNames.indexOf(name);
    if (isDone(state, name, index < position)) return "done";
    if (index !== position) return "waiting";
    if (state.phase.name === "stopped") return "failed";
    return waitsForPerson(state.phase) ? "current" : "busy";
  };
  return {
    wallet: stateOf("wallet"),
    network: stateOf("network"),
    funds: stateOf("funds"),
    allowance: stateOf("allowance"),
    fee: stateOf("fee"),
    publisher: stateOf("publisher"),
    text: stateOf("text"),
  };
}

/** The step that a phase belongs to; none before it began. */
function stepOf(phase: Phase): StepName | undefined {
  switch (phase.name) {
    case "idle":
      return undefined;
    case "entering":
    case "finding":
    case "connect":
      return "wallet";
    case "network":
      return "network";
    case "funds":
      return "funds";
    case "approve":
    case "approving":
      return "allowance";
    case "terms":
    case "review":
    case "sign":
    case "send":
    case "pending":
      return phase.leg;
    case "read":
    case "unlocked":
      return "text";
    case "stopped":
      return problemStep(phase) ?? stepOf(phase.back);
  }
}

/** Where the wallet asks the person, or the page does. */
function waitsForPerson({ name }: Phase): boolean {
  return ["connect", "network", "approve", "review", "sign"].includes(name);
}

function problemStep({ problem }: Extract<Phase, { name: "stopped" }>): StepName | undefined {
  switch (problem.code) {
    case "noGas":
    case "approvalReverted":
    case "approvalSlow":
    case "approvalMissing":
      return "allowance";
    case "insufficient":
      return "funds";
    default:
      return undefined;
  }
}

function isDone({ legs, phase, connected }: State, name: StepName, before: boolean): boolean {
  switch (name) {
    case "fee":
    case "publisher":
      return legs[name]?.state === "paid";
    case "text":
      return phase.name === "read";
    case "wallet":
      return before && connected;
    default:
      // What a signed payment was signed with is behind us, even where this visit has not looked at it.
      return before;
  }
}
