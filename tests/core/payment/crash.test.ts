import { allowAgain, revertStored, settleByAnother, useNonce } from "./crash/event.ts";
import { modes, modesOfReconciler } from "./crash/mode.ts";
import type { Scenario } from "./crash/scenario.ts";
import { testDeaths } from "./crash/suite.ts";

const first = { begins: "nothing", act: "pay", later: 0, charges: ["submitted", "settled"], modes } as const;
const machine = ["claim", "sign", "store", "broadcast", "finish"];
const publisher = { leg: "publisher", node: "answers", charges: ["submitted", "settled"] } as const;
const claimed = {
  ...publisher,
  earlier: { step: "claim", visit: 1, moment: "after" },
  begins: "queued",
} as const;
const stored = {
  ...publisher,
  earlier: { step: "broadcast", visit: 1, moment: "before" },
  begins: "submitted",
} as const;
const mined = {
  ...publisher,
  earlier: { step: "broadcast", visit: 1, moment: "after" },
  begins: "submitted",
} as const;
const reconciler = { act: "reconcile", later: 61_000, modes: modesOfReconciler } as const;

/**
 * A process dies during a payment, and in some cases the reconciler that should finish the payment dies too. The search in explore.test.ts
 * covers two deaths of request processes, for both legs, but no death of a reconciler.
 */
const scenarios: readonly Scenario[] = [
  { ...first, name: "the publisher's leg", leg: "publisher", node: "answers", shows: machine, inTurn: true },
  {
    ...first,
    name: "the fee, on a node that is polled for its receipt",
    leg: "fee",
    node: "is polled",
    from: "broadcast",
    shows: [...machine, "send", "receipt"],
    inTurn: true,
  },
  {
    ...stored,
    ...reconciler,
    name: "the reconciler, sending again what was stored",
    shows: ["in flight", "outcome", "price", "send"],
  },
  {
    ...mined,
    ...reconciler,
    name: "the reconciler, finishing what was mined",
    from: "outcome",
    shows: ["outcome", "finish"],
  },
  {
    ...claimed,
    ...reconciler,
    name: "the reconciler, giving back a claim that lapsed",
    from: "head",
    shows: ["head", "give back"],
  },
  {
    ...stored,
    ...reconciler,
    name: "the reconciler, replacing a transaction whose nonce was used",
    before: useNonce,
    from: "price",
    shows: ["price", "sign", "replace", "send"],
  },
  {
    ...stored,
    ...reconciler,
    name: "the reconciler, finding the permit settled by somebody else",
    before: settleByAnother,
    from: "outcome",
    shows: ["outcome", "transfers", "proof", "finish"],
  },
  {
    ...stored,
    ...reconciler,
    later: 122_000,
    name: "the reconciler, finding that the transaction reverted",
    before: revertStored,
    after: allowAgain,
    charges: [],
    from: "outcome",
    shows: ["outcome", "head", "give back", "count gas"],
  },
];

await testDeaths(scenarios);
