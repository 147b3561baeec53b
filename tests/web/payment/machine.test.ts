import { expect, test } from "vitest";
import { describeMoney } from "../../../web/src/payment/dialog/steps.ts";
import { sumUnpaid } from "../../../web/src/payment/machine.ts";
import { isUnanswered } from "../../../web/src/payment/purchase.ts";
import type { PayEvent } from "../../../web/src/payment/state.ts";
import {
  advanceAll,
  advanceFromStart,
  makeAnsweredEvent,
  makeConnectedEvent,
  makePaidLeg,
  makePlannedEvent,
  makePurchaseRecord,
  makeReadyState,
  makeSignedEvent,
  makeTerms,
  makeTxHash,
  offeredAt,
  otherWallet,
  plenty,
  signLeg,
  start,
  started,
  toFeeSignature,
  toPlan,
  toSecondSend,
  toSend,
  toSignature,
  wallet,
} from "./parts.ts";

test("the reader can change the paying wallet until a part of the price is signed, and the page reads the state of the new wallet's purchase", () => {
  const change: PayEvent = { type: "change_wallet" };
  const other: PayEvent = { type: "connected", wallet: otherWallet, record: undefined };
  expect(advanceFromStart(...toPlan, change).phase.name).toBe("connect");
  expect(advanceFromStart(...toPlan, change, other)).toMatchObject({
    phase: { name: "funds" },
    wallet: otherWallet,
    funds: undefined,
  });
  const funds: PayEvent = { type: "funds", funds: { ...plenty, usdg: 1n } };
  const stopped = advanceFromStart(...started, makeConnectedEvent(), funds);
  expect(stopped.phase).toMatchObject({ name: "stopped", problem: { code: "insufficient" } });
  expect(advanceAll(stopped, change).phase.name).toBe("connect");
  for (const events of [toSignature, toSend, toFeeSignature]) {
    expect(advanceFromStart(...events, change).phase.name).toBe(advanceFromStart(...events).phase.name);
  }
  // The wallet cannot be changed after the fee is paid, because another wallet would have to pay the fee again.
  const begun = advanceFromStart(
    ...started,
    makeConnectedEvent(makePurchaseRecord({ fee: makePaidLeg("1", "50000") })),
    {
      type: "funds",
      funds: plenty,
    },
  );
  expect(begun.phase.name).toBe("plan");
  expect(advanceAll(begun, change).phase.name).toBe("plan");
});

const permit2 = makePlannedEvent({ method: "permit2", approval: "exact" });
const withGas = { ...plenty, gas: 10_000n };
const allowed = { ...withGas, allowance: 500_000n };

test("an approval that was reverted stops the payment", () => {
  const sent = [
    { type: "funds", funds: withGas },
    permit2,
    { type: "approval_sent", tx: makeTxHash("a") },
  ] as const;
  const mined = { type: "approval_mined", funds: undefined } as const;
  expect(advanceFromStart(...started, makeConnectedEvent(), ...sent, mined)).toMatchObject({
    approval: undefined,
    phase: { name: "stopped", problem: { code: "approvalReverted" }, back: { name: "funds" } },
  });
});

test("a wallet with a sufficient approval signs at once, even without ETH for gas", () => {
  const funds = { ...plenty, allowance: 500_000n };
  expect(
    advanceFromStart(...started, makeConnectedEvent(), { type: "funds", funds }, permit2).phase.name,
  ).toBe("terms");
});

test("a reader without ETH for the approval's gas sees a message and may choose again, and a contract wallet's ETH is not checked", () => {
  const begin = [...started, makeConnectedEvent()];
  const stopped = advanceFromStart(...begin, { type: "funds", funds: plenty }, permit2);
  expect(stopped.phase).toMatchObject({ name: "stopped", problem: { code: "noGas" } });
  expect(advanceAll(stopped, { type: "retry" }, { type: "funds", funds: plenty }).phase).toEqual({
    name: "plan",
  });
  const contract = { ...plenty, isContract: true };
  expect(advanceFromStart(...begin, { type: "funds", funds: contract }, permit2).phase).toEqual({
    name: "approve",
  });
});

