import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { spawnGuarded } from "../../../local/database/index.ts";

const parent = fileURLToPath(new URL("guarding.ts", import.meta.url));

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // The error ESRCH means that there is no such process.
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

test("the stop function waits until the program has ended in order", async () => {
  const orderly =
    "process.on('SIGTERM', () => setTimeout(() => { console.log('saved'); process.exit(3); }, 50));";
  const guarded = spawnGuarded(process.execPath, [
    "-e",
    `${orderly} setInterval(() => {}, 1000); console.log('up');`,
  ]);
  await vi.waitFor(() => expect(guarded.output()).toContain("up"), 60_000);
  await guarded.stop();
  expect(guarded.output()).toContain("saved");
  expect(await guarded.exited).toEqual({ code: 3, signal: null });
});

test("the start of a program that does not exist is reported as an error", async () => {
  const guarded = spawnGuarded("no-such-program", []);
  expect(await guarded.exited).toMatchObject({ code: 127 });
  expect(guarded.output()).toContain("no-such-program");
});
