import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { ignoreFailure } from "./stand-in.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * The folder of builds for the devnet. Each build is named after the time of the last change in its sources. Each build is made in another
 * folder, and then moved by a rename into the folder of builds. A finished build never changes, so many processes can make builds and read
 * builds at once. A build for the devnet contains wallets whose private keys are public, so builds for a stage are kept apart, in
 * `web/dist`.
 */
const builds = join(root, ".local", "sites");

/**
 * The number of builds that are kept on the disk, so that services that still run keep their builds. If there are more builds than this
 * number, the oldest builds are removed.
 */
const buildsKept = 4;

/** The inputs of the site's build: the site's own sources, the schemas that the site and the server share, and the site's dependencies. */
const sources = ["web", "core", "package-lock.json"];

/** The directory for the build of the current sources. The directory exists after `buildSite` has ended. */
export async function findSiteDirectory(): Promise<string> {
  const changes = await Promise.all(sources.map((source) => findLastChange(join(root, source))));
  return join(builds, String(Math.trunc(Math.max(...changes))));
}

/**
 * Builds the site into `directory`, unless this directory already exists. Returns whether a build was made. Throws Error with the builder's
 * message, and leaves no partial build.
 */
export async function buildSite(directory: string, signal: AbortSignal): Promise<boolean> {
  if (await isPathPresent(directory)) return false;
  const draft = join(root, "node_modules", `.site-${randomUUID()}`);
  try {
    await runBuilder(draft, signal);
    await mkdir(builds, { recursive: true });
    await rename(draft, directory);
  } catch (error) {
    // Another process may have made this build first. A rename fails if the target is a directory that contains files.
    if (await isPathPresent(directory)) return false;
    throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  await removeOldBuilds();
  return true;
}

async function removeOldBuilds(): Promise<void> {
  const names = (await readdir(builds)).toSorted((one, other) => Number(other) - Number(one));
  const old = names.slice(buildsKept).map((name) => rm(join(builds, name), { recursive: true, force: true }));
  await Promise.all(old);
}

async function runBuilder(outDir: string, signal: AbortSignal): Promise<void> {
  const worker = new Worker(new URL("site-builder.ts", import.meta.url), { workerData: { outDir } });
  const end = () => void worker.terminate();
  signal.addEventListener("abort", end);
  try {
    // An error in the worker rejects the promise of `once`.
    const [code] = await once(worker, "exit");
    signal.throwIfAborted();
    if (code !== 0) throw new Error(`The builder of the site ended with ${code}.`);
  } finally {
    signal.removeEventListener("abort", end);
  }
}

/** The time of the last change or removal at or below the path, in milliseconds. */
async function findLastChange(path: string): Promise<number> {
  const found = await stat(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const entries = await readdir(path, { withFileTypes: true });
  const below = entries
    .filter(({ name }) => name !== "dist" && name !== "node_modules")
    .map((entry) => findLastChange(join(path, entry.name)));
  // The modification time of the directory that contains `dist` is ignored, because each build for a stage changes it.
  const own = entries.some(({ name }) => name === "dist") ? 0 : found.mtimeMs;
  return Math.max(own, ...(await Promise.all(below)));
}

async function isPathPresent(path: string): Promise<boolean> {
  return (await stat(path).catch(ignoreFailure("ENOENT"))) !== undefined;
}
