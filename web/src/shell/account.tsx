import { lazy, Suspense, useState } from "react";
import { shortHex } from "../format.ts";
import { useSession } from "../session/use-session.ts";
import { wallet as words } from "../strings/wallet.ts";
import { Button } from "../ui/button.tsx";
import { useConnection } from "../wallet/state.ts";
import { AccountFace } from "./account-face.tsx";

const AccountMenu = lazy(() => import("./account-menu.tsx"));
const WalletDialog = lazy(() => import("../session/wallet-dialog.tsx"));

export type AccountView = "connect" | "sign-in";

/** Who is using the site. What opens on a click is loaded by it. */
export function Account() {
  const connection = useConnection();
  const { address } = useSession();
  const [view, setView] = useState<AccountView>();
  const [asked, setAsked] = useState(false);
  const shown = address ?? connection?.address;
  const face = shown !== undefined && (
    <AccountFace onClick={() => setAsked(true)} signedIn={typeof address === "string"}>
      {shortHex(shown)}
    </AccountFace>
  );
  return (
    <>
      {shown === undefined && (
        <Button look="primary" onClick={() => setView("connect")}>
          {words.connect}
        </Button>
      )}
      {shown !== undefined && !asked && face}
      {shown !== undefined && asked && (
        <Suspense fallback={face}>
          <AccountMenu shown={shown} onView={setView} />
        </Suspense>
      )}
      {view !== undefined && (
        <Suspense>
          <WalletDialog view={view} onClose={() => setView(undefined)} />
        </Suspense>
      )}
    </>
  );
}
