import { mnemonicToAccount } from "viem/accounts";
import { lower } from "../chain/hex.ts";
import type { Signer } from "../port/signer.ts";

/** Relayer keys derived from a BIP-39 phrase (BIP-44, indexes 0 to count - 1): for the devnet only. */
export function mnemonicSigner(phrase: string, count: number): Signer {
  const accounts = new Map(
    Array.from({ length: count }, (_, addressIndex) => {
      const account = mnemonicToAccount(phrase, { addressIndex });
      return [lower(account.address), account] as const;
    }),
  );
  return {
    addresses: async () => [...accounts.keys()],
    async sign(address, transaction) {
      const account = accounts.get(lower(address));
      if (account === undefined) throw new TypeError(`No relayer key for ${address}`);
      return account.signTransaction({ ...transaction, type: "eip1559" });
    },
  };
}
