import type { Address, Hash } from "../api/request.ts";
import type { Answer } from "./answer.ts";
import type { Problem } from "./problem.ts";
import type { LegRecord, PurchaseRecord, Signed } from "./record.ts";
import type { Leg, Purchase, Terms } from "./terms.ts";

/** What a wallet has for a payment, in base units and wei. */
export type Funds = { readonly usdg: bigint; readonly allowance: bigint; readonly gas: bigint };

/**
 * Where a payment stands. Each phase either has a task, which the runner does, or waits for the person.
 *
 * A signed payment whose end is not known stands in `legs`, and the machine never asks for another signature of that leg
 * while it does.
 */
export type Phase =
  /** Waits: nothing was begun. */
  | { readonly name: "idle" }
  /** Task: be the only tab that pays for this press. */
  | { readonly name: "entering" }
  /** Task: look whether a wallet is connected. */
  | { readonly name: "finding" }
  /** Waits for a wallet. */
  | { readonly name: "connect" }
  /** Task: bring the wallet to the service's chain. */
  | { readonly name: "network" }
  /** Task: read balances and allowance. */
  | { readonly name: "funds" }
  /** Task: have the wallet send the approval. */
  | { readonly name: "approve" }
  /** Task: wait for the approval. */
  | { readonly name: "approving"; readonly tx: Hash }
  /** Task: ask for the terms. `agreed`: the amount that the person has seen. */
  | { readonly name: "terms"; readonly leg: Leg; readonly agreed: string }
  /** Waits: the amount is another one than was seen. */
  | { readonly name: "review"; readonly leg: Leg; readonly terms: Terms }
  /** Task: have the wallet sign. */
  | { readonly name: "sign"; readonly leg: Leg; readonly terms: Terms }
  /** Task: send what is signed. `tries`: how often in a row there was no answer or no room. */
  | { readonly name: "send"; readonly leg: Leg; readonly tries: number }
  /** Task: wait so many seconds, then send again what is signed. */
  | { readonly name: "pending"; readonly leg: Leg; readonly tries: number; readonly after: number }
  /** The end: the text is here. */
  | { readonly name: "read"; readonly text: string }
  /** The end: it was bought before; a sign-in shows the text. */
  | { readonly name: "unlocked" }
  /** Waits: something is in the way. `back` is where another try goes on. */
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
  readonly phase: Phase;
};

export type Event =
  | { readonly type: "start" | "agree" | "retry" | "leave" }
  /** With a purchase that was begun in this browser and has no end yet. */
  | { readonly type: "entered"; readonly record: PurchaseRecord | undefined }
  | { readonly type: "elsewhere" }
  | { readonly type: "no_wallet" }
  /** With what this browser knows of this wallet's purchase. */
  | { readonly type: "connected"; readonly wallet: Address; readonly record: PurchaseRecord | undefined }
  | { readonly type: "on_chain" }
  | { readonly type: "funds"; readonly funds: Funds }
  | { readonly type: "approval_sent"; readonly tx: Hash }
  /** `funds`: as they are with the allowance in them; without them the approval was reverted. */
  | { readonly type: "approval_mined"; readonly funds: Funds | undefined }
  | { readonly type: "offered"; readonly terms: Terms }
  | { readonly type: "signed"; readonly signed: Signed }
  /** `at`: when it came, ISO 8601. */
  | { readonly type: "answered"; readonly answer: Answer; readonly at: string }
  | { readonly type: "waited" }
  | { readonly type: "failed"; readonly problem: Problem };

/** Nothing begun. */
export function initial(purchase: Purchase): State {
  return {
    purchase,
    wallet: undefined,
    connected: false,
    legs: { fee: undefined, publisher: undefined },
    approval: undefined,
    funds: undefined,
    phase: { name: "idle" },
  };
}
