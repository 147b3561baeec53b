import * as z from "zod";
import type { MethodName } from "../../../core/payment/schema.ts";
import { queryPressDetail } from "../api/press.ts";
import { AddressForm, computeServiceTime, queryClient } from "../api/request.ts";
import { loadWallets, readWallet, wasConnected } from "../wallet/state.ts";
import { makeServiceProblem, type PayAnswer, type PayContent, PaymentError, postLeg } from "./answer.ts";
import { sumUnpaid } from "./machine.ts";
import {
  findOpenRecord,
  findPayableTerms,
  type Leg,
  LegForm,
  type Purchase,
  readPurchase,
  type Terms,
} from "./purchase.ts";
import type { Activity, PayEvent, PayPhase, PayState } from "./state.ts";

/** Performs the task of a phase. The code for wallets and for the chain is loaded only when a phase needs it. */
export async function performTask(state: PayState, phase: PayPhase): Promise<PayEvent> {
  const { purchase } = state;
  const { pressId } = purchase;
  switch (phase.name) {
    case "entering":
      return (await holdPress(pressId))
        ? { type: "entered", record: findOpenRecord(pressId) }
        : { type: "elsewhere", record: findOpenRecord(pressId) };
    case "following":
      return awaitTurn(purchase);
    case "finding":
      return findWallet(state);
    case "funds":
      return {
        type: "funds",
        funds: await (await loadChain()).readFunds(await loadWallets(), requireWallet(state)),
      };
    case "network":
      await (await import("../wallet/ask.ts")).switchToServiceChain(await loadWallets());
      return { type: "on_chain" };
    case "approve": {
      const isExact = state.way?.method === "permit2" && state.way.approval === "exact";
      const { sendApproval } = await loadChain();
      const amount = isExact ? sumUnpaid(state) : undefined;
      const tx = await sendApproval(await loadWallets(), requireWallet(state), amount);
      return { type: "approval_sent", tx };
    }
    case "approving": {
      const { awaitApproval: approvalMined } = await loadChain();
      const funds = await approvalMined(await loadWallets(), phase.tx, requireWallet(state), {
        before: state.funds?.allowance,
        due: sumUnpaid(state),
        isContract: state.funds?.isContract === true,
      });
      return { type: "approval_mined", funds };
    }
    case "terms":
      return fetchTerms(state, phase.leg);
    case "sign": {
      const { signTerms } = await loadChain();
      const offers = [phase.terms, ...(phase.fee === undefined ? [] : [phase.fee])];
      const [signed, fee] = await signTerms(await loadWallets(), offers, requireWallet(state));
      if (signed === undefined) throw new TypeError("The wallet did not sign the offered terms.");
      return { type: "signed", signed, fee, now: computeServiceTime() };
    }
    case "send":
      return sendPayment(state, phase.leg);
    case "pending":
      await new Promise((resolve) => setTimeout(resolve, phase.after * 1000));
      return { type: "waited" };
    default:
      throw new TypeError(`The phase ${phase.name} has no task.`);
  }
}

const loadChain = () => import("./chain.ts");

async function findWallet({ purchase }: PayState): Promise<PayEvent> {
  if (readWallet() === undefined && wasConnected()) await loadWallets();
  const wallet = readWallet()?.address;
  if (wallet === undefined) return { type: "no_wallet" };
  return { type: "connected", wallet, record: await readPurchase(purchase, wallet) };
}

/**
 * Requests the terms of one of the two payments. A purse signs both payments with one gesture. For a purse, the terms of the fee are
 * therefore requested together with the publisher's terms, unless the fee is already signed or paid.
 */
async function fetchTerms({ purchase, way, wallet, legs }: PayState, leg: Leg): Promise<PayEvent> {
  const isPurse = readWallet()?.isPurse === true;
  const { method } = way ?? { method: "eip3009" };
  const both = isPurse && leg === "publisher" && legs.fee === undefined && method === "eip3009";
  const ask = (each: Leg) => requestTerms(each, purchase, { method, payer: wallet });
  const [terms, fee] = await Promise.all([ask(leg), both ? ask("fee") : undefined]);
  return { type: "offered", terms, fee };
}

type TermsQuery = { readonly method: MethodName; readonly payer: string | undefined };

async function requestTerms(leg: Leg, purchase: Purchase, { method, payer }: TermsQuery): Promise<Terms> {
  const [{ service }, answer] = await Promise.all([loadWallets(), askService(leg, purchase, { payer })]);
  switch (answer.kind) {
    case "terms": {
      const { network } = service;
      const currency = { network: network.caip2, asset: network.asset.address };
      const terms = findPayableTerms(answer.document, currency, { method, offeredAt: computeServiceTime() });
      if (terms === undefined) throw new PaymentError({ code: "strangeTerms" });
      return terms;
    }
    case "missing":
      throw new PaymentError({ code: "missing" });
    case "busy":
      throw new PaymentError(makeServiceProblem("unavailable", answer));
    case "unlisted":
    case "refused":
      throw new PaymentError(makeServiceProblem("refused", answer));
    default:
      throw new PaymentError({ code: "unreachable" });
  }
}

