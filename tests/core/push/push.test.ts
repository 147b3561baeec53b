import { beforeEach, expect, test } from "vitest";
import { makePhrasePushSigner, makeWebPush } from "../../../core/adapter/push.ts";
import { systemClock } from "../../../core/adapter/system.ts";
import type { Address } from "../../../core/chain/hex.ts";
import { change } from "../../../core/follow/index.ts";
import type { FollowChange } from "../../../core/follow/schema.ts";
import { notifyFollowers, stop, subscribe } from "../../../core/push/index.ts";
import { isKnownPushService, mostBrowsers, type PushOrder } from "../../../core/push/schema.ts";
import { makePorts } from "../../functions/lib/desk.ts";
import { startPart } from "../../support/provide.ts";
import { type PushBrowser, startPushService } from "../../support/push-service.ts";
import { startTestTable } from "../../support/table.ts";
import { makeRecordingQueue } from "../mint/works.ts";
import { publish, publisher } from "../press/newsroom.ts";

/**
 * Eventually consistent reads show the table as it was at this time of the monotonic clock, or the current table if the time is undefined.
 */
let shownState: number | undefined;
const stored = startPart(
  () =>
    startTestTable("embedded", {
      index: () => 0,
      read: () => (shownState === undefined ? 0 : performance.now() - shownState),
    }),
  { each: true },
);
const service = startPart(startPushService);

const signer = makePhrasePushSigner("test");
let key: string;
let id: number;
let pushes: ReturnType<typeof makeRecordingQueue<PushOrder>>;
beforeEach(async () => {
  shownState = undefined;
  key = Buffer.from(await signer.publicKey()).toString("base64url");
  ({ id } = await publish(makePorts(stored.table), 0, { stock: "AAPL" }));
  // The tests themselves deliver the queue's messages.
  pushes = makeRecordingQueue<PushOrder>();
});

const reader: Address = `0x${"1".repeat(40)}`;
const other: Address = `0x${"2".repeat(40)}`;
const readPress = async () => (await stored.table.entities.press.get({ id }).go()).data;
/** A clock that shows the time at which the press went live. */
const clock = { ...systemClock, now: () => now };
let now = Date.now();
const makePushPorts = () => ({
  table: stored.table,
  clock,
  services: [service.origin],
  pushes,
  push: makeWebPush({
    signer,
    subject: "https://news.example",
    clock: systemClock,
    log: { warn: () => undefined },
    // The time limit for the push service's answer is longer than usual, because on a busy machine a late answer would cause a second
    // message.
    timeLimit: 60_000,
  }),
});

async function follow(wallet: Address, kind: "author" | "stock"): Promise<void> {
  now = Date.parse((await readPress())?.publishedAt ?? "");
  const called = { name: "", on: true };
  const followed: FollowChange =
    kind === "author" ? { kind, id: publisher, ...called } : { kind, id: "AAPL", ...called };
  await change(makePushPorts(), wallet, { base: 0, changes: [followed] });
}

async function subscribeBrowser(wallet: Address): Promise<PushBrowser> {
  const browser = service.makeBrowser(key);
  await subscribe(makePushPorts(), wallet, browser.subscription);
  return browser;
}

/** Handles the message about the press, and all messages that follow from this message. */
async function handleAll(firstOrder: PushOrder = { id, of: "author" }) {
  const orders: PushOrder[] = [firstOrder];
  const totals = { sent: 0, gone: 0, later: 0, refused: 0 };
  for (let order = orders.shift(); order !== undefined; order = orders.shift()) {
    const before = pushes.sent.length;
    const told = await notifyFollowers(makePushPorts(), order);
    for (const name of ["sent", "gone", "later", "refused"] as const) totals[name] += told[name];
    orders.push(...pushes.sent.slice(before).map((sent) => sent.order));
  }
  return totals;
}

