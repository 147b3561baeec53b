import { allowAgain, revertStored, settleByAnother, useNonce } from "./crash/event.ts";
import { modesOfPayer, modesOfReconciler } from "./crash/mode.ts";
import type { Scenario } from "./crash/scenario.ts";
import { testDeaths } from "./crash/suite.ts";

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
const payer = { act: "pay", later: 0, modes: modesOfPayer, inTurn: true } as const;

/**
 * The first process died in the payment; now the one that was to bring it to its end dies too. Each death of a payer's request
 * goes on in one way, in turn, for explore.test.ts searches two deaths of requests state by state. It lets no reconciler die
 * after a request: those deaths go on in all their ways.
 */
const scenarios: readonly Scenario[] = [
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
  {
    ...stored,
    ...payer,
    name: "the payer's second request, sending again what was stored",
    from: "outcome",
    until: "send",
    shows: ["outcome", "price", "send", "finish"],
  },
  {
    ...mined,
    ...payer,
    name: "the payer's second request, collecting what was mined",
    from: "finish",
    shows: ["outcome", "finish", "read body", "answer"],
  },
  {
    ...claimed,
    ...payer,
    act: "pay anew",
    later: 35_000,
    name: "the payer's second request, with another permit in the place of a claim that lapsed",
    from: "head",
    until: "claim",
    shows: ["head", "give back", "claim", "sign", "store", "broadcast", "finish"],
  },
  {
    ...publisher,
    leg: "fee",
    begins: "nothing",
    ...payer,
    name: "the first request, finding the permit settled by somebody else",
    before: settleByAnother,
    charges: ["queued", "settled"],
    from: "finish",
    shows: ["transfers", "proof", "claim", "finish"],
  },
];

await testDeaths(scenarios);
