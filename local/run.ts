import { rm } from "node:fs/promises";
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { banner } from "./banner.ts";
import { DevnetError, startDevnet } from "./devnet/index.ts";
import { DirectoryInUse, lockDirectory } from "./lock.ts";
import { seedPresses } from "./seed/index.ts";
import { type Service, startService } from "./service.ts";
import type { Settings } from "./settings.ts";
import { buildSite, siteDirectory } from "./site.ts";

/** Everything that a start keeps below its directory and that `--fresh` forgets; caches may stay. */
const kept = ["chain", "dynamodb", "dynamodb-java", "files", "queues.jsonl"];

/**
 * Runs the service until it is asked to stop, then ends it in order. Answers the exit code: 1 where it could not start,
 * having said why.
 */
export async function run(settings: Settings, stop: AbortSignal): Promise<number> {
  try {
    const lock = lockDirectory(settings.directory);
    try {
      if (settings.fresh) await forget(settings);
      await serve(settings, stop);
    } finally {
      lock.release();
    }
    return 0;
  } catch (error) {
    const known = explanation(settings, error);
    if (known === undefined) console.error("The service failed.", error);
    else console.error(known);
    return 1;
  }
}

async function serve(settings: Settings, stop: AbortSignal): Promise<void> {
  const begun = performance.now();
  const failed = new AbortController();
  const building = builtSite(AbortSignal.any([stop, failed.signal]));
  const service = await start(settings, building).catch(async (error: unknown) => {
    failed.abort();
    await building;
    throw error;
  });
  try {
    const up = seconds(begun);
    const site = await building;
    if (stop.aborted) return;
    const parts = service.took
      .filter(({ part }) => part === "chain" || part === "database")
      .map(({ part, milliseconds }) => `${part} ${(milliseconds / 1000).toFixed(1)} s`);
    const built = site.took === undefined ? [] : [`site built in ${site.took}`];
    console.log(`Up in ${up} (${[...parts, ...built].join(", ")}).`);
    console.log(banner({ ...service, settings, site: site.there }));
    if (settings.seed) await seed(service, stop);
    flushCompileCache();
    await aborted(stop);
  } finally {
    console.log("Stopping.");
    await service.stop();
  }
}

function start(settings: Settings, siteBuilt: Promise<unknown>): Promise<Service> {
  const { port, anvilPort, database, directory, modelDailyUsd, rough } = settings;
  const log = (message: string) => console.log(message);
  const to = (address: string | undefined) => (address === undefined ? undefined : () => address);
  return startService({
    port,
    database,
    directory,
    startChain: () => startDevnet({ port: anvilPort, directory, log }),
    site: siteDirectory,
    siteBuilt,
    modelDailyUsd,
    rough,
    detours: {
      chain: to(settings.chainRpcUrl),
      relay: to(settings.relayRpcUrl),
      model: to(settings.bedrockUrl),
      market: to(settings.stockApiUrl),
      news: to(settings.newsUrl),
    },
  });
}

/** The API is of use without the site, so a site that cannot be built is told and done without. */
async function builtSite(
  stop: AbortSignal,
): Promise<{ readonly there: boolean; readonly took: string | undefined }> {
  const begun = performance.now();
  try {
    const built = await buildSite(stop);
    return { there: true, took: built ? seconds(begun) : undefined };
  } catch (error) {
    if (!stop.aborted) console.error("The site could not be built; the API runs without it.", error);
    return { there: false, took: undefined };
  }
}

async function seed({ origin, rpcUrl }: Service, signal: AbortSignal): Promise<void> {
  const begun = performance.now();
  try {
    const count = await seedPresses({ origin, rpcUrl, signal });
    if (count > 0) console.log(`Published ${count} demo presses in ${seconds(begun)}.`);
  } catch (error) {
    if (!signal.aborted) console.error("The demo presses could not be published; all else works.", error);
  }
}

async function forget({ directory, database }: Settings): Promise<void> {
  if (database.startsWith("http")) console.log(`--fresh leaves the database at ${database} as it is.`);
  await Promise.all(kept.map((name) => rm(join(directory, name), { recursive: true, force: true })));
}

function explanation({ port }: Settings, error: unknown): string | undefined {
  if (error instanceof DirectoryInUse || error instanceof DevnetError) return error.message;
  const taken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
  return taken ? `Port ${port} is taken by another process. Set PORT to a free one, or stop it.` : undefined;
}

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  signal.addEventListener("abort", () => resolve(), { once: true });
  return promise;
}

function seconds(begun: number): string {
  return `${((performance.now() - begun) / 1000).toFixed(1)} s`;
}
