import { expect, test, vi } from "vitest";

test("a follow that the session from a payment may not send is kept, and is sent after the wallet has signed in", async () => {
  const stored: Record<string, string> = Object.create({
    getItem: (key: string) => stored[key] ?? null,
    setItem: (key: string, value: string) => Reflect.set(stored, key, value),
    removeItem: (key: string) => Reflect.deleteProperty(stored, key),
  });
  vi.stubGlobal("window", { addEventListener: () => undefined });
  vi.stubGlobal("localStorage", stored);
  let answer = Response.json({ error: "Sign in.", code: "sign_in_required" }, { status: 401 });
  vi.stubGlobal("fetch", async () => answer);
  const { drawer } = await import("../../web/src/follow/follow.tsx");
  const { claimFollows, syncFollows } = await import("../../web/src/follow/sync.ts");
  const wallet = `0x${"a1".repeat(20)}`;
  claimFollows(wallet);
  drawer.write("stock:NVDA", { name: "NVIDIA" });
  await syncFollows();
  expect(drawer.read("stock:NVDA")).toEqual({ name: "NVIDIA" });
  claimFollows(wallet);
  const entries = [{ kind: "stock", id: "NVDA", name: "NVIDIA" }];
  answer = Response.json({ revision: 1, hasFeed: false, entries });
  await syncFollows();
  expect(drawer.read("stock:NVDA")).toEqual({ name: "NVIDIA", sent: true });
});
