import { loadWallets, remembered, walletState } from "../wallet/state.ts";
import { post } from "./answer.ts";
import { stillDue } from "./machine.ts";
import { PaymentStop } from "./problem.ts";
import { recordOf, unfinished } from "./record.ts";
import type { Event, Phase, State } from "./state.ts";
import type { Leg } from "./terms.ts";
import { payableTerms } from "./terms.ts";

/** Does the task of a phase. What speaks to wallets and the chain is loaded when a phase needs it. */
export async function perform(state: State, phase: Phase): Promise<Event> {
  const { pressId } = state.purchase;
  switch (phase.name) {
    case "entering":
      return (await holdPress(pressId))
        ? { type: "entered", record: unfinished(pressId) }
        : { type: "elsewhere" };
    case "finding":
      return findWallet(pressId);
    case "network":
      await (await chain()).enterChain(await loadWallets());
      return { type: "on_chain" };
    case "funds":
      return { type: "funds", funds: await (await chain()).readFunds(await loadWallets(), walletOf(state)) };
    case "approve":
      return { type: "approval_sent", tx: await (await chain()).sendApproval(await loadWallets()) };
    case "approving": {
      const { approvalMined } = await chain();
      const funds = await approvalMined(await loadWallets(), phase.tx, walletOf(state), {
        before: state.funds?.allowance,
        due: stillDue(state),
      });
      return { type: "approval_mined", funds };
    }
    case "terms":
      return offered(phase.leg, pressId);
    case "sign": {
      const { signTerms } = await chain();
      const signed = await signTerms(await loadWallets(), phase.terms, walletOf(state), {
        nonce: BigInt(`0x${randomHex(32)}`).toString(),
        identifier: randomHex(16),
      });
      return { type: "signed", signed };
    }
    case "send":
      return sent(state, phase.leg);
    case "pending":
      await new Promise((resolve) => setTimeout(resolve, phase.after * 1000));
      return { type: "waited" };
    default:
      throw new TypeError(`The phase ${phase.name} has no task.`);
  }
}

const chain = () => import("./chain.ts");

async function findWallet(pressId: number): Promise<Event> {
  if (walletState().kind !== "connected" && remembered()) await loadWallets();
  const found = walletState();
  if (found.kind !== "connected") return { type: "no_wallet" };
  const { address } = found.connection;
  return { type: "connected", wallet: address, record: recordOf(pressId, address) };
}

async function offered(leg: Leg, pressId: number): Promise<Event> {
  const [{ service }, { answer, servedAt }] = await Promise.all([
    loadWallets(),
    post(leg, pressId, undefined),
  ]);
  const now = servedAt ?? Math.floor(Date.now() / 1000);
  switch (answer.kind) {
    case "terms": {
      const { network } = service;
      const currency = { network: network.caip2, asset: network.asset.address };
      const terms = payableTerms(answer.document, currency, now);
      if (terms === undefined) throw new PaymentStop({ code: "strangeTerms" });
      return { type: "offered", terms };
    }
    case "missing":
      throw new PaymentStop({ code: "missing" });
    case "busy":
    case "refused":
      throw new PaymentStop({
        code: "unavailable",
        detail: answer.message,
        requestId: answer.requestId,
      });
    default:
      throw new PaymentStop({ code: "unreachable" });
  }
}

async function sent({ legs, purchase }: State, leg: Leg): Promise<Event> {
  const out = legs[leg];
  if (out?.state !== "signed") throw new TypeError("Only what is signed can be sent.");
  const { answer } = await post(leg, purchase.pressId, out.header);
  return { type: "answered", answer, at: new Date().toISOString() };
}

function walletOf({ wallet }: State) {
  if (wallet === undefined) throw new PaymentStop({ code: "gone" });
  return wallet;
}

function randomHex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const held = new Map<number, () => void>();

/**
 * Makes this tab the only one of the browser that pays for a press, until `letGo`. Answers false where another one does.
 * Browsers without locks are left to the service, which never charges twice.
 */
async function holdPress(pressId: number): Promise<boolean> {
  if (held.has(pressId) || !("locks" in navigator)) return true;
  const entered = Promise.withResolvers<boolean>();
  const left = Promise.withResolvers<void>();
  navigator.locks
    .request(`payment:${pressId}`, { ifAvailable: true }, async (lock) => {
      entered.resolve(lock !== null);
      if (lock === null) return;
      held.set(pressId, left.resolve);
      await left.promise;
    })
    .catch(entered.reject);
  return entered.promise;
}

export function letGo(pressId: number): void {
  held.get(pressId)?.();
  held.delete(pressId);
}
