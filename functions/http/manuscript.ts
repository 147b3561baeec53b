import * as z from "zod";
import * as Manuscript from "../../core/manuscript/index.ts";
import { DiscardInput, KeepInput } from "../../core/manuscript/schema.ts";
import { walletEndpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const keep = walletEndpoint("press-keep", KeepInput, async ({ caller, body }) =>
  json(await Manuscript.keep({ table: runtime.table(), clock: runtime.clock }, caller.wallet, body)),
);

export const discard = walletEndpoint("press-discard", DiscardInput, async ({ caller, body }) => {
  await Manuscript.discard({ table: runtime.table(), clock: runtime.clock }, caller.wallet, body);
  return json({ discarded: true });
});

export const read = walletEndpoint("my-manuscript", z.undefined(), async ({ caller, path }) =>
  json(await Manuscript.read({ table: runtime.table() }, caller.wallet, path.name)),
);
