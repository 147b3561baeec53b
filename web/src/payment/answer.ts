import * as z from "zod";
import { payAt } from "../../../core/press/schema.ts";
import { ApiProblem, fetchBody, type Hash, HashForm, makeRefusal } from "../api/request.ts";
import { NotKept } from "../store.ts";
import type { ProblemCode } from "../strings/payment.ts";
import { ChainSilent, WalletProblem } from "../wallet/state.ts";
import { type Leg, type TermsDocument, TermsForm } from "./purchase.ts";

/** The meaning of the service's answer to a payment request. */
export type PayAnswer =
  /**
   * The terms of payment that the service sends if a request has no payment, or if a payment was refused. If the answer contains terms,
   * nothing was charged.
   */
  | { readonly kind: "terms"; readonly document: TermsDocument }
  | { readonly kind: "paid"; readonly tx: Hash; readonly text: string | undefined }
  /** The payment was sent to the chain, and its outcome is not known; `after` is the number of seconds until the next request. */
  | { readonly kind: "pending"; readonly tx: Hash | undefined; readonly after: number }
  /** The service was busy: nothing was charged, and the same request may succeed later. */
  | {
      readonly kind: "busy";
      readonly after: number;
      readonly message: string;
      readonly requestId: string | undefined;
    }
  | { readonly kind: "fee_first" | "already_unlocked" }
  | { readonly kind: "missing" }
  /** The author has taken the press off sale: nothing was charged. */
  | { readonly kind: "unlisted"; readonly message: string; readonly requestId: string | undefined }
  | { readonly kind: "refused"; readonly message: string; readonly requestId: string | undefined }
  /** No readable answer came, so it is not known whether the payment was charged. */
  | { readonly kind: "lost" };

const PaidForm = z.object({ paid: z.literal(true), tx: HashForm, body: z.string().optional() });
const PendingForm = z.object({ transaction: HashForm.optional() });

/** The seconds to wait if an answer has no Retry-After header. */
const usualWait = 2;

export function readAnswer(status: number, retryAfter: string | null, body: unknown): PayAnswer {
  if (status === 200) {
    const paid = PaidForm.safeParse(body);
    return paid.success ? { kind: "paid", tx: paid.data.tx, text: paid.data.body } : { kind: "lost" };
  }
  if (status === 402) {
    const terms = TermsForm.safeParse(body);
    return terms.success ? { kind: "terms", document: terms.data } : { kind: "lost" };
  }
  const { code, message, requestId, retryAfter: told } = makeRefusal(status, body, "");
  const after = told ?? (Number(retryAfter) || usualWait);
  switch (true) {
    case code === "settlement_pending":
      return { kind: "pending", tx: PendingForm.safeParse(body).data?.transaction, after };
    case code === "fee_first" || code === "already_unlocked":
      return { kind: code };
    case code === "press_unlisted":
      return { kind: "unlisted", message, requestId };
    case status === 404:
      return { kind: "missing" };
    // If an answer has none of the service's codes, the gateway refused the request or timed out, and the service's function may have
    // continued.
    case code === undefined || status === 500 || status === 502 || status === 504:
      return { kind: "lost" };
    case status === 503 || status === 429:
      return { kind: "busy", after, message, requestId };
    default:
      return { kind: "refused", message, requestId };
  }
}

/** The maximum time in milliseconds to wait for an answer, which is a little longer than the service's own time limit. */
const timeLimit = 32_000;

/**
 * The content of a request: a payment, or a question about the terms of payment. A question about the terms names the payer if the payer is
 * known.
 */
export type PayContent = { readonly header: string } | { readonly payer: string | undefined };

/** Sends the request for one payment. Never throws: if no answer comes, the result states that there was no answer. */
export async function postLeg(leg: Leg, pressId: number, sent: PayContent): Promise<PayAnswer> {
  const query = "payer" in sent && sent.payer !== undefined ? `?payer=${sent.payer}` : "";
  try {
    const { response, body } = await fetchBody(payAt[leg] + query, {
      method: "POST",
      headers: {
        accept: "application/json",
        "content-type": "application/json",
        ...("header" in sent && { "payment-signature": sent.header }),
      },
      body: JSON.stringify({ pressId }),
      signal: AbortSignal.timeout(timeLimit),
    });
    return readAnswer(response.status, response.headers.get("retry-after"), body);
  } catch (error) {
    if (error instanceof ApiProblem || error instanceof DOMException) return { kind: "lost" };
    throw error;
  }
}

export type Problem = {
  readonly code: ProblemCode;
  /** The message of the service or the wallet, if the message is more specific than the code. */
  readonly detail?: string | undefined;
  readonly requestId?: string | undefined;
};

/** The service's codes for a refused payment (status 402) by Permit2 or EIP-3009 (core/payment). */
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

/** Returns the problem to show for a refused payment. For an unknown code, the problem has the service's own message. */
export function makeRefusalProblem(code: string | undefined, message: string): Problem {
  const known = code === undefined ? undefined : refusals[code];
  return { code: known ?? "refused", detail: message };
}

/** The problem to show if the service was busy, has refused a request, or no longer sells the press. */
export function makeServiceProblem(
  code: "unavailable" | "refused",
  { message: detail, requestId }: Extract<PayAnswer, { kind: "busy" | "unlisted" | "refused" }>,
): Problem {
  return { code, detail, requestId };
}

/** The error that a task throws if the task itself has found a problem. */
export class PaymentError extends Error {
  override readonly name = "PaymentError";
  readonly problem: Problem;

  constructor(problem: Problem, cause?: unknown) {
    super(problem.code, { cause });
    this.problem = problem;
  }
}

/** Converts a task's error to a problem. If no answer came and the browser has no network connection, the problem is `offline`. */
export function readProblem(error: unknown): Problem {
  const problem = convertError(error);
  return goesOnOnline.has(problem.code) && !navigator.onLine ? { code: "offline" } : problem;
}

/** Problems that a broken connection may cause. The payment continues when the network connection is back. */
export const goesOnOnline: ReadonlySet<ProblemCode> = new Set([
  "offline",
  "unreachable",
  "chain",
  "unanswered",
  "broken",
]);

function convertError(error: unknown): Problem {
  if (error instanceof PaymentError) return error.problem;
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
  // An unexpected error is logged with its cause, for example when a part of the site does not load.
  console.error("A payment met an unexpected error.", error);
  return { code: "broken" };
}
