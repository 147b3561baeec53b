import type { Address, Hex } from "../chain/hex.ts";

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] };

/**
 * The outcome of one call. `reverted` is the chain's own answer and may be shown to the payer. `failed` is the node's failure and must not
 * be shown.
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
   * Sends the calls and returns outcomes in their order: up to 20 in one round trip, more in several, of which unanswered ones give
   * `failed`. Throws `upstream` `chain_unavailable` when no answer came at all; for broadcasts (`eth_send…`) with the cause `Unsent` when
   * no node can have received them. No call starts after `until`, in milliseconds since the Unix epoch. `elsewhere` prefers another node
   * than usual, if there is one. `joined` reads without `until` may share a batch with the reads of other callers, in any order.
   */
  batch(
    calls: readonly RpcCall[],
    limits?: { readonly until?: number; readonly elsewhere?: boolean; readonly joined?: boolean },
  ): Promise<readonly RpcOutcome[]>;
};

/** The fields of an EIP-1559 transaction of a relayer. Wei and gas units. */
export type RelayTransaction = {
  readonly chainId: number;
  readonly nonce: number;
  readonly to: Address;
  readonly data: Hex;
  /** Zero by default. Only a vote's gas and a sweep move ETH. */
  readonly value?: bigint;
  readonly gas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
};

/** Keys that pay gas for others. The private keys never leave the adapter. */
export type Signer = {
  /** The pool's addresses, lower-case, in a stable order. */
  addresses(): Promise<readonly Address[]>;
  /** The signed raw transaction, ready to broadcast. */
  sign(address: Address, transaction: RelayTransaction): Promise<Hex>;
};

/** The addresses of keys, shared between processes. A stored address is used until a signature contradicts it. */
export type AddressBook = {
  /** The lower-case addresses by key id. Some may be missing. */
  read(): Promise<ReadonlyMap<string, Address>>;
  /** Replaces the stored addresses. */
  write(addresses: ReadonlyMap<string, Address>): Promise<void>;
};

/** The key that signs receipts and offers. It signs no transactions. */
export type StatementSigner = {
  /** Lower-case. */
  address(): Promise<Address>;
  /** A signature of a 32-byte digest: r, s (the lower one) and v of 27 or 28. */
  sign(digest: Hex): Promise<Hex>;
};
