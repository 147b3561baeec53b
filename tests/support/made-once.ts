import { existsSync } from "node:fs";
import { mkdir, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** Milliseconds after which the process that makes the files counts as dead. */
const longest = 60_000;

/**
 * Lets one process make the files that all test files share, and lets the other processes wait. Without this function, four workers would
 * make the files at once, and each worker would need several seconds of CPU time. `make` must create `path` in one step, and must not fail
 * if another process has already created `path`. If `make` takes too long, its process counts as dead, and a waiting process also runs
 * `make`. A failure of `make` is ignored if `path` exists afterwards.
 */
export async function makeOnce(path: string, make: () => Promise<unknown>): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const lock = `${path}.lock`;
  while (!existsSync(path)) {
    if (!(await takeLock(lock))) {
      await delay(50);
      continue;
    }
    try {
      if (!existsSync(path)) await make();
    } catch (error) {
      if (!existsSync(path)) throw error;
    } finally {
      await rm(lock, { recursive: true, force: true });
    }
  }
}

/** Takes the lock if it is free or its owner is dead. Returns whether this process has the lock now. */
async function takeLock(lock: string): Promise<boolean> {
  try {
    await mkdir(lock);
    return true;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  const taken = await stat(lock).catch(() => undefined);
  if (taken !== undefined && Date.now() - taken.mtimeMs > longest)
    await rm(lock, { recursive: true, force: true });
  return false;
}
