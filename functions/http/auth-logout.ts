import * as z from "zod";
import * as Session from "../../core/session/index.ts";
import { walletEndpoint } from "../lib/endpoint.ts";
import { clearedCookie, json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = walletEndpoint("auth-logout", z.unknown(), async ({ token }) => {
  await Session.close({ table: runtime.table() }, token);
  return json({ address: null }, { cookies: [clearedCookie(runtime.settings().origin)] });
});
