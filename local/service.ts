import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { toAddress } from "../core/chain/hex.ts";
import { makeAuditMachine } from "../functions/audit.asl.ts";
import { type Job, jobs, queues } from "../functions/jobs.ts";
import { startBedrock } from "./bedrock/index.ts";
import { type BucketContents, startBucket } from "./bucket.ts";
import { type DatabaseEngine, ensureTable, startDatabase } from "./database/index.ts";
import { placeStockTokens } from "./devnet/deploy.ts";
import { makeRandomFaults, startProvider } from "./devnet/provider.ts";
import { type LocalFront, startFront } from "./front/index.ts";
import { type EdgeLog, makeEdgeLog } from "./front/log.ts";
import {
  type Capacity,
  type CapacityLimits,
  type HandlerLoader,
  importHandler,
  invoke,
  makeCapacity,
  makeFunctionArn,
  startSchedule,
  unlimited,
} from "./lambda.ts";
import { makeExtraAssets } from "./market/assets.ts";
import { startMarket } from "./market/index.ts";
import { type QueueSettings, type Queues, startQueues } from "./queue/index.ts";
import { enforceRights } from "./rights.ts";
import { makeFunctionEnv, makeSdkEnv, type ServiceEndpoints, setEnvironment, tableName } from "./settings.ts";
import {
  type Dice,
  ignoreFailure,
  makePartStarter,
  makeRandomSource,
  type PartStarter,
  type RunningPart,
  type StartDuration,
  suppressFaults,
  waitForAll,
} from "./stand-in.ts";
import { startWorkflows } from "./workflow/index.ts";

/** A function that gets the address of one part of the service, and returns the address that the service uses instead. */
export type Detour = (endpoint: string) => string | Promise<string>;

export type ServiceOptions = {
  /** The port of the site and the API; 0 means any free port. */
  readonly port: number;
  readonly database: DatabaseEngine;
  /** The directory of the database and the queues. Without a directory, the database and the queues are kept in memory. */
  readonly directory?: string | undefined;
  readonly startChain: () => Promise<RunningPart & { readonly rpcUrl: string }>;
  /** The built site. Without a built site, only the API answers. */
  readonly site?: string | undefined;
  /**
   * A promise that resolves when the build of the site has ended, even if the build failed. If this promise is absent, the site is already
   * built.
   */
  readonly siteBuilt?: Promise<unknown> | undefined;
  /** The model's daily budgets, in the form of `MODEL_DAILY_USD`. */
  readonly modelDailyUsd?: string | undefined;
  /**
   * A seed for random delays, conflicts and failures of the stand-ins, which imitate the faults of the real services. Without a seed, the
   * stand-ins are fast and never fail.
   */
  readonly rough?: string | undefined;
  /**
   * As long as this function returns true, the stand-ins cause no faults, even if `rough` is set. Without this function, the stand-ins may
   * cause faults at any time.
   */
  readonly isCalm?: (() => boolean) | undefined;
  /** Environment variables that override the functions' variables; `functions/lib/environment.ts` has the names of the variables. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /**
   * A stage's limits on requests and on runs of functions. The local service applies these limits as AWS does. By default, the local
   * service limits neither the number of requests nor the number of runs.
   */
  readonly limits?: CapacityLimits | undefined;
  /**
   * Functions that put a proxy between the service and its parts. Each function belongs to one part, and returns the address of this part's
   * proxy. For example, a test's proxy can make requests fail.
   */
  readonly detours?: Readonly<Partial<Record<keyof ServiceEndpoints, Detour | undefined>>> | undefined;
};

export type Service = {
  /** The common origin of site and API, `http://localhost:PORT`. */
  readonly origin: string;
  /** The address of the chain itself, without a proxy. */
  readonly rpcUrl: string;
  /** The addresses that the service uses for its parts. */
  readonly endpoints: ServiceEndpoints;
  readonly took: readonly StartDuration[];
  /** Stops the front first, and then the other parts in the reverse order of their starts. */
  readonly stop: () => Promise<void>;
};

const siteBucket = "site";
const searchBucket = "search";
const logBucket = "logs";
const deadLetterVisibilitySeconds = 30;
const auditMachineArn = "arn:aws:states:us-east-1:000000000000:stateMachine:audit";
/** Clients and servers run in this one process, so a busy machine delays the clients as well as the servers. */
const sharedProcessTimeoutMs = 60_000;
const usualModelDailyUsd = "10,5,2.5,0.5";

let used = false;

