import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { contractAddress } from "../../../local/seed/articles.ts";
import { findFaultsAtBothWidths } from "../../support/browser/access.ts";
import { chooseWidth } from "../../support/browser/hand.ts";
import { makeKeyboard } from "../../support/browser/keyboard.ts";
import { signInToPublish } from "../../support/browser/publisher.ts";
import { openPage } from "../../support/browser/reader.ts";
import { startSite } from "../../support/browser/site.ts";
import { publishApproved } from "../../support/demo-press.ts";
import { type PushBrowser, startPushService } from "../../support/push-service.ts";

const service = await startPushService();
afterAll(service.stop);
const site = await startSite(2, { environment: { PUSH_SERVICES: service.origin } });
const { findPress } = site;

/** Waits until the page has sent all changes to the wallet's list of follows. Returns the revision of the wallet's list of follows. */
const waitUntilSent = (page: Page) =>
  page.waitForFunction(() =>
    Object.entries(localStorage).every(
      ([key, value]) => !key.startsWith("follow:") || JSON.parse(value).sent === true,
    ),
  );

test("after a sign-in, two devices have the same follows and saved articles, a removed item stays removed, and a sign-out removes all items", async () => {
  const width = chooseWidth(390);
  const account = await site.newWallet(2_000_000n);
  await using first = await site.visit({ account, width });
  const { page } = first;
  const keys = makeKeyboard(page);
  await page.goto("/for-you");
  await page.getByText("You follow nobody yet").first().waitFor();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await findFaultsAtBothWidths(page)).toEqual([]);

  await openPage(page, `/stock/${findPress(0).stock}`);
  await keys.press(page.getByRole("button", { name: /^Follow\b/ }));
  await page.getByRole("button", { name: "Following" }).waitFor();
  await openPage(page, `/press/${findPress(1).slug}`);
  await keys.press(page.getByRole("button", { name: /^Save\b/ }));
  await page.getByRole("button", { name: "Saved" }).waitFor();
  await openPage(page, "/for-you");
  await page
    .getByRole("region", { name: "Newest" })
    .getByRole("link", { name: findPress(0).headline })
    .waitFor();
  const saved = page.getByRole("region", { name: "Saved articles" });
  await saved.getByRole("link", { name: findPress(1).headline }).waitFor();
  await signInToPublish(page);
  await page.getByRole("region", { name: "Private feed" }).waitFor();
  await waitUntilSent(page);
  // After the page has scrolled, the masthead covers half of a card's link, so axe would report that the link is too small.
  await page.evaluate(() => window.scrollTo(0, 0));
  expect(await findFaultsAtBothWidths(page)).toEqual([]);

  const session = await site.buy(account, findPress(0));
  await using second = await site.visit({ account, width, session });
  const other = second.page;
  await other.addInitScript(() => Object.defineProperty(Notification, "permission", { get: () => "denied" }));
  await other.goto("/for-you");
  await other.getByRole("heading", { name: "Sign in with your wallet" }).waitFor();
  await signInToPublish(other);
  await other.getByText("Notifications of this site are blocked").waitFor();
  const theirs = other.getByRole("region", { name: "Saved articles" });
  await theirs.getByRole("link", { name: findPress(1).headline }).waitFor();
  await makeKeyboard(other).press(theirs.getByRole("button", { name: /^Remove/ }));
  await theirs.getByText("Nothing is saved").waitFor();
  await waitUntilSent(other);
  await other.addInitScript(() => Reflect.deleteProperty(window, "PushManager"));
  await other.reload();
  await other.getByText("This browser cannot show notifications").waitFor();

  await page.reload();
  await saved.getByText("Nothing is saved").waitFor();
  await page
    .getByRole("region", { name: "You follow" })
    .getByRole("link", { name: findPress(0).stock })
    .waitFor();

  await keys.press(page.getByRole("button", { name: "Make an address" }));
  const address = page.getByRole("status").locator("code");
  await address.waitFor();
  const url = (await address.textContent()) ?? "";
  const requestFeed = () => fetch(url);
  expect(await (await requestFeed()).text()).toContain(findPress(0).slug);
  await page.reload();
  await page.getByText("You have a feed address").waitFor();
  expect(await page.content()).not.toContain(url);
  await keys.press(page.getByRole("button", { name: "End the address" }));
  await page.getByRole("button", { name: "Make an address" }).waitFor();
  expect((await requestFeed()).status).toBe(404);

  // A sign-out removes the wallet's follows from the browser, so the next wallet in that browser does not get them.
  await page.evaluate(() => fetch("/api/auth/logout", { method: "POST" }));
  await page.reload();
  await page.getByText("You follow nobody yet").first().waitFor();
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("follow"))),
  ).toEqual([]);
});

/**
 * Push subscriptions need the browser vendor's network, and headless Chromium allows no notifications. The test replaces push subscriptions
 * and notifications with stubs. Except for push subscriptions and notifications, the test uses the browser's own functions.
 */
