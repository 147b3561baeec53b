import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { formatEther } from "viem/utils";
import { discovery } from "../api/discovery.ts";
import { shortHex } from "../format.ts";
import { ConnectPanel } from "../session/connect-panel.tsx";
import { payment as words } from "../strings/payment.ts";
import { Step, Stepper } from "../ui/status.tsx";
import { Hex } from "../ui/text.tsx";
import { formatUsdg } from "../usdg.ts";
import { type Leg, legPrice } from "./purchase.ts";
import { recordOf } from "./record.ts";
import { Review } from "./review.tsx";
import type { Payment } from "./runner.ts";
import type { State } from "./state.ts";
import { type StepName, stepNames, stepStates } from "./steps.ts";
import { Trouble } from "./trouble.tsx";

type StepsProps = {
  readonly state: State;
  readonly tell: Payment["tell"];
  readonly onBack: () => void;
};

/** The steps of a payment, each with its name; the one that is on explains itself. */
export function PaymentSteps(props: StepsProps) {
  const { state } = props;
  const states = stepStates(state);
  const network = useQuery(discovery).data?.network.name ?? "Robinhood Chain";
  const at = stepNames.find((name) => states[name] !== "done" && states[name] !== "waiting");
  return (
    <>
      <p role="status" className="sr-only">
        {at !== undefined && `${words.stepNames[at]}: ${words.stepStates[states[at]]}. ${doing(state) ?? ""}`}
      </p>
      <Stepper label={words.steps}>
        {stepNames.map((name) => (
          <Step
            key={name}
            state={states[name]}
            stateName={words.stepStates[states[name]]}
            title={words.stepNames[name]}
            aside={<Aside name={name} state={state} network={network} />}
          >
            {name === at ? (
              <Current {...props} name={name} network={network} />
            ) : (
              <Proof name={name} state={state} />
            )}
          </Step>
        ))}
      </Stepper>
    </>
  );
}

type CurrentProps = StepsProps & { readonly name: StepName; readonly network: string };

/** The step that is on: what it is for, and what it takes now. */
function Current({ name, network, state, tell, onBack }: CurrentProps) {
  const { phase } = state;
  const now = doing(state);
  return (
    <div className="grid gap-3 pt-1">
      {phase.name === "stopped" ? (
        <Trouble phase={phase} state={state} tell={tell} />
      ) : (
        <p>{name === "network" ? words.explain.network(network) : words.explain[name]}</p>
      )}
      {phase.name === "connect" && <Choose state={state} tell={tell} />}
      {phase.name === "review" && <Review phase={phase} state={state} tell={tell} onBack={onBack} />}
      {now !== undefined && <p className="font-medium text-ink">{now}</p>}
      <Proof name={name} state={state} />
    </div>
  );
}

/** What is going on, where something is. */
function doing({ phase }: State): string | undefined {
  switch (phase.name) {
    case "network":
    case "approve":
    case "sign":
      return words.confirmInWallet;
    case "entering":
    case "finding":
    case "funds":
    case "terms":
      return words.checking;
    case "approving":
      return words.miningApproval;
    case "send":
      return phase.tries === 0 ? words.sending : words.resending;
    case "pending":
      return phase.tries === 0 ? words.pending : words.resending;
    default:
      return undefined;
  }
}

function Choose({ state, tell }: Pick<StepsProps, "state" | "tell">) {
  const { pressId } = state.purchase;
  return (
    <div className="grid gap-3 text-ink">
      {state.wallet !== undefined && state.legs.fee !== undefined && (
        <p className="text-warn">{words.otherWalletHint(shortHex(state.wallet))}</p>
      )}
      <ConnectPanel
        onConnected={({ address }) =>
          tell({ type: "connected", wallet: address, record: recordOf(pressId, address) })
        }
      />
    </div>
  );
}

/** Beside a step's name: who, how much. */
function Aside({ name, state, network }: Pick<CurrentProps, "name" | "state" | "network">): ReactNode {
  switch (name) {
    case "network":
      return network;
    case "wallet":
      return state.wallet === undefined ? null : <Hex kind="address" value={state.wallet} />;
    case "funds":
      return state.funds === undefined
        ? null
        : words.balance(formatUsdg(String(state.funds.usdg)), shortEther(state.funds.gas));
    case "fee":
    case "publisher":
      return `${formatUsdg(amountOf(state, name))} USDG`;
    default:
      return null;
  }
}

function amountOf({ legs, phase, purchase }: State, leg: Leg): string {
  if (phase.name === "review" && phase.leg === leg) return phase.terms.accepted.amount;
  return legs[leg]?.amount ?? legPrice(purchase, leg);
}

/** Below a step's name: what the explorer shows of it. */
function Proof({ name, state }: { readonly name: StepName; readonly state: State }): ReactNode {
  if (name === "allowance" && state.approval !== undefined)
    return <Hex kind="transaction" value={state.approval} />;
  if (name !== "fee" && name !== "publisher") return null;
  const leg = state.legs[name];
  if (leg === undefined) return null;
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

function shortEther(wei: bigint): string {
  return Number(formatEther(wei)).toLocaleString("en-US", { maximumFractionDigits: 4 });
}
