import * as Manuscript from "../../core/manuscript/index.ts";
import { KeepInput } from "../../core/manuscript/schema.ts";
import { walletEndpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = walletEndpoint("press-keep", KeepInput, async ({ caller, body }) =>
  json(await Manuscript.keep({ table: runtime.table(), clock: runtime.clock }, caller.wallet, body)),
);
