import { setTimeout as delay } from "node:timers/promises";
import type { Context } from "aws-lambda";
import * as z from "zod";
import type { Part } from "./stand-in.ts";

/** What a row of `routes.ts` or `jobs.ts` says about its function. */
type FunctionRow = {
  readonly id: string;
  /** Relative to the project's root. */
  readonly file: string;
  /** The name under which the file exports the handler. */
  readonly handler: string;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
};

type Handler = (event: unknown, context: Context) => Promise<unknown>;

/** Finds the handler of a row. */
export type Load = (row: Pick<FunctionRow, "file" | "handler">) => Promise<Handler>;

/** A function that did not answer in the time that its row allows. Lambda would end it; here it runs on unheard. */
export class FunctionTimeout extends Error {
  override readonly name = "FunctionTimeout";

  constructor({ id, timeoutSeconds }: FunctionRow) {
    super(`The function ${id} did not answer within its ${timeoutSeconds} s.`);
  }
}

const HandlerModule = z.record(z.string(), z.unknown());
const isHandler = (value: unknown): value is Handler => typeof value === "function";

const root = new URL("..", import.meta.url);

/** Imports a row's file, once a process and not before it is needed, as a Lambda's cold start does. */
export const importHandler: Load = async ({ file, handler }) => {
  const exported: unknown = HandlerModule.parse({ ...(await import(new URL(file, root).href)) })[handler];
  if (isHandler(exported)) return exported;
  throw new TypeError(`${file} exports no function named ${handler}`);
};

/**
 * Runs a row's function as Lambda does, with its own context and time limit; loading it does not count.
 * Throws what the function throws, or `FunctionTimeout`.
 */
export async function invoke(
  row: FunctionRow,
  load: Load,
  requestId: string,
  event: unknown,
): Promise<unknown> {
  const handler = await load(row);
  const answered = new AbortController();
  const deadline = Date.now() + row.timeoutSeconds * 1000;
  const late = delay(row.timeoutSeconds * 1000, undefined, { signal: answered.signal, ref: false }).then(
    () => {
      throw new FunctionTimeout(row);
    },
  );
  const running = (async () => handler(event, contextOf(row, requestId, deadline)))();
  try {
    return await Promise.race([running, late]);
  } finally {
    answered.abort();
  }
}

function contextOf(row: FunctionRow, requestId: string, deadline: number): Context {
  const outdated = () => {
    throw new Error("A handler answers by its promise.");
  };
  return {
    callbackWaitsForEmptyEventLoop: false,
    functionName: row.id,
    functionVersion: "$LATEST",
    invokedFunctionArn: functionArn(row.id),
    memoryLimitInMB: String(row.memoryMb),
    awsRequestId: requestId,
    logGroupName: `/aws/lambda/${row.id}`,
    logStreamName: "local",
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
    done: outdated,
    fail: outdated,
    succeed: outdated,
  };
}

/** The ARN under which the local runtime knows a function. */
export function functionArn(id: string): string {
  return `arn:aws:lambda:us-east-1:000000000000:function:${id}`;
}

/**
 * EventBridge's part: runs a job at the start, which is when something may have been left behind, and then every so
 * many minutes, never beside itself. A run that fails is told and the next one comes all the same. `stop` waits for
 * the run under way.
 */
export function startSchedule(
  everyMinutes: number,
  id: string,
  run: (event: unknown) => Promise<unknown>,
): Part {
  let running: Promise<void> | undefined;
  const tick = () => {
    running ??= run({ source: "aws.events", time: new Date().toISOString() })
      .then(
        () => undefined,
        (error: unknown) => console.error(`The scheduled ${id} failed:`, error),
      )
      .finally(() => {
        running = undefined;
      });
  };
  tick();
  const timer = setInterval(tick, everyMinutes * 60_000);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
