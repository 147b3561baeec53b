import type { Address, Hash } from "../api/request.ts";
import type { Answer, Problem } from "./answer.ts";
import type { Leg, LegRecord, Purchase, PurchaseRecord, Signed, Terms } from "./purchase.ts";

/** A wallet's funds and kind for a payment. USDG in base units, ETH in wei. */
export type Funds = {
  readonly usdg: bigint;
  /** The USDG that Permit2 may move. */
  readonly allowance: bigint;
  readonly gas: bigint;
  /** The cost of an approval's gas, if an approval may be needed. */
  readonly approvalCost: bigint | undefined;
  /** Whether the wallet is a contract. An account that delegates to one (EIP-7702) is not. */
  readonly isContract: boolean;
  /** Whether the wallet is on the service's chain now. */
  readonly onChain: boolean;
};

/**
 * How the reader pays: by USDG's own transfer by signature, or by Permit2 with an approval of this size if it
 * is missing.
 */
export type Way =
  | { readonly method: "eip3009" }
  | { readonly method: "permit2"; readonly approval: "exact" | "unlimited" };

/**
 * The phase of a payment. Each phase has a task for the runner, or waits for the reader. A signed payment
 * with an unknown outcome is in `legs`; while it is, the machine never asks for another signature of that
 * leg.
 */
export type Phase =
  | { readonly name: "idle" }
  /** Task: be the only tab that pays for this press. */
  | { readonly name: "entering" }
  /** Task: follow the tab that pays, and take over when it ends. `doing`: the activity that the tab reports. */
  | { readonly name: "following"; readonly doing: Activity | undefined }
  /** Task: check whether a wallet is connected. */
  | { readonly name: "finding" }
  /** Waits for a wallet. */
  | { readonly name: "connect" }
  /** Task: read balances and allowance. */
  | { readonly name: "funds" }
  /** Waits: what will be paid and signed is shown, before the wallet is asked for anything. */
  | { readonly name: "plan" }
  /** Task: bring the wallet to the service's chain. */
  | { readonly name: "network" }
  /** Task: have the wallet send the approval. */
  | { readonly name: "approve" }
  /** Task: wait for the approval. */
  | { readonly name: "approving"; readonly tx: Hash }
  /** Task: ask for the terms. `agreed`: the amount that the reader has seen. */
  | { readonly name: "terms"; readonly leg: Leg; readonly agreed: string }
  /** Waits: the amount differs from the one that the reader has seen. */
  | { readonly name: "review"; readonly leg: Leg; readonly terms: Terms }
  /** Task: have the wallet sign. `fee`: the fee's terms, for a wallet that signs both parts at once. */
  | {
      readonly name: "sign";
      readonly leg: Leg;
      readonly terms: Terms;
      readonly fee?: Terms | undefined;
    }
  /** Task: send the signed payment. `tries`: the number of tries in a row without an answer or refused as busy. */
  | { readonly name: "send"; readonly leg: Leg; readonly tries: number }
  /** Task: wait some seconds, then send the signed payment again. */
  | { readonly name: "pending"; readonly leg: Leg; readonly tries: number; readonly after: number }
  /** The end: the text is here. */
  | { readonly name: "read"; readonly text: string }
  /** The end: the text was bought before, and a sign-in shows it. */
  | { readonly name: "unlocked" }
  /** Waits: a problem stopped the payment. `back` is the phase where another try continues. */
  | { readonly name: "stopped"; readonly problem: Problem; readonly back: Phase };

export type State = {
  readonly purchase: Purchase;
  readonly wallet: Address | undefined;
  /** Whether that wallet is connected, or only known from an earlier visit. */
  readonly connected: boolean;
  readonly legs: Readonly<Record<Leg, LegRecord>>;
  /** An approval that was sent and is not mined yet. */
  readonly approval: Hash | undefined;
  readonly funds: Funds | undefined;
  /** The way to pay that the reader has agreed to; `undefined` before. */
  readonly way: Way | undefined;
  readonly phase: Phase;
};

export type Event =
  | { readonly type: "start" | "agree" | "retry" | "leave" | "change_wallet" }
  /** `kept` is a purchase that was begun in this browser and is not finished. */
  | { readonly type: "entered"; readonly record: PurchaseRecord | undefined }
  /** Another tab pays for this press. The event has that tab's stored purchase. */
  | { readonly type: "elsewhere"; readonly record: PurchaseRecord | undefined }
  /** The activity that the paying tab reports. */
  | {
      readonly type: "seen";
      readonly wallet: Address | undefined;
      readonly legs: State["legs"];
      readonly doing: Activity | undefined;
    }
  /** The paying tab has the text. */
  | { readonly type: "finished"; readonly text: string }
  | { readonly type: "no_wallet" }
  /** The event has this browser's record of the wallet's purchase. */
  | { readonly type: "connected"; readonly wallet: Address; readonly record: PurchaseRecord | undefined }
  | { readonly type: "funds"; readonly funds: Funds }
  /** The person has agreed to the plan. */
  | { readonly type: "planned"; readonly way: Way }
  | { readonly type: "on_chain" }
  | { readonly type: "approval_sent"; readonly tx: Hash }
  /** `funds`: the wallet's funds with the new allowance; absent if the approval was reverted. */
  | { readonly type: "approval_mined"; readonly funds: Funds | undefined }
  /** `fee`: the fee's terms beside the publisher's, for a wallet that signs both at once. */
  | { readonly type: "offered"; readonly terms: Terms; readonly fee?: Terms | undefined }
  /** `now`: the service's time, in seconds since the epoch. */
  | {
      readonly type: "signed";
      readonly signed: Signed;
      /** The fee that a purse signed with the same gesture. It is sent later. */
      readonly fee?: Signed | undefined;
      readonly now: number;
    }
  /** `at`: the time of the answer, ISO 8601. */
  | { readonly type: "answered"; readonly answer: Answer; readonly at: string }
  | { readonly type: "waited" }
  | { readonly type: "failed"; readonly problem: Problem };

export function initial(purchase: Purchase): State {
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

/** The activities of a payment. The dialog has their texts. */
export const activities = [
  "opening",
  "funds",
  "wallet",
  "approving",
  "terms",
  "presenting",
  "sending",
  "pending",
  "resending",
] as const;
export type Activity = (typeof activities)[number];

/** The current activity of a payment; `undefined` while it waits for a decision. */
export function activityOf({ phase, legs, way }: State): Activity | undefined {
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
