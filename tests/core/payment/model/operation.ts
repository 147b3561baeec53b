import type { Leg } from "../../../../core/payment/schema.ts";
import type { Crash } from "./scheduler.ts";

/** What may be wrong with an answer of the node. `late` nodes have not seen the last blocks; of a `mixed` batch some calls reach such a node. */
export type ReadFault =
  | { readonly kind: "silent" | "no receipts" }
  | { readonly kind: "item"; readonly at: number }
  | { readonly kind: "late"; readonly blocks: number }
  | { readonly kind: "mixed"; readonly blocks: number; readonly at: number }
  /** The node has not kept the state of blocks that are not quite new. */
  | { readonly kind: "pruned" };

export type SendFault =
  /** The node never saw it. */
  | "silent"
  /** It says no. */
  | "refused"
  /** It has not got EIP-7966. */
  | "unsupported"
  /** It took it and mines it later. */
  | "unmined"
  /** It took it, and its answer was lost; it may have mined it at once. */
  | "unheard"
  | "mined unheard"
  /** It took it and lost it. */
  | "forgotten";

/** A table that fails without or after doing what it was asked, or answers that another transaction was in the way. */
export type TableFault = "before" | "after" | "conflict";

/** A payer's request: a header signed now, the newest once more, or an older one. */
export type Pay = {
  readonly do: "pay";
  readonly payer: number;
  readonly press: number;
  /** `next`: the one that an honest client turns to. */
  readonly leg: Leg | "next";
  readonly header: "fresh" | "again" | "older";
  /** Seconds for which a fresh permit is good. */
  readonly life: number;
  /** Whether the client names its attempts (x402 extension payment-identifier). */
  readonly named: boolean;
  /** Whether the client sends the terms' ticket back: one that was written from the specification alone does not. */
  readonly echoes: boolean;
  /** Asks from two places at once, each with a permit of its own where it signs afresh. */
  readonly twice: boolean;
  /** Signs for who owned the press at the beginning. */
  readonly oldTerms: boolean;
  /** What others do just before one of the request's calls to the outside. */
  readonly ambush: { readonly call: number; readonly deed: Deed } | undefined;
  readonly crash: Crash | undefined;
};

/**
 * What may come between a request's look at the chain and its transaction. `settle this`: somebody else settles its
 * permit, `settle hidden` through a contract that hides its nonce; `take back`: its payer spends the permit's nonce;
 * `copy`: what the chain shows is presented as a payment.
 */
export type Deed =
  | "pause"
  | "freeze"
  | "drain"
  | "revoke"
  | "move press"
  | "settle this"
  | "settle hidden"
  | "take back"
  | "copy"
  | "stray"
  | "fee spike";

/** What a copier puts around a permit: nothing, the ticket of terms that were offered to it, or a name of its own. */
export type Dress = "nothing" | "own ticket" | "own name";

/** A griefing wallet asks to pay a fee: with a new permit, or with its last one again. */
export type Grief = {
  readonly do: "grief";
  readonly griefer: number;
  readonly press: number;
  readonly again: boolean;
};

export type Operation = (
  | Pay
  | Grief
  | { readonly do: "reconcile"; readonly crash: Crash | undefined }
  | { readonly do: "mine"; readonly blocks: number }
  | { readonly do: "wait"; readonly seconds: number }
  /** Takes away what a payment needs, or gives it back. */
  | { readonly do: "pause" | "heal" | "fee spike" }
  | { readonly do: "move press"; readonly press: number }
  | { readonly do: "freeze" | "drain" | "revoke"; readonly payer: number }
  | { readonly do: "freeze owner"; readonly owner: number }
  /** The relayer's key is used elsewhere, or its gas is gone. */
  | { readonly do: "stray" | "dry"; readonly relayer: number }
  /** Somebody else settles a permit that was presented: one that we have broadcast, or any. With two at once. */
  | {
      readonly do: "settle" | "settle hidden";
      readonly which: number;
      readonly broadcast: boolean;
      readonly two: boolean;
    }
  /** Somebody settles what we have broadcast in vain, so many seconds later and through a contract that hides it. */
  | { readonly do: "settle late"; readonly seconds: number }
  /** Somebody reads a publisher's permit off the chain and presents it, dressed up with what is to be had without its payer. */
  | { readonly do: "copy"; readonly which: number; readonly dress: Dress }
  | { readonly do: "read fault"; readonly fault: ReadFault; readonly times: number }
  | { readonly do: "send fault"; readonly fault: SendFault; readonly times: number }
  | { readonly do: "table fault"; readonly fault: TableFault; readonly after: number }
) & {
  /** Calls to the outside that the processes make before the next operation. */
  readonly steps: number;
};

/** A run: what is done, who goes on when several can, and how far our clock is ahead of the chain's, in milliseconds. */
export type Case = {
  readonly operations: readonly Operation[];
  readonly choices: readonly number[];
  readonly skew: number;
  /** How payers return in the end, and how strangers settle before what was broadcast in vain. */
  readonly back: {
    readonly header: "fresh" | "again";
    readonly late: boolean;
    readonly settled: "not" | "openly" | "hidden";
  };
};
