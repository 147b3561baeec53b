import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Suspense, useEffect, useState, useSyncExternalStore } from "react";
import { ApiProblem } from "../api/request.ts";
import { postProof, requestNonce } from "../api/session.ts";
import { shortenHex } from "../format.ts";
import { purseConnectorId } from "../purse/connector.ts";
import type { AccountView } from "../shell/account.tsx";
import { common, wallet as words } from "../strings/common.ts";
import { connect as texts } from "../strings/wallet.ts";
import { Button, Copy, joinButtonClasses, ReloadButton, Spinner, Waiting } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { makeLazyPart } from "../ui/part.tsx";
import { Alert, Badge, describeError } from "../ui/status.tsx";
import { connectWallet, requireConnection, signText } from "../wallet/ask.ts";
import { type Connection, loadWallets, useConnection } from "../wallet/state.ts";
import { type Wallets, watchPairing } from "../wallet/wallets.ts";

type WalletDialogProps = {
  readonly view: AccountView;
  readonly onClose: () => void;
  readonly onSignedIn?: (() => void) | undefined;
};

/** The dialog that connects a wallet or signs in with a wallet, from anywhere on the site. */
export default function WalletDialog({ view, onClose, onSignedIn }: WalletDialogProps) {
  const finishSignIn = () => {
    onClose();
    onSignedIn?.();
  };
  const navigate = useNavigate();
  const finishConnecting = (_: Connection, isNewPurse: boolean) => {
    onClose();
    if (isNewPurse) void navigate({ to: "/purse" });
  };
  return view === "connect" ? (
    <Dialog onClose={onClose} title={words.connectTitle} lead={words.connectLead}>
      <ConnectPanel onConnected={finishConnecting} />
    </Dialog>
  ) : (
    <Dialog onClose={onClose} title={words.signInTitle} lead={words.signInLead}>
      <SignInPanel onSignedIn={finishSignIn} />
    </Dialog>
  );
}

type SignInPanelProps = {
  readonly onSignedIn: () => void;
  /**
   * Whether the page asks an already connected wallet for its signature at once; the page does so if the reader wants to continue to the
   * text.
   */
  readonly atOnce?: boolean;
};

/** The steps to a session: the reader chooses a wallet, then signs the sign-in message. */
export function SignInPanel({ onSignedIn, atOnce = false }: SignInPanelProps) {
  const connection = useConnection();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => signIn(await loadWallets()),
    onSuccess: onSignedIn,
  });
  const asks = atOnce && connection !== undefined;
  useEffect(() => {
    if (asks) mutate();
  }, [asks, mutate]);
  if (connection === undefined) return <ConnectPanel onConnected={() => mutate()} />;
  return (
    <div className="grid gap-4">
      <p className="flex items-center justify-between gap-3 rounded-2xl bg-sunk px-4 py-3 text-sm">
        <span>{connection.name}</span>
        <span className="font-mono">{shortenHex(connection.address)}</span>
      </p>
      <Button look="primary" size="large" busy={isPending} onClick={() => mutate()}>
        {isPending ? words.signing : words.signIn}
      </Button>
      <Alert>{error === null ? undefined : describeError(error)}</Alert>
    </div>
  );
}

/**
 * Signs in with the connected wallet (specification §4.2). Returns the session's address. Throws
 * WalletProblem and ApiProblem.
 */
async function signIn(wallets: Wallets): Promise<string> {
  const { address } = requireConnection(wallets);
  const { nonce, message } = await requestNonce(address);
  return postProof({ address, nonce, signature: await signText(wallets, message) });
}

/** The code for QR codes is loaded on demand, because few readers need it. */
const Qr = makeLazyPart(async () => (await import("../ui/qr.tsx")).default);

type ConnectPanelProps = {
  /**
   * This function is called when a wallet is connected. `isNewPurse` means that the wallet is a purse that was made just now and is empty.
   */
  readonly onConnected: (connection: Connection, isNewPurse: boolean) => void;
};

