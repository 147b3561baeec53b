import * as z from "zod";
import * as Discovery from "../../core/discovery/index.ts";
import { endpoint } from "../lib/endpoint.ts";
import { invalid, text } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = endpoint("feed", z.undefined(), async ({ query }) => {
  const asked = Discovery.FeedQuery.safeParse(query);
  if (!asked.success) throw invalid(asked.error);
  const ports = { table: runtime.table(), settings: runtime.settings() };
  const isPrivate = asked.data.for !== undefined;
  return text("application/rss+xml", await Discovery.feed(ports, asked.data), {
    headers: isPrivate ? { "cache-control": "private, no-store", "x-robots-tag": "noindex" } : {},
  });
});
