import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";

const parent = fileURLToPath(new URL("guarding.ts", import.meta.url));

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // The error ESRCH means that no process has the given id.
    return false;
  }
}

test("a guarded program ends when its parent is killed with kill -9", async () => {
  const child = spawn(process.execPath, [parent], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(createInterface(child.stdout), "line");
  const pid = Number(line);
  expect(isAlive(pid)).toBe(true);
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 60_000);
});
