import * as z from "zod";
import * as Follow from "../../core/follow/index.ts";
import { ChangeInput, FeedInput } from "../../core/follow/schema.ts";
import * as Push from "../../core/push/index.ts";
import { StopInput, SubscribeInput } from "../../core/push/schema.ts";
import { endpoint, walletEndpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const list = walletEndpoint("follows", z.undefined(), async ({ caller }) =>
  json(await Follow.list({ table: runtime.table() }, caller.wallet)),
);

export const change = walletEndpoint("follows-change", ChangeInput, async ({ caller, body }) =>
  json(await Follow.change(runtime.tablePorts(), caller.wallet, body)),
);

export const privateFeed = walletEndpoint("private-feed", FeedInput, async ({ caller, body }) => {
  const ports = runtime.tablePorts();
  const token = await Follow.renewFeed(ports, caller.wallet, body.on);
  return json({
    url: token === undefined ? null : `${runtime.settings().origin}/feed.xml?for=${token}`,
  });
});

export const pushKey = walletEndpoint("push-key", z.undefined(), async () => {
  const point = await runtime.pushSigner()?.publicKey();
  return json({ key: point === undefined ? null : Buffer.from(point).toString("base64url") });
});

export const subscribe = walletEndpoint("push-on", SubscribeInput, async ({ caller, body }) => {
  const ports = { ...runtime.tablePorts(), services: runtime.pushServices() };
  await Push.subscribe(ports, caller.wallet, body);
  return json({ on: true });
});

export const stopPush = endpoint("push-off", StopInput, async ({ body }) => {
  await Push.stop(runtime.tablePorts(), body.endpoint);
  return json({ on: false });
});
