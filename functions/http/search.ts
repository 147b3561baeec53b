import * as z from "zod";
import * as Search from "../../core/search/index.ts";
import { SearchQuery } from "../../core/search/schema.ts";
import { serveRoute } from "../lib/endpoint.ts";
import { makeInvalidInputError, makeJson } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = serveRoute("search", z.undefined(), async ({ query }) => {
  const asked = SearchQuery.safeParse(query);
  if (!asked.success) throw makeInvalidInputError(asked.error);
  const ports = { ...runtime.tablePorts(), index: runtime.searchIndex() };
  return makeJson(await Search.search(ports, asked.data));
});
