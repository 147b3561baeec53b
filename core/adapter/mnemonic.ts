import { pbkdf2Sync } from "node:crypto";
import { HDKey, hdKeyToAccount } from "viem/accounts";
import { lower } from "../chain/hex.ts";
import type { Signer, StatementSigner } from "../port/chain.ts";

/** The root key of a BIP-39 phrase without a passphrase. The hash function of Node.js is thirty times faster than viem's. */
export function deriveRoot(phrase: string): HDKey {
  return HDKey.fromMasterSeed(pbkdf2Sync(phrase.normalize("NFKD"), "mnemonic", 2_048, 64, "sha512"));
}

/** Keys derived from a BIP-39 phrase (BIP-44, `count` indexes from `first` on): for the devnet only. */
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

/** The key that signs receipts, derived from a BIP-39 phrase by its index: for the devnet only. */
export function makePhraseStatements(phrase: string, index: number): StatementSigner {
  const account = hdKeyToAccount(deriveRoot(phrase), { addressIndex: index });
  return { address: async () => lower(account.address), sign: (hash) => account.sign({ hash }) };
}
