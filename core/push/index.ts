import { type Address, toAddress } from "../chain/hex.ts";
import { AppError, makeBusyError } from "../error.ts";
import { hashSecret } from "../port/clock.ts";
import type { Push, PushResult, Queue } from "../port/cloud.ts";
import type { AllPorts } from "../ports.ts";
import { formatSignature } from "../press/schema.ts";
import type { PushBrowser } from "../record/follow.ts";
import type { PressItem } from "../record/press.ts";
import { commit, tryWrite } from "../transact.ts";
import { isKnownPushService, mostBrowsers, type PushOrder, type SubscribeInput } from "./schema.ts";

type Ports = Pick<AllPorts, "table" | "clock">;

/**
 * The maximum number of times that an update of a wallet's browsers is started again because another request has changed the browsers
 * meanwhile.
 */
const attempts = 8;

/** The number of followers that one message of the queue handles: as many as one table request can read. */
const batchSize = 100;
/** The number of presses that the service remembers for each wallet as notified, so that a wallet is notified of each press only once. */
const mostTold = 50;
/** For this number of milliseconds after a press goes live, followers are still notified of the press. */
const newsFor = 24 * 60 * 60_000;
/**
 * The seconds before the first repeated attempt at a busy push service, the maximum seconds between two attempts, and the maximum number of
 * attempts. The wait doubles up to its maximum.
 */
const firstWait = 30;
const longestWait = 600;
const mostAttempts = 6;

/**
 * Lets this browser receive the wallet's notifications of new articles. A browser gets notifications for only one wallet: the last wallet
 * for which notifications were switched on. If a wallet has more than `mostBrowsers` browsers, its oldest browser is removed. Throws
 * `unknown_push_service` (`input`) and `table_busy` (`upstream`).
 */
export async function subscribe(
  ports: Ports & { readonly services: readonly string[] },
  wallet: Address,
  { endpoint, keys }: SubscribeInput,
): Promise<void> {
  if (!isKnownPushService(endpoint, ports.services)) {
    throw new AppError("input", "unknown_push_service", "endpoint: is not of a known browser's push service");
  }
  const hash = hashSecret(endpoint);
  const { data: owned } = await ports.table.entities.pushOwner.get({ hash }).go({ consistent: true });
  if (owned !== null && owned.wallet !== wallet) await stop(ports, endpoint);
  await updateBrowsers(ports, wallet, (browsers) => {
    const others = browsers.filter((browser) => browser.hash !== hash);
    const at = new Date(ports.clock.now()).toISOString();
    return [{ hash, endpoint, ...keys, at }, ...others].slice(0, mostBrowsers);
  });
}

/**
 * Ends a browser's notifications. The caller is not checked, because only the browser itself knows the address of its subscription. A
 * request that names an unknown subscription address succeeds.
 */
export async function stop(ports: Ports, endpoint: string): Promise<void> {
  const hash = hashSecret(endpoint);
  const { data } = await ports.table.entities.pushOwner.get({ hash }).go({ consistent: true });
  if (data !== null) await removeBrowser(ports, toAddress(data.wallet), hash);
}

function removeBrowser(ports: Ports, wallet: Address, hash: string): Promise<void> {
  return updateBrowsers(ports, wallet, (browsers) => browsers.filter((browser) => browser.hash !== hash));
}

async function updateBrowsers(
  ports: Ports,
  wallet: Address,
  plan: (browsers: readonly PushBrowser[]) => readonly PushBrowser[],
): Promise<void> {
  for (let left = attempts; left > 0; left -= 1) {
    const { data } = await ports.table.entities.push.get({ wallet }).go({ consistent: true });
    const before = data?.browsers ?? [];
    const browsers = plan(before);
    const gone = before.filter(({ hash }) => browsers.every((browser) => browser.hash !== hash));
    const outcome = await commit(ports, (entities) => ({
      own: entities.push
        .update({ wallet })
        .set({ browsers: [...browsers], revision: (data?.revision ?? 0) + 1 })
        .where(({ revision }, { eq, notExists }) =>
          data === null ? notExists(revision) : eq(revision, data.revision),
        )
        .commit(),
      ...Object.fromEntries(
        browsers.map(({ hash }) => [hash, entities.pushOwner.put({ hash, wallet }).commit()]),
      ),
      ...Object.fromEntries(gone.map(({ hash }) => [hash, entities.pushOwner.delete({ hash }).commit()])),
    }));
    if (outcome.done) return;
    if (outcome.refused.size === 0) break;
  }
  throw makeBusyError(new Error("Concurrent requests kept changing the record of the wallet's browsers"));
}

type PushPorts = Ports & {
  readonly push: Push;
  readonly services: readonly string[];
  readonly pushes: Queue<PushOrder>;
};

/** The numbers of browsers to which a message was sent, one number for each kind of answer from the push services. */
export type DeliveryCounts = Readonly<Record<PushResult["status"], number>>;

/**
 * Notifies at most `batchSize` followers about a new press, and queues a message that handles the next followers. Each wallet is marked as
 * notified before its notification is sent, so that a repeated message notifies no wallet twice. If the process stops after a wallet is
 * marked and before its notification is sent, the wallet gets no notification. If a push service is busy, a separate message of the queue
 * repeats the attempt. If a push service accepts a notification but answers too late, the notification is sent again. A repeated
 * notification has the same topic and tag as the first notification, so the browser shows only one of them. Throws if the table or the
 * queue fails.
 */
