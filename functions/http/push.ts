import * as z from "zod";
import * as Push from "../../core/push/index.ts";
import { StopInput, SubscribeInput } from "../../core/push/schema.ts";
import { endpoint, walletEndpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const key = walletEndpoint("push-key", z.undefined(), async () => {
  const point = await runtime.pushSigner()?.publicKey();
  return json({ key: point === undefined ? null : Buffer.from(point).toString("base64url") });
});

export const subscribe = walletEndpoint("push-on", SubscribeInput, async ({ caller, body }) => {
  const ports = { table: runtime.table(), clock: runtime.clock, services: runtime.pushServices() };
  await Push.subscribe(ports, caller.wallet, body);
  return json({ on: true });
});

export const stop = endpoint("push-off", StopInput, async ({ body }) => {
  await Push.stop({ table: runtime.table(), clock: runtime.clock }, body.endpoint);
  return json({ on: false });
});
