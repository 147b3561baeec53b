import type { Address, Hex } from "viem";

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] };

/**
 * The outcome of one call to a node. `reverted` is an answer of the chain and may be shown to the payer. `failed` means that the node
 * failed. The message of a node's failure must not be shown to the payer.
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

/** A single interface to all JSON-RPC nodes of the chain. */
export type Chain = {
  /**
   * Sends the calls and returns outcomes in the same order. Up to 20 calls take one round trip, and more calls take several round trips. If
   * a round trip gets no answer, all its calls have the outcome `failed`. Throws `chain_unavailable` (`upstream`) if no node answered at
   * all; if no node can have received a broadcast (`eth_send…`), the error has the cause `Unsent`. No call starts after `until`, in
   * milliseconds since the Unix epoch. If `elsewhere` is set and the stage has several nodes, another node is asked before the usual node.
   * If `joined` is set, reads without `until` may share a batch with the reads of other callers, and may be answered in any order.
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
  /**
   * The ETH that the transaction sends, in wei. The default is 0, because a transaction sends ETH only to pay for the gas of a vote or to
   * remove the ETH from a retired key.
   */
  readonly value?: bigint;
  readonly gas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
};

/** The relayers' keys, which pay gas for others. The private keys never leave the adapter. */
export type Signer = {
  /** The addresses of the pool's keys, in lower case, in a stable order. */
  addresses(): Promise<readonly Address[]>;
  /** Signs a transaction and returns the raw signed transaction, which can be broadcast. */
  sign(address: Address, transaction: RelayTransaction): Promise<Hex>;
};

/**
 * A store for the addresses of the keys, shared between processes. A stored address is used until a signature shows that the address is
 * wrong.
 */
export type AddressBook = {
  /** The keys' addresses in lower case, keyed by key id. The addresses of some keys may be missing. */
  read(): Promise<ReadonlyMap<string, Address>>;
  /** Replaces all stored addresses of the keys. */
  write(addresses: ReadonlyMap<string, Address>): Promise<void>;
};

/** The key that signs receipts and offers, but no transactions. */
export type StatementSigner = {
  /** The address in lower case. */
  address(): Promise<Address>;
  /** Signs a digest of 32 bytes. The signature consists of r, s and v: s is the lower of its two possible values, and v is 27 or 28. */
  sign(digest: Hex): Promise<Hex>;
};
