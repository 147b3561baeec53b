import { useEffect } from "react";
import { siteName } from "../site.ts";

/** Names the document after the page; without a name, after the site. */
export function useTitle(page?: string): void {
  useEffect(() => {
    document.title = page === undefined ? siteName : `${page} · ${siteName}`;
  }, [page]);
}
