import { onlineManager } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Suspense, useEffect, useRef, useSyncExternalStore } from "react";
import { formatUnitsAsDollars, shortenHex } from "../../format.ts";
import { common } from "../../strings/common.ts";
import { payment as words } from "../../strings/payment.ts";
import { Button, joinButtonClasses, Waiting } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { ExplorerLink } from "../../ui/page.tsx";
import { makeLazyPart } from "../../ui/part.tsx";
import { Problem, Step } from "../../ui/steps.tsx";
import { useConnection } from "../../wallet/state.ts";
import { isSentLeg } from "../machine.ts";
import { computeLegPrice, type Purchase, readPurchase } from "../purchase.ts";
import { openPayment, type Payment, startPayment } from "../runner.ts";
import { findActivity, type PayPhase, type PayState } from "../state.ts";
import { Plan, Summary } from "./plan.tsx";
import { describeMoney, findLegAmount, listSteps, type StepName } from "./steps.ts";
import { Trouble } from "./trouble.tsx";

// The code for wallets loads after the dialog is shown, because loading takes seconds on a slow network.
const ConnectPanel = makeLazyPart(async () => (await import("../../session/wallet-dialog.tsx")).ConnectPanel);
const SignInPanel = makeLazyPart(async () => (await import("../../session/wallet-dialog.tsx")).SignInPanel);

const watchOnline = (listener: () => void) => onlineManager.subscribe(listener);

type PaymentDialogProps = { readonly purchase: Purchase; readonly onClose: () => void };

/**
 * The dialog for a whole payment, from the choice of a wallet to the text. Closing the dialog ends the payment, except while a signed
 * payment is being sent or its outcome is awaited.
 */
export default function PaymentDialog({ purchase, onClose }: PaymentDialogProps) {
  const payment = openPayment(purchase);
  const state = useSyncExternalStore(payment.watch, payment.state);
  const { phase } = state;
  const isOnline = useSyncExternalStore(watchOnline, () => onlineManager.isOnline());
  const opened = useRef(purchase.priceUnits);
  // Opening the dialog changes nothing for a payment that is already running; the dialog shows the payment's state.
  useEffect(() => startPayment(payment, opened.current), [payment]);
  const close = () => {
    payment.tell({ type: "leave" });
    onClose();
  };
  if (phase.name === "read" || phase.name === "unlocked")
    return <PaymentEnd state={state} onClose={onClose} />;
  return (
    <Dialog onClose={close} title={words.title} lead={purchase.headline}>
      <div className="grid gap-5">
        <Summary state={state} tell={payment.tell} />
        {!isOnline && (
          <p
            role="status"
            className="flex items-center gap-2 rounded-2xl bg-warn-soft px-4 py-3 text-sm text-warn"
          >
            <Icon name="warning" /> {words.offlineNow}
          </p>
        )}
        <Content state={state} tell={payment.tell} onClose={close} />
        {(phase.name === "send" || phase.name === "pending") && (
          <p className="text-center text-xs text-quiet">{words.closeWhile}</p>
        )}
      </div>
    </Dialog>
  );
}

type ContentProps = {
  readonly state: PayState;
  readonly tell: Payment["tell"];
  readonly onClose: () => void;
};

function Content(props: ContentProps) {
  const { state, tell } = props;
  const { phase } = state;
  switch (phase.name) {
    case "idle":
    case "entering":
    case "finding":
    case "funds":
      return <Waiting>{words.doing[findActivity(state) ?? "opening"]}</Waiting>;
    case "following":
      return <OtherTab state={state} />;
    case "connect":
      return <Chooser {...props} />;
    case "plan":
      return <Plan state={state} tell={tell} />;
    case "stopped":
      return <Trouble phase={phase} state={state} tell={tell} />;
    default:
      return <Progress {...props} />;
  }
}

/** The content of the dialog while another tab of the browser pays. */
function OtherTab({ state }: Pick<ContentProps, "state">) {
  const now = findActivity(state);
  return (
    <div className="grid gap-2 rounded-2xl border border-line p-4 text-sm" role="status">
      <p className="text-base font-semibold">{words.elsewhereTitle}</p>
      <p>{words.elsewhere}</p>
      {now !== undefined && <Waiting>{words.doing[now]}</Waiting>}
      <p>{describeMoney(state)}</p>
    </div>
  );
}

function Chooser({ state, tell }: ContentProps) {
  const { purchase, wallet, legs } = state;
  return (
    <div className="grid gap-3">
      <div className="grid gap-1">
        <p className="font-semibold">{words.chooseTitle}</p>
        <p className="text-sm text-quiet">{words.chooseNote}</p>
      </div>
      {wallet !== undefined && isSentLeg(legs.fee) && (
        <p className="text-sm text-warn">{words.otherWalletHint(shortenHex(wallet))}</p>
      )}
      <Suspense fallback={<Waiting>{words.doing.opening}</Waiting>}>
        <ConnectPanel
          onConnected={({ address }) =>
            void readPurchase(purchase, address).then((record) =>
              tell({ type: "connected", wallet: address, record }),
            )
          }
        />
      </Suspense>
    </div>
  );
}

