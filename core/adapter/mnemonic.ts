import { pbkdf2Sync } from "node:crypto";
import { type HDAccount, HDKey, privateKeyToAccount } from "viem/accounts";
import { toHex } from "viem/utils";
import { lower } from "../chain/hex.ts";
import type { Signer, StatementSigner } from "../port/chain.ts";

/**
 * Computes the key m/44'/60'/0'/0 of a BIP-39 phrase that has no passphrase: the parent of the phrase's accounts (BIP-44). The hash
 * function of Node.js is thirty times faster than viem's hash function.
 */
export function deriveParent(phrase: string): HDKey {
  const seed = pbkdf2Sync(phrase.normalize("NFKD"), "mnemonic", 2_048, 64, "sha512");
  return HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'/0");
}

/** Derives an account from its parent. viem would derive the parent again for each account, which takes five times as long. */
export function deriveAccount(parent: HDKey, index: number): HDAccount {
  const key = parent.deriveChild(index);
  if (key.privateKey === null) throw new TypeError("The parent has no private key.");
  return { ...privateKeyToAccount(toHex(key.privateKey)), getHdKey: () => key, source: "hd" };
}

/**
 * Derives `count` keys from a BIP-39 phrase as BIP-44 describes, beginning with the index `first`. Only the devnet uses keys from a phrase.
 */
export function makePhraseSigner(phrase: string, count: number, first = 0): Signer {
  const parent = deriveParent(phrase);
  const accounts = new Map(
    Array.from({ length: count }, (_, index) => {
      const account = deriveAccount(parent, first + index);
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

/** Derives a key from a BIP-39 phrase and the key's index; this key signs receipts. Only the devnet uses a key from a phrase. */
export function makePhraseStatements(phrase: string, index: number): StatementSigner {
  const account = deriveAccount(deriveParent(phrase), index);
  return { address: async () => lower(account.address), sign: (hash) => account.sign({ hash }) };
}