export async function notifyFollowers(ports: PushPorts, order: PushOrder): Promise<DeliveryCounts> {
  const { table, clock } = ports;
  // The message may arrive right after the press went live. If the read returned the press as a draft, nobody would be notified.
  const { data: press } = await table.entities.press.get({ id: order.id }).go({ consistent: true });
  if (press === null || !isRecentlyPublished(press, clock.now())) return countResults([]);
  if (order.again !== undefined) return retryNotice(ports, press, order.again);
  const followed = order.of === "author" ? `author:${press.publisher}` : `stock:${press.stock}`;
  const { data: followers, cursor } = await table.entities.follower.query
    .byFollowed({ followed })
    .go({ limit: batchSize, ...(order.after !== undefined && { cursor: order.after }) });
  const wallets = followers.map(({ wallet }) => toAddress(wallet));
  const told = await notifyWallets(ports, press, wallets);
  const { id } = order;
  if (cursor !== null) await ports.pushes.send({ id, of: order.of, after: cursor });
  else if (order.of === "author") await ports.pushes.send({ id, of: "stock" });
  return told;
}

function isRecentlyPublished({ status, unlistedAt, publishedAt = "" }: PressItem, now: number): boolean {
  return status === "live" && unlistedAt === undefined && now - Date.parse(publishedAt) < newsFor;
}

async function notifyWallets(
  ports: PushPorts,
  press: PressItem,
  wallets: readonly Address[],
): Promise<DeliveryCounts> {
  const { push } = ports.table.entities;
  const others = wallets.filter((wallet) => wallet !== press.publisher);
  if (others.length === 0) return countResults([]);
  const items = await ports.table.together(others.map((wallet) => push.get({ wallet }).params()));
  const results = await Promise.all(
    others.map(async (wallet, index) => {
      const item = items[index];
      const found = item === undefined ? null : push.parse(item).data;
      if (found === null || found.browsers.length === 0 || !(await markNotified(ports, wallet, press.id)))
        return [];
      return Promise.all(
        found.browsers.map((browser) => sendPush(ports, press, { wallet, browser, attempt: 1 })),
      );
    }),
  );
  return countResults(results.flat());
}

/** Marks the wallet as notified of the press, and returns true if the wallet was not marked before. */
async function markNotified({ table }: Ports, wallet: Address, id: number): Promise<boolean> {
  const { push } = table.entities;
  for (let left = attempts; left > 0; left -= 1) {
    const { data } = await push.get({ wallet }).go({ consistent: true });
    if (data === null || data.told?.includes(id) === true) return false;
    const { revision, told = [] } = data;
    const isClaimed = await tryWrite(
      push
        .patch({ wallet })
        .set({ told: [id, ...told].slice(0, mostTold), revision: revision + 1 })
        .where((stored, { eq }) => eq(stored.revision, revision))
        .go(),
    );
    if (isClaimed) return true;
  }
  throw makeBusyError(new Error("Concurrent requests kept changing the record of the wallet's browsers"));
}

async function retryNotice(
  ports: PushPorts,
  press: PressItem,
  { wallet: named, hash, attempt }: NonNullable<PushOrder["again"]>,
): Promise<DeliveryCounts> {
  const wallet = toAddress(named);
  const { data } = await ports.table.entities.push.get({ wallet }).go({ consistent: true });
  const browser = data?.browsers.find((one) => one.hash === hash);
  if (browser === undefined) return countResults([]);
  return countResults([await sendPush(ports, press, { wallet, browser, attempt })]);
}

type Addressee = { readonly wallet: Address; readonly browser: PushBrowser; readonly attempt: number };

async function sendPush(
  ports: PushPorts,
  press: PressItem,
  { wallet, browser, attempt }: Addressee,
): Promise<keyof DeliveryCounts> {
  const { hash, endpoint } = browser;
  // The settings may have changed since the subscription was stored.
  const isKnown = isKnownPushService(endpoint, ports.services);
  const delivery = isKnown
    ? await ports.push.send(browser, writeText(press), `press-${press.id}`)
    : ({ status: "gone" } as const);
  if (delivery.status === "gone") await removeBrowser(ports, wallet, hash);
  if (delivery.status === "later" && attempt < mostAttempts) {
    const wait = Math.max(firstWait * 2 ** (attempt - 1), delivery.retryAfter ?? 0);
    await ports.pushes.send(
      { id: press.id, of: "author", again: { wallet, hash, attempt: attempt + 1 } },
      { delaySeconds: Math.min(longestWait, wait) },
    );
  }
  return delivery.status;
}

/** The notification for the service worker (web/public/push.js). */
function writeText({ id, headline, stock, slug = "", bylineAmbiguous = false, ...press }: PressItem): string {
  return JSON.stringify({
    title: headline,
    body: `${stock} · ${formatSignature({ ...press, bylineAmbiguous })}`,
    path: `/press/${slug}`,
    tag: `press-${id}`,
  });
}

function countResults(results: readonly (keyof DeliveryCounts)[]): DeliveryCounts {
  const count = (name: keyof DeliveryCounts) => results.filter((result) => result === name).length;
  return { sent: count("sent"), gone: count("gone"), later: count("later"), refused: count("refused") };
}
