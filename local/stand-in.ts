import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Server as NetServer } from "node:net";
import { text } from "node:stream/consumers";
import * as z from "zod";
import { parseJson } from "../core/error.ts";

export type LocalServer = {
  /** The base address without a trailing slash, such as `http://127.0.0.1:4100`. */
  readonly endpoint: string;
  readonly stop: () => Promise<void>;
};

/**
 * The time in milliseconds for which an idle connection stays open. Clients close idle connections before the server does, so no client
 * writes to a connection that the server is closing.
 */
const KEEP_ALIVE_MILLISECONDS = 120_000;

/** Binds a server to a free port of the loopback interface. */
export async function listen(server: Server): Promise<LocalServer> {
  server.keepAliveTimeout = KEEP_ALIVE_MILLISECONDS;
  return {
    endpoint: `http://127.0.0.1:${await bind(server, 0)}`,
    stop: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * Binds a server to a port of one loopback address, and returns the port. Port 0 means any free port. Rejects if the port is taken.
 */
export async function bind(server: NetServer, port: number, host = "127.0.0.1"): Promise<number> {
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no TCP address.");
  return address.port;
}

/**
 * For a promise's `catch`: returns `undefined` for a failure of the operating system with one of these codes, and throws every other
 * failure again.
 */
export function ignoreFailure(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!codes.includes(code)) throw error;
  };
}

/** A refusal that the SDK turns into its own exception. */
export class AwsFailure extends Error {
  /** The exception's name in the API definition of the AWS service, such as `QueueDoesNotExist`. */
  readonly type: string;
  /** The error's code in the older query protocol. SQS still sends this code together with the error's type. */
  readonly queryCode: string | undefined;
  readonly status: number;

  constructor(type: string, message: string, options: { queryCode?: string; status?: number } = {}) {
    super(message);
    this.name = type;
    this.type = type;
    this.queryCode = options.queryCode;
    this.status = options.status ?? 400;
  }
}

/**
 * One action of an AWS service, such as `SendMessage`. An action gets the parsed body, and a signal that aborts when the caller
 * disconnects.
 */
export type AwsOperation = (body: unknown, gone: AbortSignal) => unknown;

type AwsJsonService = {
  /** The part of `X-Amz-Target` before the dot, such as `AmazonSQS`. */
  readonly target: string;
  readonly operations: Readonly<Record<string, AwsOperation>>;
  /** The refusal of a request whose body is not JSON or does not fit the schema. */
  readonly makeInputError: (message: string) => AwsFailure;
};

class InputMismatch extends Error {}

/** Validates a request's body before the action gets it. */
export function makeOperation<T extends z.ZodType>(
  schema: T,
  run: (input: z.output<T>, gone: AbortSignal) => unknown,
): AwsOperation {
  return (body, gone) => {
    const parsed = schema.safeParse(body);
    if (!parsed.success) throw new InputMismatch(z.prettifyError(parsed.error));
    return run(parsed.data, gone);
  };
}

/**
 * Answers requests to an AWS service by the AWS JSON protocol, in the version that the client uses; signatures are ignored. An unexpected
 * error is logged, and answered with a 500 that does not contain the error's text.
 */
export function makeAwsListener(service: AwsJsonService): RequestListener {
  return async (request, response) => {
    const leaving = new AbortController();
    const gone = leaving.signal;
    response.once("close", () => leaving.abort());
    try {
      response.setHeader("content-type", request.headers["content-type"] ?? "application/x-amz-json-1.0");
      reply(response, 200, await dispatch(service, request, gone));
    } catch (error) {
      // A caller that disconnects while sending cannot get an answer, so its request is dropped.
      if (gone.aborted) return;
      const failure = makeFailure(service, error);
      if (failure.queryCode !== undefined) {
        response.setHeader("x-amzn-query-error", `${failure.queryCode};Sender`);
      }
      reply(response, failure.status, { __type: failure.type, message: failure.message });
    }
  };
}

