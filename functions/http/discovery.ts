import * as Discovery from "../../core/discovery/index.ts";
import { receiptSigner } from "../../core/receipt/index.ts";
import { documentEndpoint } from "../lib/endpoint.ts";
import { settings } from "../lib/environment.ts";
import { log } from "../lib/log.ts";
import { isOutage, json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

/** Serves both rows of the discovery document, `/.well-known/x402` and `/api`. */
export const handler = documentEndpoint("discovery", async () => {
  const stage = settings();
  const link = Discovery.linkHeader(stage);
  try {
    const signer = await receiptSigner(runtime.receipts());
    return json(Discovery.document(stage, signer), { headers: { link } });
  } catch (error) {
    if (!isOutage(error)) throw error;
    // Without the signer the document is still useful for paying, but it must not be cached.
    log.warn("The signer of receipts is unavailable", { error });
    return json(Discovery.document(stage, undefined), { headers: { link, "cache-control": "no-store" } });
  }
});
