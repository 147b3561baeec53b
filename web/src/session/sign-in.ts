import { askNonce, verify } from "../api/session.ts";
import { connected, signText } from "../wallet/ask.ts";
import type { Wallets } from "../wallet/wallets.ts";

/**
 * Signs in with the connected wallet (specification §4.2) and answers the session's address. Throws WalletProblem and
 * ApiProblem.
 */
export async function signIn(wallets: Wallets): Promise<string> {
  const { address } = connected(wallets);
  const { nonce, message } = await askNonce(address);
  return verify({ address, nonce, signature: await signText(wallets, message) });
}
