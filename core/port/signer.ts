import type { Address, Hex } from "../chain/hex.ts";

/** The fields of an EIP-1559 transaction that a relayer sends. Wei and gas units. */
export type RelayTransaction = {
  readonly chainId: number;
  readonly nonce: number;
  readonly to: Address;
  readonly data: Hex;
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