test("a new press is announced once in each browser of everybody who follows its author or its stock, and in no other browser", async () => {
  await follow(reader, "author");
  await follow(reader, "stock");
  await follow(other, "stock");
  const [first, second, third] = [
    await subscribeBrowser(reader),
    await subscribeBrowser(reader),
    await subscribeBrowser(other),
  ];
  const stranger = await subscribeBrowser(`0x${"3".repeat(40)}`);
  expect(await handleAll()).toEqual({ sent: 3, gone: 0, later: 0, refused: 0 });
  // The queue may deliver a message twice.
  expect(await handleAll()).toEqual({ sent: 0, gone: 0, later: 0, refused: 0 });
  const { headline, publisherName, slug } = (await readPress()) ?? {};
  const shown = {
    title: headline,
    body: `AAPL · ${publisherName}`,
    path: `/press/${slug}`,
    tag: `press-${id}`,
  };
  for (const browser of [first, second, third]) expect(browser.shown).toEqual([shown]);
  expect(stranger.shown).toEqual([]);
});

test("a notification shows the author's wallet address beside the byline if the byline looks like another wallet's byline", async () => {
  await follow(reader, "stock");
  const browser = await subscribeBrowser(reader);
  await stored.table.entities.press.patch({ id }).set({ bylineAmbiguous: true }).go();
  await handleAll();
  const { publisherName, publisher } = (await readPress()) ?? {};
  expect(browser.shown).toMatchObject([{ body: `AAPL · ${publisherName} (${publisher})` }]);
});

test("two concurrent deliveries of one message notify each browser once", async () => {
  await follow(reader, "author");
  const browser = await subscribeBrowser(reader);
  await Promise.all([handleAll(), handleAll(), handleAll()]);
  expect(browser.shown).toHaveLength(1);
});

test("followers beyond one batch are notified by further messages, so that every follower with a browser is notified", async () => {
  const wallets = Array.from(
    { length: 105 },
    (_, index): Address => `0x${(0x1000 + index).toString(16).padStart(40, "0")}`,
  );
  await Promise.all(
    wallets.map((wallet) =>
      stored.table.entities.follower.put({ followed: `author:${publisher}`, wallet }).go(),
    ),
  );
  now = Date.parse((await readPress())?.publishedAt ?? "");
  // The wallets with browsers include the first and the last follower of each of the two batches.
  const told = wallets.filter((_, index) => index % 33 === 0 || index >= 99);
  const browsers = await Promise.all(told.map(subscribeBrowser));
  expect((await handleAll()).sent).toBe(told.length);
  expect(browsers.filter(({ shown }) => shown.length !== 1)).toEqual([]);
  expect(pushes.sent.map(({ order: { of, after } }) => [of, after !== undefined])).toEqual([
    ["author", true],
    ["stock", false],
  ]);
});

test("a subscription that has ended is removed, and a busy push service is asked again until it accepts the message", async () => {
  await follow(reader, "author");
  const [gone, busy] = [await subscribeBrowser(reader), await subscribeBrowser(reader)];
  gone.answers.push({ status: 410 });
  busy.answers.push({ status: 429, headers: { "retry-after": "100" } }, { status: 503 });
  expect(await handleAll()).toEqual({ sent: 1, gone: 1, later: 2, refused: 0 });
  expect(pushes.sent.flatMap(({ order: { again }, delaySeconds }) => (again ? [delaySeconds] : []))).toEqual([
    100, 60,
  ]);
  expect(busy.shown).toHaveLength(1);
  const { data } = await stored.table.entities.push.get({ wallet: reader }).go();
  expect(data?.browsers.map(({ endpoint }) => endpoint)).toEqual([busy.subscription.endpoint]);
});

test("a message that a push service refuses is not sent again, and the browser's subscription is kept", async () => {
  await follow(reader, "author");
  const browser = await subscribeBrowser(reader);
  browser.answers.push({ status: 403 });
  expect(await handleAll()).toEqual({ sent: 0, gone: 0, later: 0, refused: 1 });
  const { data } = await stored.table.entities.push.get({ wallet: reader }).go();
  expect(data?.browsers).toHaveLength(1);
});