/** The list of the wallets in this browser. Browser extensions can announce themselves late, so the list can grow. */
export function ConnectPanel({ onConnected }: ConnectPanelProps) {
  const { data, error, refetch } = useQuery(opened);
  if (data !== undefined) return <Choices {...data} onConnected={onConnected} />;
  if (error === null) return <Waiting>{words.looking}</Waiting>;
  // If a request has failed, the reader can repeat it. Code that failed to load can be loaded only after a reload of the page.
  const isSilent = error instanceof ApiProblem;
  return (
    <div className="grid justify-items-start gap-3">
      <Alert>{isSilent ? error.message : texts.failed}</Alert>
      {isSilent ? (
        <Button onClick={() => void refetch()}>{common.retry}</Button>
      ) : (
        <ReloadButton>{common.reload}</ReloadButton>
      )}
    </div>
  );
}

/**
 * The list of wallets. The list and the option for people without a wallet appear at the same time, so that the dialog's content does not
 * move.
 */
const opened = queryOptions({
  queryKey: ["wallets"],
  queryFn: async () => {
    const [wallets, passkey] = await Promise.all([loadWallets(), loadPasskeyChoice()]);
    return { wallets, passkey };
  },
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
});

async function loadPasskeyChoice() {
  try {
    const { PasskeyChoice, canOpenPurse } = await import("../purse/choice.tsx");
    return { PasskeyChoice, can: await canOpenPurse() };
  } catch (error) {
    // A reader with a wallet does not need a purse, so a failure of passkeys is only logged.
    console.warn("Passkeys are not offered.", error);
    return undefined;
  }
}

type ChoicesProps = ConnectPanelProps & {
  readonly wallets: Wallets;
  readonly passkey: Awaited<ReturnType<typeof loadPasskeyChoice>>;
};

function Choices({ wallets, passkey, onConnected }: ChoicesProps) {
  const [pairing, setPairing] = useState<string>();
  const connectors = useSyncExternalStore(
    (listener) => wallets.config.subscribe(() => wallets.config.connectors, listener),
    () => wallets.config.connectors,
  );
  // Announced wallets (EIP-6963), development wallets and WalletConnect are in the list. The purse is offered above the list.
  const choices = connectors.filter(({ id }) => id !== purseConnectorId);
  const { mutate, variables, isPending, error } = useMutation({
    mutationFn: async (uid: string) => {
      const stop = watchPairing(wallets, uid, setPairing);
      try {
        return await connectWallet(wallets, uid);
      } finally {
        stop();
        setPairing(undefined);
      }
    },
    onSuccess: (connection) => onConnected(connection, false),
  });
  const asked = isPending ? variables : undefined;
  // WalletConnect reaches only wallets on other devices. If WalletConnect is the only choice, no wallet is installed in this browser.
  const hasNone = choices.every(({ type }) => type === "walletConnect");
  return (
    <div className="grid gap-3">
      {passkey !== undefined && (
        <passkey.PasskeyChoice wallets={wallets} can={passkey.can} onConnected={onConnected} />
      )}
      <ul className="grid gap-2">
        {choices.map(({ uid, name, icon, id }) => (
          <li key={uid}>
            <button
              type="button"
              onClick={() => mutate(uid)}
              className="flex min-h-14 w-full items-center gap-3 rounded-2xl border border-edge px-4 py-3 text-left font-medium hover:bg-sunk"
            >
              <WalletIcon icon={icon} />
              <span className="min-w-0 flex-1">{asked === uid ? words.asking(name) : name}</span>
              {asked === uid ? (
                <Spinner />
              ) : (
                id.startsWith("press-market") && <Badge tone="warn">{words.devnetBadge}</Badge>
              )}
            </button>
          </li>
        ))}
      </ul>
      {pairing !== undefined && <PairingCode uri={pairing} />}
      <Alert>{error?.message}</Alert>
      {hasNone && <NoWallet />}
      {import.meta.env.DEVNET && <p className="text-sm text-quiet">{words.devnetNote}</p>}
    </div>
  );
}

