import * as z from "zod";
import * as Manuscript from "../../core/manuscript/index.ts";
import { walletEndpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = walletEndpoint("my-manuscript", z.undefined(), async ({ caller, path }) =>
  json(await Manuscript.read({ table: runtime.table() }, caller.wallet, path.name)),
);