test("a message is dropped when the push service stays busy", async () => {
  await follow(reader, "author");
  const busy = await subscribeBrowser(reader);
  busy.answers.push(...Array.from({ length: 20 }, () => ({ status: 503 })));
  expect(await handleAll()).toEqual({ sent: 0, gone: 0, later: 6, refused: 0 });
});

test("a press is announced right after it went live, even if an eventually consistent read still shows its earlier status", async () => {
  await follow(reader, "author");
  const browser = await subscribeBrowser(reader);
  const { press } = stored.table.entities;
  await press.patch({ id }).set({ status: "approved" }).go();
  shownState = performance.now();
  await press.patch({ id }).set({ status: "live" }).go();
  expect((await readPress())?.status).toBe("approved");
  expect(await handleAll()).toMatchObject({ sent: 1 });
  expect(browser.shown).toHaveLength(1);
});

test("an old press, or a press that is no longer sold, is not announced", async () => {
  await follow(reader, "author");
  const browser = await subscribeBrowser(reader);
  now += 25 * 60 * 60_000;
  await handleAll();
  now -= 25 * 60 * 60_000;
  await stored.table.entities.press
    .patch({ id })
    .set({ unlistedAt: new Date(now).toISOString() })
    .go();
  await handleAll();
  expect(browser.shown).toEqual([]);
});

test("a browser gets messages only for the wallet that subscribed last, and the browser's push address is enough to end the subscription", async () => {
  await follow(reader, "author");
  await follow(other, "author");
  const browser = await subscribeBrowser(reader);
  await subscribe(makePushPorts(), other, browser.subscription);
  expect(await handleAll()).toMatchObject({ sent: 1 });
  await stop(makePushPorts(), `${browser.subscription.endpoint}x`);
  await stop(makePushPorts(), browser.subscription.endpoint);
  await stop(makePushPorts(), browser.subscription.endpoint);
  const { data } = await stored.table.entities.push.get({ wallet: other }).go();
  expect(data?.browsers).toEqual([]);
});

test("a wallet keeps a limited number of its newest browsers, even when several browsers subscribe at once", async () => {
  const browsers = await Promise.all(
    Array.from({ length: mostBrowsers + 3 }, () => service.makeBrowser(key)),
  );
  for (const { subscription } of browsers) await subscribe(makePushPorts(), reader, subscription);
  const { data } = await stored.table.entities.push.get({ wallet: reader }).go();
  expect(data?.browsers.map(({ endpoint }) => endpoint)).toEqual(
    browsers
      .slice(3)
      .map(({ subscription }) => subscription.endpoint)
      .toReversed(),
  );
});

test("a subscription is refused if its address is outside the known push services, even if the address looks like theirs", async () => {
  const { keys } = service.makeBrowser(key).subscription;
  for (const endpoint of [
    "http://fcm.googleapis.com/fcm/send/x",
    "https://fcm.googleapis.com:8443/fcm/send/x",
    "https://fcm.googleapis.com.evil.example/x",
    "https://evil.example/fcm.googleapis.com",
    "https://user@fcm.googleapis.com/x",
    "https://fcm.googleapis.com@evil.example/x",
    "https://evil.example\\@fcm.googleapis.com/x",
    "https://FCM.googleapis.com/x",
    "https://fcm.googleapis.com./x",
    "https://push.apple.com/x",
    "https://a.b.push.apple.com/x",
    "https://xpush.apple.com/x",
    "https://169.254.169.254/latest/meta-data",
    "https://localhost/x",
    "http://127.0.0.1:9/x",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "",
  ]) {
    await expect(subscribe(makePushPorts(), reader, { endpoint, keys }), endpoint).rejects.toMatchObject({
      code: "unknown_push_service",
    });
  }
  for (const endpoint of [
    "https://fcm.googleapis.com/fcm/send/x:y",
    "https://updates.push.services.mozilla.com/wpush/v2/x",
    "https://web.push.apple.com/x",
    "https://wns2-par02p.notify.windows.com/w/?token=x",
  ])
    expect([endpoint, isKnownPushService(endpoint)]).toEqual([endpoint, true]);
});
