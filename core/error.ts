/**
 * The kinds of refusals.
 * - `input`: the request itself is wrong, for example because it names an unknown stock.
 * - `auth`: the request has no session, or a session of the wrong kind.
 * - `missing`: the requested thing does not exist, or the caller must not learn that it exists.
 * - `conflict`: the state of the requested thing does not allow the operation.
 * - `limit`: a quota is used up; `retryAfter` says when it is renewed.
 * - `upstream`: a dependency failed; the request is correct.
 */
export type ErrorKind = "input" | "auth" | "missing" | "conflict" | "limit" | "upstream";

/** One refused field of an input. `path` is the field's name with dots, such as `permit2Authorization.nonce`. */
export type InputIssue = { readonly path: string; readonly message: string };

export type AppErrorOptions = {
  readonly cause?: unknown;
  /** Seconds after which a retry may succeed. */
  readonly retryAfter?: number | undefined;
  readonly issues?: readonly InputIssue[];
  /** Additional fields of the answer, such as the hash of a pending transaction. */
  readonly details?: ErrorDetails;
};

type ErrorDetails = Readonly<Record<string, string | number | boolean | Readonly<Record<string, string>>>>;

/**
 * A refusal that the caller may read: `message` is for people, and `code` (in snake_case) never changes, so that programs can rely on it.
 * A thrown error of any other class is a defect of the service, and answers do not show its text.
 */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly kind: ErrorKind;
  readonly code: string;
  readonly retryAfter: number | undefined;
  readonly issues: readonly InputIssue[] | undefined;
  readonly details: ErrorDetails | undefined;

  constructor(kind: ErrorKind, code: string, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.code = code;
    this.retryAfter = options.retryAfter;
    this.issues = options.issues;
    this.details = options.details;
  }
}

/**
 * The error for a table transaction that was retried too often because of conflicts. A table transaction that was given up because of
 * conflicts has changed nothing.
 */
export function makeBusyError(cause: unknown): AppError {
  const message = "Other requests are changing the same record. Nothing was changed. Try again shortly.";
  return new AppError("upstream", "table_busy", message, { cause, retryAfter: 1 });
}

/**
 * The result of a call; `undefined` if the call throws. The function is meant for calls to parsers and decoders, which throw if their input
 * does not have the expected form.
 */
export function tryCall<Value>(call: () => Value): Value | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}

/** The value of a JSON text; `undefined` if the text is not valid JSON. */
export function parseJson(text: string): unknown {
  return tryCall((): unknown => JSON.parse(text));
}
