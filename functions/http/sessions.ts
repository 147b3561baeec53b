import * as z from "zod";
import { list } from "../../core/session/own.ts";
import { walletEndpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = walletEndpoint("sessions", z.undefined(), async ({ caller, token }) =>
  json({ sessions: await list({ table: runtime.table(), clock: runtime.clock }, { ...caller, token }) }),
);
