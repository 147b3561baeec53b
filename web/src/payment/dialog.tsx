import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { formatEther } from "viem/utils";
import { discovery } from "../api/discovery.ts";
import { shortHex } from "../format.ts";
import { ConnectPanel } from "../session/connect-panel.tsx";
import SignInPanel from "../session/sign-in-panel.tsx";
import { common } from "../strings/common.ts";
import { payment as words } from "../strings/payment.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { Step, Stepper } from "../ui/status.tsx";
import { Hex } from "../ui/text.tsx";
import { formatUsdg } from "../usdg.ts";
import { stillDue } from "./machine.ts";
import { familyOf } from "./problem.ts";
import { downloadReceipt, receiptOf } from "./receipt.ts";
import { recordOf } from "./record.ts";
import { type Payment, usePayment } from "./runner.ts";
import type { Phase, State } from "./state.ts";
import { type StepName, stepNames, stepStates } from "./steps.ts";
import { type Leg, legPrice } from "./terms.ts";

type PaymentDialogProps = { readonly payment: Payment; readonly onClose: () => void };

/** A payment from the first step to the text. Closing it ends what is not signed yet, and nothing else. */
export default function PaymentDialog({ payment, onClose }: PaymentDialogProps) {
  const state = usePayment(payment);
  const { phase, purchase } = state;
  const close = () => {
    payment.tell({ type: "leave" });
    onClose();
  };
  if (phase.name === "read" || phase.name === "unlocked") return <Ending state={state} onClose={onClose} />;
  return (
    <Dialog open onClose={close} title={words.title} lead={purchase.headline}>
      <div className="grid gap-5">
        <div className="grid rounded-2xl bg-sunk px-4 py-3">
          <p className="flex items-baseline justify-between gap-4">
            <span className="text-sm text-quiet">{words.total}</span>
            <strong className="figure text-title font-semibold">
              {formatUsdg(purchase.priceUnits)} USDG
            </strong>
          </p>
          <p className="figure text-right text-xs text-quiet">
            {words.split(formatUsdg(legPrice(purchase, "fee")), formatUsdg(legPrice(purchase, "publisher")))}
          </p>
        </div>
        <PaymentSteps state={state} tell={payment.tell} onBack={close} />
        {(phase.name === "send" || phase.name === "pending") && (
          <p className="text-center text-xs text-quiet">{words.closeWhile}</p>
        )}
        {phase.name === "idle" && (
          <Button look="primary" size="large" onClick={() => payment.tell({ type: "start" })}>
            {words.start}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

type StepsProps = {
  readonly state: State;
  readonly tell: Payment["tell"];
  readonly onBack: () => void;
};

/** The steps of a payment, each with its name; the one that is on explains itself. */
function PaymentSteps(props: StepsProps) {
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

type ReviewProps = {
  readonly phase: Extract<Phase, { name: "review" }>;
  readonly state: State;
  readonly tell: Payment["tell"];
  readonly onBack: () => void;
};

/** Another amount than was shown: nothing is signed until it is agreed to. */
function Review({ phase: { leg, terms }, state, tell, onBack }: ReviewProps) {
  const is = formatUsdg(terms.accepted.amount);
  return (
    <div role="alert" className="grid gap-3 rounded-2xl border border-warn bg-warn-soft p-4 text-sm text-ink">
      <p className="text-base font-semibold">{words.reviewTitle}</p>
      <p>{words.review(formatUsdg(legPrice(state.purchase, leg)), is)}</p>
      <div className="flex flex-wrap gap-3">
        <Button look="primary" onClick={() => tell({ type: "agree" })}>
          {words.agree(is)}
        </Button>
        <Button onClick={onBack}>{words.back}</Button>
      </div>
    </div>
  );
}

type TroubleProps = {
  readonly phase: Extract<Phase, { name: "stopped" }>;
  readonly state: State;
  readonly tell: Payment["tell"];
};

/** Why a payment stopped, what that means for the money, and the next thing to do. */
function Trouble({ phase: { problem }, state, tell }: TroubleProps) {
  const { title, text, action } = words.problems[problem.code];
  const { funds, wallet } = state;
  return (
    <div
      role="alert"
      className="grid justify-items-start gap-3 rounded-2xl border border-warn bg-warn-soft p-4 text-sm text-ink"
    >
      <p className="text-xs font-medium text-warn">{words.families[familyOf(problem)]}</p>
      <p className="text-base font-semibold">{title}</p>
      <p>{text}</p>
      {problem.code === "insufficient" && funds !== undefined && (
        <p className="figure">
          {words.lacking(formatUsdg(String(funds.usdg)), formatUsdg(String(stillDue(state))))}
        </p>
      )}
      {(problem.code === "insufficient" || problem.code === "noGas") && wallet !== undefined && (
        <p>
          <code>{wallet}</code>
        </p>
      )}
      {problem.detail !== undefined && <p className="text-quiet">{problem.detail}</p>}
      {problem.requestId !== undefined && (
        <p className="text-quiet">
          {common.requestId}: <code>{problem.requestId}</code>
        </p>
      )}
      <Button look="primary" onClick={() => tell({ type: "retry" })}>
        {action}
      </Button>
    </div>
  );
}

type EndingProps = { readonly state: State; readonly onClose: () => void };

/** The end of a payment: the text is here, or a sign-in away. */
function Ending({ state, onClose }: EndingProps) {
  const { phase, purchase, wallet } = state;
  const client = useQueryClient();
  if (phase.name !== "read") {
    return (
      <Dialog open onClose={onClose} title={words.unlockedTitle} lead={words.unlocked}>
        <SignInPanel onSignedIn={onClose} />
      </Dialog>
    );
  }
  const record = wallet === undefined ? undefined : recordOf(purchase.pressId, wallet);
  const download = async () => {
    if (record === undefined) return;
    const service = await client.ensureQueryData(discovery);
    downloadReceipt(receiptOf(record, service, window.location.origin));
  };
  return (
    <Dialog open onClose={onClose} title={words.doneTitle} lead={purchase.headline}>
      <div className="grid justify-items-center gap-5 text-center">
        <span className="grid size-16 place-items-center rounded-full bg-accent-soft text-accent">
          <Icon name="check" className="size-8" />
        </span>
        <p role="status">{words.done}</p>
        <div className="flex flex-wrap justify-center gap-3">
          <Button look="primary" size="large" onClick={onClose}>
            {words.read}
          </Button>
          {record !== undefined && (
            <Button size="large" onClick={() => void download()}>
              <Icon name="down" /> {words.receipt}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}
