import { formatUnitsAsDollars } from "../../format.ts";
import { money } from "../../strings/payment.ts";
import type { StepState } from "../../ui/steps.tsx";
import { computeLegPrice, type Leg } from "../purchase.ts";
import type { PayState } from "../state.ts";

export const stepNames = ["network", "approval", "sign", "fee", "publisher"] as const;
export type StepName = (typeof stepNames)[number];

export type PaymentStep = { readonly name: StepName; readonly state: StepState };

/**
 * The steps of a payment after the reader has agreed, with the state of each step. The steps for network and approval appear only if they
 * are needed.
 */
export function listSteps(state: PayState): readonly PaymentStep[] {
  const at = findStep(state);
  const names = stepNames.filter((name) => isStepTaken(state, name, at));
  const position = at === undefined ? -1 : names.indexOf(at);
  return names.map((name, index) => ({ name, state: findStepState(state, name, index - position) }));
}

/** The state of a step; `distance` is the number of steps from the current step to this step. */
function findStepState(state: PayState, name: StepName, distance: number): StepState {
  if (isStepDone(state, name, distance < 0)) return "done";
  if (distance !== 0) return "waiting";
  if (state.phase.name === "stopped") return "failed";
  // In these phases, the reader must act in the wallet or on the page.
  return ["network", "approve", "review", "sign"].includes(state.phase.name) ? "current" : "busy";
}

function isStepTaken(
  { way, approval, funds }: PayState,
  name: StepName,
  currentStep: StepName | undefined,
): boolean {
  if (name === "network") return currentStep === "network" || funds?.onChain === false;
  if (name === "approval")
    return currentStep === "approval" || approval !== undefined || way?.method === "permit2";
  return true;
}

/** The step to which a phase belongs; `undefined` before the reader agrees to the plan. */
function findStep(state: PayState, phase = state.phase): StepName | undefined {
  switch (phase.name) {
    case "network":
      return "network";
    case "approve":
    case "approving":
      return "approval";
    case "terms":
    case "review":
    case "sign":
      return "sign";
    case "send":
    case "pending":
      // If the publisher's part is sent before the fee is paid, nothing is charged, and the service only answers that the fee must be paid
      // first. Until the fee is paid, the dialog therefore shows the step of signing while the publisher's part is sent.
      return phase.leg === "publisher" && state.legs.fee?.state !== "paid" ? "sign" : phase.leg;
    case "stopped":
      return phase.problem.code === "network" ? "network" : findStep(state, phase.back);
    case "read":
    case "unlocked":
      return "publisher";
    default:
      return undefined;
  }
}

function isStepDone({ legs }: PayState, name: StepName, isBefore: boolean): boolean {
  switch (name) {
    case "fee":
    case "publisher":
      return legs[name]?.state === "paid";
    case "sign":
      return legs.publisher !== undefined && legs.fee !== undefined;
    default:
      return isBefore;
  }
}

/** The number of signatures that are still needed from the wallet. */
export function countSignaturesLeft({ legs }: Pick<PayState, "legs">): number {
  return [legs.fee, legs.publisher].filter((leg) => leg === undefined).length;
}

/** The amount of one of the two payments in base units: the signed or paid amount, or else the expected amount. */
export function findLegAmount({ legs, purchase }: Pick<PayState, "legs" | "purchase">, leg: Leg): string {
  return legs[leg]?.amount ?? computeLegPrice(purchase, leg);
}

/**
 * The state of the reader's money: the amount already paid, the amount that is signed and can be charged, and the amount that remains to be
 * paid. All amounts are computed only from the two payments.
 */
export function describeMoney(state: Pick<PayState, "legs" | "purchase">): string {
  const { fee, publisher } = state.legs;
  const amounts = { fee: findLegAmount(state, "fee"), publisher: findLegAmount(state, "publisher") };
  return money[fee?.state ?? "none"][publisher?.state ?? "none"]({
    fee: formatUnitsAsDollars(amounts.fee),
    publisher: formatUnitsAsDollars(amounts.publisher),
    total: formatUnitsAsDollars(String(BigInt(amounts.fee) + BigInt(amounts.publisher))),
  });
}