/** Connects a wallet on another device. The reader scans a QR code, or opens or pastes a link on the other device. */
function PairingCode({ uri }: { readonly uri: string }) {
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-2xl bg-sunk p-4 text-sm">
      <p className="basis-full">{texts.pairing}</p>
      <div className="grid aspect-square w-64 max-w-full place-items-center">
        <Suspense fallback={<Spinner />}>
          <Qr text={uri} label={texts.pairingCode} />
        </Suspense>
      </div>
      <a href={uri} className={joinButtonClasses({ look: "primary" })}>
        {texts.openWallet}
      </a>
      <Copy label={texts.pairingLink} text={uri} />
    </div>
  );
}

/** A wallet's picture, which EIP-6963 requires to be a `data:` address. A picture that is not at a `data:` address is not loaded. */
function WalletIcon({ icon }: { readonly icon: string | undefined }) {
  return (
    <span className="grid size-8 shrink-0 place-items-center overflow-hidden rounded-lg bg-sunk text-quiet">
      {icon?.startsWith("data:image/") === true ? (
        <img src={icon} alt="" className="size-full" />
      ) : (
        <Icon name="wallet" />
      )}
    </span>
  );
}

/** Advice for a reader without a wallet in the browser: open this page in a wallet on a phone, or install a wallet. */
function NoWallet() {
  const page = window.location.href;
  return (
    <div className="grid gap-4">
      <div className="grid gap-1">
        <p className="font-semibold">{texts.noneTitle}</p>
        <p className="text-sm text-quiet">{isPhone(navigator.userAgent) ? texts.nonePhone : texts.none}</p>
      </div>
      {isPhone(navigator.userAgent) ? (
        <Links links={listAppLinks(page)} label={texts.openIn} />
      ) : (
        <>
          <Links links={extensions} label={texts.install} />
          <ReloadButton>{texts.installed}</ReloadButton>
          <div className="flex flex-wrap items-center gap-4 rounded-2xl bg-sunk p-4 text-sm">
            <div className="grid aspect-square w-28 shrink-0 place-items-center">
              <Suspense fallback={<Spinner />}>
                <Qr text={makeMetaMaskLink(page)} label={texts.phoneCode} />
              </Suspense>
            </div>
            <p className="min-w-0 flex-1 basis-40">{texts.onPhone}</p>
          </div>
        </>
      )}
    </div>
  );
}

type LinksProps = {
  readonly links: readonly { readonly name: string; readonly href: string }[];
  readonly label: (name: string) => string;
};

function Links({ links, label }: LinksProps) {
  return (
    <ul className="grid gap-2">
      {links.map(({ name, href }) => (
        <li key={name}>
          <a
            href={href}
            rel="noreferrer"
            className={joinButtonClasses({ look: "secondary", size: "large" }, "w-full justify-between!")}
          >
            {label(name)} <Icon name="external" className="text-quiet" />
          </a>
        </li>
      ))}
    </ul>
  );
}

/**
 * Browser wallets for EVM chains, with the addresses from which readers can install the wallets; an installed wallet announces itself to
 * pages (EIP-6963).
 */
const extensions = [
  { name: "MetaMask", href: "https://metamask.io/download" },
  { name: "Rabby", href: "https://rabby.io" },
  { name: "Rainbow", href: "https://rainbow.me/extension" },
] as const;

/**
 * A link that opens a page in MetaMask's own browser, or says how to get the app. The page's address in the link must not be encoded,
 * because MetaMask opens a blank tab for an encoded address.
 */
function makeMetaMaskLink(page: string): string {
  const { host, pathname, search } = new URL(page);
  return `https://link.metamask.io/dapp/${host}${pathname}${search}`;
}

/** Links that open a page inside a phone wallet's browser. */
export function listAppLinks(page: string) {
  const encoded = encodeURIComponent(page);
  return [
    { name: "MetaMask", href: makeMetaMaskLink(page) },
    { name: "Coinbase Wallet", href: `https://go.cb-w.com/dapp?cb_url=${encoded}` },
    { name: "Trust Wallet", href: `https://link.trustwallet.com/open_url?coin_id=60&url=${encoded}` },
  ];
}

/** Whether the browser runs on a phone or a tablet, where wallets are apps. */
export function isPhone(userAgent: string): boolean {
  return /Android|iPhone|iPad|iPod/i.test(userAgent);
}
