import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { toHex } from "viem/utils";
import { mainnet } from "../core/chain/deployment.ts";
import { concurrencyQuota, runtimeLimits } from "../functions/limits.ts";
import { getTestAccount, testAccountCount } from "./devnet/accounts.ts";
import { DevnetError, startDevnet } from "./devnet/index.ts";
import { seedPresses, seedPrices } from "./seed/index.ts";
import { type Service, startService } from "./service.ts";
import type { StartSettings } from "./settings.ts";
import { buildSite, findSiteDirectory } from "./site.ts";

/** The folders below the service's directory that `--fresh` deletes. `--fresh` does not delete caches. */
const kept = ["chain", "dynamodb", "dynamodb-java", "search", "logs", "queues"];

/**
 * Runs the service until a stop is requested, and then stops the service in an orderly way. Returns the exit code: 0, or 1 if the service
 * could not start or failed. If the exit code is 1, a message is also printed.
 */
export async function run(settings: StartSettings, stop: AbortSignal): Promise<number> {
  try {
    const lock = lockDirectory(settings.directory);
    try {
      if (settings.fresh) await removeData(settings);
      await serve(settings, stop);
    } finally {
      lock.release();
    }
    return 0;
  } catch (error) {
    const known = explainError(settings, error);
    if (known === undefined) console.error("The service failed.", error);
    else console.error(known);
    return 1;
  }
}

async function serve(settings: StartSettings, stop: AbortSignal): Promise<void> {
  const begun = performance.now();
  const failed = new AbortController();
  const directory = await findSiteDirectory();
  const building = buildSiteIfPossible(directory, AbortSignal.any([stop, failed.signal]));
  const service = await start(settings, directory, building).catch(async (error: unknown) => {
    failed.abort();
    await building;
    throw error;
  });
  try {
    const up = formatSeconds(begun);
    const site = await building;
    if (stop.aborted) return;
    const parts = service.took
      .filter(({ part }) => part === "chain" || part === "database")
      .map(({ part, milliseconds }) => `${part} ${(milliseconds / 1000).toFixed(1)} s`);
    const built = site.took === undefined ? [] : [`site built in ${site.took}`];
    console.log(`Up in ${up} (${[...parts, ...built].join(", ")}).`);
    console.log(formatBanner(service, settings, site.there));
    if (settings.seed) await seedSite(service, settings, stop);
    flushCompileCache();
    if (!stop.aborted) await once(stop, "abort");
  } finally {
    console.log("Stopping.");
    await service.stop();
  }
}

function start(settings: StartSettings, site: string, siteBuilt: Promise<unknown>): Promise<Service> {
  const { port, anvilPort, devnetGasPrice: gasPrice, database, directory, modelDailyUsd, rough } = settings;
  const makeDetour = (address: string | undefined) => (address === undefined ? undefined : () => address);
  return startService({
    port,
    database,
    directory,
    startChain: () => startDevnet({ port: anvilPort, directory, gasPrice, log: console.log }),
    site,
    siteBuilt,
    modelDailyUsd,
    rough,
    limits: { ...runtimeLimits.prod, concurrency: concurrencyQuota.prod },
    detours: {
      chain: makeDetour(settings.chainRpcUrl),
      relay: makeDetour(settings.relayRpcUrl),
      model: makeDetour(settings.bedrockUrl),
      market: makeDetour(settings.stockApiUrl),
      news: makeDetour(settings.newsUrl),
    },
  });
}

/** A failed build of the site is only reported, because the API is useful without the site. */
async function buildSiteIfPossible(
  directory: string,
  stop: AbortSignal,
): Promise<{ readonly there: boolean; readonly took: string | undefined }> {
  const begun = performance.now();
  try {
    const built = await buildSite(directory, stop);
    return { there: true, took: built ? formatSeconds(begun) : undefined };
  } catch (error) {
    if (!stop.aborted) console.error("The site could not be built; the API runs without it.", error);
    return { there: false, took: undefined };
  }
}

async function seedSite(
  { origin, rpcUrl, endpoints }: Service,
  { stockApiUrl }: StartSettings,
  signal: AbortSignal,
): Promise<void> {
  const begun = performance.now();
  try {
    // The demo data contains prices only if the stock API is the stand-in, because these prices would not fit the prices of another API.
    if (stockApiUrl === undefined) await seedPrices(endpoints.database, Date.now());
    const count = await seedPresses({
      origin,
      rpcUrl,
      signal,
      onBegin: () => console.log("Publishing the demo presses, which takes some seconds."),
    });
    if (count > 0) console.log(`Published ${count} demo presses in ${formatSeconds(begun)}.`);
  } catch (error) {
    if (!signal.aborted)
      console.error("The demo presses could not be published; everything else works.", error);
  }
}

