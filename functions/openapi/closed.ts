import { routes } from "../routes.ts";

/** Where crawlers have no business: what is not both a GET and anybody's. */
export const closed: readonly string[] = routes.flatMap(({ method, caller, path }) =>
  method === "GET" && caller === "anyone" ? [] : [path],
);
