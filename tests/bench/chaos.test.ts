import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("npm run chaos ends with a table that shows the numbers of sent requests and of broken invariants", async () => {
  const nothing = ["steps", "requests", "readers"].flatMap((part) => [`--${part}`, "0"]);
  const { stdout } = await promisify(execFile)(process.execPath, ["bench/chaos.ts", ...nothing]);
  expect(stdout).toMatch(/^steps of the search +0$/m);
  expect(stdout).toMatch(/^double charges +0$/m);
});
