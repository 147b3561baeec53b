import { loadWallets, remembered, walletState } from "../wallet/state.ts";
import { post } from "./answer.ts";
import { stillDue } from "./machine.ts";
import { PaymentStop } from "./problem.ts";
import { unfinished } from "./record.ts";
import { knownPurchase } from "./standing.ts";
import type { Event, Phase, State } from "./state.ts";
import { awaitTurn, holdPress } from "./tabs.ts";
import { type Leg, payableTerms } from "./terms.ts";

export { releasePress, showOthers } from "./tabs.ts";

/** Does the task of a phase. What speaks to wallets and the chain is loaded when a phase needs it. */
export async function perform(state: State, phase: Phase): Promise<Event> {
  const { purchase } = state;
  const { pressId } = purchase;
  switch (phase.name) {
    case "entering":
      return (await holdPress(pressId))
        ? { type: "entered", record: unfinished(pressId) }
        : { type: "elsewhere", record: unfinished(pressId) };
    case "following":
      return awaitTurn(purchase);
    case "finding":
      return findWallet(state);
    case "funds":
      return { type: "funds", funds: await (await chain()).readFunds(await loadWallets(), walletOf(state)) };
    case "network":
      await (await chain()).enterChain(await loadWallets());
      return { type: "on_chain" };
    case "approve": {
      const isExact = state.way?.method === "permit2" && state.way.approval === "exact";
      const { sendApproval } = await chain();
      const tx = await sendApproval(await loadWallets(), isExact ? stillDue(state) : undefined);
      return { type: "approval_sent", tx };
    }
    case "approving": {
      const { approvalMined } = await chain();
      const funds = await approvalMined(await loadWallets(), phase.tx, walletOf(state), {
        before: state.funds?.allowance,
        due: stillDue(state),
      });
      return { type: "approval_mined", funds };
    }
    case "terms":
      return offered(state, phase.leg);
    case "sign": {
      const { signTerms } = await chain();
      const signed = await signTerms(await loadWallets(), phase.terms, walletOf(state), {
        nonce: `0x${randomHex(32)}`,
        identifier: randomHex(16),
      });
      return { type: "signed", signed, now: serviceTime() };
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

async function findWallet({ purchase }: State): Promise<Event> {
  if (walletState().kind !== "connected" && remembered()) await loadWallets();
  const found = walletState();
  if (found.kind !== "connected") return { type: "no_wallet" };
  const { address } = found.connection;
  return { type: "connected", wallet: address, record: await knownPurchase(purchase, address) };
}

/** Seconds by which the service's clock is ahead of this one: a wrong clock here must not spoil a deadline. */
let ahead = 0;

function serviceTime(): number {
  return Math.floor(Date.now() / 1000) + ahead;
}

async function offered({ purchase, way }: State, leg: Leg): Promise<Event> {
  const [{ service }, { answer, servedAt }] = await Promise.all([
    loadWallets(),
    post(leg, purchase.pressId, undefined),
  ]);
  if (servedAt !== undefined) ahead = servedAt - Math.floor(Date.now() / 1000);
  switch (answer.kind) {
    case "terms": {
      const { network } = service;
      const currency = { network: network.caip2, asset: network.asset.address };
      const { method } = way ?? { method: "eip3009" };
      const terms = payableTerms(answer.document, currency, { method, offeredAt: serviceTime() });
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
