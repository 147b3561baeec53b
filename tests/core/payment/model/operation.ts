import * as fc from "fast-check";
import type { Leg } from "../../../../core/payment/schema.ts";
import type { Crash } from "./scheduler.ts";

/** What may be wrong with an answer of the node. `late` nodes have not seen the last blocks; of a `mixed` batch some calls reach such a node. */
export type ReadFault =
  | { readonly kind: "silent" | "no receipts" }
  | { readonly kind: "item"; readonly at: number }
  | { readonly kind: "late"; readonly blocks: number }
  | { readonly kind: "mixed"; readonly blocks: number; readonly at: number };

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
  /** Asks from two places at once, each with a permit of its own where it signs afresh. */
  readonly twice: boolean;
  /** Signs for who owned the press at the beginning. */
  readonly oldTerms: boolean;
  /** What others do just before one of the request's calls to the outside. */
  readonly ambush: { readonly call: number; readonly deed: Deed } | undefined;
  readonly crash: Crash | undefined;
};

/** What may come between a request's look at the chain and its transaction. `settle this`: somebody else settles its permit. */
export type Deed =
  | "pause"
  | "freeze"
  | "drain"
  | "revoke"
  | "move press"
  | "settle this"
  | "stray"
  | "fee spike";

export type Operation = (
  | Pay
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
  /** Somebody else settles a permit that was presented: one that we have broadcast, or any. With two in one transaction. */
  | { readonly do: "settle"; readonly which: number; readonly broadcast: boolean; readonly two: boolean }
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
  /** How payers return in the end, and whether strangers settle before what was broadcast in vain. */
  readonly back: { readonly header: "fresh" | "again"; readonly late: boolean; readonly settled: boolean };
};

const nat = (max: number) => fc.integer({ min: 0, max });
const payer = fc.constantFrom(0, 0, 1, 1, 2);
/** One press is asked for most: requests must meet. */
const press = fc.constantFrom(0, 0, 0, 1, 1, 2);
/** Something or, so many times as often, nothing. */
function seldom<Value>(arbitrary: fc.Arbitrary<Value>, nothing: number): fc.Arbitrary<Value | undefined> {
  return fc.oneof({ weight: nothing, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

const crash = seldom(
  fc.record({ call: fc.integer({ min: 1, max: 14 }), when: fc.constantFrom("before", "after") }),
  2,
);

const ambush = seldom(
  fc.record({
    call: fc.integer({ min: 2, max: 9 }),
    deed: fc.constantFrom(
      "pause",
      "freeze",
      "drain",
      "revoke",
      "move press",
      "settle this",
      "settle this",
      "stray",
      "fee spike",
    ),
  }),
  1,
);

const pay = fc.record({
  do: fc.constant("pay"),
  payer,
  press,
  leg: fc.constantFrom("next", "next", "next", "fee", "publisher"),
  header: fc.constantFrom("fresh", "fresh", "again", "again", "older"),
  life: fc.constantFrom(300, 300, 300, 9, 30_000_000),
  named: fc.boolean(),
  twice: fc.constantFrom(false, false, false, true),
  oldTerms: fc.boolean(),
  ambush,
  crash,
});
const readFault: fc.Arbitrary<ReadFault> = fc.oneof(
  fc.record({ kind: fc.constantFrom("silent", "no receipts") }),
  fc.record({ kind: fc.constant("item"), at: nat(11) }),
  fc.record({ kind: fc.constant("late"), blocks: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant("mixed"), blocks: fc.integer({ min: 1, max: 4 }), at: nat(31) }),
);
const sendFault = fc.constantFrom(
  "silent",
  "refused",
  "unsupported",
  "unmined",
  "unheard",
  "mined unheard",
  "forgotten",
);

const deed = fc.oneof(
  { weight: 20, arbitrary: pay },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("reconcile"), crash }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("mine"), blocks: fc.integer({ min: 1, max: 3 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("wait"), seconds: fc.constantFrom(1, 8, 16, 31, 61, 310) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("pause", "heal", "heal", "heal", "fee spike") }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("move press"), press }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("freeze", "drain", "revoke"), payer }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("freeze owner"), owner: nat(1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("stray", "dry"), relayer: nat(1) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("settle"),
      which: nat(9),
      broadcast: fc.boolean(),
      two: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("read fault"),
      fault: readFault,
      times: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("send fault"),
      fault: sendFault,
      times: fc.integer({ min: 1, max: 2 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("table fault"),
      fault: fc.constantFrom("before", "after", "conflict"),
      after: nat(6),
    }),
  },
);
const operation: fc.Arbitrary<Operation> = fc
  .tuple(deed, fc.oneof(nat(6), fc.constantFrom(12, 30)))
  .map(([what, steps]) => ({ ...what, steps }));

/** Runs of about `length` operations. */
export function cases(length: number): fc.Arbitrary<Case> {
  return fc.record({
    operations: fc.array(operation, { minLength: 1, maxLength: length, size: "max" }),
    choices: fc.array(nat(11), { minLength: 1, maxLength: 60, size: "max" }),
    skew: fc.constantFrom(0, 0, -2000, 2000),
    back: fc.record({ header: fc.constantFrom("fresh", "again"), late: fc.boolean(), settled: fc.boolean() }),
  });
}
