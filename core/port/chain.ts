import type { Hex } from "../chain/hex.ts";

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] };

/**
 * How one call ended. `reverted` is the chain's own verdict and may be told to the payer; `failed` is the node's
 * trouble and never is.
 */
export type RpcOutcome =
  | { readonly status: "ok"; readonly result: unknown }
  | {
      readonly status: "reverted";
      readonly code: number;
      readonly message: string;
      readonly data: Hex | undefined;
    }
  | { readonly status: "failed"; readonly code: number; readonly message: string; readonly data?: unknown };

/** A JSON-RPC node of the chain. */
export type Chain = {
  /** Sends the calls in one round trip and answers in their order. Throws `upstream` `chain_unavailable` when no answer came. */
  batch(calls: readonly RpcCall[]): Promise<readonly RpcOutcome[]>;
};
