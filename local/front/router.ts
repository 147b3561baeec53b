import type { Route } from "../../functions/routes.ts";

export type Match =
  | {
      readonly kind: "route";
      readonly route: Route;
      /** The path's named segments. */
      readonly parameters: Readonly<Record<string, string>>;
    }
  /** The path is known, the method is not: these are. */
  | { readonly kind: "method"; readonly allow: readonly string[] }
  | { readonly kind: "none" };

export type Router = (method: string, segments: readonly string[]) => Match;

/** Makes a router of the table: of several matching paths the one with fewest parameters wins, HEAD is read as GET. */
export function makeRouter(routes: readonly Route[]): Router {
  const patterns = routes
    .map((route) => ({ route, parts: route.path.slice(1).split("/") }))
    .toSorted((a, b) => parameterCount(a.parts) - parameterCount(b.parts));
  return (method, segments) => {
    const found = patterns.flatMap(({ route, parts }) => {
      const parameters = matchParts(parts, segments);
      return parameters === undefined ? [] : [{ route, parameters }];
    });
    const wanted = method === "HEAD" ? "GET" : method;
    const match = found.find(({ route }) => route.method === wanted);
    if (match !== undefined) return { kind: "route", ...match };
    return found.length === 0
      ? { kind: "none" }
      : { kind: "method", allow: allowed(found.map((f) => f.route)) };
  };
}

function allowed(routes: readonly Route[]): readonly string[] {
  const methods = new Set<string>(routes.map(({ method }) => method));
  return [...methods, ...(methods.has("GET") ? ["HEAD"] : []), "OPTIONS"];
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
