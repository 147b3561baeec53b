import { expect, test } from "vitest";
import { stepStates } from "../../../web/src/payment/steps.ts";
import { after, answered, connected, record, signed, started, toSend, toSignature, tx } from "./parts.ts";

test("before it begins every step is to come", () => {
  expect(new Set(Object.values(stepStates(after())))).toEqual(new Set(["waiting"]));
});

test("the step that waits for the wallet is the person's turn, what lies before is done", () => {
  expect(stepStates(after(...toSignature))).toEqual({
    wallet: "done",
    network: "done",
    funds: "done",
    allowance: "done",
    fee: "current",
    publisher: "waiting",
    text: "waiting",
  });
});

test("a payment under way is busy", () => {
  const pending = after(...toSend, answered({ kind: "pending", tx: tx("1"), after: 1 }));
  expect(stepStates(pending)).toMatchObject({ fee: "busy", publisher: "waiting" });
});

test("the step that stopped is marked", () => {
  const declined = after(...toSignature, { type: "failed", problem: { code: "rejected" } });
  expect(stepStates(declined)).toMatchObject({ allowance: "done", fee: "failed", publisher: "waiting" });
});

test("without gas it is the allowance that stopped", () => {
  const funds = { usdg: 500_000n, allowance: 0n, gas: 0n };
  const state = after(...started, connected(), { type: "on_chain" }, { type: "funds", funds });
  expect(stepStates(state)).toMatchObject({ funds: "done", allowance: "failed" });
});

test("after a reload the fee is busy though no wallet is connected", () => {
  const state = after({ type: "start" }, { type: "entered", record: record({ fee: signed("50000") }) });
  expect(stepStates(state)).toMatchObject({ wallet: "waiting", network: "done", fee: "busy" });
});
