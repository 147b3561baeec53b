import { expect, test, vi } from "vitest";
import { openPayment } from "../../../web/src/payment/runner.ts";
import { purchase, start } from "./parts.ts";

test("a tab whose reader leaves while the payment opens gives the lock of the press to other tabs", async () => {
  vi.stubGlobal("window", { addEventListener: () => undefined });
  vi.stubGlobal("localStorage", { length: 0 });
  const request = vi.spyOn(navigator.locks, "request");
  const payment = openPayment(purchase);
  payment.tell(start);
  payment.tell({ type: "leave" });
  await vi.waitFor(() => expect(request).toHaveBeenCalled(), 10_000);
  expect(await navigator.locks.request("payment:0", () => "free")).toBe("free");
});
