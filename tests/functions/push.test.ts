import { expect, test } from "vitest";
import { pushKey as key, stopPush as stop, subscribe } from "../../functions/http/follow.ts";
import { publisher } from "../core/press/newsroom.ts";
import { makeRefusal } from "../support/http-payer.ts";
import { startPart } from "../support/provide.ts";
import { startPushService } from "../support/push-service.ts";
import { invoke, site } from "./lib/call.ts";
import { cookie, pushKeys as keys, openSession, other } from "./lib/desk.ts";
import { startStage } from "./lib/stage.ts";

const stored = startPart(() => startStage({ RELAYER_MNEMONIC: "test phrase" }));

const endpoint = "https://updates.push.services.mozilla.com/wpush/v2/abc";
const turnOnPush = (body: object = { endpoint, keys }, sessionCookie = cookie) =>
  invoke(subscribe, "push-on", { cookies: [sessionCookie], body });
const listBrowsers = async () =>
  (await stored.table.entities.push.get({ wallet: publisher }).go()).data?.browsers.map(
    (one) => one.endpoint,
  );

test("a signed-in wallet turns notifications on, and its browser can turn notifications off without a session", async () => {
  const answer = await invoke(key, "push-key", { cookies: [cookie] });
  expect(answer).toMatchObject({ status: 200, body: { key: expect.stringMatching(/^[\w-]{87}$/) } });
  expect(await turnOnPush()).toMatchObject({ status: 200, body: { on: true } });
  expect(await listBrowsers()).toEqual([endpoint]);
  expect(await invoke(stop, "push-off", { headers: { origin: site }, body: { endpoint } })).toMatchObject({
    body: { on: false },
  });
  expect(await listBrowsers()).toEqual([]);
});

test("a session from a payment cannot turn notifications on, and another wallet cannot turn off a browser's notifications without knowing the browser's push address", async () => {
  await turnOnPush();
  const paid = await openSession(stored.table, publisher, "payment");
  expect(await turnOnPush({ endpoint, keys }, paid)).toMatchObject({ body: { code: "sign_in_required" } });
  await invoke(stop, "push-off", {
    headers: { origin: site },
    cookies: [other],
    body: { endpoint: `${endpoint}d` },
  });
  expect(await listBrowsers()).toEqual([endpoint]);
});

test("a request may name only the address of a known push service, and the tests' push service is known only because of a setting", async () => {
  const service = await startPushService();
  const { subscription } = service.makeBrowser();
  for (const named of [subscription.endpoint, "https://169.254.169.254/", "https://evil.example/"]) {
    expect(await turnOnPush({ endpoint: named, keys })).toMatchObject(
      makeRefusal(400, "unknown_push_service"),
    );
  }
  for (const odd of [{ ...keys, auth: "AA" }, { ...keys, p256dh: "!" }, {}])
    expect(await turnOnPush({ endpoint, keys: odd })).toMatchObject({ status: 400 });
  expect(service.refused).toEqual([]);
  await service.stop();
});
