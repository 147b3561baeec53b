import type { Address, Hash } from "../api/request.ts";
import type { payment } from "../strings/payment.ts";
import type { PayAnswer, Problem } from "./answer.ts";
import type { Leg, LegRecord, Purchase, PurchaseRecord, SignedRecord, Terms } from "./purchase.ts";

/**
 * A wallet's funds for a payment, and whether the wallet is a contract. Amounts of USDG are in base units, and amounts of ETH are in wei.
 */
export type Funds = {
  readonly usdg: bigint;
  /** The amount of the wallet's USDG that Permit2 may move. */
  readonly allowance: bigint;
  readonly gas: bigint;
  /** The gas cost of an approval, if the wallet could need an approval. */
  readonly approvalCost: bigint | undefined;
  /** Whether the wallet is a contract. An account that delegates to a contract (EIP-7702) does not count as a contract. */
  readonly isContract: boolean;
  /** Whether the wallet is on the service's chain now. */
  readonly onChain: boolean;
};

/**
 * The payment method that the reader has chosen: USDG's own transfer by signature, or Permit2. If the approval for Permit2 is missing, the
 * wallet approves the given amount.
 */
export type PayMode =
  | { readonly method: "eip3009" }
  | { readonly method: "permit2"; readonly approval: "exact" | "unlimited" };

/**
 * The phase of a payment. In each phase, either the runner carries out a task, or the payment waits for the reader. While `legs` contains a
 * signed payment with an unknown outcome, the state machine never asks for another signature for the same payment.
 */
export type PayPhase =
  | { readonly name: "idle" }
  /** Task: make this tab the only tab that pays for the press. */
  | { readonly name: "entering" }
  /**
   * Task: show the progress of the tab that pays, and continue the payment when the other tab stops paying. `doing`: the activity that the
   * paying tab reports.
   */
  | { readonly name: "following"; readonly doing: Activity | undefined }
  /** Task: check whether a wallet is connected. */
  | { readonly name: "finding" }
  /** Waits until the reader has connected a wallet. */
  | { readonly name: "connect" }
  /** Task: read the wallet's balances and its allowance for Permit2. */
  | { readonly name: "funds" }
  /** Waits for the reader's consent: the payments and signatures are shown before the wallet is asked for anything. */
  | { readonly name: "plan" }
  /** Task: switch the wallet to the service's chain. */
  | { readonly name: "network" }
  /** Task: ask the wallet to send the approval. */
  | { readonly name: "approve" }
  /** Task: wait until the approval is mined and a node shows it. */
  | { readonly name: "approving"; readonly tx: Hash }
  /** Task: request the terms of payment from the service. `agreed`: the amount that the reader has seen. */
  | { readonly name: "terms"; readonly leg: Leg; readonly agreed: string }
  /** Waits for the reader's consent: the amount differs from `agreed`, the amount that the reader has seen. */
  | { readonly name: "review"; readonly leg: Leg; readonly terms: Terms; readonly agreed: string }
  /** Task: ask the wallet to sign a payment. `fee`: the fee's terms, for a wallet that signs both parts at once. */
  | {
      readonly name: "sign";
      readonly leg: Leg;
      readonly terms: Terms;
      readonly fee?: Terms | undefined;
    }
  /**
   * Task: send the signed payment. `tries`: the number of tries in a row that had no answer or were refused because the service was busy.
   */
  | { readonly name: "send"; readonly leg: Leg; readonly tries: number }
  /** Task: wait some seconds, then send the signed payment again. */
  | { readonly name: "pending"; readonly leg: Leg; readonly tries: number; readonly after: number }
  /** The end of the payment: the text has arrived. */
  | { readonly name: "read"; readonly text: string }
  /** The end of the payment: the text was bought earlier, and a sign-in shows the text. */
  | { readonly name: "unlocked" }
  /** Waits for the reader: a problem stopped the payment. `back` is the phase where another try continues. */
  | { readonly name: "stopped"; readonly problem: Problem; readonly back: PayPhase };

