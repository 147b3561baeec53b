import { Follows, mostChanges } from "../../../core/follow/schema.ts";
import { ApiProblem, getJson, postJson, queryClient } from "../api/request.ts";
import { tryKeep } from "../store.ts";
import { drawer, owner, refreshFollows } from "./follow.tsx";

/** The query key under which pages find the answer to the last synchronization. */
export const followsKey = ["mine", "follows"] as const;

let last: Promise<void> = Promise.resolve();

/**
 * Sends the follows that were changed in this browser, and applies the changes from other devices. Only one synchronization runs at a time;
 * a failed synchronization is repeated when the next page opens.
 */
export function syncFollows(): Promise<void> {
  last = last.then(sendChanges, sendChanges).catch((error: unknown) => {
    if (!(error instanceof ApiProblem)) throw error;
    // A session that began with a payment may not send follows, so the follows stay in the browser until the wallet signs in. If another
    // wallet has signed in, the service refuses the follows, and `useFollowSync` removes them from the browser.
    if (error.code === "no_session") forgetFollows();
  });
  return last;
}

/** Assigns this browser's follows to the signed-in wallet, unless the follows belong to another wallet. */
export function claimFollows(wallet: string): void {
  const known = owner.read("");
  if (known?.wallet === wallet) return;
  if (known !== undefined) forgetFollows();
  // A browser that cannot store data has no follows that must be sent.
  tryKeep(() => owner.write("", { wallet, revision: 0 }));
}

/** Removes from this browser the follows of a wallet that is no longer signed in. */
export function forgetFollows(): void {
  for (const [key] of drawer.all()) drawer.remove(key);
  owner.remove("");
  refreshFollows();
  // Notifications end too, because they would show the browser's next user which authors and stocks the wallet follows.
  void import("../for-you/push.tsx").then(({ endPush }) => endPush()).catch(() => undefined);
}

async function sendChanges(): Promise<void> {
  const known = owner.read("");
  if (known === undefined) return;
  const due = drawer.all().filter(([, { sent }]) => sent !== true);
  let list = due.length === 0 ? await getJson("/api/me/follows", Follows) : undefined;
  for (let at = 0; at < due.length; at += mostChanges) {
    const changes = due.slice(at, at + mostChanges).map(([key, { name, gone }]) => {
      return { ...parseKey(key), name, on: gone !== true };
    });
    list = await postJson("/api/me/follows", { base: known.revision, changes }, Follows);
  }
  // While the request ran, the reader signed out or signed in with another wallet.
  if (list === undefined || owner.read("")?.wallet !== known.wallet) return;
  queryClient.setQueryData(followsKey, list);
  const sentAs = new Map(due.map(([key, value]) => [key, JSON.stringify(value)]));
  const isWaiting = (key: string) => {
    const value = drawer.read(key);
    return value !== undefined && value.sent !== true && JSON.stringify(value) !== sentAs.get(key);
  };
  for (const [key] of drawer.all()) if (!isWaiting(key)) drawer.remove(key);
  for (const { kind, id, name } of list.entries) {
    const key = `${kind}:${id}`;
    if (!isWaiting(key)) drawer.write(key, { name, sent: true });
  }
  owner.write("", { wallet: known.wallet, revision: list.revision });
  refreshFollows();
}

/** Parses the name under which this browser stores a follow. */
export function parseKey(key: string) {
  const at = key.indexOf(":");
  return { kind: key.slice(0, at), id: key.slice(at + 1) };
}
