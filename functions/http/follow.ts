import * as z from "zod";
import * as Follow from "../../core/follow/index.ts";
import { ChangeInput, FeedInput } from "../../core/follow/schema.ts";
import * as Push from "../../core/push/index.ts";
import { StopInput, SubscribeInput } from "../../core/push/schema.ts";
import { serveRoute, serveWallet } from "../lib/endpoint.ts";
import { makeJson } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const list = serveWallet("follows", z.undefined(), async ({ caller }) =>
  makeJson(await Follow.list({ table: runtime.table() }, caller.wallet)),
);

export const change = serveWallet("follows-change", ChangeInput, async ({ caller, body }) =>
  makeJson(await Follow.change(runtime.tablePorts(), caller.wallet, body)),
);

export const privateFeed = serveWallet("private-feed", FeedInput, async ({ caller, body }) => {
  const ports = runtime.tablePorts();
  const token = await Follow.renewFeed(ports, caller.wallet, body.on);
  return makeJson({
    url: token === undefined ? null : `${runtime.readSettings().origin}/feed.xml?for=${token}`,
  });
});

export const pushKey = serveWallet("push-key", z.undefined(), async () => {
  const point = await runtime.pushSigner()?.publicKey();
  return makeJson({ key: point === undefined ? null : Buffer.from(point).toString("base64url") });
});

export const subscribe = serveWallet("push-on", SubscribeInput, async ({ caller, body }) => {
  const ports = { ...runtime.tablePorts(), services: runtime.pushServices() };
  await Push.subscribe(ports, caller.wallet, body);
  return makeJson({ on: true });
});

export const stopPush = serveRoute("push-off", StopInput, async ({ body }) => {
  await Push.stop(runtime.tablePorts(), body.endpoint);
  return makeJson({ on: false });
});
