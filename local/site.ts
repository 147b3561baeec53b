import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { access, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Where builds for the devnet lie, each under the time of its sources' last change: it is written elsewhere, comes here in one
 * step and never changes, so that any number of processes build and read at once. These builds have wallets whose keys are
 * public; a build for a stage is never looked for here.
 */
const builds = join(root, ".local", "sites");

/** Others are removed: enough for services that still run. */
const buildsKept = 4;

/** What the site is built from: its own sources, the schemas that it shares with the server, its dependencies. */
const sources = ["web", "core", "package-lock.json"];

/** Where the site lies that is built from the sources as they are now, once `buildSite` has made it. */
export async function siteDirectory(): Promise<string> {
  const changes = await Promise.all(sources.map((source) => lastChange(join(root, source))));
  return join(builds, String(Math.trunc(Math.max(...changes))));
}

/**
 * Builds the site into its directory where it is not there yet; answers whether it did. Throws an Error with the builder's
 * words, and leaves nothing half built.
 */
export async function buildSite(directory: string, signal: AbortSignal): Promise<boolean> {
  if (await isThere(directory)) return false;
  const draft = join(root, "node_modules", `.site-${randomUUID()}`);
  try {
    await runBuilder(draft, signal);
    await mkdir(builds, { recursive: true });
    await rename(draft, directory);
  } catch (error) {
    // Another process may have been quicker: a directory with files is not replaced.
    if (await isThere(directory)) return false;
    throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  await removeOldest();
  return true;
}

async function removeOldest(): Promise<void> {
  const names = (await readdir(builds)).toSorted((one, other) => Number(other) - Number(one));
  const old = names.slice(buildsKept).map((name) => rm(join(builds, name), { recursive: true, force: true }));
  await Promise.all(old);
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

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}
