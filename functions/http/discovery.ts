import * as z from "zod";
import * as Discovery from "../../core/discovery/index.ts";
import * as Press from "../../core/press/index.ts";
import { readReceiptSigner } from "../../core/receipt/index.ts";
import { makeDocumentHandler, makeHandler } from "../lib/endpoint.ts";
import { readSettings } from "../lib/environment.ts";
import { log } from "../lib/log.ts";
import { isOutage, makeJson, makeText, parseQuery } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

/** Serves the discovery document at both of its paths, `/.well-known/x402` and `/api`. */
export const document = makeDocumentHandler("discovery", async () => {
  const stage = readSettings();
  const link = Discovery.makeLinkHeader(stage);
  try {
    const signer = await readReceiptSigner(runtime.receipts());
    return makeJson(Discovery.makeDocument(stage, signer), { headers: { link } });
  } catch (error) {
    if (!isOutage(error)) throw error;
    // If the address of the receipts' signer cannot be read, the document is still useful for paying, but must not be cached.
    log.warn("The signer of receipts is unavailable", { error });
    return makeJson(Discovery.makeDocument(stage, undefined), {
      headers: { link, "cache-control": "no-store" },
    });
  }
});

/** Serves the list of products to API directories that look for such a list at this origin. */
export const manifest = makeHandler("x402-manifest", z.undefined(), async () => {
  const { presses } = await Press.list({ table: runtime.table() }, { limit: 1 });
  return makeJson(Discovery.makeManifest(runtime.readSettings(), presses[0]));
});

export const feed = makeHandler("feed", z.undefined(), async ({ query }) => {
  const asked = parseQuery(Discovery.FeedQuery, query);
  const ports = { table: runtime.table(), settings: runtime.readSettings() };
  const isPrivate = asked.for !== undefined;
  return makeText("application/rss+xml", await Discovery.makeFeed(ports, asked), {
    headers: isPrivate ? { "cache-control": "private, no-store", "x-robots-tag": "noindex" } : {},
  });
});
