import { Menu as Base } from "@base-ui/react/menu";
import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { isSameAddress } from "../api/request.ts";
import { signOut } from "../api/session.ts";
import { shortenHex } from "../format.ts";
import { useSession } from "../session/sign-in.tsx";
import { sessions } from "../strings/account.ts";
import { common, wallet as words } from "../strings/common.ts";
import { publish } from "../strings/publish.ts";
import { Button } from "../ui/button.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import { Alert, describeError } from "../ui/status.tsx";
import { loadWallets, useConnection } from "../wallet/state.ts";
import { AccountDot, type AccountView, faceClass } from "./account.tsx";

type AccountMenuProps = {
  /** The address of the session's wallet, or of the connected wallet if there is no session. */
  readonly shown: string;
  readonly onView: (view: AccountView) => void;
};

type MenuEntry = {
  readonly icon: IconName;
  readonly name: string;
  readonly isShown?: boolean;
  readonly onClick: () => unknown;
};

/**
 * The menu with the actions for the wallet and the session. The menu is open when it first appears, because the reader's click has loaded
 * the menu's code.
 */
export default function AccountMenu({ shown, onView }: AccountMenuProps) {
  const connection = useConnection();
  const { address } = useSession();
  const navigate = useNavigate();
  const [failure, setFailure] = useState<string>();
  const trigger = useRef<HTMLButtonElement>(null);
  const act = async ({ name, onClick }: MenuEntry) => {
    try {
      await onClick();
    } catch (error) {
      setFailure(`${name}: ${describeError(error)}`);
    }
  };
  const signedIn = typeof address === "string";
  const isConnected = connection !== undefined;
  const differs = signedIn && isConnected && !isSameAddress(connection.address, address);
  const entries: readonly MenuEntry[] = [
    {
      icon: "copy",
      name: words.copyAddress,
      isShown: window.isSecureContext,
      onClick: () => navigator.clipboard.writeText(shown),
    },
    {
      icon: "wallet",
      name: words.purse,
      isShown: connection?.isPurse === true,
      onClick: () => navigate({ to: "/purse" }),
    },
    { icon: "arrow", name: publish.title, onClick: () => navigate({ to: "/publish" }) },
    { icon: "arrow", name: common.forYou, onClick: () => navigate({ to: "/for-you" }) },
    { icon: "arrow", name: common.history, onClick: () => navigate({ to: "/history" }) },
    { icon: "system", name: sessions.title, isShown: signedIn, onClick: () => navigate({ to: "/sessions" }) },
    {
      icon: "check",
      name: words.signIn,
      isShown: isConnected && (!signedIn || differs),
      onClick: () => onView("sign-in"),
    },
    { icon: "lock", name: words.signOut, isShown: signedIn, onClick: signOut },
    isConnected
      ? { icon: "close", name: words.disconnect, onClick: disconnect }
      : { icon: "wallet", name: words.connect, onClick: () => onView("connect") },
  ];
  return (
    <Base.Root defaultOpen onOpenChange={(open) => open && setFailure(undefined)}>
      <Base.Trigger ref={trigger} className={faceClass}>
        <AccountDot signedIn={signedIn} /> {shortenHex(shown)}
      </Base.Trigger>
      {failure !== undefined && (
        <div className="absolute top-full right-4 mt-2 grid max-w-64 justify-items-start gap-3 rounded-2xl border border-line bg-card p-4 shadow-float">
          <Alert>{failure}</Alert>
          <Button
            size="small"
            onClick={() => {
              setFailure(undefined);
              trigger.current?.focus();
            }}
          >
            {common.close}
          </Button>
        </div>
      )}
      <Base.Portal>
        <Base.Positioner className="z-30" align="end" sideOffset={8} collisionPadding={12}>
          <Base.Popup className="min-w-60 rounded-2xl border border-line bg-card p-2 text-sm shadow-float transition duration-150 data-ending-style:opacity-0 data-starting-style:-translate-y-1 data-starting-style:opacity-0">
            <Base.Group>
              <Base.GroupLabel className="max-w-64 px-3 pt-2 pb-3 text-xs text-quiet">
                {differs
                  ? words.otherSession(shortenHex(shown))
                  : signedIn
                    ? words.signedInAs
                    : words.notSignedIn}
              </Base.GroupLabel>
              {entries.map(
                (entry) =>
                  entry.isShown !== false && (
                    <Base.Item
                      key={entry.name}
                      className="flex min-h-10 w-full cursor-pointer items-center gap-3 rounded-xl px-3 py-2 text-left data-highlighted:bg-sunk"
                      onClick={() => void act(entry)}
                    >
                      <Icon name={entry.icon} className="text-quiet" /> {entry.name}
                    </Base.Item>
                  ),
              )}
            </Base.Group>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

async function disconnect(): Promise<void> {
  const [{ disconnectWallet }, wallets] = await Promise.all([import("../wallet/wallets.ts"), loadWallets()]);
  await disconnectWallet(wallets);
}
