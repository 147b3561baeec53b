import { type HDAccount, mnemonicToAccount } from "viem/accounts";

/** The accounts of every development chain. Public knowledge: whatever they own elsewhere belongs to anybody. */
const mnemonic = "test test test test test test test test test test test junk";

type DevelopmentAccount = { readonly role: string; readonly index: number };

/** One wallet a role, so that both sides of the marketplace are one click away. The publisher has published the demo presses. */
export const developmentAccounts: readonly DevelopmentAccount[] = [
  { role: "Devnet reader", index: 8 },
  { role: "Devnet publisher", index: 4 },
  { role: "Devnet stockholder", index: 1 },
];

export function developmentAccount({ index }: DevelopmentAccount): HDAccount {
  return mnemonicToAccount(mnemonic, { addressIndex: index });
}