async function removeData({ directory, database }: StartSettings): Promise<void> {
  if (database.startsWith("http")) console.log(`--fresh leaves the database at ${database} as it is.`);
  await Promise.all(kept.map((name) => rm(join(directory, name), { recursive: true, force: true })));
}

function explainError({ port }: StartSettings, error: unknown): string | undefined {
  if (error instanceof DirectoryInUse || error instanceof DevnetError) return error.message;
  const taken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
  return taken
    ? `Port ${port} is taken by another process. Set PORT to a free port, or stop the other process.`
    : undefined;
}

function formatSeconds(startedAt: number): string {
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
}

/** The text that a person sees after the start: the address, the test accounts, things to try, and the parts that are simulated. */
function formatBanner({ origin, rpcUrl }: Service, settings: StartSettings, site: boolean): string {
  return `
  ${site ? "Site and API" : "API only    "}   ${origin}
  Devnet         ${rpcUrl}  (chain id ${mainnet.chainId})
  Kept in        ${settings.directory}

Accounts: ETH and 10,000 USDG each. These keys are public knowledge, never use them anywhere else.

${listAccounts()}

Try first:

  curl ${origin}/api/presses
  npm run demo                      publishes a press, then pays for it and reads it

Simulated on this machine:

${describeStandIns(settings)}

Ctrl-C ends everything; it is all there again at the next start, unless that is told --fresh.
`;
}

const roles: Readonly<Record<number, string>> = {
  0: "owns the devnet's contracts",
  1: "holds AAPL, NVDA",
  2: "holds TSLA, MSFT",
  3: "holds GOOGL, AAPL",
  4: "publishes demo presses",
  5: "publishes demo presses",
  6: "publishes demo presses",
};

function listAccounts(): string {
  const lines = Array.from({ length: testAccountCount }, (_, index) => {
    const account = getTestAccount(index);
    const key = account.getHdKey().privateKey;
    if (key === null) throw new Error(`Test account ${index} has no key.`);
    return `  ${index}  ${account.address}  ${toHex(key)}  ${roles[index] ?? ""}`.trimEnd();
  });
  return lines.join("\n");
}

function describeStandIns(settings: StartSettings): string {
  const database =
    settings.database === "embedded"
      ? "DynamoDB         embedded, with transactions"
      : `DynamoDB         ${settings.database === "java" ? "AWS's DynamoDB Local" : settings.database}`;
  return [
    `Robinhood Chain  ${settings.chainRpcUrl ?? "anvil, a block every 100 ms while there is something to mine"}`,
    "Lambda, gateway  the real functions behind a small HTTP front, with production's limits",
    database,
    "SQS, S3, Step F. small stand-ins of our own, used through the real AWS clients",
    `Bedrock          ${settings.bedrockUrl ?? "a deterministic stand-in without a model; audits name it in `engine`"}`,
    `Stock API        ${settings.stockApiUrl ?? "a stand-in: invented prices that move slowly, and a year of them"}`,
    `News             ${settings.newsUrl ?? "a stand-in: invented headlines"}`,
    ...(settings.rough === undefined
      ? []
      : [`Rough            chain, table and model delay, conflict and fail, by the seed ${settings.rough}`]),
  ]
    .map((line) => `  ${line}`)
    .join("\n");
}

class DirectoryInUse extends Error {
  override readonly name = "DirectoryInUse";
}

/**
 * Locks a directory for this process, and creates the directory if it is missing. SQLite locks a file through the operating system, so the
 * lock ends with the process even after `kill -9`. Throws `DirectoryInUse`.
 */
function lockDirectory(directory: string): { readonly release: () => void } {
  mkdirSync(directory, { recursive: true });
  const database = new DatabaseSync(join(directory, "lock"));
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (cause) {
    database.close();
    if (!(cause instanceof Error && "errcode" in cause && cause.errcode === SQLITE_BUSY)) throw cause;
    const message = `Another \`npm start\` is using ${directory}. Stop that process, or set LOCAL_DIR to another directory.`;
    throw new DirectoryInUse(message, { cause });
  }
  return { release: () => database.close() };
}

const SQLITE_BUSY = 5;
