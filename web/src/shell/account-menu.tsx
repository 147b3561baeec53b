import { useNavigate } from "@tanstack/react-router";
import { signOut } from "../api/session.ts";
import { shortHex } from "../format.ts";
import { useSession } from "../session/sign-in.tsx";
import { sessions, wallet as words } from "../strings/account.ts";
import { common } from "../strings/common.ts";
import { publish } from "../strings/publish.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { loadWallets, useConnection } from "../wallet/state.ts";
import type { AccountView } from "./account.tsx";
import { AccountDot, faceClass } from "./account.tsx";

type AccountMenuProps = {
  /** The session's address, else the wallet's. */
  readonly shown: string;
  readonly onView: (view: AccountView) => void;
};

/** What can be done about wallet and session. Open from the start: a click asked for it. */
export default function AccountMenu({ shown, onView }: AccountMenuProps) {
  const connection = useConnection();
  const { address, differs } = useSession();
  const navigate = useNavigate();
  const signedIn = typeof address === "string";
  return (
    <Menu
      defaultOpen
      about={
        signedIn ? (differs ? words.otherSession(shortHex(shown)) : words.signedInAs) : words.notSignedIn
      }
      triggerClass={faceClass}
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
      <Entry icon="arrow" onClick={() => navigate({ to: "/publish" })}>
        {publish.title}
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

type EntryProps = {
  readonly icon: IconName;
  readonly onClick: () => unknown;
  readonly children: string;
};

function Entry({ icon, onClick, children }: EntryProps) {
  return (
    <MenuItem onClick={() => void onClick()}>
      <Icon name={icon} className="text-quiet" /> {children}
    </MenuItem>
  );
}

async function disconnect(): Promise<void> {
  const [{ disconnectWallet }, wallets] = await Promise.all([import("../wallet/wallets.ts"), loadWallets()]);
  await disconnectWallet(wallets);
}
