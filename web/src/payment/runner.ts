import { Tally } from "../../../core/vote/schema.ts";
import { history, showText } from "../api/press.ts";
import { postJson, queryClient } from "../api/request.ts";
import { sessionAfterPayment } from "../api/session.ts";
import { makeStore, type Store, useStore } from "../store/store.ts";
import { goesOnOnline, problemFrom } from "./answer.ts";
import { advance, hasTask } from "./machine.ts";
import { forgetRecord, keepRecord, type Purchase, type PurchaseRecord, setUnderWay } from "./purchase.ts";
import { activityOf, type Event, initial, type Phase, type State } from "./state.ts";

/**
 * A payment's ports. Every function may reject; `problemFrom` turns the error into a problem.
 */
type Ports = {
  /** Performs a phase's task and returns the resulting event. */
  readonly perform: (state: State, phase: Phase) => Promise<Event>;
  /** Stores what must not be lost before anything is sent. Throws `NotKept`. */
  readonly keep: (record: PurchaseRecord) => void;
  /** The purchase ended without a part of this browser, so its record is deleted. */
  readonly forget: (state: State) => unknown;
};

export type Payment = Pick<Store<State>, "watch"> & {
  readonly state: () => State;
  /** Reports the reader's action. */
  readonly tell: (event: Event) => void;
};

/** A payment that runs from phase to phase and stops when the reader must act. */
function makePayment(purchase: Purchase, ports: Ports): Payment {
  const { get: state, set, watch } = makeStore(initial(purchase));

  const tell = (event: Event): void => {
    const before = state();
    const wanted = advance(before, event);
    if (wanted === before) return;
    const next = storeFirst(ports, before, wanted);
    set(next);
    if (next.phase !== before.phase && hasTask(next.phase)) void doTask(next);
  };

  const doTask = async (at: State): Promise<void> => {
    const event = await ports
      .perform(at, at.phase)
      .catch((error: unknown): Event => ({ type: "failed", problem: problemFrom(error) }));
    // The reader may have left the phase meanwhile. Then the event is dropped.
    if (state().phase === at.phase) tell(event);
  };

  return { state, watch, tell };
}

/**
 * The next state, after storing what must not be lost. If the browser stores nothing, the payment stops
 * before it sends.
 */
function storeFirst(ports: Ports, before: State, next: State): State {
  // The other tab has stored its own records.
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

/** The code for tasks, loaded when a payment begins. A page that shows only a price does without it. */
let tasks: Awaited<ReturnType<typeof loadTasks>> | undefined;

async function loadTasks() {
  const { perform, releasePress, showOthers } = await import("./perform.ts");
  return { perform, releasePress, showOthers };
}

async function perform(state: State, phase: Phase): Promise<Event> {
  tasks ??= await loadTasks();
  return tasks.perform(state, phase);
}

/** The payments of this page by press. They continue while the reader visits other pages. */
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
    finish(state);
  });
  window.addEventListener("online", () => {
    for (const wait of afterOnline) setTimeout(continueOnline, wait, payment);
  });
  payments.set(purchase.pressId, payment);
  return payment;
}

/**
 * Milliseconds of the retries after the browser is online again. On a telephone the first requests may still
 * fail.
 */
const afterOnline = [0, 2_000, 8_000];

/** Continues a payment that a broken connection had stopped. */
function continueOnline({ state, tell }: Payment): void {
  const { phase } = state();
  if (phase.name === "stopped" && goesOnOnline.has(phase.problem.code)) tell({ type: "retry" });
  if (phase.name === "pending") tell({ type: "waited" });
}

export function usePayment({ state, watch }: Payment): State {
  return useStore({ get: state, watch });
}

function finish({ phase, purchase, wallet }: State): void {
  if (phase.name !== "idle" && phase.name !== "read" && phase.name !== "unlocked") return;
  tasks?.releasePress(purchase.pressId);
  if (phase.name !== "read") return;
  showText(purchase.slug, phase.text);
  if (wallet === undefined) return;
  const payer = wallet.toLowerCase();
  void sessionAfterPayment(payer)
    .then((isOwn) => (isOwn ? countAsReader(purchase.slug) : undefined))
    .catch((error: unknown) => console.warn("The work after a purchase has to wait.", error));
}

/** Counts the buyer's earlier vote as a reader's vote. */
async function countAsReader(slug: string): Promise<void> {
  const { votes } = await queryClient.fetchQuery(history);
  const cast = votes.find((vote) => vote.slug === slug);
  if (cast !== undefined) await postJson("/api/votes/record", { txHash: cast.tx }, Tally);
}
