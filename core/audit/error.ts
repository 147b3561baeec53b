import type * as z from "zod";
import { AppError } from "../error.ts";
import { findDay, makeServiceError, makeWalletError } from "../quota/index.ts";
import type { PressItem } from "../record/press.ts";
import { auditLimit } from "./schema.ts";

export function makeMissingError(): AppError {
  return new AppError("missing", "unknown_press", "You have no article with this id.");
}

function makeLivePressError(): AppError {
  return new AppError("conflict", "press_live", "This article is live: its text is final and was audited.");
}

/**
 * A press that has reached its audit limit can never be audited again. Every `limit` error must say how long to wait before a retry (design
 * §2), so the error for a used-up audit limit names one day.
 */
function makeLimitError(): AppError {
  return new AppError(
    "limit",
    "audit_limit",
    `This article has used all of its ${auditLimit} audits. Publish the text as a new article instead.`,
    { retryAfter: 86_400 },
  );
}

export function makeRunningError(): AppError {
  return new AppError(
    "conflict",
    "audit_running",
    "An audit of this article is running. Wait for its result.",
    {
      retryAfter: 5,
    },
  );
}

/**
 * `counted`: whether the audit run counts against the audit limit. `counted` is missing if the error comes from a single step of the run,
 * because such a step does not know whether the run counts against the limit.
 */
export function makeEditedError(counted?: boolean): AppError {
  const does = { true: "counts, because the model had begun to read", false: "does not count" };
  const says = counted === undefined ? "counts if the model had begun to read" : does[`${counted}`];
  return new AppError(
    "conflict",
    "edited_meanwhile",
    `The article was edited while it was audited, so nothing was stored. The run ${says}. Audit the article again.`,
  );
}

/**
 * The error for a delisted stock. An article about a delisted stock cannot pass an audit: its text cannot be checked, because there is no
 * quote, and the article cannot be listed.
 */
export function makeDelistedError(): AppError {
  return new AppError(
    "conflict",
    "stock_delisted",
    "The stock of this article is no longer listed on this chain. Save the article with another stock, then audit it. This audit was not counted.",
  );
}

/**
 * Converts the error code of a failed step to the error that the caller of the audit run gets. Returns `undefined` for an unknown code,
 * because an unknown failure counts as an outage. `now` is in milliseconds.
 */
export function makeNamedRefusal(code: string | undefined, now: number): AppError | undefined {
  const { left } = findDay(now);
  const known: Readonly<Record<string, () => AppError>> = {
    stock_delisted: makeDelistedError,
    press_live: makeLivePressError,
    audit_limit: makeLimitError,
    edited_meanwhile: makeEditedError,
    model_limit: () => makeWalletError(left),
    model_budget_spent: () => makeServiceError(left),
  };
  return code !== undefined && Object.hasOwn(known, code) ? known[code]?.() : undefined;
}

export function makeOutageError(cause: unknown): AppError {
  return new AppError(
    "upstream",
    "audit_unavailable",
    "The audit agent is unavailable right now. Your draft is saved and this run does not count.",
    { cause, retryAfter: 30 },
  );
}

/**
 * The fields of a press that decide whether its audit is refused. All fields are optional, because DynamoDB's answer to a failed condition
 * guarantees no field.
 */
type RefusalFacts = {
  readonly [Key in "status" | "auditCount" | "auditRunUntil"]?: PressItem[Key] | undefined;
};

type RunState = {
  readonly [Key in "status" | "revision" | "auditCount" | "auditRun"]?: PressItem[Key] | undefined;
};

/** The reason why an audit run cannot continue, found from the state of the press. */
export function findStopReason(
  press: RunState,
  { run, revision }: { readonly run: string; readonly revision: number },
) {
  if (press.status === "live") return makeLivePressError();
  if (press.revision !== revision) return makeEditedError();
  return press.auditRun === run && (press.auditCount ?? 0) >= auditLimit
    ? makeLimitError()
    : makeRunningError();
}

/** The reason why this press cannot be audited now, or `undefined` if it can be audited. */
export function findRefusal(press: RefusalFacts, now: number): AppError | undefined {
  const { status, auditCount = 0, auditRunUntil = 0 } = press;
  if (status === "live") return makeLivePressError();
  if (auditCount >= auditLimit) return makeLimitError();
  return auditRunUntil > now ? makeRunningError() : undefined;
}

/**
 * Runs one step of the state machine: parses the input, runs the operation, and returns the operation's output. The stable code of a
 * refusal becomes the error's name, because the state machine's `Retry` matches errors only by name.
 */
export function makeStep<Input, Output>(
  form: z.ZodType<Input>,
  operation: (input: Input) => Output | Promise<Output>,
): (event: unknown) => Promise<Output> {
  return async (event) => {
    try {
      return await operation(form.parse(event));
    } catch (error) {
      throw error instanceof AppError ? new StepError(error) : error;
    }
  };
}

class StepError extends Error {
  override readonly name: string;

  constructor(cause: AppError) {
    super(describeError(cause), { cause });
    this.name = cause.code;
  }
}

/** An error's message joined with its causes' messages, because the state machine stores only one text. */
function describeError(error: Error): string {
  return error.cause instanceof Error ? `${error.message} (${describeError(error.cause)})` : error.message;
}
