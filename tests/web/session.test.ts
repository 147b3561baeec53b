import { afterEach, expect, test, vi } from "vitest";
import { queryClient } from "../../web/src/api/request.ts";
import { me, refreshPaidSession } from "../../web/src/api/session.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

test.each([
  { before: "the same wallet", kept: "draft" },
  { before: "another wallet", kept: undefined },
])("after a payment session, the data of $before is $kept", async ({ before, kept }) => {
  const payer = `0x${"a1".repeat(20)}`;
  vi.stubGlobal("fetch", async () => Response.json({ address: payer, sessionOrigin: "payment" }));
  queryClient.setQueryData(me.queryKey, before === "the same wallet" ? payer : `0x${"b2".repeat(20)}`);
  queryClient.setQueryData(["mine", "press"], "draft");
  expect(await refreshPaidSession(payer)).toBe(true);
  expect(queryClient.getQueryData(["mine", "press"])).toBe(kept);
});
