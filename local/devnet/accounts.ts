import { type HDAccount, type HDKey, hdKeyToAccount } from "viem/accounts";
import { mnemonicRoot } from "../../core/adapter/mnemonic.ts";

/** The accounts that people and tests use. Public knowledge: never fund it anywhere else. */
const testMnemonic = "test test test test test test test test test test test junk";

/** The platform's own wallets on the devnet. As public as the other: for the devnet only. */
export const platformMnemonic =
  "fee paper story market trade report review ticket reward column wisdom clarify";

/** Wallets of `platformMnemonic` by what they are for. */
export const platformIndexes = { relayers: [0, 1, 2, 3, 4, 5, 6, 7], auditor: 8, treasury: 9 } as const;

export const testAccountCount = 10;

/** One of the ten test accounts, 0 to 9, at m/44'/60'/0'/0/`index`. Account 0 owns and deployed everything. */
export function testAccount(index: number): HDAccount {
  return accountOf(testMnemonic, index);
}

/** A wallet of the platform, at m/44'/60'/0'/0/`index`; see `platformIndexes`. */
export function platformAccount(index: number): HDAccount {
  return accountOf(platformMnemonic, index);
}

const roots = new Map<string, HDKey>();

function accountOf(mnemonic: string, index: number): HDAccount {
  const root = roots.get(mnemonic) ?? mnemonicRoot(mnemonic);
  roots.set(mnemonic, root);
  return hdKeyToAccount(root, { addressIndex: index });
}
