import { ApiProblem } from "../../api/problem.ts";
import { WalletProblem } from "../../wallet/problem.ts";
import { OtherNetwork } from "./other-network.ts";

export type MintProblemCode =
  | "rejected"
  | "busy"
  | "gone"
  | "walletFailed"
  | "network"
  | "notApproved"
  | "transactionFailed"
  | "wrongSender"
  | "noIdentity"
  | "wrongUri"
  | "used"
  | "notFound"
  | "timedOut"
  | "unavailable"
  | "signIn"
  | "refused";

/** Why a mint stopped. `detail` is what wallet or service said of it. */
export type MintProblem = {
  readonly code: MintProblemCode;
  readonly detail?: string | undefined;
  readonly requestId?: string | undefined;
};

const refusals: Readonly<Record<string, MintProblemCode>> = {
  not_approved: "notApproved",
  transaction_failed: "transactionFailed",
  wrong_sender: "wrongSender",
  no_identity_minted: "noIdentity",
  wrong_identity_uri: "wrongUri",
  transaction_already_used: "used",
  transaction_not_found: "notFound",
  confirmation_timed_out: "timedOut",
};

/** What a confirmation's failure says; codes are the service's (`RefusalCode`). */
export function confirmProblem(error: unknown): MintProblem {
  if (!(error instanceof ApiProblem)) return { code: "unavailable", detail: String(error) };
  const { status, code = "", message: detail, requestId } = error;
  const told = refusals[code];
  if (told !== undefined) return { code: told, requestId };
  if (status === 401) return { code: "signIn" };
  if (status === undefined || status >= 500) return { code: "unavailable", detail, requestId };
  return { code: "refused", detail, requestId };
}

/** What a wallet's failure says. */
export function walletMintProblem(error: unknown): MintProblem {
  if (error instanceof ApiProblem) return { code: "unavailable", detail: error.message };
  if (error instanceof OtherNetwork) return { code: "network" };
  if (!(error instanceof WalletProblem)) return { code: "walletFailed", detail: String(error) };
  return error.kind === "failed" ? { code: "walletFailed", detail: error.message } : { code: error.kind };
}

/** Whether the transaction is of no use any more, so that another one has to be sent. */
export function needsAnother({ code }: MintProblem): boolean {
  return ["transactionFailed", "wrongSender", "noIdentity", "wrongUri", "used"].includes(code);
}

/** Whether the same confirmation is asked for again by itself. */
export function isPassing(error: unknown): error is ApiProblem {
  return (
    error instanceof ApiProblem &&
    error.code !== "confirmation_timed_out" &&
    (error.status === undefined || error.status >= 500 || error.status === 429)
  );
}
