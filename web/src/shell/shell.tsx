import { CSPProvider } from "@base-ui/react/csp-provider";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { common } from "../strings/common.ts";
import { Footer } from "./footer.tsx";
import { Masthead } from "./masthead.tsx";

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
