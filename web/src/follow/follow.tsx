import { useState, useSyncExternalStore } from "react";
import * as z from "zod";
import { openDrawer } from "../store/kept.ts";
import { follow as words } from "../strings/reader.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";

/** Follows an author or a stock in this browser, with a feed for readers who read elsewhere. */
export function FollowButton({
  followed,
  name,
  feed,
}: {
  readonly followed: Followed;
  readonly name: string;
  readonly feed: string;
}) {
  const on = isFollowed(useFollowed(), followed);
  const [failed, setFailed] = useState(false);
  const change = () => {
    try {
      if (on) unfollow(followed);
      else follow(followed, name);
      setFailed(false);
    } catch {
      setFailed(true);
    }
  };
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button look={on ? "plain" : "primary"} aria-pressed={on} onClick={change}>
        <Icon name={on ? "check" : "plus"} /> {on ? words.following : words.follow}
      </Button>
      <a href={feed} className="link text-sm" type="application/rss+xml">
        {words.feed}
      </a>
      {failed && (
        <p role="alert" className="text-sm text-bad">
          {words.notKept}
        </p>
      )}
    </div>
  );
}

/** An author by wallet, or a stock by symbol. */
type Followed = { readonly kind: "author" | "stock"; readonly id: string };

/** Follows are stored only in this browser, so nobody else learns of them. */
const drawer = openDrawer("follow", z.object({ name: z.string() }));
const visits = openDrawer("visit", z.object({ before: z.number().optional(), last: z.number() }));

/** Milliseconds without a page after which the next page begins a new visit. */
const pause = 30 * 60 * 1000;

const listeners = new Set<() => void>();
let shown = read();

function read(): ReadonlyMap<string, string> {
  return new Map(drawer.all().map(([key, { name }]) => [key, name]));
}

function changed(): void {
  shown = read();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab may change the follows too.
  window.addEventListener("storage", changed);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener("storage", changed);
  };
}

const keyOf = ({ kind, id }: Followed) => `${kind}:${id}`;

/** This browser's follows: names by `author:0x…` and `stock:AAPL`. */
export function useFollowed(): ReadonlyMap<string, string> {
  return useSyncExternalStore(subscribe, () => shown);
}

/** Throws `NotKept` if the browser stores nothing. */
function follow(followed: Followed, name: string): void {
  drawer.write(keyOf(followed), { name });
  changed();
}

function unfollow(followed: Followed): void {
  drawer.remove(keyOf(followed));
  changed();
}

function isFollowed(all: ReadonlyMap<string, string>, followed: Followed): boolean {
  return all.has(keyOf(followed));
}

type Told = { readonly publisher: string; readonly stock: string };

/** Whether the reader follows a press's author or its stock. */
export function isConcerned(all: ReadonlyMap<string, string>, { publisher, stock }: Told): boolean {
  return all.has(`author:${publisher}`) || all.has(`stock:${stock}`);
}

/**
 * The end of this browser's previous visit in milliseconds; `undefined` on the first visit. A visit ends
 * after half an hour without a page. It is read once per load of the site, so it does not change.
 */
export const lastVisit: number | undefined = noteVisit(Date.now());

function noteVisit(now: number): number | undefined {
  const known = visits.read("");
  const before = known === undefined ? undefined : now - known.last > pause ? known.last : known.before;
  try {
    visits.write("", { ...(before !== undefined && { before }), last: now });
  } catch {
    // Then nothing is ever new, which is all that is lost.
  }
  return before;
}
