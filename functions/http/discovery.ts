import * as z from "zod";
import * as Discovery from "../../core/discovery/index.ts";
import { endpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

/** Serves both rows of the discovery document, `/.well-known/x402` and `/api`. */
export const handler = endpoint("discovery", z.undefined(), async () => {
  const settings = runtime.settings();
  return json(Discovery.document(settings), { headers: { link: Discovery.linkHeader(settings) } });
});
