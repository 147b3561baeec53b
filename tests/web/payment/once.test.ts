import fc from "fast-check";
import { expect, test } from "vitest";
import type { PayAnswer } from "../../../web/src/payment/answer.ts";
import { applyEvent } from "../../../web/src/payment/machine.ts";
import type { PayEvent } from "../../../web/src/payment/state.ts";
import {
  advanceFromStart,
  at,
  makePaidLeg,
  makePurchaseRecord,
  makeReadyState,
  makeTerms,
  makeTxHash,
  offeredAt,
  plenty,
  signLeg,
  start,
  toFeeSignature,
  toPlan,
  toSecondSend,
  toSend,
  toSignature,
  wallet,
} from "./parts.ts";

/** Generates every possible event, because wallets, tabs and the service can cause events in any order. */
const document = {
  x402Version: 2,
  error: "No.",
  code: "permit2_deadline_expired",
  accepts: [makeTerms("50000").accepted],
  resource: { url: "u" },
} as const;
const answers: readonly PayAnswer[] = [
  { kind: "paid", tx: makeTxHash("1"), text: undefined },
  { kind: "paid", tx: makeTxHash("2"), text: "text" },
  { kind: "pending", tx: makeTxHash("1"), after: 1 },
  { kind: "busy", after: 1, message: "Busy.", requestId: undefined },
  { kind: "lost" },
  { kind: "terms", document },
  { kind: "fee_first" },
  { kind: "already_unlocked" },
  { kind: "missing" },
  { kind: "unlisted", message: "Off sale.", requestId: undefined },
  { kind: "refused", message: "No.", requestId: undefined },
];
const event: fc.Arbitrary<PayEvent> = fc.oneof(
  fc.constantFrom<PayEvent[]>(
    start,
    { type: "agree" },
    { type: "retry" },
    { type: "leave" },
    { type: "entered", record: undefined },
    { type: "entered", record: makePurchaseRecord({ fee: signLeg("50000", "kept") }) },
    { type: "elsewhere", record: makePurchaseRecord({ fee: signLeg("50000", "kept") }) },
    { type: "no_wallet" },
    { type: "connected", wallet, record: undefined },
    { type: "connected", wallet, record: makePurchaseRecord({ publisher: signLeg("450000", "kept") }) },
    { type: "on_chain" },
    { type: "funds", funds: plenty },
    { type: "funds", funds: { ...plenty, usdg: 0n } },
    { type: "funds", funds: { ...plenty, onChain: false } },
    { type: "planned", way: { method: "eip3009" } },
    { type: "planned", way: { method: "permit2", approval: "exact" } },
    { type: "connected", wallet, record: makePurchaseRecord({ fee: makePaidLeg("1", "50000") }) },
    {
      type: "connected",
      wallet,
      record: makePurchaseRecord({ publisher: makeReadyState("450000", "kept") }),
    },
    {
      type: "seen",
      wallet,
      doing: "sending",
      legs: { fee: undefined, publisher: signLeg("450000", "kept") },
    },
    { type: "finished", text: "text" },
    { type: "approval_sent", tx: makeTxHash("a") },
    { type: "approval_mined", funds: plenty },
    { type: "offered", terms: makeTerms("50000") },
    { type: "offered", terms: makeTerms("450000") },
    { type: "waited" },
    { type: "failed", problem: { code: "rejected" } },
    { type: "failed", problem: { code: "gone" } },
  ),
  fc.nat().map(
    (n): PayEvent => ({
      type: "signed",
      signed: signLeg("50000", `header ${n}`),
      now: offeredAt + (n % 300),
    }),
  ),
  fc.constantFrom(...answers).map((answer): PayEvent => ({ type: "answered", answer, at })),
);

const events = fc.array(event, { maxLength: 60, size: "max" });

/** The kinds of answers that show for certain whether the payment was charged. */
const final: readonly PayAnswer["kind"][] = [
  "paid",
  "terms",
  "fee_first",
  "already_unlocked",
  "missing",
  "unlisted",
];

const legs = ["fee", "publisher"] as const;

/** The events with which the generated payments begin. Random events alone would hardly ever lead to a signature. */
const beginnings: readonly (readonly PayEvent[])[] = [
  [],
  toPlan,
  toSignature,
  toFeeSignature,
  toSend,
  toSecondSend,
];

test("a signed payment is kept unchanged until an answer shows for certain whether it was charged, and a part of the price that is signed or paid is never signed again", () => {
  fc.assert(
    fc.property(fc.constantFrom(...beginnings), events, (beginning, following) => {
      let state = advanceFromStart(...beginning);
      for (const each of following) {
        const next = applyEvent(state, each);
        if (next.phase.name === "sign") expect(next.legs[next.phase.leg]).toBeUndefined();
        for (const leg of legs) {
          const before = state.legs[leg];
          const now = next.legs[leg];
          if (before?.state !== "signed") continue;
          const same = now?.state === "signed" && now.header === before.header;
          const settled = each.type === "answered" && final.includes(each.answer.kind);
          // Some events contain the record of an earlier visit, another wallet or another tab. This record may lack the signed payment,
          // because the test never stores a payment.
          const reread =
            each.type === "entered" ||
            each.type === "connected" ||
            each.type === "seen" ||
            each.type === "elsewhere";
          expect(same || settled || reread).toBe(true);
        }
        state = next;
      }
    }),
    { numRuns: 500 },
  );
});