test("after a reload, the page waits for an approval that was already sent, and does not send the approval again", () => {
  const state = advanceFromStart(
    ...started,
    makeConnectedEvent(makePurchaseRecord({ approval: makeTxHash("a") })),
  );
  expect(state.phase).toEqual({ name: "approving", tx: makeTxHash("a") });
  expect(advanceAll(state, { type: "approval_mined", funds: allowed }).phase).toEqual({ name: "plan" });
});

test("if the first signature expires before the second is made, the first signature is not used, and no fee is paid", () => {
  const late = advanceFromStart(...toFeeSignature, makeSignedEvent("50000", offeredAt + 271));
  expect(late).toMatchObject({
    phase: { name: "stopped", problem: { code: "late" }, back: { name: "terms", leg: "publisher" } },
    legs: { fee: undefined, publisher: undefined },
  });
  expect(advanceFromStart(...toFeeSignature, makeSignedEvent("50000", offeredAt + 270)).phase.name).toBe(
    "send",
  );
});

test("a payment whose answer was lost is sent again up to six times, and then only at the reader's request", () => {
  let state = advanceFromStart(...toSend);
  for (let times = 1; times < 6; times += 1) {
    state = advanceAll(state, makeAnsweredEvent({ kind: "lost" }), { type: "waited" });
    expect(state.phase).toMatchObject({ name: "send", tries: times });
  }
  state = advanceAll(state, makeAnsweredEvent({ kind: "lost" }));
  expect(state.phase).toMatchObject({ name: "stopped", problem: { code: "unanswered" } });
  expect(advanceAll(state, { type: "retry" }).phase).toEqual({ name: "send", leg: "fee", tries: 0 });
  expect(state.legs.fee).toEqual(signLeg("50000"));
});

test("the page does not wait for a long Retry-After, and the reader decides when to continue", () => {
  const makeBusyEvent = (seconds: number) =>
    makeAnsweredEvent({ kind: "busy", after: seconds, message: "Not before tomorrow.", requestId: "r" });
  expect(advanceFromStart(...toSend, makeBusyEvent(60)).phase).toMatchObject({ name: "pending", after: 60 });
  expect(advanceFromStart(...toSend, makeBusyEvent(61)).phase).toMatchObject({
    name: "stopped",
    problem: { code: "unavailable", detail: "Not before tomorrow." },
    back: { name: "send" },
  });
});

test.each([
  ["permit2_insufficient_balance", "insufficient", "funds"],
  ["permit2_allowance_required", "approvalMissing", "funds"],
  ["permit2_amount_mismatch", "changed", "terms"],
  ["invalid_permit2_recipient_mismatch", "changed", "terms"],
  ["permit2_deadline_expired", "expired", "terms"],
  ["permit2_invalid_nonce", "used", "terms"],
  ["invalid_permit2_signature", "badSignature", "terms"],
  ["anything_else", "refused", "terms"],
])(
  "a 402 answer with the code %s discards the signatures and shows the problem %s",
  (code, problem, back) => {
    const { accepted, resource } = makeTerms("50000");
    const document = { x402Version: 2, error: "No.", code, accepts: [accepted], resource } as const;
    const state = advanceFromStart(...toSend, makeAnsweredEvent({ kind: "terms", document }));
    expect(state.phase).toMatchObject({ name: "stopped", problem: { code: problem }, back: { name: back } });
    expect(state.legs.fee).toBeUndefined();
  },
);

test("the page keeps the signatures after a refusal that does not say whether money was charged", () => {
  const state = advanceFromStart(
    ...toSend,
    makeAnsweredEvent({ kind: "refused", message: "No.", requestId: "r" }),
  );
  expect(state.legs.fee).toEqual(signLeg("50000"));
  expect(advanceAll(state, { type: "retry" }).phase).toMatchObject({ name: "send", leg: "fee" });
});

test("if the author takes the article off sale before the signed fee arrives, the page says that nothing was charged and keeps no signed fee", () => {
  const unlisted = makeAnsweredEvent({ kind: "unlisted", message: "Off sale.", requestId: "r" });
  const state = advanceFromStart(...toSend, unlisted);
  expect(state.phase).toMatchObject({
    name: "stopped",
    problem: { code: "refused", detail: "Off sale.", requestId: "r" },
    back: { name: "funds" },
  });
  expect(state.legs.fee).toBeUndefined();
  // The dialog opens by itself only for an unanswered payment.
  expect(isUnanswered(state.legs)).toBe(false);
  expect(describeMoney(state)).toMatch(/^Nothing was charged\./);
});

