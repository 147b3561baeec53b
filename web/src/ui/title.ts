import { useEffect } from "react";
import { common } from "../strings/common.ts";

/** Names the document after the page; without a name, after the site. */
export function useTitle(page?: string): void {
  useEffect(() => {
    document.title = page === undefined ? common.siteName : `${page} · ${common.siteName}`;
  }, [page]);
}
