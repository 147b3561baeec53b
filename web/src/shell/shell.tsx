import { CSPProvider } from "@base-ui/react/csp-provider";
import { type ErrorComponentProps, Link, Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { discoveryPath } from "../api/discovery.ts";
import { common } from "../strings/common.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { Page, useTitle } from "../ui/page.tsx";
import { Notice } from "../ui/status.tsx";
import { Account } from "./account.tsx";
import { SchemeButton } from "./scheme.tsx";

/** What surrounds every page. */
export function Shell() {
  const main = useMainFocus();
  return (
    <CSPProvider disableStyleElements>
      <div className="isolate flex min-h-dvh flex-col">
        <a
          href="#main"
          className="sr-only z-50 rounded-full bg-accent px-5 py-3 text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
        >
          {common.skip}
        </a>
        <Masthead />
        <main id="main" ref={main} tabIndex={-1} className="flex-1">
          <Outlet />
        </main>
        <Footer />
      </div>
    </CSPProvider>
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

const linkClass =
  "rounded-full px-3 py-2 text-sm font-medium whitespace-nowrap text-quiet hover:bg-sunk hover:text-ink aria-[current=page]:text-ink";

/** The site's name, its pages, and who is using it. */
function Masthead() {
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-paper/90 backdrop-blur">
      <div className="frame flex min-h-16 flex-wrap items-center gap-x-2 py-2 sm:gap-x-6">
        <Link
          to="/"
          className="flex items-center gap-2.5 rounded-full py-1 font-semibold tracking-tight"
          aria-label={common.siteName}
        >
          <img src="/favicon.svg" alt="" width="30" height="30" />
          <span className="hidden min-[420px]:inline">{common.siteName}</span>
        </Link>
        <nav
          aria-label={common.nav}
          className="flex items-center max-sm:order-last max-sm:-mx-3 max-sm:w-full max-sm:overflow-x-auto"
        >
          <Link to="/" className={linkClass} activeOptions={{ exact: true }}>
            {common.presses}
          </Link>
          <Link to="/publish" className={linkClass}>
            {common.publish}
          </Link>
          <Link to="/history" className={linkClass}>
            {common.history}
          </Link>
          <Link to="/developers" className={linkClass}>
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
    <footer className="mt-16 border-t border-line py-8 text-sm text-quiet">
      <div className="frame flex flex-wrap justify-between gap-x-12 gap-y-4">
        <p className="max-w-2xl">
          <strong className="font-semibold text-ink">{common.disclaimerLead}</strong> {common.disclaimer}
        </p>
        <nav aria-label={common.furtherReading} className="flex gap-5">
          <Link to="/audit" className="link">
            {common.audit}
          </Link>
          <Link to="/developers" className="link">
            {common.developers}
          </Link>
          <a href={discoveryPath} className="link">
            {common.discovery}
          </a>
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

/** Keeps a defect in one page from emptying the whole site. */
export function Broken({ error }: ErrorComponentProps) {
  useTitle(common.brokenTitle);
  useEffect(() => console.error("A page failed.", error), [error]);
  return (
    <div className="frame py-12" role="alert">
      <Notice heading={common.brokenTitle} tone="bad">
        <p>{common.broken}</p>
        <Button onClick={() => window.location.reload()}>{common.reload}</Button>
      </Notice>
    </div>
  );
}