async function dispatch(service: AwsJsonService, request: IncomingMessage, goneSignal: AbortSignal) {
  const [target, action] = String(request.headers["x-amz-target"]).split(".");
  const run = target === service.target && action !== undefined ? service.operations[action] : undefined;
  if (run === undefined) {
    throw new AwsFailure("UnknownOperationException", `${target}.${action} is not served by this stand-in.`);
  }
  return run(parseJson(await text(request)), goneSignal);
}

function makeFailure(service: AwsJsonService, error: unknown): AwsFailure {
  if (error instanceof AwsFailure) return error;
  if (error instanceof InputMismatch) return service.makeInputError(error.message);
  console.error(`${service.target} failed`, error);
  return new AwsFailure("InternalFailure", "The stand-in failed.", { status: 500 });
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  if (response.destroyed) return;
  response.writeHead(status, { "x-amzn-requestid": randomUUID() });
  response.end(JSON.stringify(body ?? {}));
}

/**
 * The random choices by which a stand-in imitates the delays and faults of a real service. The same seed always gives the same sequence of
 * choices.
 */
export type Dice = {
  readonly chance: (probability: number) => boolean;
  /** An integer from `low` to `high`, both included. */
  readonly pickBetween: (low: number, high: number) => number;
  readonly pickOne: <Value>(values: readonly [Value, ...Value[]]) => Value;
};

/**
 * Returns random choices that cause no faults while `isCalm()` is true. While `isCalm()` is false, the choices are the same as those of
 * `dice`.
 */
export function suppressFaults(dice: Dice, isCalm: () => boolean): Dice {
  return {
    ...dice,
    chance: (probability) => dice.chance(probability) && !isCalm(),
    pickBetween: (low, high) => (isCalm() ? low : dice.pickBetween(low, high)),
  };
}

/**
 * Makes the random choices for the stand-in named `part`, so that the stand-in's sequence does not depend on the calls of other stand-ins.
 */
export function makeRandomSource(seed: string, part: string): Dice {
  const random = makeRandom(createHash("sha256").update(`${part}:${seed}`).digest().readUInt32LE());
  const pickBetween = (low: number, high: number) => low + Math.floor(random() * (high - low + 1));
  return {
    chance: (probability) => random() < probability,
    pickBetween,
    pickOne: (values) => values[pickBetween(0, values.length - 1)] ?? values[0],
  };
}

/** Random numbers from 0 (included) to 1 (excluded), from the upper bits of a linear congruential generator (Knuth's MMIX). */
function makeRandom(seed: number): () => number {
  let state = BigInt(seed);
  return () => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return Number(state >> 32n) / 2 ** 32;
  };
}

export type RunningPart = { stop(): Promise<void> };

export type StartDuration = { readonly part: string; readonly milliseconds: number };

export type PartStarter = ReturnType<typeof makePartStarter>;

/** Starts the parts of a service, measures the time of each start, and stops the parts in reverse order. */
export function makePartStarter() {
  const stack = new AsyncDisposableStack();
  const took: StartDuration[] = [];
  return {
    async start<P extends RunningPart>(name: string, startPart: () => Promise<P>): Promise<P> {
      const begin = performance.now();
      const part = await startPart();
      stack.defer(() => part.stop());
      took.push({ part: name, milliseconds: performance.now() - begin });
      return part;
    },
    /** Registers a task to run at shutdown. The parts that started before the registration stop only after the task has run. */
    atEnd: (what: () => void) => stack.defer(what),
    took: (): readonly StartDuration[] => took,
    stop: () => stack.disposeAsync(),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Runs functions one after another. If a function fails, its caller gets the error, and the next function still runs. */
export function makeExclusiveRunner(): <T>(job: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (job) => {
    const next = last.then(job);
    last = next.catch(() => undefined);
    return next;
  };
}

/**
 * Waits for all promises even if one fails, so that no part starts after the other parts were stopped. Rejects with the first failure in
 * the order of the given promises.
 */
export async function waitForAll<const Pending extends readonly unknown[]>(pending: Pending) {
  await Promise.allSettled(pending);
  return Promise.all(pending);
}
