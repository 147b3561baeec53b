import { AsyncLocalStorage } from "node:async_hooks";
import { LogFormatter, Logger, LogItem } from "@aws-lambda-powertools/logger";
import type { LogAttributes, UnformattedAttributes } from "@aws-lambda-powertools/logger/types";
import { environment } from "./environment.ts";

/** By what a line of the log is found, and what belongs to it in other functions' logs. */
type Correlation = {
  /** The id of the row in `routes.ts` or `jobs.ts`. */
  readonly function: string;
  /** The gateway's id of the request, which answers carry; for a job Lambda's. */
  readonly requestId: string;
  /** Lambda's own id of the call, which its platform's lines carry. */
  readonly invocationId: string;
  /** The request that began it all: messages and state machines pass it on. */
  readonly correlationId: string;
};

type Fields = Readonly<Record<string, string | number>>;

const calls = new AsyncLocalStorage<{ fields: Fields }>();

/** Runs a call of a function; whatever is logged and measured meanwhile carries its ids and its trace's. */
export function correlated<Result>(ids: Correlation, run: () => Result): Result {
  const traceId = environment.traceId();
  return calls.run({ fields: { ...ids, ...(traceId !== undefined && { traceId }) } }, run);
}

/** Adds to every further line of this call what it is about: ids, never texts, wallets or secrets. */
export function follow(fields: Fields): void {
  const call = calls.getStore();
  if (call !== undefined) call.fields = { ...call.fields, ...fields };
}

/** The fields of this call, none outside of one. */
export function correlation(): Fields {
  return calls.getStore()?.fields ?? {};
}

/** What this call passes on to those that it sets in motion. */
export function passedOn(): { readonly correlationId?: string } {
  const id = correlation().correlationId;
  return id === undefined ? {} : { correlationId: String(id) };
}

/** One line: what happened, to whose call it belongs, and of an error no more than its words and its causes'. */
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
      ...correlation(),
    };
    return new LogItem({ attributes }).addAttributes(further);
  }

  /** Clients' errors have more fields, and some of those hold the request: they are left out. */
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
 * One line of JSON an entry, with the ids of the call that it belongs to. Never given signatures, tokens or texts; what
 * looks like one is cut all the same. The level is `POWERTOOLS_LOG_LEVEL`, the service `POWERTOOLS_SERVICE_NAME`.
 */
export const log = new Logger({
  logFormatter: new Line(),
  jsonReplacerFn: (_, value: unknown) => (typeof value === "string" ? withoutSecrets(value) : value),
});

/** The log as ports take it: warnings alone. */
export const warnings = { warn: (event: string, fields: object) => log.warn(event, { ...fields }) };

/** What looks like something that no log may hold, and what is written in its place. */
const shapes: readonly (readonly [RegExp, string])[] = [
  // An address of a node may carry its key in the path, the query or before the host.
  [/\b(https?:\/\/)(?:[^\s"'/@]*@)?([^\s"'/?#]+)[/?#][^\s"'),;]*/gi, "$1$2/…"],
  [/\b(session|cookie)=[^\s"';,]+/gi, "$1=…"],
  // Signatures and raw transactions: hashes and addresses are shorter.
  [/\b0x[0-9a-f]{65,}/gi, "0x…"],
  // Numbers of 256 bits: nonces of permits.
  [/\b\d{40,}\b/g, "…"],
  // Documents of the protocol in headers.
  [/[A-Za-z0-9+/_-]{200,}={0,2}/g, "…"],
];

/** A text without what looks like a secret: the last resort, for errors of others that quote what they were given. */
function withoutSecrets(text: string): string {
  return shapes.reduce((clean, [shape, instead]) => clean.replace(shape, instead), text);
}
