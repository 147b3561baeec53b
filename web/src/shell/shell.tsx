import { CSPProvider } from "@base-ui/react/csp-provider";
import { type ErrorComponentProps, Link, Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { discoveryPath } from "../api/discovery.ts";
import { common } from "../strings/common.ts";
import { ButtonLink, ReloadButton, reloadIfReachable } from "../ui/button.tsx";
import { Page, useTitle } from "../ui/page.tsx";
import { Notice } from "../ui/status.tsx";
import { Account } from "./account.tsx";
import { SchemeButton } from "./scheme.tsx";

/** What surrounds every page. */
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
        <Going />
        {/* A screen high at least: the footer is not seen before the page is there, and does not jump when it comes. */}
        <main id="main" ref={main} tabIndex={-1} className="min-h-dvh">
          <Outlet />
        </main>
        <Footer />
      </div>
    </CSPProvider>
  );
}

/** A page whose code is on its way: on a slow network the one before stays for seconds. */
function Going() {
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

/** Moves the focus to the content when the page changes, as a browser does when it loads one. */
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

/** The site's name, its pages, and who is using it. What stands there before the app is web/first.ts's. */
function Masthead() {
  return (
    <header className="masthead">
      <div className="masthead-row frame">
        <Link to="/" className="wordmark" aria-label={common.siteName}>
          <img src="/favicon.svg" alt="" width="30" height="30" />
          <span className="wordmark-name">{common.siteName}</span>
        </Link>
        <nav aria-label={common.nav} className="masthead-links">
          <Link to="/" className="masthead-link" activeOptions={{ exact: true }}>
            {common.presses}
          </Link>
          <Link to="/publish" className="masthead-link">
            {common.publish}
          </Link>
          <Link to="/history" className="masthead-link">
            {common.history}
          </Link>
          <Link to="/developers" className="masthead-link">
            {common.developers}
          </Link>
        </nav>
        <div className="ml-auto flex items-center gap-2">
          <SchemeButton />
          <Account />
        </div>
      </div>
    </header>
  );
}

function Footer() {
  return (
    <footer className="mt-16 border-t border-line bg-card py-10 text-sm text-quiet">
      <div className="frame grid gap-x-16 gap-y-6 md:grid-cols-[minmax(0,1fr)_auto]">
        <div className="grid max-w-xl gap-3">
          <p className="wordmark-name text-ink">{common.siteName}</p>
          <p>
            <strong className="font-semibold text-ink">{common.disclaimerLead}</strong> {common.disclaimer}
          </p>
        </div>
        <nav aria-label={common.furtherReading} className="grid grid-cols-2 content-start gap-x-10 gap-y-2">
          <Link to="/audit" className="link">
            {common.audit}
          </Link>
          <Link to="/terms" className="link">
            {common.terms}
          </Link>
          <Link to="/developers" className="link">
            {common.developers}
          </Link>
          <Link to="/privacy" className="link">
            {common.privacy}
          </Link>
          <a href={discoveryPath} className="link">
            {common.discovery}
          </a>
          <Link to="/contact" className="link">
            {common.contact}
          </Link>
        </nav>
      </div>
    </footer>
  );
}

/** There is no such page. */
export function Missing() {
  return (
    <Page title={common.missingTitle} lead={common.missing}>
      <div>
        <ButtonLink to="/">{common.seeAll}</ButtonLink>
      </div>
    </Page>
  );
}

/** The code of a page could not be loaded. */
export class PageUnreachable extends Error {
  override readonly name = "PageUnreachable";
}

/** Keeps a defect in one page, or a page that cannot be loaded, from emptying the whole site. */
export function Broken({ error }: ErrorComponentProps) {
  return error instanceof PageUnreachable ? <Offline /> : <Defect error={error} />;
}

function Defect({ error }: { readonly error: unknown }) {
  useTitle(common.brokenTitle);
  useEffect(() => console.error("A page failed.", error), [error]);
  return (
    <div className="frame py-12" role="alert">
      <Notice heading={common.brokenTitle} tone="bad">
        <p>{common.broken}</p>
        <ReloadButton>{common.reload}</ReloadButton>
      </Notice>
    </div>
  );
}

/** There is no connection to load a page by. It is loaded as soon as there is one. */
function Offline() {
  useTitle(common.offlineTitle);
  useEffect(() => {
    const retry = () => void reloadIfReachable();
    window.addEventListener("online", retry);
    return () => window.removeEventListener("online", retry);
  }, []);
  return (
    <div className="frame py-12" role="alert">
      <Notice heading={common.offlineTitle} tone="warn">
        <p>{common.offline}</p>
        <ReloadButton>{common.retry}</ReloadButton>
      </Notice>
    </div>
  );
}
