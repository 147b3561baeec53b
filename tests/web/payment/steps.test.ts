import { expect, test } from "vitest";
import { countSignaturesLeft, listSteps } from "../../../web/src/payment/dialog/steps.ts";
import type { PayState } from "../../../web/src/payment/state.ts";
import {
  advanceAll,
  advanceFromStart,
  makeAnsweredEvent,
  makeConnectedEvent,
  makePaidLeg,
  makePlannedEvent,
  makePurchaseRecord,
  makeTxHash,
  plenty,
  signLeg,
  start,
  started,
  toFeeSignature,
  toPlan,
  toSecondSend,
  toSend,
  toSignature,
} from "./parts.ts";

const mapSteps = (state: PayState) =>
  Object.fromEntries(listSteps(state).map(({ name, state }) => [name, state]));

test("the steps of a payment by USDG's own signed transfer include no change of network and no approval", () => {
  expect(mapSteps(advanceFromStart(...toSignature))).toEqual({
    sign: "current",
    fee: "waiting",
    publisher: "waiting",
  });
});

test("the two signatures are shown as one step, and each payment as a separate step", () => {
  expect(mapSteps(advanceFromStart(...toFeeSignature))).toMatchObject({ sign: "current", fee: "waiting" });
  expect(mapSteps(advanceFromStart(...toSend))).toEqual({ sign: "done", fee: "busy", publisher: "waiting" });
  expect(mapSteps(advanceFromStart(...toSecondSend))).toEqual({
    sign: "done",
    fee: "done",
    publisher: "busy",
  });
});

test("for a wallet on the wrong network and without an approval, the list also has the steps for network and approval", () => {
  const funds = { ...plenty, onChain: false, gas: 10_000n };
  const state = advanceFromStart(
    ...started,
    makeConnectedEvent(),
    { type: "funds", funds },
    makePlannedEvent({ method: "permit2", approval: "exact" }),
  );
  expect(mapSteps(state)).toEqual({
    network: "current",
    approval: "waiting",
    sign: "waiting",
    fee: "waiting",
    publisher: "waiting",
  });
  expect(mapSteps(advanceAll(state, { type: "on_chain" }))).toMatchObject({ approval: "current" });
});

test("the list of steps marks the step at which the payment stopped", () => {
  const declined = advanceFromStart(...toFeeSignature, { type: "failed", problem: { code: "rejected" } });
  expect(mapSteps(declined)).toEqual({ sign: "failed", fee: "waiting", publisher: "waiting" });
  const pending = advanceFromStart(
    ...toSend,
    makeAnsweredEvent({ kind: "pending", tx: makeTxHash("1"), after: 1 }),
  );
  expect(mapSteps(pending)).toMatchObject({ fee: "busy", publisher: "waiting" });
});

test("after a reload, the step of the fee is shown as busy although no wallet is connected", () => {
  const state = advanceFromStart(start, {
    type: "entered",
    record: makePurchaseRecord({ fee: signLeg("50000") }),
  });
  expect(mapSteps(state)).toMatchObject({ fee: "busy" });
});

test("the wallet must sign every part of the price that it has not yet signed or paid", () => {
  expect(countSignaturesLeft(advanceFromStart(...toPlan))).toBe(2);
  const half = makeConnectedEvent(makePurchaseRecord({ fee: makePaidLeg("1", "50000") }));
  expect(countSignaturesLeft(advanceFromStart(...started, half))).toBe(1);
  expect(countSignaturesLeft(advanceFromStart(...toSend))).toBe(0);
});
