import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { endProcess, isAnyAlive, waitForEnd } from "../support/start.ts";

const parent = fileURLToPath(new URL("guarding.ts", import.meta.url));

test("a guarded program ends when its parent is killed with kill -9", async () => {
  const child = spawn(process.execPath, [parent], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(createInterface(child.stdout), "line");
  const pid = Number(line);
  expect(isAnyAlive([pid])).toBe(true);
  await endProcess(child, "SIGKILL");
  await waitForEnd([pid]);
});
