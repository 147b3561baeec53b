import * as z from "zod";
import * as Press from "../../core/press/index.ts";
import { walletEndpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = walletEndpoint("dashboard", z.undefined(), async ({ caller }) =>
  json(await Press.dashboard({ table: runtime.table() }, caller.wallet)),
);