test("if the page counts the fee as paid but the service answers that the fee must be paid first, the page asks for the fee again and keeps the publisher's signature", () => {
  const begun = makeConnectedEvent(makePurchaseRecord({ fee: makePaidLeg("1", "50000") }));
  const events = [...started, begun, { type: "funds", funds: plenty }, makePlannedEvent()] as const;
  const state = advanceFromStart(
    ...events,
    { type: "offered", terms: makeTerms("450000") },
    makeSignedEvent("450000"),
    makeAnsweredEvent({ kind: "fee_first" }),
  );
  expect(state.phase).toEqual({ name: "terms", leg: "fee", agreed: "50000" });
  expect(state.legs).toEqual({ fee: undefined, publisher: makeReadyState("450000") });
});

test("after a reload between the two payments, both payments continue without a wallet", () => {
  const begun = makePurchaseRecord({ fee: signLeg("50000"), publisher: makeReadyState("450000") });
  const state = advanceFromStart(
    start,
    { type: "entered", record: begun },
    makeAnsweredEvent({ kind: "paid", tx: makeTxHash("1"), text: undefined }),
  );
  expect(state).toMatchObject({ connected: false, phase: { name: "send", leg: "publisher" } });
});

test("the wallet that paid the fee also pays the rest, unless the reader chooses another wallet", () => {
  const begun = makePurchaseRecord({ fee: makePaidLeg("1", "50000") });
  const event = { type: "connected", wallet: otherWallet, record: undefined } as const;
  const asked = advanceFromStart(start, { type: "entered", record: begun }, event);
  expect(asked.phase).toEqual({ name: "connect" });
  expect(advanceAll(asked, event)).toMatchObject({ wallet: otherWallet, phase: { name: "funds" } });
});

test("after a finished purchase, another wallet in the same tab begins a purchase of its own, and the same wallet is not asked to pay again", () => {
  const paid = makeAnsweredEvent({ kind: "paid", tx: makeTxHash("2"), text: "The text." });
  const again = advanceFromStart(...toSecondSend, paid, ...started);
  const other = advanceAll(again, { type: "connected", wallet: otherWallet, record: undefined });
  expect(other).toMatchObject({
    wallet: otherWallet,
    phase: { name: "funds" },
    legs: { fee: undefined, publisher: undefined },
  });
  expect(sumUnpaid(other)).toBe(500_000n);
  const record = makePurchaseRecord({
    fee: makePaidLeg("1", "50000"),
    publisher: makePaidLeg("2", "450000"),
  });
  expect(advanceAll(again, makeConnectedEvent(record)).phase.name).toBe("unlocked");
});

test("if the price changes, the whole new price is shown before the reader accepts it, and the new fee needs no second consent", () => {
  const offered: PayEvent = { type: "offered", terms: makeTerms("540000") };
  const review = advanceFromStart(...toPlan, makePlannedEvent(), offered);
  expect([review.phase.name, sumUnpaid(review)]).toEqual(["review", 600_000n]);
  const { phase } = advanceAll(review, { type: "agree" }, makeSignedEvent("540000"), feeFirst);
  expect(phase).toEqual({ name: "terms", leg: "fee", agreed: "60000" });
});

test("a payment that the reader left and opens again has the price that the page shows now", () => {
  const again: PayEvent = { type: "start", priceUnits: "600000" };
  expect(advanceFromStart(...toPlan, { type: "leave" }, again).purchase.priceUnits).toBe("600000");
  expect(advanceFromStart(...toPlan, again).purchase.priceUnits).toBe("500000");
});

test("if the price changes after the publisher's part was signed, the reader signs this part again before the fee is charged", () => {
  const changed: PayEvent = { type: "offered", terms: makeTerms("60000") };
  const atFee = advanceFromStart(...toFeeSignature.slice(0, -1), changed);
  expect(atFee).toMatchObject({ legs: { publisher: undefined }, phase: { name: "terms", leg: "publisher" } });
  expect(advanceAll(atFee, { type: "offered", terms: makeTerms("540000") }).phase.name).toBe("review");
  const begun = makePurchaseRecord({ publisher: makeReadyState("450000") });
  const again: PayEvent = { type: "start", priceUnits: "600000" };
  const reopened = advanceFromStart(again, { type: "entered", record: begun }, makeConnectedEvent(begun));
  expect(reopened.legs.publisher).toBeUndefined();
});

