import { Menu as Base } from "@base-ui/react/menu";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { signOut } from "../api/session.ts";
import { shortHex } from "../format.ts";
import { useSession } from "../session/sign-in.tsx";
import { common, wallet as words } from "../strings/common.ts";
import { publish } from "../strings/publish.ts";
import { sessions } from "../strings/sessions.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { loadWallets, useConnection } from "../wallet/state.ts";
import { AccountDot, type AccountView, faceClass } from "./account.tsx";

type AccountMenuProps = {
  /** The session's address, or else the wallet's. */
  readonly shown: string;
  readonly onView: (view: AccountView) => void;
};

/** The actions for wallet and session. It is open at first, because a click loaded it. */
export default function AccountMenu({ shown, onView }: AccountMenuProps) {
  const connection = useConnection();
  const { address, differs } = useSession();
  const navigate = useNavigate();
  const signedIn = typeof address === "string";
  return (
    <Menu
      about={
        signedIn ? (differs ? words.otherSession(shortHex(shown)) : words.signedInAs) : words.notSignedIn
      }
      trigger={
        <>
          <AccountDot signedIn={signedIn} /> {shortHex(shown)}
        </>
      }
    >
      {window.isSecureContext && (
        <Entry icon="copy" onClick={() => navigator.clipboard.writeText(shown)}>
          {words.copyAddress}
        </Entry>
      )}
      {connection?.isPurse === true && (
        <Entry icon="wallet" onClick={() => navigate({ to: "/purse" })}>
          {words.purse}
        </Entry>
      )}
      <Entry icon="arrow" onClick={() => navigate({ to: "/publish" })}>
        {publish.title}
      </Entry>
      <Entry icon="arrow" onClick={() => navigate({ to: "/for-you" })}>
        {common.forYou}
      </Entry>
      <Entry icon="arrow" onClick={() => navigate({ to: "/history" })}>
        {common.history}
      </Entry>
      {signedIn && (
        <Entry icon="system" onClick={() => navigate({ to: "/sessions" })}>
          {sessions.title}
        </Entry>
      )}
      {connection !== undefined && (!signedIn || differs) && (
        <Entry icon="check" onClick={() => onView("sign-in")}>
          {words.signIn}
        </Entry>
      )}
      {signedIn && (
        <Entry icon="lock" onClick={signOut}>
          {words.signOut}
        </Entry>
      )}
      {connection === undefined ? (
        <Entry icon="wallet" onClick={() => onView("connect")}>
          {words.connect}
        </Entry>
      ) : (
        <Entry icon="close" onClick={disconnect}>
          {words.disconnect}
        </Entry>
      )}
    </Menu>
  );
}

type MenuProps = {
  readonly trigger: ReactNode;
  /** A word above the list that names its subject. */
  readonly about: string;
  readonly children: ReactNode;
};

/** A menu that is open at first, and the button that opens it again. */
function Menu({ trigger, about, children }: MenuProps) {
  return (
    <Base.Root defaultOpen>
      <Base.Trigger className={faceClass}>{trigger}</Base.Trigger>
      <Base.Portal>
        <Base.Positioner className="z-30" align="end" sideOffset={8} collisionPadding={12}>
          <Base.Popup className="min-w-60 rounded-2xl border border-line bg-card p-2 text-sm shadow-float transition duration-150 data-ending-style:opacity-0 data-starting-style:-translate-y-1 data-starting-style:opacity-0">
            <Base.Group>
              <Base.GroupLabel className="max-w-64 px-3 pt-2 pb-3 text-xs text-quiet">
                {about}
              </Base.GroupLabel>
              {children}
            </Base.Group>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

type EntryProps = {
  readonly icon: IconName;
  readonly onClick: () => unknown;
  readonly children: string;
};

function Entry({ icon, onClick, children }: EntryProps) {
  return (
    <Base.Item
      className="flex min-h-10 w-full cursor-pointer items-center gap-3 rounded-xl px-3 py-2 text-left data-highlighted:bg-sunk"
      onClick={() => void onClick()}
    >
      <Icon name={icon} className="text-quiet" /> {children}
    </Base.Item>
  );
}

async function disconnect(): Promise<void> {
  const [{ disconnectWallet }, wallets] = await Promise.all([import("../wallet/wallets.ts"), loadWallets()]);
  await disconnectWallet(wallets);
}
