import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useSyncExternalStore } from "react";
import { shortHex } from "../../format.ts";
import { payment as words } from "../../strings/payment.ts";
import { Button, buttonClasses, Spinner } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { type Payment, paymentFor, usePayment } from "../runner.ts";
import { knownPurchase } from "../standing.ts";
import type { State } from "../state.ts";
import { activityOf } from "../state.ts";
import type { Purchase } from "../terms.ts";
import { Plan, Summary } from "./plan.tsx";
import { Progress } from "./progress.tsx";
import { moneyOf } from "./steps.ts";
import { Trouble } from "./trouble.tsx";

// What speaks to wallets comes after the dialog is there: on a slow network that takes seconds.
const walletPanels = () => import("../../session/wallet-dialog.tsx");
const ConnectPanel = lazy(async () => ({ default: (await walletPanels()).ConnectPanel }));
const SignInPanel = lazy(async () => ({ default: (await walletPanels()).SignInPanel }));

type PaymentDialogProps = { readonly purchase: Purchase; readonly onClose: () => void };

/** A payment from the choice of a wallet to the text. Closing it ends what is not sent yet, and nothing else. */
export default function PaymentDialog({ purchase, onClose }: PaymentDialogProps) {
  const payment = paymentFor(purchase);
  const state = usePayment(payment);
  const { phase } = state;
  const isOnline = useOnline();
  // One that goes on already is shown as it is.
  useEffect(() => payment.tell({ type: "start" }), [payment]);
  const close = () => {
    payment.tell({ type: "leave" });
    onClose();
  };
  if (phase.name === "read" || phase.name === "unlocked") return <Ending state={state} onClose={onClose} />;
  return (
    <Dialog open onClose={close} title={words.title} lead={purchase.headline}>
      <div className="grid gap-5">
        <Summary state={state} />
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
  readonly state: State;
  readonly tell: Payment["tell"];
  readonly onClose: () => void;
};

/** What there is to do, or to see, at this point of a payment. */
function Content(props: ContentProps) {
  const { state, tell } = props;
  const { phase } = state;
  switch (phase.name) {
    case "idle":
    case "entering":
    case "finding":
    case "funds":
      return <Waiting>{words.doing[activityOf(state) ?? "opening"]}</Waiting>;
    case "following":
      return <Following state={state} />;
    case "connect":
      return <Choose {...props} />;
    case "plan":
      return <Plan state={state} tell={tell} />;
    case "stopped":
      return <Trouble phase={phase} state={state} tell={tell} />;
    default:
      return <Progress {...props} />;
  }
}

function Waiting({ children }: { readonly children: string }) {
  return (
    <p role="status" className="flex items-center gap-3 text-quiet">
      <Spinner /> {children}
    </p>
  );
}

/** Another tab pays. */
function Following({ state }: Pick<ContentProps, "state">) {
  const now = activityOf(state);
  return (
    <div className="grid gap-2 rounded-2xl border border-line p-4 text-sm" role="status">
      <p className="text-base font-semibold">{words.elsewhereTitle}</p>
      <p>{words.elsewhere}</p>
      {now !== undefined && (
        <p className="flex items-center gap-3 text-quiet">
          <Spinner /> {words.doing[now]}
        </p>
      )}
      <p>{moneyOf(state)}</p>
    </div>
  );
}

function Choose({ state, tell }: ContentProps) {
  const { purchase, wallet, legs } = state;
  return (
    <div className="grid gap-3">
      <div className="grid gap-1">
        <p className="font-semibold">{words.chooseTitle}</p>
        <p className="text-sm text-quiet">{words.chooseNote}</p>
      </div>
      {wallet !== undefined && legs.fee !== undefined && (
        <p className="text-sm text-warn">{words.otherWalletHint(shortHex(wallet))}</p>
      )}
      <Suspense fallback={<Waiting>{words.doing.opening}</Waiting>}>
        <ConnectPanel
          onConnected={({ address }) =>
            void knownPurchase(purchase, address).then((record) =>
              tell({ type: "connected", wallet: address, record }),
            )
          }
        />
      </Suspense>
    </div>
  );
}

type EndingProps = { readonly state: State; readonly onClose: () => void };

/** The end of a payment: the text is here, or a sign-in away. */
function Ending({ state, onClose }: EndingProps) {
  const { phase, purchase } = state;
  if (phase.name !== "read") {
    return (
      <Dialog open onClose={onClose} title={words.unlockedTitle} lead={words.unlocked}>
        <Suspense fallback={<Waiting>{words.doing.opening}</Waiting>}>
          <SignInPanel onSignedIn={onClose} />
        </Suspense>
      </Dialog>
    );
  }
  return (
    <Dialog open onClose={onClose} title={words.doneTitle} lead={purchase.headline}>
      <div className="grid justify-items-center gap-5 text-center">
        <span className="grid size-16 place-items-center rounded-full bg-accent-soft text-accent">
          <Icon name="check" className="size-8" />
        </span>
        <div role="status" className="grid gap-2">
          <p>{words.done}</p>
          <p className="text-sm text-quiet">{moneyOf(state)}</p>
        </div>
        <div className="flex flex-wrap justify-center gap-3">
          <Button look="primary" size="large" onClick={onClose}>
            {words.read}
          </Button>
          <Link
            to="/receipt/$slug"
            params={{ slug: purchase.slug }}
            className={buttonClasses({ look: "secondary", size: "large" })}
          >
            {words.receipt}
          </Link>
        </div>
      </div>
    </Dialog>
  );
}

/** Whether the browser has a connection, as far as it knows. */
function useOnline(): boolean {
  return useSyncExternalStore(watchConnection, () => navigator.onLine);
}

function watchConnection(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}
