import * as z from "zod";
import { ApiProblem, type Hash, HashForm, refusal, send } from "../api/request.ts";
import { type Leg, legPaths, type TermsDocument, TermsForm } from "./purchase.ts";

/** What the service's answer to a request to pay means. */
export type Answer =
  /** Without a payment: the terms. With one: it is refused, and nothing was charged. */
  | { readonly kind: "terms"; readonly document: TermsDocument }
  | { readonly kind: "paid"; readonly tx: Hash; readonly text: string | undefined }
  /** It was sent to the chain, and its end is not known. Seconds after which to ask again. */
  | { readonly kind: "pending"; readonly tx: Hash | undefined; readonly after: number }
  /** Nothing was charged, and the same request may succeed later. */
  | {
      readonly kind: "busy";
      readonly after: number;
      readonly message: string;
      readonly requestId: string | undefined;
    }
  | { readonly kind: "fee_first" | "already_unlocked" }
  | { readonly kind: "missing" }
  | { readonly kind: "refused"; readonly message: string; readonly requestId: string | undefined }
  /** There is no answer, or none that can be read: whether it was charged is not known. */
  | { readonly kind: "lost" };

const PaidForm = z.object({ paid: z.literal(true), tx: HashForm, body: z.string().optional() });
const PendingForm = z.object({ transaction: HashForm.optional() });

/** Seconds to wait where the service does not say. */
const usualWait = 2;

/** Reads an answer by its status, `Retry-After` and body. */
export function readAnswer(status: number, retryAfter: string | null, body: unknown): Answer {
  if (status === 200) {
    const paid = PaidForm.safeParse(body);
    return paid.success ? { kind: "paid", tx: paid.data.tx, text: paid.data.body } : { kind: "lost" };
  }
  if (status === 402) {
    const terms = TermsForm.safeParse(body);
    return terms.success ? { kind: "terms", document: terms.data } : { kind: "lost" };
  }
  const { code, message, requestId, retryAfter: told } = refusal(status, body, "");
  const after = told ?? (Number(retryAfter) || usualWait);
  switch (true) {
    case code === "settlement_pending":
      return { kind: "pending", tx: PendingForm.safeParse(body).data?.transaction, after };
    case code === "fee_first" || code === "already_unlocked":
      return { kind: code };
    case status === 404:
      return { kind: "missing" };
    // A gateway's own time-out or refusal comes without a code of ours: the function may have gone on.
    case code === undefined || status === 500 || status === 502 || status === 504:
      return { kind: "lost" };
    case status === 503 || status === 429:
      return { kind: "busy", after, message, requestId };
    default:
      return { kind: "refused", message, requestId };
  }
}

/** Milliseconds to wait for an answer: a little more than the service's own limit. */
const timeLimit = 32_000;

type Posted = {
  readonly answer: Answer;
  /** The service's time, in seconds since the epoch, where it told it. */
  readonly servedAt: number | undefined;
};

/** What is posted: a payment, or without one whose terms are asked for, if that is known. */
type Post = { readonly header: string } | { readonly payer: string | undefined };

/** Posts one leg. Never throws: no answer is an answer, too. */
export async function post(leg: Leg, pressId: number, sent: Post): Promise<Posted> {
  const query = "payer" in sent && sent.payer !== undefined ? `?payer=${sent.payer}` : "";
  try {
    const { response, body } = await send(legPaths[leg] + query, {
      method: "POST",
      headers: {
        accept: "application/json",
        "content-type": "application/json",
        ...("header" in sent && { "payment-signature": sent.header }),
      },
      body: JSON.stringify({ pressId }),
      signal: AbortSignal.timeout(timeLimit),
    });
    const { status, headers } = response;
    const date = Date.parse(headers.get("date") ?? "");
    return {
      answer: readAnswer(status, headers.get("retry-after"), body),
      servedAt: Number.isNaN(date) ? undefined : Math.floor(date / 1000),
    };
  } catch (error) {
    if (error instanceof ApiProblem || error instanceof DOMException) {
      return { answer: { kind: "lost" }, servedAt: undefined };
    }
    throw error;
  }
}