async function subscribeAs(page: Page, { subscription }: PushBrowser): Promise<void> {
  await page.addInitScript((given) => {
    Object.defineProperty(Notification, "permission", { get: () => "granted" });
    Object.assign(Notification, { requestPermission: async () => "granted" });
    const isSubscribed = () => sessionStorage.getItem("test-subscribed") === "yes";
    const made = {
      endpoint: given.endpoint,
      toJSON: () => given,
      async unsubscribe() {
        sessionStorage.removeItem("test-subscribed");
        return true;
      },
    };
    Object.assign(PushManager.prototype, {
      getSubscription: async () => (isSubscribed() ? made : null),
      async subscribe() {
        sessionStorage.setItem("test-subscribed", "yes");
        return made;
      },
    });
  }, subscription);
}

/** Replaces the notifications and subscriptions that headless Chromium lacks, and records the worker's notifications and answers. */
function watchWorker(ownSubscription: PushBrowser["subscription"]): void {
  const seen: object[] = [];
  const registration: unknown = Reflect.get(globalThis, "registration");
  const manager: unknown = Reflect.get(Object(registration), "pushManager");
  Object.assign(Object(registration), {
    showNotification: async (title: string, options: object) => seen.push({ title, ...options }),
  });
  Object.assign(Object(manager), {
    getSubscription: async () => ({ endpoint: ownSubscription.endpoint, unsubscribe: async () => true }),
  });
  Object.assign(globalThis, { seen });
}

/** Chooses "Turn off" in a notification. Returns the answer that the worker gets from the service. */
async function chooseTurnOff(): Promise<unknown> {
  const ask = globalThis.fetch;
  const answered = new Promise((resolve) => {
    globalThis.fetch = async (...request) => {
      const response = await ask(...request);
      resolve([response.status, await response.clone().json()]);
      return response;
    };
  });
  const event = Object.assign(new Event("notificationclick"), {
    action: "stop",
    notification: { close: () => undefined },
    waitUntil: () => undefined,
  });
  globalThis.dispatchEvent(event);
  return answered;
}

async function deliver(page: Page, data: string): Promise<void> {
  const tools = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    tools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const found = registrations.find(({ scopeURL }) => scopeURL.endsWith("/push/"));
      if (found !== undefined) resolve(found.registrationId);
    });
  });
  await tools.send("ServiceWorker.enable");
  const registrationId = await registered;
  await tools.send("ServiceWorker.deliverPushMessage", { origin: site.origin, registrationId, data });
  await tools.detach();
}

test("a reader with a keyboard gets a notification of a followed author's new article, and can turn notifications off on the page", async () => {
  const browser = service.makeBrowser();
  await using visit = await site.visit({ width: 390 });
  const { page, context } = visit;
  const keys = makeKeyboard(page);
  await subscribeAs(page, browser);
  await page.goto(`/by/${site.author.address.toLowerCase()}`);
  await keys.press(page.getByRole("button", { name: /^Follow\b/ }));
  await openPage(page, "/for-you");
  await signInToPublish(page);
  await keys.press(page.getByRole("button", { name: "Turn notifications on" }));
  await page.getByText("This browser shows a notification").waitFor();
  await waitUntilSent(page);

  const { headline } = contractAddress;
  const order = { ...contractAddress, publisherName: findPress().publisherName };
  const { slug } = await publishApproved(site, site.author, order);
  // If a busy machine answers late, the service sends the message again, and the browser shows both messages as one notification.
  await expect.poll(() => browser.shown.length).toBeGreaterThan(0);
  expect(browser.shown[0]).toMatchObject({ title: headline, path: `/press/${slug}` });

  // The test gives the worker the message that the service has sent, as Chromium's own push service would.
  const worker = context.serviceWorkers().find((found) => found.url().endsWith("/push.js"));
  if (worker === undefined) throw new Error("There is no service worker.");
  await worker.evaluate(watchWorker, browser.subscription);
  await deliver(page, JSON.stringify(browser.shown[0]));
  await deliver(page, JSON.stringify({ title: "Elsewhere", path: "//evil.example/" }));
  await deliver(page, "no JSON");
  const readSeen = () => worker.evaluate(() => Reflect.get(globalThis, "seen"));
  const makeLinkData = (path: string) => ({ data: `${site.origin}${path}` });
  await expect.poll(readSeen).toMatchObject([
    { title: headline, tag: expect.stringMatching(/^press-\d+$/), ...makeLinkData(`/press/${slug}`) },
    { title: "Elsewhere", tag: "", data: site.origin },
    { title: "A new article", ...makeLinkData("/for-you") },
  ]);
  expect(await worker.evaluate(chooseTurnOff)).toEqual([200, { on: false }]);

  await keys.press(page.getByRole("button", { name: "Turn notifications off" }));
  await page.getByText("Get a notification in this browser").waitFor();
});
