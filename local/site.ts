import { once } from "node:events";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Where the site lies that is built for the devnet: it has wallets whose keys are public, and is never where a build for
 * a stage is looked for.
 */
export const siteDirectory = join(root, ".local", "site");

/** What the site is built from: its own sources, the schemas that it shares with the server, its dependencies. */
const sources = ["web", "core", "package-lock.json"];

/**
 * Builds the site where it is missing or older than its sources; answers whether it did. A build that is broken off
 * leaves the old one in place. Throws an Error with the builder's words.
 */
export async function buildSite(signal: AbortSignal): Promise<boolean> {
  if (await isCurrent()) return false;
  const draft = join(root, "node_modules", `.site-${process.pid}`);
  const former = `${draft}-former`;
  try {
    await runBuilder(draft, signal);
    // Another process may have been quicker, and serve it by now.
    if (await isCurrent()) return false;
    await mkdir(join(root, ".local"), { recursive: true });
    await moved(siteDirectory, former);
    await rename(draft, siteDirectory);
  } finally {
    await Promise.all([draft, former].map((path) => rm(path, { recursive: true, force: true })));
  }
  return true;
}

async function moved(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!isAbsence(error)) throw error;
  }
}

async function runBuilder(outDir: string, signal: AbortSignal): Promise<void> {
  const worker = new Worker(new URL("site-builder.ts", import.meta.url), { workerData: { outDir } });
  const end = () => void worker.terminate();
  signal.addEventListener("abort", end);
  try {
    // An error of the worker rejects this.
    const [code] = await once(worker, "exit");
    signal.throwIfAborted();
    if (code !== 0) throw new Error(`The builder of the site ended with ${code}.`);
  } finally {
    signal.removeEventListener("abort", end);
  }
}

async function isCurrent(): Promise<boolean> {
  const built = await changedAt(join(siteDirectory, "index.html"));
  if (built === undefined) return false;
  const changes = await Promise.all(sources.map((source) => lastChange(join(root, source))));
  return changes.every((change) => change <= built);
}

/** When something at or below the path was last changed or removed, in milliseconds. */
async function lastChange(path: string): Promise<number> {
  const found = await stat(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const entries = await readdir(path, { withFileTypes: true });
  const below = entries
    .filter(({ name }) => name !== "dist" && name !== "node_modules")
    .map((entry) => lastChange(join(path, entry.name)));
  // A build for a stage changes the directory that `dist` lies in.
  const own = entries.some(({ name }) => name === "dist") ? 0 : found.mtimeMs;
  return Math.max(own, ...(await Promise.all(below)));
}

async function changedAt(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

function isAbsence(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
