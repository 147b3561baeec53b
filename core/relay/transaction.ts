import { keccak256, parseTransaction } from "viem/utils";
import { type Hex, HexInput, lower } from "../chain/hex.ts";

/** A signed transaction for our chain with its hash, or what keeps it from being one. */
export type Signed = { readonly hash: Hex; readonly refusal?: undefined } | { readonly refusal: string };

/**
 * Reads the parameters of `eth_sendRawTransaction`: one transaction, signed for this chain and no other (EIP-155, which
 * types 1, 2 and 4 include). A legacy one without a chain could be replayed anywhere, and a blob has no place on an
 * Arbitrum chain: both are refused.
 */
export function readTransaction(params: readonly unknown[], chainId: number): Signed {
  const given = HexInput.safeParse(params[0]);
  if (params.length !== 1 || !given.success || given.data === "0x") {
    return { refusal: "Give one signed transaction, as 0x-prefixed hex." };
  }
  const transaction = parsed(lower(given.data));
  if (transaction === undefined) return { refusal: "This is not a transaction." };
  if (transaction.type === "eip4844") return { refusal: "This chain takes no blobs." };
  if (transaction.r === undefined || transaction.s === undefined) {
    return { refusal: "The transaction is not signed." };
  }
  if (transaction.chainId === undefined) {
    return { refusal: "The transaction is signed for no chain in particular (EIP-155)." };
  }
  if (transaction.chainId !== chainId) {
    return {
      refusal: `The transaction is signed for chain ${transaction.chainId}, and this one is ${chainId}.`,
    };
  }
  return { hash: keccak256(given.data) };
}

function parsed(raw: Hex) {
  try {
    return parseTransaction(raw);
  } catch {
    // Its errors quote the transaction; that it is none says enough.
    return undefined;
  }
}