test("after a wallet has declined, the page can ask it again at the same step, with fresh payment terms", () => {
  const declined = advanceFromStart(...toFeeSignature, { type: "failed", problem: { code: "rejected" } });
  expect(declined.phase).toMatchObject({ name: "stopped", problem: { code: "rejected" } });
  expect(declined.legs.publisher).toEqual(makeReadyState("450000"));
  expect(advanceAll(declined, { type: "retry" }).phase).toEqual({
    name: "terms",
    leg: "fee",
    agreed: "50000",
  });
});

test("a tab shows the progress of a payment that another tab makes, and shows the text when the payment is finished", () => {
  const following = advanceFromStart(start, { type: "elsewhere", record: undefined });
  expect(following.phase).toEqual({ name: "following", doing: undefined });
  const begun = makePurchaseRecord({ fee: signLeg("50000"), publisher: makeReadyState("450000") });
  expect(advanceFromStart(start, { type: "elsewhere", record: begun }).legs.fee).toEqual(signLeg("50000"));
  const legs = { fee: makePaidLeg("1", "50000"), publisher: signLeg("450000") };
  const seen = advanceAll(following, { type: "seen", wallet, legs, doing: "sending" });
  expect(seen).toMatchObject({
    wallet,
    legs,
    connected: false,
    phase: { name: "following", doing: "sending" },
  });
  expect(advanceAll(seen, { type: "finished", text: "The text." }).phase).toEqual({
    name: "read",
    text: "The text.",
  });
});

// A purse signs both parts of the price with one passkey prompt.
const atOnce: readonly PayEvent[] = [
  ...toPlan,
  makePlannedEvent(),
  { type: "offered", terms: makeTerms("450000"), fee: makeTerms("50000") },
];
const bothSigned: readonly PayEvent[] = [
  ...atOnce,
  { type: "signed", signed: signLeg("450000"), fee: signLeg("50000"), now: offeredAt },
];
const inTime = new Date((offeredAt + 5) * 1000).toISOString();
const feeFirst: PayEvent = { type: "answered", answer: { kind: "fee_first" }, at: inTime };

test("a purse does not send the signed payment of the fee if the fee was paid in another browser", () => {
  const end = advanceFromStart(
    ...bothSigned,
    makeAnsweredEvent({ kind: "paid", tx: makeTxHash("2"), text: "The text." }),
  );
  expect(end.phase.name).toBe("read");
  expect(end.legs.fee).toBeUndefined();
});

test("a purse does not send the fee if the publisher's signed part would expire too early, and signs both parts again", () => {
  const late = new Date((offeredAt + 275) * 1000).toISOString();
  const end = advanceFromStart(...bothSigned, { type: "answered", answer: { kind: "fee_first" }, at: late });
  expect(end.phase).toMatchObject({ name: "stopped", problem: { code: "expired" } });
  expect(end.legs).toEqual({ fee: undefined, publisher: undefined });
  expect(advanceAll(end, { type: "retry" }).phase).toMatchObject({ name: "terms", leg: "publisher" });
});

test("a purse's owner sees a changed price before the purse signs, and afterwards the purse signs each part separately", () => {
  const offered = advanceFromStart(...toPlan, makePlannedEvent(), {
    type: "offered",
    terms: makeTerms("460000"),
    fee: makeTerms("50000"),
  });
  expect(offered.phase).toMatchObject({ name: "review", leg: "publisher", agreed: "450000" });
  const dearFee = advanceFromStart(...toPlan, makePlannedEvent(), {
    type: "offered",
    terms: makeTerms("450000"),
    fee: makeTerms("60000"),
  });
  expect(dearFee.phase).toMatchObject({ name: "sign", leg: "publisher", fee: undefined });
});

test("after a reload, a purse continues with both signatures, without another passkey prompt", () => {
  const kept = makePurchaseRecord({ fee: makeReadyState("50000"), publisher: signLeg("450000") });
  const resumed = advanceFromStart(start, { type: "entered", record: kept });
  expect(resumed.phase).toEqual({ name: "send", leg: "publisher", tries: 0 });
  expect(advanceAll(resumed, feeFirst).phase).toEqual({ name: "send", leg: "fee", tries: 0 });
});
