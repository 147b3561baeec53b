import type { AccountView } from "../shell/account.tsx";
import { wallet as words } from "../strings/account.ts";
import { Dialog } from "../ui/dialog.tsx";
import { ConnectPanel } from "./connect-panel.tsx";
import SignInPanel from "./sign-in-panel.tsx";

type WalletDialogProps = {
  readonly view: AccountView;
  readonly onClose: () => void;
  readonly onSignedIn?: (() => void) | undefined;
};

/** To connect a wallet, or to sign in with it, from anywhere on the site. */
export default function WalletDialog({ view, onClose, onSignedIn }: WalletDialogProps) {
  const signedIn = () => {
    onClose();
    onSignedIn?.();
  };
  return view === "connect" ? (
    <Dialog open onClose={onClose} title={words.connectTitle} lead={words.connectLead}>
      <ConnectPanel onConnected={onClose} />
    </Dialog>
  ) : (
    <Dialog open onClose={onClose} title={words.signInTitle} lead={words.signInLead}>
      <SignInPanel onSignedIn={signedIn} />
    </Dialog>
  );
}
