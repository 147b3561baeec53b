import { AsyncLocalStorage } from "node:async_hooks";
import { LogFormatter, Logger, LogItem } from "@aws-lambda-powertools/logger";
import type { LogAttributes, UnformattedAttributes } from "@aws-lambda-powertools/logger/types";
import { environment } from "./environment.ts";

/** The fields that identify a log line and link it to lines of other functions. */
type Correlation = {
  /** The id of the row in `routes.ts` or `jobs.ts`. */
  readonly function: string;
  /** The gateway's request id, which answers contain; for a job Lambda's. */
  readonly requestId: string;
  /** Lambda's own id of the call, which the platform's lines contain. */
  readonly invocationId: string;
  /** The id of the first request, which messages and state machines pass on. */
  readonly correlationId: string;
};

type Fields = Readonly<Record<string, string | number>>;

const calls = new AsyncLocalStorage<{ fields: Fields }>();

/** Runs a call of a function. Its log lines and metrics carry the call's and the trace's ids. */
export function runCorrelated<Result>(ids: Correlation, run: () => Result): Result {
  const traceId = environment.traceId();
  return calls.run({ fields: { ...ids, ...(traceId !== undefined && { traceId }) } }, run);
}

/** Adds fields to every further line of this call: ids, never texts, wallets or secrets. */
export function follow(fields: Fields): void {
  const call = calls.getStore();
  if (call !== undefined) call.fields = { ...call.fields, ...fields };
}

/** The fields of this call, empty outside a call. */
export function readCorrelation(): Fields {
  return calls.getStore()?.fields ?? {};
}

/** The ids that this call passes on to those that it starts. */
export function readPassedOn(): { readonly correlationId?: string } {
  const id = readCorrelation().correlationId;
  return id === undefined ? {} : { correlationId: String(id) };
}

/** One line: the event, its call's ids, and of an error only its message and its causes'. */
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

  /** Clients' errors have more fields, some of which contain the request, so they are left out. */
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
 * Writes one line of JSON per entry, with its call's ids. Never give it signatures, tokens or texts; anything that looks like one is
 * removed all the same. The level is `POWERTOOLS_LOG_LEVEL`, the service `POWERTOOLS_SERVICE_NAME`.
 */
export const log = new Logger({
  logFormatter: new Line(),
  jsonReplacerFn: (_, value: unknown) => (typeof value === "string" ? withoutSecrets(value) : value),
});

/** The log as a port, which has warnings only. */
export const warnings = { warn: (event: string, fields: object) => log.warn(event, { ...fields }) };

/** Patterns of secrets, and their replacements. */
const shapes: readonly (readonly [RegExp, string])[] = [
  // A node's address may carry its key in the path, the query or before the host.
  [/\b(https?:\/\/)(?:[^\s"'/@]*@)?([^\s"'/?#]+)[/?#][^\s"'),;]*/gi, "$1$2/…"],
  [/\b(session|cookie)=[^\s"';,]+/gi, "$1=…"],
  // Signatures and raw transactions. Hashes and addresses are shorter.
  [/\b0x[0-9a-f]{65,}/gi, "0x…"],
  // Numbers of 256 bits: nonces of permits.
  [/\b\d{40,}\b/g, "…"],
  // Documents of the protocol in headers.
  [/[A-Za-z0-9+/_-]{200,}={0,2}/g, "…"],
];

/** A text without anything that looks like a secret: the last resort, for outside errors that quote our request. */
function withoutSecrets(text: string): string {
  return shapes.reduce((clean, [shape, instead]) => clean.replace(shape, instead), text);
}
