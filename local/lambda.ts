import type { Context } from "aws-lambda";
import * as z from "zod";
import type { RuntimeLimits } from "../functions/limits.ts";
import type { Route } from "../functions/routes.ts";
import type { RunningPart } from "./stand-in.ts";

/** The fields of a row in `routes.ts` or `jobs.ts` that describe the row's function. */
type FunctionRow = Pick<Route, "id" | "file" | "handler" | "timeoutSeconds" | "memoryMb">;

type Handler = (event: unknown, context: Context) => Promise<unknown>;

export type HandlerLoader = (row: Pick<FunctionRow, "file" | "handler">) => Promise<Handler>;

const HandlerModule = z.record(z.string(), z.unknown());
const isHandler = (value: unknown): value is Handler => typeof value === "function";

const root = new URL("..", import.meta.url);

/** Imports a row's file when the file is first needed, and only once per process, as a Lambda function does at a cold start. */
export const importHandler: HandlerLoader = async ({ file, handler }) => {
  const exported: unknown = HandlerModule.parse({ ...(await import(new URL(file, root).href)) })[handler];
  if (isHandler(exported)) return exported;
  throw new TypeError(`${file} exports no function named ${handler}`);
};

/**
 * Runs a row's function as Lambda does, with a context and a time limit; the time for loading the function does not count. Throws the
 * function's error, or an error if the time limit is exceeded. Lambda would end the function at its time limit; this runtime lets the
 * function continue and drops its result.
 */
export async function invoke(
  row: FunctionRow,
  load: HandlerLoader,
  requestId: string,
  event: unknown,
): Promise<unknown> {
  const handler = await load(row);
  const deadline = Date.now() + row.timeoutSeconds * 1000;
  const late = Promise.withResolvers<never>();
  const message = `The function ${row.id} did not answer within its ${row.timeoutSeconds} s.`;
  const timer = setTimeout(() => late.reject(new Error(message)), row.timeoutSeconds * 1000).unref();
  const running = (async () => handler(event, makeContext(row, requestId, deadline)))();
  try {
    return await Promise.race([running, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function makeContext(row: FunctionRow, requestId: string, deadline: number): Context {
  const refuseCallback = () => {
    throw new Error("A handler must return its answer as a promise.");
  };
  return {
    callbackWaitsForEmptyEventLoop: false,
    functionName: row.id,
    functionVersion: "$LATEST",
    invokedFunctionArn: makeFunctionArn(row.id),
    memoryLimitInMB: String(row.memoryMb),
    awsRequestId: requestId,
    logGroupName: `/aws/lambda/${row.id}`,
    logStreamName: "local",
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
    done: refuseCallback,
    fail: refuseCallback,
    succeed: refuseCallback,
  };
}

/** The ARN of a function on the local runtime. */
export function makeFunctionArn(id: string): string {
  return `arn:aws:lambda:us-east-1:000000000000:function:${id}`;
}

/**
 * Replaces EventBridge: runs a job at each interval. The first run is at the start of the service, because an earlier process may have left
 * work unfinished. Two runs of a job never overlap. A failed run is logged, and the next run still happens. `stop` waits for the current
 * run.
 */
export function startSchedule(
  everyMinutes: number,
  id: string,
  run: (event: unknown) => Promise<unknown>,
): RunningPart {
  let running: Promise<unknown> | undefined;
  const startRun = () => {
    running ??= run({ source: "aws.events", time: new Date().toISOString() })
      .catch((error: unknown) => console.error(`The scheduled ${id} failed:`, error))
      .finally(() => {
        running = undefined;
      });
  };
  startRun();
  const timer = setInterval(startRun, everyMinutes * 60_000);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

/** The limits of a stage, and the number of function runs that the stage's AWS account allows at once. */
export type CapacityLimits = RuntimeLimits & { readonly concurrency: number };

/** Counts the requests at the gateway and the runs of functions in Lambda, and refuses what exceeds the limits. */
export type Capacity = {
  /** Counts one request against a route's throttle. Returns false if the throttle's burst and rate allow no further request now. */
  readonly admitRequest: (id: string) => boolean;
  /**
   * Runs `work`, and counts it as a run of the given function. Throws `TooManyRuns` if the function already has as many runs as it may
   * have.
   */
  readonly run: <Result>(id: string, work: () => Promise<Result>) => Promise<Result>;
};

/** Lambda's refusal to start another run, with the error name that Step Functions knows. */
export class TooManyRuns extends Error {
  override readonly name = "Lambda.TooManyRequestsException";

  constructor(id: string) {
    super(`All allowed runs of the function ${id} are in use.`);
  }
}

/** A capacity without limits: it refuses no request and no run. */
export const unlimited: Capacity = { admitRequest: () => true, run: (_id, work) => work() };

/**
 * Applies a stage's limits as AWS does: a token bucket for each route (API Gateway), reserved runs for
 * functions with a reservation, and the account's remaining runs for all other functions (Lambda).
 * @param now monotonic milliseconds
 */
export function makeCapacity(limits: CapacityLimits, now: () => number = () => performance.now()): Capacity {
  const buckets = new Map<string, { tokens: number; at: number }>();
  const throttles = new Map(Object.entries(limits.routes));
  const reserved = new Map(Object.entries(limits.reserved));
  const others = Object.values(limits.reserved).reduce((left, runs) => left - runs, limits.concurrency);
  const running = new Map<string, number>();
  return {
    admitRequest(id) {
      const { rate, burst } = throttles.get(id) ?? limits.gateway;
      const at = now();
      const bucket = buckets.get(id) ?? { tokens: burst, at };
      const tokens = Math.min(burst, bucket.tokens + ((at - bucket.at) / 1000) * rate);
      const admitted = tokens >= 1;
      buckets.set(id, { tokens: admitted ? tokens - 1 : tokens, at });
      return admitted;
    },
    async run(id, work) {
      const pool = reserved.has(id) ? id : unreserved;
      const taken = running.get(pool) ?? 0;
      if (taken >= (reserved.get(id) ?? others)) throw new TooManyRuns(id);
      running.set(pool, taken + 1);
      try {
        return await work();
      } finally {
        running.set(pool, (running.get(pool) ?? 1) - 1);
      }
    },
  };
}

/** The name of the pool that all functions without a reservation share. No function has an empty name. */
const unreserved = "";
