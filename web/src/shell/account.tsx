import { useState } from "react";
import { useFollowSync } from "../follow/follow.tsx";
import { shortenHex } from "../format.ts";
import { useSession, WalletDialog } from "../session/sign-in.tsx";
import { wallet as words } from "../strings/common.ts";
import { Button, joinButtonClasses, Spinner } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { makeLazyPart, PartBoundary } from "../ui/part.tsx";
import { useConnection } from "../wallet/state.ts";

const AccountMenu = makeLazyPart(async () => (await import("./account-menu.tsx")).default);

export type AccountView = "connect" | "sign-in";

/** The masthead's button for the visitor's wallet. The menu and the dialog load when a click opens them. */
export function Account() {
  const connection = useConnection();
  const { address } = useSession();
  useFollowSync(address);
  const [view, setView] = useState<AccountView>();
  const [asked, setAsked] = useState(false);
  const shown = address ?? connection?.address;
  // After a later connection, the menu must stay closed until the next click.
  if (shown === undefined && asked) setAsked(false);
  // The button shows the wallet's address, with a dot that is filled if there is a session.
  const face = shown !== undefined && (
    <button type="button" aria-haspopup="menu" className={faceClass} onClick={() => setAsked(true)}>
      {asked ? <Spinner /> : <AccountDot signedIn={typeof address === "string"} />}
      {shortenHex(shown)}
    </button>
  );
  return (
    <>
      {shown === undefined && (
        <Button look="secondary" className="max-sm:size-11 max-sm:px-0!" onClick={() => setView("connect")}>
          <Icon name="wallet" className="sm:hidden" />
          <span className="max-sm:sr-only">{words.connect}</span>
        </Button>
      )}
      {shown !== undefined && asked ? (
        <PartBoundary fallback={face} onClose={() => setAsked(false)}>
          <AccountMenu shown={shown} onView={setView} />
        </PartBoundary>
      ) : (
        face
      )}
      {view !== undefined && <WalletDialog view={view} onClose={() => setView(undefined)} />}
    </>
  );
}

export const faceClass = joinButtonClasses({ look: "secondary" }, "font-mono max-sm:gap-1.5 max-sm:px-3");

export function AccountDot({ signedIn }: { readonly signedIn: boolean }) {
  return <span className={`size-2 rounded-full ${signedIn ? "bg-accent" : "border border-edge"}`} />;
}
