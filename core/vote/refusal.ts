import { AppError, type ErrorKind } from "../error.ts";

/** Why a transaction counts as no vote: stable codes, and what the caller is told. */
const messages = {
  transaction_unconfirmed: "The chain has not confirmed this transaction. Record the vote once it has.",
  transaction_failed: "The transaction failed on the chain, so it casts no vote.",
  not_a_vote:
    "This is no vote: a vote is a call of giveFeedback that the voter's wallet sends to the reputation registry itself.",
  invalid_vote_value: "A vote's value is 1 or -1, with no decimals.",
  unknown_press: "The vote is for a press that is not listed here.",
} as const;

const kinds: Partial<Readonly<Record<keyof typeof messages, ErrorKind>>> = { unknown_press: "missing" };

/** Seconds until it is worth asking again. */
const anotherLook = 1;

export function refusal(code: keyof typeof messages): AppError {
  const retryAfter = code === "transaction_unconfirmed" ? anotherLook : undefined;
  return new AppError(kinds[code] ?? "input", code, messages[code], { retryAfter });
}

/** Too many requests change the same counts at this moment. Nothing of this one was kept. */
export function busy(cause: unknown): AppError {
  return new AppError("upstream", "press_busy", "Too many votes at once. Try again shortly.", {
    cause,
    retryAfter: anotherLook,
  });
}
