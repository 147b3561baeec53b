/** Where a request wants to go. */
export type Target = {
  /** Decoded, beginning with a slash. */
  readonly path: string;
  /** The path's segments, split before they were decoded, so that an escaped slash stays inside its segment. */
  readonly segments: readonly string[];
  /** As it was sent, without the question mark. */
  readonly query: string;
};

/** Reads a request line's target (RFC 9112 §3.2): a path, or a whole URL. `undefined` for one that is malformed. */
export function readTarget(target: string): Target | undefined {
  const local = target.startsWith("/") ? target : pathOf(target);
  if (local === undefined) return undefined;
  const [path = "", ...rest] = local.split("?");
  const segments = decodeAll(path.slice(1).split("/"));
  if (segments === undefined) return undefined;
  return { path: `/${segments.join("/")}`, segments, query: rest.join("?") };
}

function pathOf(target: string): string | undefined {
  const url = /^https?:/i.test(target) ? URL.parse(target) : null;
  return url === null ? undefined : `${url.pathname}${url.search}`;
}

function decodeAll(segments: readonly string[]): readonly string[] | undefined {
  try {
    return segments.map(decodeURIComponent);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
