import * as z from "zod";
import { AppError, type ErrorKind } from "../error.ts";

/** Why a mint does not make a press live: stable codes. */
export const RefusalCode = z.literal([
  "not_approved",
  "transaction_failed",
  "wrong_sender",
  "no_identity_minted",
  "wrong_identity_uri",
  "transaction_already_used",
  "transaction_not_found",
  "confirmation_timed_out",
]);
export type RefusalCode = z.infer<typeof RefusalCode>;

/** What the publisher is told. */
const messages: Readonly<Record<RefusalCode, string>> = {
  not_approved: "This press is not approved: audit it first, and confirm the mint once it is.",
  transaction_failed: "The transaction failed on the chain, so it minted nothing.",
  wrong_sender: "The transaction was not sent by the wallet that you are signed in with.",
  no_identity_minted: "The transaction minted no identity to your wallet in the identity registry.",
  wrong_identity_uri: "The identity does not point to this press's metaUrl.",
  transaction_already_used: "This transaction has already made another press live; each press needs its own.",
  transaction_not_found:
    "The chain has not seen this transaction for two minutes. If you did send it, confirm it again; otherwise mint anew.",
  confirmation_timed_out: "The mint could not be checked for half an hour. Confirm it again.",
};

const kinds: Partial<Readonly<Record<RefusalCode, ErrorKind>>> = {
  not_approved: "conflict",
  confirmation_timed_out: "upstream",
};

/** The refusal as the publisher hears it: the input's fault, unless the press's state or our side is to blame. */
export function refusal(code: RefusalCode): AppError {
  return new AppError(kinds[code] ?? "input", code, messages[code]);
}
