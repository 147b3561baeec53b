import { afterEach, expect, test, vi } from "vitest";
import { reportOffline } from "../../infra/deploy/offline.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

test("a command that cannot reach AWS says within half a minute which host it waits for, and that nothing was changed", async () => {
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  // No resolver knows a name that ends in `.invalid` (RFC 6761).
  expect(await reportOffline("sts.us-east-1.invalid")).toBe(true);
  expect(said.mock.calls.flat().join(" ")).toMatch(
    /sts\.us-east-1\.invalid has no address.*Nothing was changed/,
  );
});
