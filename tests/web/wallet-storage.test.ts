import { afterEach, expect, test, vi } from "vitest";
import { safeStorage } from "../../web/src/wallet/wallets.ts";

afterEach(() => void vi.unstubAllGlobals());

test("if the browser blocks storage, storing the connected wallet fails without an error", () => {
  const block = () => {
    throw new DOMException("Blocked.", "SecurityError");
  };
  vi.stubGlobal("localStorage", { getItem: block, setItem: block, removeItem: block });
  safeStorage.setItem("wallet.store", "{}");
  safeStorage.removeItem("wallet.store");
  expect(safeStorage.getItem("wallet.store")).toBeNull();
});
