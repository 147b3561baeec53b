import { useMutation } from "@tanstack/react-query";
import { shortHex } from "../format.ts";
import { wallet as words } from "../strings/wallet.ts";
import { Button } from "../ui/button.tsx";
import { loadWallets } from "../wallet/load.ts";
import { useConnection } from "../wallet/state.ts";
import { ConnectPanel } from "./connect-panel.tsx";
import { signIn } from "./sign-in.ts";

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
