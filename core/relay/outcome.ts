import type { RpcOutcome } from "../port/chain.ts";
import type { RpcError } from "./schema.ts";

/** How one call ended, in JSON-RPC's words. */
export type Outcome = { readonly result: unknown } | { readonly error: RpcError };

export function failure(code: number, message: string, data?: unknown): Outcome {
  return { error: data === undefined ? { code, message } : { code, message, data } };
}

/** What a node said, passed on as it is. */
export function toOutcome(outcome: RpcOutcome | undefined): Outcome {
  if (outcome === undefined) return failure(-32603, "The chain gave no answer.");
  if (outcome.status === "ok") return { result: outcome.result ?? null };
  return failure(outcome.code, outcome.message, outcome.data);
}
