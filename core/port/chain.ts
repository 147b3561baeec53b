import type { Address, Hex } from "../chain/hex.ts";

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

/** The fields of an EIP-1559 transaction that a relayer sends. Wei and gas units. */
export type RelayTransaction = {
  readonly chainId: number;
  readonly nonce: number;
  readonly to: Address;
  readonly data: Hex;
  /** None unless given: only a sweep moves ETH. */
  readonly value?: bigint;
  readonly gas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
};

/** Keys that pay gas for others. The keys themselves never leave the adapter. */
export type Signer = {
  /** The pool's addresses, lower-case, in a stable order. */
  addresses(): Promise<readonly Address[]>;
  /** The signed raw transaction, ready to broadcast. */
  sign(address: Address, transaction: RelayTransaction): Promise<Hex>;
};

/** Where the addresses of keys are kept for other processes. What it says of a key is believed until a signature shows otherwise. */
export type AddressBook = {
  /** The addresses, lower-case, by key id; of some keys nothing may be known. */
  read(): Promise<ReadonlyMap<string, Address>>;
  /** Replaces what is kept. */
  write(addresses: ReadonlyMap<string, Address>): Promise<void>;
};

/** The key that signs what the service states, such as receipts. It signs no transactions. */
export type StatementSigner = {
  /** Lower-case. */
  address(): Promise<Address>;
  /** A signature of 32 bytes: r, s (the lower one) and v of 27 or 28. */
  sign(digest: Hex): Promise<Hex>;
};
