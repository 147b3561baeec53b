/** Where a request wants to go. */
export type Target = {
  /** As it was sent, beginning with a slash. */
  readonly path: string;
  readonly segments: readonly string[];
  /** As it was sent, without the question mark. */
  readonly query: string;
};

/** Reads a request line's target (RFC 9112 §3.2): a path, or a whole URL. `undefined` for one that is malformed. */
export function readTarget(target: string): Target | undefined {
  const local = target.startsWith("/") ? target : pathOf(target);
  if (local === undefined) return undefined;
  const [path = "", ...rest] = local.split("?");
  return { path, segments: path.slice(1).split("/"), query: rest.join("?") };
}

function pathOf(target: string): string | undefined {
  const url = /^https?:/i.test(target) ? URL.parse(target) : null;
  return url === null ? undefined : `${url.pathname}${url.search}`;
}
