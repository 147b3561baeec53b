import { mnemonicToAccount } from "viem/accounts";
import { lower } from "../chain/hex.ts";
import type { Signer } from "../port/signer.ts";

/** Keys derived from a BIP-39 phrase (BIP-44, `count` indexes from `first` on): for the devnet only. */
export function mnemonicSigner(phrase: string, count: number, first = 0): Signer {
  const accounts = new Map(
    Array.from({ length: count }, (_, index) => {
      const account = mnemonicToAccount(phrase, { addressIndex: first + index });
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
