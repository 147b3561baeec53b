import { AsyncLocalStorage } from "node:async_hooks";
import { LogFormatter, Logger, LogItem } from "@aws-lambda-powertools/logger";
import type { LogAttributes, UnformattedAttributes } from "@aws-lambda-powertools/logger/types";
import { environment } from "./environment.ts";

/**
 * The fields that identify a log line. These fields also help to find the log lines that other functions have written for the same request.
 */
type CallIds = {
  /** The id of the row in `routes.ts` or `jobs.ts`. */
  readonly function: string;
  /** For an endpoint, this is the gateway's request id, which is also in the answer. For a job, this is Lambda's request id. */
  readonly requestId: string;
  /** Lambda's own id of the call. The log lines that Lambda itself writes also have Lambda's id of the call. */
  readonly invocationId: string;
  /** The id of the request that began the work; messages and state machines pass this id on. */
  readonly correlationId: string;
};

type LogFields = Readonly<Record<string, string | number>>;

const calls = new AsyncLocalStorage<{ fields: LogFields }>();

/** Runs `run` as one call of a Lambda function. The log lines and metrics of a call contain the ids of the call and of the trace. */
export function runWithIds<Result>(ids: CallIds, run: () => Result): Result {
  const traceId = environment.traceId();
  return calls.run({ fields: { ...ids, ...(traceId !== undefined && { traceId }) } }, run);
}

/** Adds fields to every later log line of the current call. The fields must be ids, never texts, wallets or secrets. */
export function addLogFields(fields: LogFields): void {
  const call = calls.getStore();
  if (call !== undefined) call.fields = { ...call.fields, ...fields };
}

/** The log fields of the current call; outside a call, an object without fields. */
export function readCorrelation(): LogFields {
  return calls.getStore()?.fields ?? {};
}

/** The ids that the current call passes on to the function calls that it starts. */
export function getPassedIds(): { readonly correlationId?: string } {
  const id = readCorrelation().correlationId;
  return id === undefined ? {} : { correlationId: String(id) };
}

/**
 * Makes one log line from the event and the ids of the call. If the event contains an error, the line has only the error's message and the
 * messages of the error's causes.
 */
class Line extends LogFormatter {
  override formatAttributes(
    { logLevel, message, timestamp, serviceName }: UnformattedAttributes,
    further: LogAttributes,
  ): LogItem {
    const attributes = {
      level: logLevel,
      message,
      timestamp: this.formatTimestamp(timestamp),
      service: serviceName,
      ...readCorrelation(),
    };
    return new LogItem({ attributes }).addAttributes(further);
  }

  /**
   * Errors of AWS clients and HTTP clients have more fields than other errors. The log leaves out additional fields of errors, because some
   * of these fields contain the request.
   */
  override formatError(error: Error): LogAttributes {
    const { name, message, stack, cause } = error;
    const inner = error instanceof AggregateError ? error.errors : [];
    return {
      name,
      message,
      ...("code" in error && { code: String(error.code) }),
      ...(stack !== undefined && { stack }),
      ...(cause !== undefined && { cause: this.#described(cause) }),
      ...(inner.length > 0 && { errors: inner.map((one) => this.#described(one)) }),
    };
  }

  #described(cause: unknown): unknown {
    return cause instanceof Error ? this.formatError(cause) : String(cause);
  }
}

/**
 * Writes one line of JSON per log entry, with the ids of the call. Never log signatures, tokens or texts; as a precaution, the logger
 * removes anything that looks like a secret. `POWERTOOLS_LOG_LEVEL` sets the log level, and `POWERTOOLS_SERVICE_NAME` sets the
 * service's name.
 */
export const log = new Logger({
  logFormatter: new Line(),
  jsonReplacerFn: (_, value: unknown) => (typeof value === "string" ? removeSecrets(value) : value),
});

/** The log that `core/` gets: `core/` can write only warnings to the log. */
export const warnings = { warn: (event: string, fields: object) => log.warn(event, { ...fields }) };

/** Patterns of secrets, and their replacements. */
const shapes: readonly (readonly [RegExp, string])[] = [
  // A node's URL can contain a secret key: in the path, in the query or before the host.
  [/\b(https?:\/\/)(?:[^\s"'/@]*@)?([^\s"'/?#]+)[/?#][^\s"'),;]*/gi, "$1$2/…"],
  [/\b(session|cookie)=[^\s"';,]+/gi, "$1=…"],
  // This pattern matches signatures and raw transactions. Hashes and addresses are too short to match this pattern.
  [/\b0x[0-9a-f]{65,}/gi, "0x…"],
  // Decimal numbers of 256 bits are removed, because such numbers are nonces of permits.
  [/\b\d{40,}\b/g, "…"],
  // Long base64 texts are removed, because x402's headers contain signed payments in base64.
  [/[A-Za-z0-9+/_-]{200,}={0,2}/g, "…"],
];

/**
 * Removes from a text everything that looks like a secret. The removal protects our secrets even if an outside service quotes our request
 * in its error.
 */
function removeSecrets(text: string): string {
  return shapes.reduce((clean, [shape, instead]) => clean.replace(shape, instead), text);
}
