import { afterEach, expect, test, vi } from "vitest";
import * as z from "zod";
import { openLocalStore, tryKeep } from "../../web/src/store.ts";
import { safeStorage } from "../../web/src/wallet/wallets.ts";

afterEach(() => void vi.unstubAllGlobals());

const block = () => {
  throw new DOMException("Blocked.", "SecurityError");
};

test.each([
  ["blocks storage", { getItem: block, setItem: block, removeItem: block }],
  ["has no storage", null],
])(
  "if the browser %s, the site starts, and storing the connected wallet fails without an error",
  (_, storage) => {
    vi.stubGlobal("localStorage", storage);
    safeStorage.setItem("wallet.store", "{}");
    safeStorage.removeItem("wallet.store");
    expect(safeStorage.getItem("wallet.store")).toBeNull();
    const { read, all, write, remove } = openLocalStore("follow", z.string());
    remove("a");
    expect([read("a"), all(), tryKeep(() => write("a", "b"))]).toEqual([undefined, [], false]);
  },
);
