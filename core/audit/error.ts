import { AppError } from "../error.ts";
import type { PressItem } from "../press/entity.ts";
import { auditLimit } from "./schema.ts";

export function unknownPress(): AppError {
  return new AppError("missing", "unknown_press", "You have no press with this id.");
}

export function live(): AppError {
  return new AppError("conflict", "press_live", "This press is live: its text is final and was audited.");
}

/** The limit is for good; callers are still owed a time (design §2), so they are told a day. */
function limitReached(): AppError {
  return new AppError(
    "limit",
    "audit_limit",
    `This press has had its ${auditLimit} audits. Publish the text as a new press instead.`,
    { retryAfter: 86_400 },
  );
}

export function running(): AppError {
  return new AppError(
    "conflict",
    "audit_running",
    "An audit of this press is running. Wait for its result.",
    {
      retryAfter: 5,
    },
  );
}

export function editedMeanwhile(): AppError {
  return new AppError(
    "conflict",
    "edited_meanwhile",
    "The press was edited while it was audited. Nothing was counted; run the audit again.",
  );
}

/** No audit can pass: there is no quote to check the text against, and no stock to list it under. */
export function delisted(): AppError {
  return new AppError(
    "conflict",
    "stock_delisted",
    "The stock of this press is no longer listed on this chain. Save the press with another stock, then audit it. Nothing was counted.",
  );
}

/** What a failed run says about the press, by the code that its step failed with; any other failure is an outage. */
export function refusalNamed(code: string | undefined): AppError | undefined {
  return code === "stock_delisted" ? delisted() : undefined;
}

export function unavailable(cause: unknown): AppError {
  return new AppError(
    "upstream",
    "audit_unavailable",
    "The audit agent is unavailable right now. Your draft is saved and this run does not count.",
    { cause, retryAfter: 30 },
  );
}

/** What stands in the way of an audit; a failed condition returns the item with every field optional. */
type Standing = {
  readonly [Key in "status" | "auditCount" | "auditRunUntil"]?: PressItem[Key] | undefined;
};

/** Why a press cannot be audited whoever asks, or `undefined` if it can. */
export function refusal(press: Standing, now: number): AppError | undefined {
  const { status, auditCount = 0, auditRunUntil = 0 } = press;
  if (status === "live") return live();
  if (auditCount >= auditLimit) return limitReached();
  return auditRunUntil > now ? running() : undefined;
}
