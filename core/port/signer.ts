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
