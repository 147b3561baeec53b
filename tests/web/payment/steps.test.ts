import { expect, test } from "vitest";
import { signaturesLeft, stepsOf } from "../../../web/src/payment/dialog/steps.ts";
import type { State } from "../../../web/src/payment/state.ts";
import {
  after,
  answered,
  connected,
  from,
  paid,
  planned,
  plenty,
  record,
  sign,
  started,
  toFeeSignature,
  toPlan,
  toSecondSend,
  toSend,
  toSignature,
  tx,
} from "./parts.ts";

const steps = (state: State) => Object.fromEntries(stepsOf(state).map(({ name, state }) => [name, state]));

test("a payment by USDG's own signature needs neither a change of network nor an approval", () => {
  expect(steps(after(...toSignature))).toEqual({ sign: "current", fee: "waiting", publisher: "waiting" });
});

test("both signatures are one step, and each payment is one", () => {
  expect(steps(after(...toFeeSignature))).toMatchObject({ sign: "current", fee: "waiting" });
  expect(steps(after(...toSend))).toEqual({ sign: "done", fee: "busy", publisher: "waiting" });
  expect(steps(after(...toSecondSend))).toEqual({ sign: "done", fee: "done", publisher: "busy" });
});

test("a wallet on another network without an approval has two more steps", () => {
  const funds = { ...plenty, onChain: false, gas: 10_000n };
  const state = after(
    ...started,
    connected(),
    { type: "funds", funds },
    planned({ method: "permit2", approval: "exact" }),
  );
  expect(steps(state)).toEqual({
    network: "current",
    approval: "waiting",
    sign: "waiting",
    fee: "waiting",
    publisher: "waiting",
  });
  expect(steps(from(state, { type: "on_chain" }))).toMatchObject({ approval: "current" });
});

test("the step that stopped is marked", () => {
  const declined = after(...toFeeSignature, { type: "failed", problem: { code: "rejected" } });
  expect(steps(declined)).toEqual({ sign: "failed", fee: "waiting", publisher: "waiting" });
  const pending = after(...toSend, answered({ kind: "pending", tx: tx("1"), after: 1 }));
  expect(steps(pending)).toMatchObject({ fee: "busy", publisher: "waiting" });
});

test("after a reload the fee's step is busy though no wallet is connected", () => {
  const state = after({ type: "start" }, { type: "entered", record: record({ fee: sign("50000") }) });
  expect(steps(state)).toMatchObject({ fee: "busy" });
});

test("the wallet is asked for every part that is neither signed nor paid", () => {
  expect(signaturesLeft(after(...toPlan))).toBe(2);
  const half = connected(record({ fee: paid("1", "50000") }));
  expect(signaturesLeft(after(...started, half))).toBe(1);
  expect(signaturesLeft(after(...toSend))).toBe(0);
});