/**
 * Starts the whole service on this machine: the real functions and adapters, with stand-ins for the cloud. Early requests wait until the
 * whole service has started. If a part fails to start, the parts that have started are stopped. A process can start the service only once,
 * because functions make their adapters from the process's environment only once.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  if (used)
    throw new Error(
      "This process has started a service before, and its functions still use the ports of that service.",
    );
  const up = Promise.withResolvers<void>();
  const load: HandlerLoader = async (row) => {
    await up.promise;
    return importHandler(row);
  };
  const capacity = options.limits === undefined ? unlimited : makeCapacity(options.limits);
  const logs = openFiles(options.directory && join(options.directory, logBucket));
  const edgeLog = makeEdgeLog(logs.write);
  const front = await startFront({
    port: options.port,
    site: options.site,
    load,
    capacity,
    log: edgeLog.add,
  });
  used = true;
  const parts = makePartStarter();
  parts.atEnd(enforceRights().stop);
  const stop = async () => {
    await front.stop();
    await edgeLog.storeLines();
    await parts.stop();
  };
  try {
    const service = await startParts(options, front, parts, capacity, { logs, edgeLog });
    up.resolve();
    return { origin: front.origin, ...service, took: parts.took(), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(
  {
    database: engine,
    directory,
    startChain,
    modelDailyUsd = usualModelDailyUsd,
    rough,
    isCalm = () => false,
    environment = {},
    detours = {},
    site,
    siteBuilt,
  }: ServiceOptions,
  { origin }: LocalFront,
  parts: PartStarter,
  capacity: Capacity,
  { logs, edgeLog }: { readonly logs: Required<BucketContents>; readonly edgeLog: EdgeLog },
): Promise<Pick<Service, "rpcUrl" | "endpoints">> {
  // A person who sets a model endpoint may also set the credentials for this endpoint.
  parts.atEnd(setEnvironment(makeSdkEnv(detours.model !== undefined || engine.startsWith("http"))));
  const makeDice = (part: string) =>
    rough === undefined ? undefined : suppressFaults(makeRandomSource(rough, part), isCalm);
  // The real API lists so many stocks that the first read of the list is slow. The stand-in of the stock API therefore lists few stocks;
  // with a `rough` seed, it lists about as many stocks as the real API.
  const further = rough === undefined ? [] : makeExtraAssets(195);
  const [chain, database, running, workflows, model, market, bucket] = await waitForAll([
    parts.start("chain", startChain),
    parts.start("database", () => openDatabase(engine, directory, makeDice("database"))),
    parts.start("queues", () => startQueues({ directory, queues: listQueues(), rough: makeDice("queues") })),
    parts.start("workflows", () => startWorkflows(makeAuditWorkflow(capacity))),
    parts.start("model", () => startBedrock({ rough: makeDice("model") })),
    parts.start("market", () => startMarket({ further })),
    parts.start("files", () =>
      startBucket({
        buckets: {
          [siteBucket]: { read: openDeployedFiles(site, siteBuilt) },
          [searchBucket]: openFiles(directory && join(directory, searchBucket)),
          // The edge log's latest lines are stored before the log files are listed, so that the list is complete.
          [logBucket]: { ...logs, list: (prefix) => edgeLog.storeLines().then(() => logs.list(prefix)) },
        },
      }),
    ),
  ]);
  const tokens = further.map(({ address }) => toAddress(address));
  await placeStockTokens(chain.rpcUrl, tokens);
  const chainDice = makeDice("chain");
  const provider =
    chainDice === undefined
      ? undefined
      : await parts.start("provider", () => startProvider(chain.rpcUrl, makeRandomFaults(chainDice)));
  const applyDetour = async (part: keyof ServiceEndpoints, direct: string) =>
    (await detours[part]?.(direct)) ?? direct;
  const node = await applyDetour("chain", provider?.endpoint ?? chain.rpcUrl);
  const endpoints: ServiceEndpoints = {
    chain: node,
    relay: await applyDetour("relay", node),
    database: await applyDetour("database", database.endpoint),
    queues: await applyDetour("queues", running.endpoint),
    workflows: await applyDetour("workflows", workflows.endpoint),
    model: await applyDetour("model", model.endpoint),
    market: await applyDetour("market", market.endpoint),
    news: await applyDetour("news", `${market.endpoint}/news`),
    files: await applyDetour("files", bucket.endpoint),
  };
  const variables = {
    ...makeFunctionEnv(origin, endpoints),
    MINT_QUEUE_URL: running.queueUrl("mints"),
    VERDICT_QUEUE_URL: running.queueUrl("verdicts"),
    PUSH_QUEUE_URL: running.queueUrl("pushes"),
    SITE_BUCKET: siteBucket,
    SEARCH_BUCKET: searchBucket,
    LOG_BUCKET: logBucket,
    AUDIT_MACHINE_ARN: auditMachineArn,
    MODEL_DAILY_USD: modelDailyUsd,
    // If a variable is `undefined`, the functions use their own default. Without a `rough` seed, `STATE_LAG_MS` is 0, because the devnet
    // shows a transaction's new state together with the receipt.
    SDK_TIMEOUT_MS: rough === undefined ? String(sharedProcessTimeoutMs) : undefined,
    STATE_LAG_MS: rough === undefined ? "0" : undefined,
  };
  parts.atEnd(setEnvironment({ ...variables, ...environment }));
  await startJobs(parts, running, capacity);
  return { rpcUrl: chain.rpcUrl, endpoints };
}

/** Functions read one file of the site's bucket, `index.html`; each read waits until the build of the site has ended. */
function openDeployedFiles(site: string | undefined, siteBuilt: Promise<unknown> | undefined) {
  return async (key: string) => {
    await siteBuilt;
    return site === undefined || key !== "index.html" ? undefined : readFileIfPresent(join(site, key));
  };
}