export type PayState = {
  readonly purchase: Purchase;
  readonly wallet: Address | undefined;
  /** Whether the wallet is connected now, or only known from an earlier visit. */
  readonly connected: boolean;
  readonly legs: Readonly<Record<Leg, LegRecord>>;
  /** An approval that was sent and is not mined yet. */
  readonly approval: Hash | undefined;
  readonly funds: Funds | undefined;
  /** The payment method to which the reader has agreed; `undefined` before the reader has agreed. */
  readonly way: PayMode | undefined;
  readonly phase: PayPhase;
};

export type PayEvent =
  /** `priceUnits`: the price that the page shows. */
  | { readonly type: "start"; readonly priceUnits: string }
  | { readonly type: "agree" | "retry" | "leave" | "change_wallet" }
  /** This tab pays. If a purchase was begun in this browser and is not finished, the event contains the purchase's record. */
  | { readonly type: "entered"; readonly record: PurchaseRecord | undefined }
  /** Another tab pays for this press. The event has the purchase that the other tab has stored. */
  | { readonly type: "elsewhere"; readonly record: PurchaseRecord | undefined }
  /** The activity that the paying tab reports. */
  | {
      readonly type: "seen";
      readonly wallet: Address | undefined;
      readonly legs: PayState["legs"];
      readonly doing: Activity | undefined;
    }
  /** Another tab has paid and has the text. */
  | { readonly type: "finished"; readonly text: string }
  | { readonly type: "no_wallet" }
  /** The event has this browser's record of the wallet's purchase. */
  | { readonly type: "connected"; readonly wallet: Address; readonly record: PurchaseRecord | undefined }
  | { readonly type: "funds"; readonly funds: Funds }
  /** The reader has agreed to the plan of the payment. */
  | { readonly type: "planned"; readonly way: PayMode }
  | { readonly type: "on_chain" }
  | { readonly type: "approval_sent"; readonly tx: Hash }
  /** `funds`: the wallet's funds with the new allowance; absent if the approval was reverted. */
  | { readonly type: "approval_mined"; readonly funds: Funds | undefined }
  /** `fee`: the terms of the fee, if the wallet signs the fee and the publisher's part at once. */
  | { readonly type: "offered"; readonly terms: Terms; readonly fee?: Terms | undefined }
  /** `now`: the service's time, in seconds since the epoch. */
  | {
      readonly type: "signed";
      readonly signed: SignedRecord;
      /**
       * The signed payment of the fee, if a purse signed both payments with one gesture. The page sends the fee's payment only after the
       * first attempt to pay the publisher.
       */
      readonly fee?: SignedRecord | undefined;
      readonly now: number;
    }
  /** `at`: the time of the answer, ISO 8601. */
  | { readonly type: "answered"; readonly answer: PayAnswer; readonly at: string }
  | { readonly type: "waited" }
  | { readonly type: "failed"; readonly problem: Problem };

export function makeInitialState(purchase: Purchase): PayState {
  return {
    purchase,
    wallet: undefined,
    connected: false,
    legs: { fee: undefined, publisher: undefined },
    approval: undefined,
    funds: undefined,
    way: undefined,
    phase: { name: "idle" },
  };
}

/** A kind of activity of a payment; the dialog has a text for each kind. */
export type Activity = keyof typeof payment.doing;

/** The current activity of a payment; `undefined` while the payment waits for the reader's decision. */
export function findActivity({ phase, legs, way }: PayState): Activity | undefined {
  switch (phase.name) {
    case "entering":
    case "finding":
      return "opening";
    case "funds":
      return "funds";
    case "following":
      return phase.doing;
    case "network":
    case "approve":
    case "sign":
      return "wallet";
    case "approving":
      return "approving";
    case "terms":
      return "terms";
    case "send":
    case "pending":
      if (phase.tries > 0) return "resending";
      if (phase.name === "pending") return "pending";
      return phase.leg === "publisher" && legs.fee?.state !== "paid" && way !== undefined
        ? "presenting"
        : "sending";
    default:
      return undefined;
  }
}
