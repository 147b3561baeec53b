import { Tally } from "../../../core/vote/schema.ts";
import { history, showText } from "../api/press.ts";
import { postJson, queryClient } from "../api/request.ts";
import { refreshPaidSession } from "../api/session.ts";
import { makeStore, type Store } from "../store.ts";
import { goesOnOnline, readProblem } from "./answer.ts";
import { applyEvent, continuesAlone, hasTask } from "./machine.ts";
import { forgetRecord, keepRecord, type Purchase, type PurchaseRecord, setSending } from "./purchase.ts";
import { findActivity, makeInitialState, type PayEvent, type PayPhase, type PayState } from "./state.ts";

export type Payment = Pick<Store<PayState>, "watch"> & {
  readonly state: () => PayState;
  /** Tells the payment about an action of the reader. */
  readonly tell: (event: PayEvent) => void;
};

/** A payment that runs from phase to phase and stops when the reader must act. */
function makeRunner(purchase: Purchase): Payment {
  const { get: state, set, watch } = makeStore(makeInitialState(purchase));

  const tell = (event: PayEvent): void => {
    const before = state();
    const wanted = applyEvent(before, event);
    if (wanted === before) return;
    const next = storeState(before, wanted);
    set(next);
    if (next.phase !== before.phase && hasTask(next.phase)) void doTask(next);
  };

  const doTask = async (at: PayState): Promise<void> => {
    const event = await performPhase(at).catch(
      (error: unknown): PayEvent => ({ type: "failed", problem: readProblem(error) }),
    );
    // If the reader has left the payment while the task took the lock of the press, the lock is released for other tabs.
    if (state().phase.name === "idle") tasks?.releasePress(purchase.pressId);
    // If the payment is no longer in the phase of this task, the task's event is ignored.
    if (state().phase === at.phase) tell(event);
  };

  return { state, watch, tell };
}

/**
 * Stores the purchase's record if it has changed, and returns the payment's next state. If the browser cannot store the record, the payment
 * stops before anything is sent.
 */
function storeState(before: PayState, next: PayState): PayState {
  // If another tab pays, that tab stores the record of the payment.
  if (next.phase.name === "following") return next;
  // The purchase was finished in another browser, so this browser needs no record of it.
  if (next.phase.name === "unlocked" && next.legs.publisher?.state !== "paid") {
    if (next.wallet !== undefined) forgetRecord(next.purchase.pressId, next.wallet);
    return next;
  }
  const changed = next.legs !== before.legs || next.approval !== before.approval;
  const record = makeRecord(next);
  if (!changed || record === undefined) return next;
  try {
    keepRecord(record);
    return next;
  } catch (error) {
    const back: PayPhase = { name: "finding" };
    return { ...before, phase: { name: "stopped", problem: readProblem(error), back } };
  }
}

function makeRecord({ wallet, purchase, legs, approval }: PayState): PurchaseRecord | undefined {
  if (wallet === undefined) return undefined;
  const { pressId, slug, headline, priceUnits } = purchase;
  return { wallet, pressId, slug, headline, priceUnits, ...legs, approval };
}

/**
 * The code that performs the tasks of a payment. This code is loaded when a payment begins. A page that shows only a price does not load
 * this code.
 */
let tasks: typeof import("./perform.ts") | undefined;

async function performPhase(state: PayState): Promise<PayEvent> {
  if (tasks === undefined) {
    const { performTask, releasePress, tellOtherTabs } = await import("./perform.ts");
    tasks = { performTask, releasePress, tellOtherTabs };
  }
  return tasks.performTask(state, state.phase);
}

/** The time until which payments are retried because the browser has come back online. */
let retriesUntil = 0;

/** The payments whose dialog has disappeared. */
const hidden = new WeakSet<Payment>();

/** Ends a payment without a dialog if only the reader could continue it, so that other tabs may pay for the press. */
function leaveIfStuck({ state, tell }: Payment): void {
  const isReconnecting = !navigator.onLine || Date.now() < retriesUntil;
  if (!hasEnded(state().phase) && !continuesAlone(state(), isReconnecting)) tell({ type: "leave" });
}

/** The running payments of this tab, by press. A payment continues while the reader visits other pages. */
const payments = new Map<number, Payment>();

export function openPayment(purchase: Purchase): Payment {
  const known = payments.get(purchase.pressId);
  if (known !== undefined) return known;
  const payment = makeRunner(purchase);
  payment.watch(() => {
    const state = payment.state();
    tasks?.tellOtherTabs(state, findActivity(state));
    setSending(purchase.pressId, state.phase.name === "send" || state.phase.name === "pending");
    finishPayment(state);
    // The price has changed, so the page loads the press again.
    if (state.phase.name === "review")
      void queryClient.invalidateQueries({ queryKey: ["press", purchase.slug] });
    if (hidden.has(payment)) leaveIfStuck(payment);
  });
  window.addEventListener("online", () => {
    retriesUntil = Date.now() + Math.max(...afterOnline) + 1_000;
    for (const wait of afterOnline) setTimeout(continueOnline, wait, payment);
  });
  payments.set(purchase.pressId, payment);
  return payment;
}

/**
 * When the browser is online again, the payment is retried several times, because on a telephone the first requests may still fail. The
 * numbers are the milliseconds before each retry.
 */
const afterOnline = [0, 2_000, 8_000];

/** Continues a payment that a broken connection had stopped. */
function continueOnline({ state, tell }: Payment): void {
  const { phase } = state();
  if (phase.name === "stopped" && goesOnOnline.has(phase.problem.code)) tell({ type: "retry" });
  if (phase.name === "pending") tell({ type: "waited" });
}

/**
 * Starts a payment whose dialog has opened. Returns the function that must be called when the dialog disappears, for example because the
 * reader goes back to another page. The function ends the payment if only the reader could continue it.
 */
export function startPayment(payment: Payment, priceUnits: string): () => void {
  hidden.delete(payment);
  payment.tell({ type: "start", priceUnits });
  return () => {
    hidden.add(payment);
    leaveIfStuck(payment);
  };
}

function hasEnded({ name }: PayPhase): boolean {
  return name === "idle" || name === "read" || name === "unlocked";
}

function finishPayment({ phase, purchase, wallet }: PayState): void {
  if (!hasEnded(phase)) return;
  tasks?.releasePress(purchase.pressId);
  if (phase.name !== "read") return;
  showText(purchase.slug, phase.text);
  if (wallet === undefined) return;
  const payer = wallet.toLowerCase();
  void refreshPaidSession(payer)
    .then((isOwn) => (isOwn ? recountVote(purchase.slug) : undefined))
    .catch((error: unknown) =>
      console.warn("After the purchase, the session or the reader's vote could not be updated.", error),
    );
}

/** Makes the service count an earlier vote of the buyer as a vote by a reader who paid. */
async function recountVote(slug: string): Promise<void> {
  const { votes } = await queryClient.fetchQuery(history);
  const cast = votes.find((vote) => vote.slug === slug);
  if (cast !== undefined) await postJson("/api/votes/record", { txHash: cast.tx }, Tally);
}
