import type { Address, Hex } from "../chain/hex.ts";

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] };

/**
 * The outcome of one call to a node. `reverted` is the chain's own answer and may be shown to the payer. `failed` is the node's failure and
 * must not be shown.
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

/** All JSON-RPC nodes of the chain behind one interface. */
export type Chain = {
  /**
   * Sends the calls and returns outcomes in the same order. Up to 20 calls take one round trip, and more calls take several round trips;
   * calls of a round trip without an answer give `failed`. Throws `upstream` `chain_unavailable` if no node answered at all; a broadcast
   * (`eth_send…`) that no node can have received throws with the cause `Unsent`. No call starts after `until`, in milliseconds since the
   * Unix epoch. `elsewhere` prefers another node than usual, if another node exists. `joined` reads without `until` may share a batch with
   * the reads of other callers, in any order.
   */
  batch(
    calls: readonly RpcCall[],
    limits?: { readonly until?: number; readonly elsewhere?: boolean; readonly joined?: boolean },
  ): Promise<readonly RpcOutcome[]>;
};

/** The fields of an EIP-1559 transaction of a relayer, in wei and gas units. */
export type RelayTransaction = {
  readonly chainId: number;
  readonly nonce: number;
  readonly to: Address;
  readonly data: Hex;
  /** The ETH to move, in wei; zero by default, because only a vote's gas and a sweep move ETH. */
  readonly value?: bigint;
  readonly gas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
};

/** Keys that pay gas for others. The private keys never leave the adapter. */
export type Signer = {
  /** The addresses of the pool's keys, in lower case, in a stable order. */
  addresses(): Promise<readonly Address[]>;
  /** The signed raw transaction, ready to broadcast. */
  sign(address: Address, transaction: RelayTransaction): Promise<Hex>;
};

/** The addresses of keys, shared between processes. A stored address is used until a signature shows that the address is wrong. */
export type AddressBook = {
  /** The lower-case addresses by key id. The addresses of some keys may be missing. */
  read(): Promise<ReadonlyMap<string, Address>>;
  /** Replaces the stored addresses. */
  write(addresses: ReadonlyMap<string, Address>): Promise<void>;
};

/** The key that signs receipts and offers, but no transactions. */
export type StatementSigner = {
  /** Lower-case. */
  address(): Promise<Address>;
  /** A signature of a 32-byte digest: r, s (the lower one) and v of 27 or 28. */
  sign(digest: Hex): Promise<Hex>;
};
