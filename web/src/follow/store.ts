import { useSyncExternalStore } from "react";
import * as z from "zod";
import { kept } from "../store/kept.ts";

/** An author by wallet, or a stock by symbol. */
export type Followed = { readonly kind: "author" | "stock"; readonly id: string };

/** What is followed stays in this browser: nobody else learns of it. */
const drawer = kept("follow", z.object({ name: z.string() }));
const visits = kept("visit", z.object({ before: z.number().optional(), last: z.number() }));

/** Milliseconds without a page after which the next one begins another visit. */
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
  // Another tab may follow something, too.
  window.addEventListener("storage", changed);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener("storage", changed);
  };
}

const keyOf = ({ kind, id }: Followed) => `${kind}:${id}`;

/** What this browser follows: names by `author:0x…` and `stock:AAPL`. */
export function useFollowed(): ReadonlyMap<string, string> {
  return useSyncExternalStore(subscribe, () => shown);
}

/** Throws `NotKept` where the browser keeps nothing. */
export function follow(followed: Followed, name: string): void {
  drawer.write(keyOf(followed), { name });
  changed();
}

export function unfollow(followed: Followed): void {
  drawer.remove(keyOf(followed));
  changed();
}

export function isFollowed(all: ReadonlyMap<string, string>, followed: Followed): boolean {
  return all.has(keyOf(followed));
}

type Told = { readonly publisher: string; readonly stock: string };

/** Whether a press is of an author or about a stock that is followed. */
export function concerns(all: ReadonlyMap<string, string>, { publisher, stock }: Told): boolean {
  return all.has(`author:${publisher}`) || all.has(`stock:${stock}`);
}

/**
 * When (ms) this browser's visit before this one ended; `undefined` on the first. A visit ends with half an hour without a
 * page. Asked once a page: the answer stays the same until the site is loaded anew.
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
