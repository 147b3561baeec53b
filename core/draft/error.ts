import { AppError } from "../error.ts";
import { generationsPerDay } from "./schema.ts";

export function makeAngleError(angleId: string): AppError {
  return new AppError(
    "input",
    "unknown_angle",
    `angleId: you have not been offered ${angleId} for this stock lately. Ask for angles again.`,
  );
}

/** `retryAfter` is in seconds. */
export function makeLimitError(retryAfter: number): AppError {
  return new AppError(
    "limit",
    "generation_limit",
    `At most ${generationsPerDay} AI drafts a day. Days are UTC.`,
    { retryAfter },
  );
}

export function makeNewsError(cause: unknown): AppError {
  return new AppError("upstream", "news_unavailable", "News is unavailable right now. Try again shortly.", {
    cause,
    retryAfter: 60,
  });
}

export function makeModelError(cause: unknown): AppError {
  return new AppError(
    "upstream",
    "model_unavailable",
    "The drafting model is unavailable right now. This try does not count; try again shortly.",
    { cause, retryAfter: 30 },
  );
}

/** `retryAfter` is in seconds. */
export function makeWritingError(retryAfter: number): AppError {
  return new AppError(
    "conflict",
    "still_writing",
    "An earlier request of yours is still writing this draft. Ask again shortly; the draft is counted only once.",
    { retryAfter },
  );
}

export function makeNoDraftError(): AppError {
  return new AppError("missing", "unknown_generation", "You have no such AI draft.");
}
