import * as z from "zod";
import { end, list } from "../../core/session/index.ts";
import { EndInput } from "../../core/session/schema.ts";
import { endpoint, walletEndpoint } from "../lib/endpoint.ts";
import { clearedCookie, json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const me = endpoint("me", z.undefined(), async ({ session }) =>
  json({ address: (await session())?.wallet ?? null }),
);

export const sessions = walletEndpoint("sessions", z.undefined(), async ({ caller, token }) =>
  json({ sessions: await list({ table: runtime.table(), clock: runtime.clock }, { ...caller, token }) }),
);

export const endSessions = walletEndpoint("sessions-end", EndInput, async ({ body, caller, token }) => {
  const ports = { table: runtime.table(), clock: runtime.clock };
  const ended = await end(ports, { ...caller, token }, body);
  return json(ended, { cookies: ended.signedOut ? [clearedCookie(runtime.settings().origin)] : [] });
});
