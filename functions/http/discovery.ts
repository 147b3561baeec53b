import * as Discovery from "../../core/discovery/index.ts";
import { documentEndpoint } from "../lib/endpoint.ts";
import { settings } from "../lib/environment.ts";
import { json } from "../lib/reply.ts";

/** Serves both rows of the discovery document, `/.well-known/x402` and `/api`. */
export const handler = documentEndpoint("discovery", () => {
  const stage = settings();
  return json(Discovery.document(stage), { headers: { link: Discovery.linkHeader(stage) } });
});
