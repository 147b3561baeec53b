import * as z from "zod";
import { history } from "../../core/history/index.ts";
import { walletEndpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = walletEndpoint("history", z.undefined(), async ({ caller }) =>
  json(await history({ table: runtime.table() }, caller.wallet)),
);
