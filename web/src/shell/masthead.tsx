import { Link } from "@tanstack/react-router";
import { common } from "../strings/common.ts";
import { Account } from "./account.tsx";
import { SchemeButton } from "./scheme-button.tsx";

const linkClass =
  "rounded-full px-3 py-2 text-sm font-medium whitespace-nowrap text-quiet hover:bg-sunk hover:text-ink aria-[current=page]:text-ink";

/** The site's name, its pages, and who is using it. */
export function Masthead() {
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
