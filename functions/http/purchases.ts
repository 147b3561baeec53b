import * as z from "zod";
import { purchases } from "../../core/history/index.ts";
import { walletEndpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = walletEndpoint("purchases", z.undefined(), async ({ caller }) =>
  json(await purchases({ table: runtime.table() }, caller.wallet)),
);
