import * as z from "zod";
import * as Page from "../../core/page/index.ts";
import { endpoint } from "../lib/endpoint.ts";
import { text } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = endpoint("sitemap", z.undefined(), async ({ query }) => {
  const ports = { table: runtime.table(), clock: runtime.clock, settings: runtime.settings() };
  return text("application/xml", await Page.sitemap(ports, query.part));
});
