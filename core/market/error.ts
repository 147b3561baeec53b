import { AppError } from "../error.ts";

/** The source of market data refused or failed; nothing is wrong with the request. */
export function unavailable(cause: unknown): AppError {
  return new AppError(
    "upstream",
    "market_unavailable",
    "Market data is unavailable right now. Try again shortly.",
    { cause, retryAfter: 5 },
  );
}
