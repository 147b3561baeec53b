import { pbkdf2Sync } from "node:crypto";
import { HDKey, hdKeyToAccount } from "viem/accounts";
import { lower } from "../chain/hex.ts";
import type { Signer, StatementSigner } from "../port/chain.ts";

/**
 * Computes the root key of a BIP-39 phrase that has no passphrase. The hash function of Node.js is thirty times faster than viem's hash
 * function.
 */
export function deriveRoot(phrase: string): HDKey {
  return HDKey.fromMasterSeed(pbkdf2Sync(phrase.normalize("NFKD"), "mnemonic", 2_048, 64, "sha512"));
}

/**
 * Derives `count` keys from a BIP-39 phrase as BIP-44 describes, beginning with the index `first`. Only the devnet uses keys from a phrase.
 */
export function makePhraseSigner(phrase: string, count: number, first = 0): Signer {
  const root = deriveRoot(phrase);
  const accounts = new Map(
    Array.from({ length: count }, (_, index) => {
      const account = hdKeyToAccount(root, { addressIndex: first + index });
      return [lower(account.address), account] as const;
    }),
  );
  return {
    addresses: async () => [...accounts.keys()],
    async sign(address, transaction) {
      const account = accounts.get(lower(address));
      if (account === undefined) throw new TypeError(`No key for ${address}`);
      return account.signTransaction({ ...transaction, type: "eip1559" });
    },
  };
}

/** Derives the key that signs receipts from a BIP-39 phrase and the key's index. Only the devnet uses a key from a phrase. */
export function makePhraseStatements(phrase: string, index: number): StatementSigner {
  const account = hdKeyToAccount(deriveRoot(phrase), { addressIndex: index });
  return { address: async () => lower(account.address), sign: (hash) => account.sign({ hash }) };
}
