import { lazy, Suspense } from "react";
import { wallet as words } from "../strings/account.ts";
import { buttonClasses, ReloadButton, Spinner } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";

const Qr = lazy(() => import("../ui/qr.tsx"));

/** What somebody can do in whose browser there is no wallet: open this page in one on a phone, or install one. */
export function NoWallet() {
  const page = window.location.href;
  return (
    <div className="grid gap-4">
      <div className="grid gap-1">
        <p className="font-semibold">{words.noneTitle}</p>
        <p className="text-sm text-quiet">{isPhone(navigator.userAgent) ? words.nonePhone : words.none}</p>
      </div>
      {isPhone(navigator.userAgent) ? (
        <Links links={appLinks(page)} label={words.openIn} />
      ) : (
        <OnComputer page={page} />
      )}
    </div>
  );
}

function OnComputer({ page }: { readonly page: string }) {
  return (
    <>
      <Links links={extensions} label={words.install} />
      <ReloadButton>{words.installed}</ReloadButton>
      <div className="flex flex-wrap items-center gap-4 rounded-2xl bg-sunk p-4 text-sm">
        <div className="grid aspect-square w-28 shrink-0 place-items-center">
          <Suspense fallback={<Spinner />}>
            <Qr text={metaMaskLink(page)} label={words.phoneCode} />
          </Suspense>
        </div>
        <p className="min-w-0 flex-1 basis-40">{words.onPhone}</p>
      </div>
    </>
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
            className={buttonClasses({ look: "secondary", size: "large" }, "w-full justify-between!")}
          >
            {label(name)} <Icon name="external" className="text-quiet" />
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Wallets for this chain's kind that announce themselves to pages (EIP-6963), by where they are installed from. */
const extensions = [
  { name: "MetaMask", href: "https://metamask.io/download" },
  { name: "Rabby", href: "https://rabby.io" },
  { name: "Rainbow", href: "https://rainbow.me/extension" },
] as const;

/** Opens a page in MetaMask's own browser, or says how to get the app. It takes the address bare: encoded, it opens a blank tab. */
function metaMaskLink(page: string): string {
  const { host, pathname, search } = new URL(page);
  return `https://link.metamask.io/dapp/${host}${pathname}${search}`;
}

/** Links that open a page inside a phone wallet's own browser, where the wallet is at hand. */
export function appLinks(page: string) {
  const encoded = encodeURIComponent(page);
  return [
    { name: "MetaMask", href: metaMaskLink(page) },
    { name: "Coinbase Wallet", href: `https://go.cb-w.com/dapp?cb_url=${encoded}` },
    { name: "Trust Wallet", href: `https://link.trustwallet.com/open_url?coin_id=60&url=${encoded}` },
  ];
}

/** Whether the browser says that it is a phone's or a tablet's, where wallets are apps. */
export function isPhone(userAgent: string): boolean {
  return /Android|iPhone|iPad|iPod/i.test(userAgent);
}
