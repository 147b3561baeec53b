import { afterEach, expect, test, vi } from "vitest";
import { queryClient } from "../../web/src/api/request.ts";
import { me, refreshPaidSession } from "../../web/src/api/session.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

const payer = `0x${"a1".repeat(20)}`;

test.each([
  { before: payer, kept: "draft" },
  { before: `0x${"b2".repeat(20)}`, kept: undefined },
])(
  "when a session from a payment replaces a session of the wallet $before, the cached data becomes $kept",
  async ({ before, kept }) => {
    let address = before;
    vi.stubGlobal("fetch", async () => Response.json({ address, sessionOrigin: "payment" }));
    expect(await refreshPaidSession(before)).toBe(true);
    const answers = [
      ["mine", "press"],
      ["press", "a-slug"],
    ];
    for (const key of answers) queryClient.setQueryData(key, "draft");
    address = payer;
    expect(await refreshPaidSession(payer)).toBe(true);
    expect(answers.map((key) => queryClient.getQueryData(key))).toEqual([kept, kept]);
  },
);

test("if another wallet signs in on another tab, the former wallet's data is not shown to this wallet", async () => {
  let address = `0x${"c3".repeat(20)}`;
  vi.stubGlobal("fetch", async () => Response.json({ address, sessionOrigin: "signed-in" }));
  const readSession = () => queryClient.fetchQuery({ ...me, staleTime: 0 });
  await readSession();
  queryClient.setQueryData(["mine", "press"], "draft");
  await readSession();
  expect(queryClient.getQueryData(["mine", "press"])).toBe("draft");
  address = payer;
  expect(await readSession()).toBe(payer);
  expect(queryClient.getQueryData(["mine", "press"])).toBeUndefined();
});
