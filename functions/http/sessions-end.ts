import { end } from "../../core/session/own.ts";
import { EndInput } from "../../core/session/schema.ts";
import { walletEndpoint } from "../lib/endpoint.ts";
import { clearedCookie, json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = walletEndpoint("sessions-end", EndInput, async ({ body, caller, token }) => {
  const ports = { table: runtime.table(), clock: runtime.clock };
  const ended = await end(ports, { ...caller, token }, body);
  return json(ended, { cookies: ended.signedOut ? [clearedCookie(runtime.settings().origin)] : [] });
});
