import { lazy, Suspense } from "react";
import { wallet as words } from "../strings/account.ts";
import { buttonClasses, ReloadButton, Spinner } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { appLinks, extensions, isPhone, metaMaskLink } from "./wallet-links.ts";

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
