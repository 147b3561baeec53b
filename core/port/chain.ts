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

/** The JSON-RPC nodes of the chain, as one. */
export type Chain = {
  /**
   * Sends the calls and answers in their order: up to 20 in one round trip, more in several, of which those without an
   * answer give `failed`. Throws `upstream` `chain_unavailable` when no answer came at all, for calls that send
   * (`eth_send…`) with the cause `Unsent` where none of them can have reached a node. Nothing is asked after `until`,
   * in milliseconds since the Unix epoch. `elsewhere`: another node than the one that is usually asked, if there is one.
   */
  batch(
    calls: readonly RpcCall[],
    limits?: { readonly until?: number; readonly elsewhere?: boolean },
  ): Promise<readonly RpcOutcome[]>;
};
