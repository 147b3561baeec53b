import * as Session from "../../core/session/index.ts";
import { NonceInput } from "../../core/session/schema.ts";
import { endpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = endpoint("auth-nonce", NonceInput, async ({ body }) => {
  const ports = {
    table: runtime.table(),
    clock: runtime.clock,
    ids: runtime.ids,
    settings: runtime.settings(),
  };
  return json(await Session.challenge(ports, body));
});
