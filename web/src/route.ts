/** The pages of the site. */
export type Route =
  | { readonly page: "list" }
  | { readonly page: "press"; readonly slug: string }
  | { readonly page: "developers" }
  | { readonly page: "missing" };

/** Which page a path names. Unknown and undecodable paths are `missing`. */
export function parseRoute(pathname: string): Route {
  const segments = pathname.split("/").filter((segment) => segment !== "");
  const [first, second] = segments;
  if (first === undefined) return { page: "list" };
  if (first === "developers" && segments.length === 1) return { page: "developers" };
  if (first === "press" && second !== undefined && segments.length === 2) {
    const slug = decoded(second);
    if (slug !== undefined) return { page: "press", slug };
  }
  return { page: "missing" };
}

/** The path of a press's page. */
export function pressPath(slug: string): string {
  return `/press/${encodeURIComponent(slug)}`;
}

/** Path and query of the page that is shown. */
export function currentPlace(): string {
  return window.location.pathname + window.location.search;
}

/** Goes to a place on this site: `push` for another page, `replace` for another view of the same one. */
export function navigate(place: string, how: "push" | "replace"): void {
  if (how === "push") {
    window.history.pushState(undefined, "", place);
    window.scrollTo(0, 0);
  } else {
    window.history.replaceState(undefined, "", place);
  }
  for (const listener of listeners) listener();
}

/** Calls back whenever the place changes, also by the browser's own buttons. Returns how to stop. */
export function watchPlace(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("popstate", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("popstate", listener);
  };
}

const listeners = new Set<() => void>();

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
