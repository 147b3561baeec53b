import { CSPProvider } from "@base-ui/react/csp-provider";
import { type ErrorComponentProps, Link, Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { discoveryPath } from "../site.ts";
import { tryStore } from "../store.ts";
import { common } from "../strings/common.ts";
import { ButtonLink, ReloadButton, reloadIfReachable } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Page, useTitle } from "../ui/page.tsx";
import { PartUnreachable } from "../ui/part.tsx";
import { Notice } from "../ui/status.tsx";
import { Account } from "./account.tsx";
import { masthead, mastheadPages } from "./masthead.ts";

export function Shell() {
  const main = useMainFocus();
  return (
    <CSPProvider disableStyleElements>
      <div className="isolate">
        <a
          href="#main"
          className="sr-only z-50 rounded-full bg-accent px-5 py-3 text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
        >
          {common.skip}
        </a>
        <Masthead />
        <LoadHint />
        {/* The content is at least one screen high. The footer therefore becomes visible only after the page has loaded, and does not move. */}
        <main id="main" ref={main} tabIndex={-1} className="min-h-dvh">
          <Outlet />
        </main>
        <Footer />
      </div>
    </CSPProvider>
  );
}

/** Shows that the code of the next page is loading, because on a slow network the old page stays visible for seconds. */
function LoadHint() {
  const going = useRouterState({
    select: ({ location, resolvedLocation }) =>
      resolvedLocation !== undefined && resolvedLocation.pathname !== location.pathname,
  });
  if (!going) return null;
  return (
    <div
      role="progressbar"
      aria-label={common.loading}
      className="fixed inset-x-0 top-0 z-30 h-1 animate-pulse bg-accent"
    />
  );
}

