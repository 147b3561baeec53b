import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { queryClient } from "../../../web/src/api/request.ts";
import { continuesAlone } from "../../../web/src/payment/machine.ts";
import { keepRecord } from "../../../web/src/payment/purchase.ts";
import { openPayment, startPayment } from "../../../web/src/payment/runner.ts";
import { makeInitialState, type PayPhase } from "../../../web/src/payment/state.ts";
import { makePurchaseRecord, purchase, signLeg, start } from "./parts.ts";

beforeEach(() => {
  vi.stubGlobal("window", { addEventListener: () => undefined });
  vi.stubGlobal("localStorage", { length: 0, getItem: () => null });
});
afterEach(() => void vi.unstubAllGlobals());

test("a tab releases the lock of a press if the reader leaves while the payment is being opened", async () => {
  const request = vi.spyOn(navigator.locks, "request");
  const payment = openPayment(purchase);
  payment.tell(start);
  payment.tell({ type: "leave" });
  await vi.waitFor(() => expect(request).toHaveBeenCalled(), 10_000);
  expect(await navigator.locks.request("payment:0", () => "free")).toBe("free");
});

test("a payment ends when its dialog disappears before the reader has agreed, so that another tab may pay", async () => {
  const payment = openPayment({ ...purchase, pressId: 1 });
  const leave = startPayment(payment, purchase.priceUnits);
  await vi.waitFor(() => expect(payment.state().phase.name).toBe("connect"), 10_000);
  leave();
  expect(payment.state().phase.name).toBe("idle");
  expect(await navigator.locks.request("payment:1", () => "free")).toBe("free");
  // A payment whose dialog has disappeared also ends when it comes to a step that needs the reader.
  payment.tell(start);
  expect(payment.state().phase.name).toBe("idle");
});

test("if a payment is refused because the press is off sale, the page loads the press again", async () => {
  const stored: Record<string, string> = Object.create({
    getItem: (key: string) => stored[key] ?? null,
    setItem: (key: string, value: string) => Reflect.set(stored, key, value),
  });
  vi.stubGlobal("localStorage", stored);
  const refusal = { error: "It is off sale.", code: "press_unlisted" };
  vi.stubGlobal("fetch", async () => Response.json(refusal, { status: 409 }));
  keepRecord(makePurchaseRecord({ pressId: 2, fee: signLeg("50000") }));
  const key = ["press", purchase.slug];
  queryClient.setQueryData(key, "on sale");
  const payment = openPayment({ ...purchase, pressId: 2 });
  payment.tell(start);
  await vi.waitFor(() => expect(payment.state().phase.name).toBe("stopped"), 10_000);
  expect(payment.state().phase).toMatchObject({ problem: { detail: refusal.error } });
  expect(queryClient.getQueryState(key)?.isInvalidated).toBe(true);
});

const sending: PayPhase = { name: "send", leg: "fee", tries: 0 };

test.each<[boolean, PayPhase, "offline"?]>([
  [true, sending],
  [true, { name: "network" }],
  [true, { name: "stopped", problem: { code: "offline" }, back: sending }, "offline"],
  [true, { name: "stopped", problem: { code: "unanswered" }, back: sending }, "offline"],
  [false, { name: "stopped", problem: { code: "rejected" }, back: sending }, "offline"],
  [false, { name: "stopped", problem: { code: "unreachable" }, back: sending }],
  [false, { name: "plan" }],
])(
  "an agreed payment continues without its dialog: %s in the phase %j, %s",
  (continues, phase, connection) => {
    const agreed = { ...makeInitialState(purchase), way: { method: "eip3009" } as const };
    expect(continuesAlone({ ...agreed, phase }, connection !== undefined)).toBe(continues);
  },
);
