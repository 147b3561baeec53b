import type { Route } from "../route.ts";
import { siteName } from "../site.ts";
import { Link } from "./link.tsx";

export function Masthead({ page }: { readonly page: Route["page"] }) {
  return (
    <header className="masthead">
      <div className="frame masthead-row">
        <Link to="/" className="wordmark">
          <img src="/press.svg" alt="" width="36" height="36" />
          {siteName}
        </Link>
        <nav aria-label="Site">
          <Link to="/" current={page === "list"}>
            Presses
          </Link>
          <Link to="/developers" current={page === "developers"}>
            Developers
          </Link>
        </nav>
      </div>
    </header>
  );
}
