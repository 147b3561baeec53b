import { dollars } from "../../format.ts";
import { payment as words } from "../../strings/payment.ts";
import { Button } from "../../ui/button.tsx";
import { Step, Stepper } from "../../ui/status.tsx";
import { Hex } from "../../ui/text.tsx";
import type { Payment } from "../runner.ts";
import type { Phase, State } from "../state.ts";
import { activityOf } from "../state.ts";
import { type Leg, legPrice } from "../terms.ts";
import { moneyOf, type StepName, stepsOf } from "./steps.ts";

type ProgressProps = {
  readonly state: State;
  readonly tell: Payment["tell"];
  readonly onClose: () => void;
};

/** The steps of a payment that is agreed to; the one that is on says what it waits for. */
export function Progress({ state, tell, onClose }: ProgressProps) {
  const steps = stepsOf(state);
  const on = steps.find((step) => step.state !== "done" && step.state !== "waiting");
  const { phase } = state;
  const active = activityOf(state);
  const now = active === undefined ? undefined : words.doing[active];
  return (
    <>
      <p role="status" className="sr-only">
        {on !== undefined &&
          `${words.stepNames[on.name]}: ${words.stepStates[on.state]}. ${current(state)} ${now ?? ""}`}
      </p>
      <Stepper label={words.steps}>
        {steps.map(({ name, state: stepState }) => (
          <Step
            key={name}
            state={stepState}
            stateName={words.stepStates[stepState]}
            title={words.stepNames[name]}
            aside={aside(state, name)}
          >
            {name === on?.name && (
              <div className="grid gap-1">
                <p>{current(state)}</p>
                {now !== undefined && <p className="font-medium text-ink">{now}</p>}
              </div>
            )}
            <Proof name={name} state={state} />
          </Step>
        ))}
      </Stepper>
      {phase.name === "review" && <Changed phase={phase} state={state} tell={tell} onBack={onClose} />}
      <p className="text-sm text-quiet">{moneyOf(state)}</p>
    </>
  );
}

/** What the wallet is being asked, where it is. */
function current({ phase, way, purchase }: State): string {
  switch (phase.name) {
    case "network":
      return words.prompt.network("").text;
    case "approve":
    case "approving":
      return way?.method === "permit2" ? words.approvalNotes[way.approval] : "";
    case "sign":
      return words.signing(phase.leg, dollars(phase.terms.accepted.amount));
    case "terms":
      return words.signing(phase.leg, dollars(legPrice(purchase, phase.leg)));
    default:
      return "";
  }
}

/** Beside a step's name: how much. */
function aside(state: State, name: StepName): string | undefined {
  if (name !== "fee" && name !== "publisher") return undefined;
  return dollars(amountOf(state, name));
}

function amountOf({ legs, phase, purchase }: State, leg: Leg): string {
  if (phase.name === "review" && phase.leg === leg) return phase.terms.accepted.amount;
  return legs[leg]?.amount ?? legPrice(purchase, leg);
}

/** Below a step's name: what the explorer shows of it. */
function Proof({ name, state }: { readonly name: StepName; readonly state: State }) {
  if (name === "approval" && state.approval !== undefined)
    return <Hex kind="transaction" value={state.approval} />;
  if (name !== "fee" && name !== "publisher") return null;
  const leg = state.legs[name];
  if (leg === undefined || leg.state === "ready") return null;
  return (
    <p className="flex flex-wrap gap-x-3">
      {leg.tx !== undefined && <Hex kind="transaction" value={leg.tx} />}
      {leg.payTo !== undefined && (
        <span>
          {words.to} <Hex kind="address" value={leg.payTo} />
        </span>
      )}
    </p>
  );
}

type ChangedProps = {
  readonly phase: Extract<Phase, { name: "review" }>;
  readonly state: State;
  readonly tell: Payment["tell"];
  readonly onBack: () => void;
};

/** Another amount than was shown: nothing is signed until it is agreed to. */
function Changed({ phase: { leg, terms }, state, tell, onBack }: ChangedProps) {
  const is = dollars(terms.accepted.amount);
  return (
    <div role="alert" className="grid gap-3 rounded-2xl border border-warn bg-warn-soft p-4 text-sm text-ink">
      <p className="text-base font-semibold">{words.reviewTitle}</p>
      <p>{words.review(dollars(legPrice(state.purchase, leg)), is)}</p>
      <div className="flex flex-wrap gap-3">
        <Button look="primary" onClick={() => tell({ type: "agree" })}>
          {words.agree(is)}
        </Button>
        <Button onClick={onBack}>{words.back}</Button>
      </div>
    </div>
  );
}
