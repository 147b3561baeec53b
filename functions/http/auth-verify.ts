import * as Session from "../../core/session/index.ts";
import { VerifyInput } from "../../core/session/schema.ts";
import { endpoint } from "../lib/endpoint.ts";
import { measure } from "../lib/meter.ts";
import { json, sessionCookie } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = endpoint("auth-verify", VerifyInput, async ({ body, token: held }) => {
  const ports = { table: runtime.table(), clock: runtime.clock, ids: runtime.ids, chain: runtime.chain() };
  const { address, token } = await Session.open(ports, body, held);
  measure({ SignIn: 1 });
  return json({ address }, { cookies: [sessionCookie(runtime.settings().origin, token)] });
});
