import * as z from "zod";
import * as Search from "../../core/search/index.ts";
import { SearchQuery } from "../../core/search/schema.ts";
import { makeHandler } from "../lib/endpoint.ts";
import { makeJson, parseQuery } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = makeHandler("search", z.undefined(), async ({ query }) => {
  const asked = parseQuery(SearchQuery, query);
  const ports = { ...runtime.makeTablePorts(), index: runtime.searchIndex() };
  return makeJson(await Search.search(ports, asked));
});