/** Moves the focus to the content when the page changes, as a browser does for a new document. */
function useMainFocus() {
  const pathname = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const main = useRef<HTMLElement>(null);
  const shown = useRef<string>(undefined);
  useEffect(() => {
    const before = shown.current;
    shown.current = pathname;
    if (before !== undefined && before !== pathname) main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}

/**
 * The masthead with the site's name, links to the site's pages, and the button for the visitor's wallet. Before the app loads, the document
 * shows the same masthead (web/vite.config.ts).
 */
function Masthead() {
  return (
    <header className={masthead.bar}>
      <div className={masthead.row}>
        <Link to="/" className={masthead.mark} aria-label={common.siteName}>
          <img src="/favicon.svg" alt="" width="30" height="30" />
          <span className={masthead.name}>{common.siteName}</span>
        </Link>
        <nav aria-label={common.nav} className={masthead.links}>
          {mastheadPages.map(({ to, name }) => (
            <Link key={to} to={to} className={masthead.link} activeOptions={{ exact: to === "/" }}>
              {name}
            </Link>
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-2">
          <SchemeButton />
          <Account />
        </div>
      </div>
    </header>
  );
}

const footerPages = [
  { to: "/for-you", name: common.forYou },
  { to: "/audit", name: common.audit },
  { to: "/terms", name: common.terms },
  { to: "/developers", name: common.developers },
  { to: "/privacy", name: common.privacy },
  { to: "/ranking", name: common.ranking },
  { to: "/contact", name: common.contact },
] as const;

function Footer() {
  return (
    <footer className="mt-16 border-t border-line bg-card py-10 text-sm text-quiet">
      <div className="frame grid gap-x-16 gap-y-6 md:grid-cols-[minmax(0,1fr)_auto]">
        <div className="grid max-w-xl gap-3">
          <p className="font-serif text-[1.375rem] font-semibold tracking-[-0.015em] text-ink">
            {common.siteName}
          </p>
          <p>
            <strong className="font-semibold text-ink">{common.disclaimerLead}</strong> {common.disclaimer}
          </p>
        </div>
        <nav aria-label={common.furtherReading} className="grid grid-cols-2 content-start gap-x-10 gap-y-2">
          {footerPages.map(({ to, name }) => (
            <Link key={to} to={to} className="link">
              {name}
            </Link>
          ))}
          <a href={discoveryPath} className="link">
            {common.discovery}
          </a>
        </nav>
      </div>
    </footer>
  );
}

/** The page for an unknown web address. */
export function MissingPage() {
  return (
    <Page title={common.missingTitle} lead={common.missing}>
      <div>
        <ButtonLink to="/">{common.seeAll}</ButtonLink>
      </div>
    </Page>
  );
}

/**
 * The message in place of a page that has a defect or cannot be loaded. If a page is broken, the other pages still work. A page whose code
 * could not be loaded is loaded as soon as the network connection is back.
 */
export function BrokenPage({ error }: ErrorComponentProps) {
  const isOffline = error instanceof PartUnreachable;
  const title = isOffline ? common.offlineTitle : common.brokenTitle;
  useTitle(title);
  useEffect(() => {
    if (!isOffline) return;
    const retry = () => void reloadIfReachable();
    window.addEventListener("online", retry);
    return () => window.removeEventListener("online", retry);
  }, [isOffline]);
  return (
    <div className="frame py-12">
      <Notice heading={title} tone={isOffline ? "warn" : "bad"} isAlert>
        <p>{isOffline ? common.offline : common.broken}</p>
        <ReloadButton>{isOffline ? common.retry : common.reload}</ReloadButton>
      </Notice>
    </div>
  );
}

const schemes = ["system", "light", "dark"] as const;
type Scheme = (typeof schemes)[number];

function readScheme(): Scheme {
  return schemes.find((scheme) => scheme === document.documentElement.dataset.scheme) ?? "system";
}

const icons = { system: "system", light: "sun", dark: "moon" } as const;

/** The button that switches to the next colour scheme. The three schemes are the system's scheme, light and dark. */
function SchemeButton() {
  const [scheme, setScheme] = useState(readScheme);
  const next = schemes[(schemes.indexOf(scheme) + 1) % schemes.length] ?? "system";
  const choose = () => {
    document.documentElement.dataset.scheme = next;
    // The script public/first.js reads the stored colour scheme before the browser first paints the page.
    tryStore(() => localStorage.setItem("scheme", next));
    setScheme(next);
  };
  return (
    <button
      type="button"
      onClick={choose}
      aria-label={common.schemeButton(common.schemes[scheme], common.schemes[next])}
      title={common.schemeButton(common.schemes[scheme], common.schemes[next])}
      className="grid size-10 shrink-0 place-items-center rounded-full text-quiet hover:bg-sunk hover:text-ink"
    >
      <Icon name={icons[scheme]} />
    </button>
  );
}

/** Parts of a page that can take the focus when a control inside them disappears. */
const parts = "section, article, form, aside, main, [role=dialog]";

/**
 * If the focused element disappears, for example because its form was sent, this function keeps the focus near the element's place. Without
 * this function, a browser would focus the body when the focused element disappears, and keys and screen readers would start again at the
 * top. With this function, the focus moves to the nearest part of the page that surrounded the element and still exists.
 */
export function keepFocus(): void {
  let path: readonly Element[] = [];
  document.addEventListener("focusin", (event) => {
    path = event.composedPath().filter((each) => each instanceof Element);
  });
  const keep = () => {
    const [last, ...around] = path;
    if (last === undefined || last.isConnected || document.activeElement !== document.body) return;
    path = [];
    // If all surrounding elements were removed too, the element was in a dialog that was closed, and the dialog itself restores the focus.
    const part = around.find((each) => each.isConnected && each.matches(parts));
    if (part instanceof HTMLElement) focusPart(part);
  };
  // The focus is moved after the current code has run, because the code that removes an element may set the focus itself.
  new MutationObserver(() => {
    if (path[0]?.isConnected === false) setTimeout(keep);
  }).observe(document.body, { childList: true, subtree: true });
}

function focusPart(part: HTMLElement): void {
  if (!part.hasAttribute("tabindex")) {
    part.tabIndex = -1;
    part.addEventListener("blur", () => part.removeAttribute("tabindex"), { once: true });
  }
  part.focus({ preventScroll: true });
}
