import * as z from "zod";
import * as Discovery from "../../core/discovery/index.ts";
import * as Press from "../../core/press/index.ts";
import { endpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

/** The list of products, for directories that read it at this origin. */
export const handler = endpoint("x402-manifest", z.undefined(), async () => {
  const { presses } = await Press.list({ table: runtime.table() }, { limit: 1 });
  return json(Discovery.manifest(runtime.settings(), presses[0]));
});
