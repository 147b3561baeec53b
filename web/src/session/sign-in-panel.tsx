import { useMutation } from "@tanstack/react-query";
import { askNonce, verify } from "../api/session.ts";
import { shortHex } from "../format.ts";
import { wallet as words } from "../strings/account.ts";
import { Button } from "../ui/button.tsx";
import { connected, signText } from "../wallet/ask.ts";
import { loadWallets, useConnection } from "../wallet/state.ts";
import type { Wallets } from "../wallet/wallets.ts";
import { ConnectPanel } from "./connect-panel.tsx";

/** From no wallet to a session: choose one, then sign the message. */
export default function SignInPanel({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const connection = useConnection();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => signIn(await loadWallets()),
    onSuccess: onSignedIn,
  });
  if (connection === undefined) return <ConnectPanel onConnected={() => mutate()} />;
  return (
    <div className="grid gap-4">
      <p className="flex items-center justify-between gap-3 rounded-2xl bg-sunk px-4 py-3 text-sm">
        <span>{connection.name}</span>
        <span className="font-mono">{shortHex(connection.address)}</span>
      </p>
      <Button look="primary" size="large" busy={isPending} onClick={() => mutate()}>
        {isPending ? words.signing : words.signIn}
      </Button>
      {error !== null && (
        <p role="alert" className="text-sm text-bad">
          {error.message}
        </p>
      )}
    </div>
  );
}

/**
 * Signs in with the connected wallet (specification §4.2) and answers the session's address. Throws WalletProblem and
 * ApiProblem.
 */
async function signIn(wallets: Wallets): Promise<string> {
  const { address } = connected(wallets);
  const { nonce, message } = await askNonce(address);
  return verify({ address, nonce, signature: await signText(wallets, message) });
}
