import * as Manuscript from "../../core/manuscript/index.ts";
import { DiscardInput } from "../../core/manuscript/schema.ts";
import { walletEndpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = walletEndpoint("press-discard", DiscardInput, async ({ caller, body }) => {
  await Manuscript.discard({ table: runtime.table(), clock: runtime.clock }, caller.wallet, body);
  return json({ discarded: true });
});