/** Stores files in the given directory; without a directory, stores them in memory until the service stops. */
function openFiles(directory: string | undefined): Required<BucketContents> {
  const inMemory = new Map<string, Buffer>();
  const select = (keys: readonly string[], prefix: string) =>
    keys.filter((key) => key.startsWith(prefix)).toSorted();
  if (directory === undefined)
    return {
      read: async (key) => inMemory.get(key),
      write: async (key, body) => void inMemory.set(key, body),
      list: async (prefix) => select([...inMemory.keys()], prefix),
    };
  const makePath = (key: string) => join(directory, encodeURIComponent(key));
  return {
    read: (key) => readFileIfPresent(makePath(key)),
    async write(key, body) {
      await mkdir(directory, { recursive: true });
      // A rename replaces the file, so a reader never sees half of the file.
      await writeFile(`${makePath(key)}.new`, body);
      await rename(`${makePath(key)}.new`, makePath(key));
    },
    async list(prefix) {
      await mkdir(directory, { recursive: true });
      const names = (await readdir(directory)).filter((name) => !name.endsWith(".new"));
      return select(names.map(decodeURIComponent), prefix);
    },
  };
}

function readFileIfPresent(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch(ignoreFailure("ENOENT"));
}

async function openDatabase(engine: DatabaseEngine, directory: string | undefined, dice: Dice | undefined) {
  const database = await startDatabase({ engine, directory, rough: dice });
  try {
    await ensureTable(database.endpoint, tableName);
    return database;
  } catch (error) {
    await database.stop();
    throw error;
  }
}

function listQueues(): readonly QueueSettings[] {
  const dead = queues.map(({ deadLetterQueue: name }) => ({
    name,
    visibilitySeconds: deadLetterVisibilitySeconds,
  }));
  return [...queues, ...dead];
}

/** Starts each job that a queue or a schedule triggers. The jobs with another trigger are called by the workflow or by operators. */
function startJobs(parts: PartStarter, running: Queues, capacity: Capacity) {
  const starts = jobs.flatMap((job) => {
    const { trigger } = job;
    const handler = makeJobRunner(job, capacity);
    if (trigger.kind === "queue")
      return [parts.start(job.id, async () => running.consume(trigger.queue, { ...trigger, handler }))];
    if (trigger.kind === "schedule")
      return [parts.start(job.id, async () => startSchedule(trigger.everyMinutes, job.id, handler))];
    return [];
  });
  return waitForAll(starts);
}

function makeAuditWorkflow(capacity: Capacity) {
  const steps = jobs.filter((job) => job.trigger.kind === "step");
  const tasks = Object.fromEntries(
    steps.map((job) => [makeFunctionArn(job.id), makeJobRunner(job, capacity)]),
  );
  return { arn: auditMachineArn, definition: makeAuditMachine(makeFunctionArn), tasks };
}

/** Calls the function of a job in the same way as the job's trigger does. */
function makeJobRunner(job: Job, capacity: Capacity): (event: unknown) => Promise<unknown> {
  return (event) => capacity.run(job.id, () => invoke(job, importHandler, randomUUID(), event));
}
