import { useEffect, useRef, useSyncExternalStore } from "react";
import { Developers } from "./page/developers.tsx";
import { List } from "./page/list.tsx";
import { Missing } from "./page/missing.tsx";
import { PressPage } from "./page/press.tsx";
import { Boundary } from "./part/boundary.tsx";
import { Footer } from "./part/footer.tsx";
import { Masthead } from "./part/masthead.tsx";
import { currentPlace, parseRoute, type Route, watchPlace } from "./route.ts";

export function App() {
  const place = new URL(useSyncExternalStore(watchPlace, currentPlace), window.location.origin);
  const route = parseRoute(place.pathname);
  const main = useMainFocus(place.pathname);
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <Masthead page={route.page} />
      <main id="main" ref={main} tabIndex={-1}>
        <Boundary key={place.pathname}>
          <Page route={route} search={place.search} />
        </Boundary>
      </main>
      <Footer />
    </>
  );
}

function Page({ route, search }: { readonly route: Route; readonly search: string }) {
  switch (route.page) {
    case "list":
      return <List search={search} />;
    case "press":
      return <PressPage slug={route.slug} />;
    case "developers":
      return <Developers />;
    case "missing":
      return <Missing />;
  }
}

/** Moves the focus to the content when the page changes, as a browser does when it loads one. */
function useMainFocus(pathname: string) {
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}
