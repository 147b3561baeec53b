import { methodsOf, type Route } from "../../functions/routes.ts";

export type Match =
  | {
      readonly kind: "route";
      readonly route: Route;
      /** The path's named segments. */
      readonly parameters: Readonly<Record<string, string>>;
    }
  /** The path is known, the method is not. */
  | { readonly kind: "method" }
  | { readonly kind: "none" };

export type Router = (method: string, segments: readonly string[]) => Match;

/** Makes a router of the table: of several matching paths the one with fewest parameters wins. */
export function makeRouter(routes: readonly Route[]): Router {
  const patterns = routes
    .map((route) => ({ route, parts: route.path.slice(1).split("/") }))
    .toSorted((a, b) => parameterCount(a.parts) - parameterCount(b.parts));
  return (method, segments) => {
    const found = patterns.flatMap(({ route, parts }) => {
      const parameters = matchParts(parts, segments);
      return parameters === undefined ? [] : [{ route, parameters }];
    });
    const match = found.find(({ route }) => methodsOf(route).some((one) => one === method));
    if (match !== undefined) return { kind: "route", ...match };
    return { kind: found.length === 0 ? "none" : "method" };
  };
}

function matchParts(
  parts: readonly string[],
  segments: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (parts.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const segment = segments[index] ?? "";
    const name = parameterName(part);
    if (name === undefined ? part !== segment : segment === "") return undefined;
    if (name !== undefined) parameters[name] = segment;
  }
  return parameters;
}

function parameterCount(parts: readonly string[]): number {
  return parts.filter((part) => parameterName(part) !== undefined).length;
}

function parameterName(part: string): string | undefined {
  return /^\{(\w+)\}$/.exec(part)?.[1];
}

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
