import * as z from "zod";
import { pressDetail } from "../api/press.ts";
import { AddressForm, queryClient } from "../api/request.ts";
import { LegForm, unfinished } from "./record.ts";
import type { Event, State } from "./state.ts";
import { type Activity, activities } from "./state.ts";
import type { Purchase } from "./terms.ts";

/** One tab of a browser pays for a press; the others show what it does, and the next goes on when it ends. */

const name = (pressId: number) => `payment:${pressId}`;

const held = new Map<number, () => void>();

function hold(pressId: number): Promise<void> {
  const left = Promise.withResolvers<void>();
  held.set(pressId, left.resolve);
  return left.promise;
}

/**
 * Makes this tab the only one of the browser that pays for a press, until `releasePress`. Answers false where another one does.
 * Browsers without locks are left to the service, which never charges twice.
 */
export async function holdPress(pressId: number): Promise<boolean> {
  if (held.has(pressId) || !("locks" in navigator)) return true;
  const entered = Promise.withResolvers<boolean>();
  navigator.locks
    .request(name(pressId), { ifAvailable: true }, async (lock) => {
      entered.resolve(lock !== null);
      if (lock !== null) await hold(pressId);
    })
    .catch(entered.reject);
  return entered.promise;
}

export function releasePress(pressId: number): void {
  held.get(pressId)?.();
  held.delete(pressId);
  waiting.get(pressId)?.abort();
  waiting.delete(pressId);
}

/** What one tab sends to the others: no more than they show. */
const Shown = z.object({
  wallet: AddressForm.optional(),
  fee: LegForm,
  publisher: LegForm,
  doing: z.enum(activities).optional(),
});

let channel: BroadcastChannel | undefined;

/** Shows the other tabs what this one, which pays, is busy with. */
export function showOthers({ purchase, wallet, legs }: State, doing: Activity | undefined): void {
  if (!held.has(purchase.pressId)) return;
  channel ??= new BroadcastChannel("payments");
  channel.postMessage({ pressId: purchase.pressId, shown: { wallet, ...legs, doing } });
}

const TabMessage = z.object({ pressId: z.int(), shown: Shown });

/** Tabs that wait for their turn, each by the press that it wants to pay for. */
const waiting = new Map<number, AbortController>();

/** Waits until the tab that pays does something, or has ended: then this one has the text, or goes on. */
export async function awaitTurn({ pressId, slug }: Purchase): Promise<Event> {
  const seen = held.has(pressId) ? undefined : await nextMessage(pressId);
  if (seen !== undefined) return seen;
  const { body } = await queryClient.fetchQuery({ ...pressDetail(slug), staleTime: 0 });
  return body === null ? { type: "entered", record: unfinished(pressId) } : { type: "finished", text: body };
}

/** What the tab that pays sends next; `undefined` once it has ended and this tab is the one that pays. */
function nextMessage(pressId: number): Promise<Event | undefined> {
  const next = Promise.withResolvers<Event | undefined>();
  const ended = new AbortController();
  const heard = new BroadcastChannel("payments");
  const end = (event?: Event) => {
    ended.abort();
    heard.close();
    next.resolve(event);
  };
  waiting.set(pressId, ended);
  heard.onmessage = ({ data }) => {
    const message = TabMessage.safeParse(data);
    if (!message.success || message.data.pressId !== pressId || ended.signal.aborted) return;
    const { wallet, doing, fee, publisher } = message.data.shown;
    end({ type: "seen", wallet, doing, legs: { fee, publisher } });
  };
  navigator.locks
    .request(name(pressId), { signal: ended.signal }, async () => {
      // The lock may be given in the moment in which the other tab tells something, or this one is left.
      if (ended.signal.aborted) return;
      const left = hold(pressId);
      end();
      await left;
    })
    .catch((error: unknown) => {
      if (!ended.signal.aborted) next.reject(error);
    });
  return next.promise;
}
