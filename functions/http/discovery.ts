import * as z from "zod";
import * as Discovery from "../../core/discovery/index.ts";
import * as Press from "../../core/press/index.ts";
import { readReceiptSigner } from "../../core/receipt/index.ts";
import { documentEndpoint, endpoint } from "../lib/endpoint.ts";
import { settings } from "../lib/environment.ts";
import { log } from "../lib/log.ts";
import { isOutage, json, makeInvalidInputError, text } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

/** Serves the discovery document at both of its paths, `/.well-known/x402` and `/api`. */
export const document = documentEndpoint("discovery", async () => {
  const stage = settings();
  const link = Discovery.linkHeader(stage);
  try {
    const signer = await readReceiptSigner(runtime.receipts());
    return json(Discovery.makeDocument(stage, signer), { headers: { link } });
  } catch (error) {
    if (!isOutage(error)) throw error;
    // If the address of the receipts' signer cannot be read, the document is still useful for paying, but must not be cached.
    log.warn("The signer of receipts is unavailable", { error });
    return json(Discovery.makeDocument(stage, undefined), { headers: { link, "cache-control": "no-store" } });
  }
});

/** Serves the list of products to API directories that look for such a list at this origin. */
export const manifest = endpoint("x402-manifest", z.undefined(), async () => {
  const { presses } = await Press.list({ table: runtime.table() }, { limit: 1 });
  return json(Discovery.makeManifest(runtime.settings(), presses[0]));
});

export const feed = endpoint("feed", z.undefined(), async ({ query }) => {
  const asked = Discovery.FeedQuery.safeParse(query);
  if (!asked.success) throw makeInvalidInputError(asked.error);
  const ports = { table: runtime.table(), settings: runtime.settings() };
  const isPrivate = asked.data.for !== undefined;
  return text("application/rss+xml", await Discovery.feed(ports, asked.data), {
    headers: isPrivate ? { "cache-control": "private, no-store", "x-robots-tag": "noindex" } : {},
  });
});
