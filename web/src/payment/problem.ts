import { ApiProblem } from "../api/request.ts";
import { NotKept } from "../store/kept.ts";
import { ChainSilent, WalletProblem } from "../wallet/state.ts";

/**
 * Why a payment stopped, in four families, each with its own way on:
 *
 * - `wallet`: the wallet said no, or is not there.
 * - `funds`: the wallet is on another chain or has not what it takes.
 * - `terms`: what was agreed to is not what is asked for any more.
 * - `service`: the service, the chain or this browser.
 */
type Family = "wallet" | "funds" | "terms" | "service";

const families = {
  rejected: "wallet",
  busy: "wallet",
  gone: "wallet",
  walletFailed: "wallet",
  passkey: "wallet",
  badSignature: "wallet",
  otherWallet: "wallet",
  network: "funds",
  insufficient: "funds",
  noGas: "funds",
  approvalReverted: "funds",
  approvalSlow: "service",
  approvalMissing: "funds",
  tokenRefuses: "funds",
  changed: "terms",
  expired: "terms",
  late: "terms",
  used: "terms",
  strangeTerms: "terms",
  offline: "service",
  unreachable: "service",
  chain: "service",
  unavailable: "service",
  unanswered: "service",
  missing: "service",
  refused: "service",
  notKept: "service",
} as const satisfies Readonly<Record<string, Family>>;

export type ProblemCode = keyof typeof families;

export type Problem = {
  readonly code: ProblemCode;
  /** What the service or the wallet said, where it says more than the code. */
  readonly detail?: string | undefined;
  readonly requestId?: string | undefined;
};

export function familyOf({ code }: Problem): Family {
  return families[code];
}

/** The codes of a 402 that is no offer but a refusal, by Permit2 and by EIP-3009 (core/payment). */
const refusals: Readonly<Record<string, ProblemCode>> = {
  permit2_insufficient_balance: "insufficient",
  permit2_allowance_required: "approvalMissing",
  permit2_amount_mismatch: "changed",
  invalid_permit2_recipient_mismatch: "changed",
  permit2_deadline_expired: "expired",
  permit2_not_yet_valid: "expired",
  permit2_payment_too_early: "expired",
  permit2_invalid_nonce: "used",
  invalid_permit2_signature: "badSignature",
  permit2_simulation_failed: "tokenRefuses",
  permit2_invalid_amount: "tokenRefuses",
  permit2_invalid_destination: "tokenRefuses",
  invalid_exact_evm_insufficient_balance: "insufficient",
  invalid_exact_evm_payload_authorization_value_mismatch: "changed",
  invalid_exact_evm_recipient_mismatch: "changed",
  invalid_exact_evm_payload_authorization_valid_before: "expired",
  invalid_exact_evm_payload_authorization_valid_after: "expired",
  invalid_exact_evm_nonce_already_used: "used",
  invalid_exact_evm_signature: "badSignature",
  invalid_exact_evm_transaction_simulation_failed: "tokenRefuses",
};

/** What a refused payment means to the payer. Unknown codes are the service's trouble, told in its own words. */
export function refusedPayment(code: string | undefined, message: string): Problem {
  const known = code === undefined ? undefined : refusals[code];
  return { code: known ?? "refused", detail: message };
}

/** A problem that a task found by itself, as an error. */
export class PaymentStop extends Error {
  override readonly name = "PaymentStop";
  readonly problem: Problem;

  constructor(problem: Problem, cause?: unknown) {
    super(problem.code, { cause });
    this.problem = problem;
  }
}

/** What an error of a task means to the payer; whatever has no answer without a connection is `offline`. */
export function problemFrom(error: unknown): Problem {
  const problem = problemOf(error);
  return goesOnOnline.has(problem.code) && !navigator.onLine ? { code: "offline" } : problem;
}

/** What may be the connection's fault: it goes on by itself when there is one again. */
export const goesOnOnline: ReadonlySet<ProblemCode> = new Set([
  "offline",
  "unreachable",
  "chain",
  "unanswered",
]);

function problemOf(error: unknown): Problem {
  if (error instanceof PaymentStop) return error.problem;
  if (error instanceof NotKept) return { code: "notKept" };
  if (error instanceof ChainSilent) return { code: "chain" };
  if (error instanceof WalletProblem) {
    if (error.kind === "ether") return { code: "noGas", detail: error.message };
    if (error.kind === "passkey") return { code: "passkey", detail: error.message };
    if (error.kind !== "failed") return { code: error.kind };
    return { code: "walletFailed", detail: error.message };
  }
  if (error instanceof ApiProblem) {
    const code = error.kind === "unreachable" ? "unreachable" : "refused";
    return { code, detail: error.message, requestId: error.requestId };
  }
  // What nobody expected is reported with its cause. A part of the site that does not load is one.
  console.error("A payment met an unexpected error.", error);
  return { code: "unreachable" };
}
