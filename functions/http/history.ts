import * as z from "zod";
import * as History from "../../core/history/index.ts";
import { walletEndpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const history = walletEndpoint("history", z.undefined(), async ({ caller }) =>
  json(await History.history({ table: runtime.table() }, caller.wallet)),
);

export const purchases = walletEndpoint("purchases", z.undefined(), async ({ caller }) =>
  json(await History.purchases({ table: runtime.table() }, caller.wallet)),
);
