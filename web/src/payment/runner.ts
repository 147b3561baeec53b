import { useSyncExternalStore } from "react";
import { Tally } from "../../../core/vote/schema.ts";
import { history, showText } from "../api/press.ts";
import { postJson, queryClient } from "../api/request.ts";
import { sessionAfterPayment } from "../api/session.ts";
import { goesOnOnline, problemFrom } from "./answer.ts";
import { advance, hasTask } from "./machine.ts";
import { forgetRecord, keepRecord, type Purchase, type PurchaseRecord, setUnderWay } from "./purchase.ts";
import { activityOf, type Event, initial, type Phase, type State } from "./state.ts";

/** What a payment needs of the world around it. Everything may reject; `problemFrom` says what that means. */
type Ports = {
  /** Does a phase's task and answers what came of it. */
  readonly perform: (state: State, phase: Phase) => Promise<Event>;
  /** Keeps what must not be lost, before anything is sent. Throws `NotKept`. */
  readonly keep: (record: PurchaseRecord) => void;
  /** The purchase came to an end that this browser has no part in. */
  readonly forget: (state: State) => unknown;
};

export type Payment = {
  readonly state: () => State;
  readonly watch: (listener: () => void) => () => void;
  /** Tells what the person did. */
  readonly tell: (event: Event) => void;
};

/** A payment that goes on by itself from phase to phase and stops where a person has to do something. */
function makePayment(purchase: Purchase, ports: Ports): Payment {
  let state = initial(purchase);
  const listeners = new Set<() => void>();

  const tell = (event: Event): void => {
    const before = state;
    const wanted = advance(before, event);
    if (wanted === before) return;
    state = stored(ports, before, wanted);
    for (const listener of listeners) listener();
    if (state.phase !== before.phase && hasTask(state.phase)) void doTask(state);
  };

  const doTask = async (at: State): Promise<void> => {
    const event = await ports
      .perform(at, at.phase)
      .catch((error: unknown): Event => ({ type: "failed", problem: problemFrom(error) }));
    // A reader who has left meanwhile is not interested any more.
    if (state.phase === at.phase) tell(event);
  };

  return {
    state: () => state,
    watch: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell,
  };
}

/** The next state once what it must not lose is kept; where the browser keeps nothing, the payment stops unsent. */
function stored(ports: Ports, before: State, next: State): State {
  // What another tab tells, it has kept itself.
  if (next.phase.name === "following") return next;
  if (next.phase.name === "unlocked" && next.legs.publisher?.state !== "paid") {
    ports.forget(next);
    return next;
  }
  const changed = next.legs !== before.legs || next.approval !== before.approval;
  const record = recordOf(next);
  if (!changed || record === undefined) return next;
  try {
    ports.keep(record);
    return next;
  } catch (error) {
    const back: Phase = { name: "finding" };
    return { ...before, phase: { name: "stopped", problem: problemFrom(error), back } };
  }
}

function recordOf({ wallet, purchase, legs, approval }: State): PurchaseRecord | undefined {
  if (wallet === undefined) return undefined;
  const { pressId, slug, headline, priceUnits } = purchase;
  return { wallet, pressId, slug, headline, priceUnits, ...legs, approval };
}

/** What does the tasks, once a payment has begun: a page that only shows a price does without. */
let tasks: Awaited<ReturnType<typeof loadTasks>> | undefined;

async function loadTasks() {
  const { perform, releasePress, showOthers } = await import("./perform.ts");
  return { perform, releasePress, showOthers };
}

async function perform(state: State, phase: Phase): Promise<Event> {
  tasks ??= await loadTasks();
  return tasks.perform(state, phase);
}

/** The payments of this page by press: they go on while the reader looks at something else. */
const payments = new Map<number, Payment>();

export function paymentFor(purchase: Purchase): Payment {
  const known = payments.get(purchase.pressId);
  if (known !== undefined) return known;
  const payment = makePayment(purchase, {
    perform,
    keep: keepRecord,
    forget: ({ wallet }) => wallet !== undefined && forgetRecord(purchase.pressId, wallet),
  });
  payment.watch(() => {
    const state = payment.state();
    tasks?.showOthers(state, activityOf(state));
    setUnderWay(purchase.pressId, state.phase.name === "send" || state.phase.name === "pending");
    ended(state);
  });
  window.addEventListener("online", () => {
    for (const wait of afterOnline) setTimeout(goOn, wait, payment);
  });
  payments.set(purchase.pressId, payment);
  return payment;
}

/** Milliseconds after the browser has found a connection: on a telephone the first requests may still fail. */
const afterOnline = [0, 2_000, 8_000];

/** With the connection back, what it had stopped goes on by itself. */
function goOn({ state, tell }: Payment): void {
  const { phase } = state();
  if (phase.name === "stopped" && goesOnOnline.has(phase.problem.code)) tell({ type: "retry" });
  if (phase.name === "pending") tell({ type: "waited" });
}

/** A payment's state, in a component. */
export function usePayment(payment: Payment): State {
  return useSyncExternalStore(payment.watch, payment.state);
}

function ended({ phase, purchase, wallet }: State): void {
  if (phase.name !== "idle" && phase.name !== "read" && phase.name !== "unlocked") return;
  tasks?.releasePress(purchase.pressId);
  if (phase.name !== "read") return;
  showText(purchase.slug, phase.text);
  if (wallet === undefined) return;
  const payer = wallet.toLowerCase();
  void sessionAfterPayment(payer)
    .then((isOwn) => (isOwn ? countAsReader(purchase.slug) : undefined))
    .catch((error: unknown) => console.warn("What follows a purchase has to wait.", error));
}

/** A vote that the wallet cast before it bought the press is one of a reader from now on. */
async function countAsReader(slug: string): Promise<void> {
  const { votes } = await queryClient.fetchQuery(history);
  const cast = votes.find((vote) => vote.slug === slug);
  if (cast !== undefined) await postJson("/api/votes/record", { txHash: cast.tx }, Tally);
}