async function sendPayment({ legs, purchase }: PayState, leg: Leg): Promise<PayEvent> {
  const out = legs[leg];
  if (out?.state !== "signed") throw new TypeError("Only a signed payment can be sent.");
  const answer = await askService(leg, purchase, { header: out.header });
  return { type: "answered", answer, at: new Date(computeServiceTime() * 1000).toISOString() };
}

async function askService(leg: Leg, { pressId, slug }: Purchase, sent: PayContent): Promise<PayAnswer> {
  const answer = await postLeg(leg, pressId, sent);
  // The page must no longer offer a press that is off sale.
  if (answer.kind === "unlisted") void queryClient.invalidateQueries({ queryKey: ["press", slug] });
  return answer;
}

function requireWallet({ wallet }: PayState) {
  if (wallet === undefined) throw new PaymentError({ code: "gone" });
  return wallet;
}

/**
 * Only one tab of a browser pays for a press. The other tabs show the paying tab's progress, and one of the other tabs continues the
 * payment when the paying tab closes.
 */

const makeLockName = (pressId: number) => `payment:${pressId}`;

const held = new Map<number, () => void>();

/**
 * Takes the lock of a press and holds the lock until `releasePress` is called. Returns false if another tab holds the lock, or if the wait
 * for the lock was ended.
 */
function lockPress(pressId: number, options: LockOptions): Promise<boolean> {
  const taken = Promise.withResolvers<boolean>();
  navigator.locks
    .request(makeLockName(pressId), options, async (lock) => {
      taken.resolve(lock !== null);
      const left = Promise.withResolvers<void>();
      if (lock === null || options.signal?.aborted === true) return;
      held.set(pressId, left.resolve);
      await left.promise;
    })
    .catch((error: unknown) =>
      options.signal?.aborted === true ? taken.resolve(false) : taken.reject(error),
    );
  return taken.promise;
}

/**
 * Makes this tab the browser's only tab that pays for a press, until `releasePress` is called. Returns false if another tab already pays
 * for the press. Browsers without the Web Locks API rely on the service, which never charges twice.
 */
async function holdPress(pressId: number): Promise<boolean> {
  return held.has(pressId) || !("locks" in navigator) || lockPress(pressId, { ifAvailable: true });
}

export function releasePress(pressId: number): void {
  held.get(pressId)?.();
  held.delete(pressId);
  waiting.get(pressId)?.abort();
  waiting.delete(pressId);
}

/** A message from the paying tab to the other tabs, with only the data that the other tabs show. */
const Shown = z.object({
  wallet: AddressForm.optional(),
  fee: LegForm,
  publisher: LegForm,
  doing: z.custom<Activity>((doing) => typeof doing === "string").optional(),
});

let channel: BroadcastChannel | undefined;

/** Tells the other tabs what this paying tab is doing. */
export function tellOtherTabs({ purchase, wallet, legs }: PayState, doing: Activity | undefined): void {
  if (!held.has(purchase.pressId)) return;
  channel ??= new BroadcastChannel("payments");
  channel.postMessage({ pressId: purchase.pressId, shown: { wallet, ...legs, doing } });
}

const TabMessage = z.object({ pressId: z.int(), shown: Shown });

/**
 * The presses for which this tab waits until another tab has stopped paying. The abort controller of each press can end the wait for this
 * press.
 */
const waiting = new Map<number, AbortController>();

/**
 * Waits until the paying tab sends a message or stops paying. After this wait, this tab shows the text or the paying tab's progress, or
 * continues the payment itself.
 */
async function awaitTurn({ pressId, slug }: Purchase): Promise<PayEvent> {
  const seen = held.has(pressId) ? undefined : await awaitMessage(pressId);
  if (seen !== undefined) return seen;
  const { body } = await queryClient.fetchQuery({ ...queryPressDetail(slug), staleTime: 0 });
  return body === null
    ? { type: "entered", record: findOpenRecord(pressId) }
    : { type: "finished", text: body };
}

/** The paying tab's next message, or `undefined` if the paying tab stops first and this tab takes the lock of the press. */
async function awaitMessage(pressId: number): Promise<PayEvent | undefined> {
  const ended = new AbortController();
  waiting.set(pressId, ended);
  const heard = new BroadcastChannel("payments");
  const message = new Promise<PayEvent>((resolve) => {
    heard.onmessage = ({ data }) => {
      const read = TabMessage.safeParse(data);
      if (!read.success || read.data.pressId !== pressId || ended.signal.aborted) return;
      const { wallet, doing, fee, publisher } = read.data.shown;
      resolve({ type: "seen", wallet, doing, legs: { fee, publisher } });
    };
  });
  try {
    return await Promise.race([message, lockPress(pressId, { signal: ended.signal }).then(() => undefined)]);
  } finally {
    ended.abort();
    heard.close();
  }
}