/** The end of a payment: the dialog says that the text can be read at once, or after a sign-in. */
function PaymentEnd({ state, onClose }: Omit<ContentProps, "tell">) {
  const { phase, purchase } = state;
  if (phase.name !== "read") {
    return (
      <Dialog onClose={onClose} title={words.unlockedTitle} lead={words.unlocked}>
        <Suspense fallback={<Waiting>{words.doing.opening}</Waiting>}>
          <SignInPanel onSignedIn={onClose} atOnce={state.connected} />
        </Suspense>
      </Dialog>
    );
  }
  return (
    <Dialog onClose={onClose} title={words.doneTitle} lead={purchase.headline}>
      <div className="grid justify-items-center gap-5 text-center">
        <span className="grid size-16 place-items-center rounded-full bg-accent-soft text-accent">
          <Icon name="check" className="size-8" />
        </span>
        <div role="status" className="grid gap-2">
          <p>{words.done}</p>
          <p className="text-sm text-quiet">{describeMoney(state)}</p>
        </div>
        <div className="flex flex-wrap justify-center gap-3">
          <Button look="primary" size="large" onClick={onClose}>
            {words.read}
          </Button>
          <Link
            to="/receipt/$slug"
            params={{ slug: purchase.slug }}
            className={joinButtonClasses({ look: "secondary", size: "large" })}
          >
            {words.receipt}
          </Link>
        </div>
      </div>
    </Dialog>
  );
}

/** The steps of a payment after the reader has agreed. The current step says what the payment waits for. */
function Progress({ state, tell, onClose }: ContentProps) {
  const steps = listSteps(state);
  const on = steps.find((step) => step.state !== "done" && step.state !== "waiting");
  const { phase } = state;
  const active = findActivity(state);
  const isPurse = useConnection()?.isPurse === true;
  const now =
    active === undefined
      ? undefined
      : active === "wallet" && isPurse
        ? words.purseSigning
        : words.doing[active];
  return (
    <>
      <p role="status" className="sr-only">
        {on !== undefined &&
          `${words.stepNames[on.name]}: ${common.stepStates[on.state]}. ${describeWalletRequest(state)} ${now ?? ""}`}
      </p>
      <ol aria-label={words.steps} className="grid">
        {steps.map(({ name, state: stepState }) => (
          <Step
            key={name}
            state={stepState}
            stateName={common.stepStates[stepState]}
            title={words.stepNames[name]}
            aside={formatStepAmount(state, name)}
          >
            {name === on?.name && (
              <div className="grid gap-1">
                <p>{describeWalletRequest(state)}</p>
                {now !== undefined && <p className="font-medium text-ink">{now}</p>}
              </div>
            )}
            <StepTransaction name={name} state={state} />
          </Step>
        ))}
      </ol>
      {phase.name === "review" && <NewAmount phase={phase} tell={tell} onBack={onClose} />}
      <p className="text-sm text-quiet">{describeMoney(state)}</p>
    </>
  );
}

/** The text about the wallet's request, if the wallet shows a request now. */
function describeWalletRequest({ phase, way, purchase }: PayState): string {
  switch (phase.name) {
    case "network":
      return words.prompt.network("").text;
    case "approve":
    case "approving":
      return way?.method === "permit2" ? words.approvalNotes[way.approval] : "";
    case "sign":
      if (phase.fee !== undefined) {
        return words.signingBoth(
          formatUnitsAsDollars(phase.terms.accepted.amount),
          formatUnitsAsDollars(phase.fee.accepted.amount),
        );
      }
      return words.signing(phase.leg, formatUnitsAsDollars(phase.terms.accepted.amount));
    case "terms":
      return words.signing(phase.leg, formatUnitsAsDollars(computeLegPrice(purchase, phase.leg)));
    default:
      return "";
  }
}

/** The amount beside a step's name. */
function formatStepAmount(state: PayState, name: StepName): string | undefined {
  if (name !== "fee" && name !== "publisher") return undefined;
  return formatUnitsAsDollars(findLegAmount(state, name));
}

/** The link to a step's transaction in the explorer, shown below the step's name. */
function StepTransaction({ name, state }: { readonly name: StepName; readonly state: PayState }) {
  if (name === "approval" && state.approval !== undefined)
    return <ExplorerLink kind="transaction" value={state.approval} />;
  if (name !== "fee" && name !== "publisher") return null;
  const leg = state.legs[name];
  if (leg === undefined || leg.state === "ready") return null;
  return (
    <p className="flex flex-wrap gap-x-3">
      {leg.tx !== undefined && <ExplorerLink kind="transaction" value={leg.tx} />}
      {leg.payTo !== undefined && (
        <span>
          {words.to} <ExplorerLink kind="address" value={leg.payTo} />
        </span>
      )}
    </p>
  );
}

type NewAmountProps = {
  readonly phase: Extract<PayPhase, { name: "review" }>;
  readonly tell: Payment["tell"];
  readonly onBack: () => void;
};

/** Asks the reader for consent to an amount that differs from the amount shown before. Nothing is signed until the reader agrees. */
function NewAmount({ phase: { terms, agreed }, tell, onBack }: NewAmountProps) {
  const is = formatUnitsAsDollars(terms.accepted.amount);
  return (
    <Problem title={words.reviewTitle}>
      <p>{words.review(formatUnitsAsDollars(agreed), is)}</p>
      <div className="flex flex-wrap gap-3">
        <Button look="primary" onClick={() => tell({ type: "agree" })}>
          {words.agree(is)}
        </Button>
        <Button onClick={onBack}>{words.back}</Button>
      </div>
    </Problem>
  );
}
