import { type ReactNode, useEffect, useState } from "react";
import * as z from "zod";
import { makeStore, openLocalStore, tryKeep, useStore } from "../store.ts";
import { follow as words } from "../strings/reader.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Alert } from "../ui/status.tsx";

/** The button with which readers follow an author or a stock, and a link to the RSS feed for readers who use a feed reader. */
export function FollowButton({ followed, name, feed }: NamedFollow & { readonly feed: string }) {
  return (
    <KeepButton followed={followed} name={name} label={[words.follow, words.following]}>
      <a href={feed} className="link text-sm" type="application/rss+xml">
        {words.feed}
      </a>
    </KeepButton>
  );
}

/** The button that saves an article for later. */
export function SaveButton({ slug, name }: { readonly slug: string; readonly name: string }) {
  return (
    <KeepButton
      followed={{ kind: "saved", id: slug }}
      name={name}
      label={[words.save, words.saved]}
      look="plain"
    />
  );
}

type NamedFollow = { readonly followed: FollowTarget; readonly name: string };

type KeepProps = NamedFollow & {
  readonly label: readonly [off: string, on: string];
  readonly look?: "plain";
  readonly children?: ReactNode;
};

function KeepButton({ followed, name, label, look, children }: KeepProps) {
  const on = useFollows().has(makeKey(followed));
  const [failed, setFailed] = useState(false);
  const change = () => setFailed(!tryKeep(() => setFollow(followed, name, !on)));
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button look={on ? "plain" : (look ?? "primary")} onClick={change}>
        <Icon name={on ? "check" : "plus"} /> {label[on ? 1 : 0]}
        <span className="sr-only">: {name}</span>
      </Button>
      {children}
      <Alert>{failed ? words.notKept : undefined}</Alert>
    </div>
  );
}

/** The kind and the id of an entry. The id is an author's wallet, a stock's symbol or a saved article's slug. */
export type FollowTarget = { readonly kind: "author" | "stock" | "saved"; readonly id: string };

/**
 * The follows and saved articles of this browser. After a sign-in, the stored entries belong to the wallet that signed in. `sent` means
 * that the service has the entry, and `gone` means that the entry's removal is not sent yet. Without a sign-in, nothing is sent to the
 * service.
 */
export const drawer = openLocalStore(
  "follow",
  z.object({ name: z.string(), sent: z.boolean().optional(), gone: z.boolean().optional() }),
);
/** The wallet that last signed in with this browser and to which the follows belong, and the revision of the follows. */
export const owner = openLocalStore("followOf", z.object({ wallet: z.string(), revision: z.number() }));
const visits = openLocalStore("visit", z.object({ before: z.number().optional(), last: z.number() }));

/** If no page is opened for this number of milliseconds, the next opened page begins a new visit. */
const pause = 30 * 60 * 1000;

function readNames(): ReadonlyMap<string, string> {
  return new Map(drawer.all().flatMap(([key, { name, gone }]) => (gone === true ? [] : [[key, name]])));
}

const shown = makeStore(readNames());

/** Updates all components that show the stored follows. This function must be called after each change of the stored follows. */
export const refreshFollows = () => shown.set(readNames());
// Another tab of the browser may also change the stored follows.
window.addEventListener("storage", refreshFollows);

const makeKey = ({ kind, id }: FollowTarget) => `${kind}:${id}`;

/** The follows and saved articles of this browser, under names such as `author:0x…`, `stock:AAPL` and `saved:a-slug-1`. */
export function useFollows(): ReadonlyMap<string, string> {
  return useStore(shown);
}

/**
 * Adds or removes a follow or a saved article, in this browser and for the signed-in wallet. Throws `NotKept` if the browser cannot store
 * the change.
 */
export function setFollow(target: FollowTarget, name: string, isFollowed: boolean): void {
  const isOwned = owner.read("") !== undefined;
  if (isFollowed || isOwned) drawer.write(makeKey(target), { name, ...(!isFollowed && { gone: true }) });
  else drawer.remove(makeKey(target));
  refreshFollows();
  if (isOwned) void loadSync().then(({ syncFollows }) => syncFollows());
}

const loadSync = () => import("./sync.ts");

/**
 * Synchronizes the follows of this browser with the follows of the signed-in wallet. `address` has the same values as in the result of
 * `useSession`.
 */
export function useFollowSync(address: string | null | undefined): void {
  useEffect(() => {
    const known = owner.read("");
    if (address === undefined || known === undefined) return;
    // If the wallet that stored the follows is no longer signed in, the wallet's follows must not be shown to another person.
    if (address !== known.wallet) void loadSync().then(({ forgetFollows }) => forgetFollows());
    else void loadSync().then(({ syncFollows }) => syncFollows());
  }, [address]);
}

type PressKeys = { readonly publisher: string; readonly stock: string };

/** Whether the reader follows a press's author or its stock. */
export function isFollowedPress(
  follows: ReadonlyMap<string, string>,
  { publisher, stock }: PressKeys,
): boolean {
  return follows.has(`author:${publisher}`) || follows.has(`stock:${stock}`);
}

/**
 * The time at which this browser's previous visit ended, in milliseconds since the epoch; `undefined` on the first visit. A visit ends half
 * an hour after the last page was opened. The end of the previous visit is read only when the site is loaded, so the value stays the same
 * until the next load.
 */
export const lastVisit: number | undefined = recordVisit(Date.now());

function recordVisit(now: number): number | undefined {
  const known = visits.read("");
  const before = known === undefined ? undefined : now - known.last > pause ? known.last : known.before;
  // If the browser cannot store the visit, the only loss is that no press is marked as new.
  tryKeep(() => visits.write("", { ...(before !== undefined && { before }), last: now }));
  return before;
}
