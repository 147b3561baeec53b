import * as z from "zod";
import * as Search from "../../core/search/index.ts";
import { SearchQuery } from "../../core/search/schema.ts";
import { makeHandler } from "../lib/endpoint.ts";
import { makeInvalidInputError, makeJson } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = makeHandler("search", z.undefined(), async ({ query }) => {
  const asked = SearchQuery.safeParse(query);
  if (!asked.success) throw makeInvalidInputError(asked.error);
  const ports = { ...runtime.makeTablePorts(), index: runtime.searchIndex() };
  return makeJson(await Search.search(ports, asked.data));
});
