import * as z from "zod";
import * as Follow from "../../core/follow/index.ts";
import { ChangeInput, FeedInput } from "../../core/follow/schema.ts";
import * as Push from "../../core/push/index.ts";
import { StopInput, SubscribeInput } from "../../core/push/schema.ts";
import { makeHandler, makeWalletHandler } from "../lib/endpoint.ts";
import { makeJson } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const list = makeWalletHandler("follows", z.undefined(), async ({ caller }) =>
  makeJson(await Follow.list({ table: runtime.table() }, caller.wallet)),
);

export const change = makeWalletHandler("follows-change", ChangeInput, async ({ caller, body }) =>
  makeJson(await Follow.change(runtime.makeTablePorts(), caller.wallet, body)),
);

export const privateFeed = makeWalletHandler("private-feed", FeedInput, async ({ caller, body }) => {
  const ports = runtime.makeTablePorts();
  const token = await Follow.renewFeed(ports, caller.wallet, body.on);
  return makeJson({
    url: token === undefined ? null : `${runtime.readSettings().origin}/feed.xml?for=${token}`,
  });
});

export const pushKey = makeWalletHandler("push-key", z.undefined(), async () => {
  const point = await runtime.pushSigner()?.publicKey();
  return makeJson({ key: point === undefined ? null : Buffer.from(point).toString("base64url") });
});

export const subscribe = makeWalletHandler("push-on", SubscribeInput, async ({ caller, body }) => {
  const ports = { ...runtime.makeTablePorts(), services: runtime.readPushServices() };
  await Push.subscribe(ports, caller.wallet, body);
  return makeJson({ on: true });
});

export const stopPush = makeHandler("push-off", StopInput, async ({ body }) => {
  await Push.stop(runtime.makeTablePorts(), body.endpoint);
  return makeJson({ on: false });
});
