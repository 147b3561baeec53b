import { toAddress } from "../chain/hex.ts";
import {
  authorizationOf,
  failedOnChain,
  isSameNonce,
  type Proof,
  type SignedItem,
  signatureIn,
} from "../record/payment.ts";
import { bindingOf, dueTo, inspect, lookAgain, unfitNow } from "./inspect.ts";
import { type Facts, type Inspection, judge, signedBefore, type Verdict } from "./judge.ts";
import { methodOf, type Payment } from "./method.ts";
import type { LegStatus } from "./reconcile.ts";
import { type Asked, rememberUnpaid, type State } from "./request.ts";
import type { Leg } from "./schema.ts";
import { searchSettlement } from "./search.ts";
import { type PaymentPorts, readLegs } from "./settlement.ts";
import { busy, type Due, legAmount, network, pending } from "./terms.ts";

/** What a payment was judged by, and how. */
export type Decided = {
  readonly state: State;
  /** Others can still charge these of what the payer signed for the leg. */
  readonly live: readonly SignedItem[];
  readonly payment: Payment;
  readonly found: Inspection;
  readonly due: Due;
  readonly verdict: Exclude<Verdict, { kind: "asks" | "later" }>;
};

/**
 * Asks the chain about a payment whose leg is neither paid nor under way, and judges it. `again`: what it was judged by has
 * changed meanwhile. `early`: what the chain has said of a wallet's code. Throws `upstream` where the chain cannot tell.
 */
export async function decide(
  ports: PaymentPorts,
  asked: Asked,
  { state, live }: Extract<LegStatus, { kind: "open" }>,
  early: Inspection | undefined,
): Promise<Decided | "again"> {
  const { leg, presented, first } = asked;
  const retried = stillAlive(ports, state, leg, live);
  const payment = retried ?? presented;
  const isRetry = retried !== undefined;
  const needed = leg === "fee" ? BigInt(first.agent.priceUnits) : payment.authorization.amount;
  // What was read of the chain before something ended is no longer true.
  const stands = early !== undefined && state === first && !isRetry;
  const seen = stands ? early : await lookAtChain(ports, leg, state, payment);
  const shortOf = { wallet: state.key.wallet, method: methodOf(payment.authorization), needed };
  const found = await lookAgain(ports, shortOf, seen, (of) => lookAtChain(of, leg, state, payment));
  // Another request of this payer came first while the chain was asked: the table knows what has become of it.
  if (found.nonceSpent && (await hasChanged(ports, state, leg))) return "again";
  const due = dueTo(ports, leg, state, found);
  const { pressId } = state.agent;
  const [last, named] = [state.legs[leg], state.identifier];
  let facts: Facts = {
    presented,
    payment,
    isRetry,
    pressId,
    due,
    needed,
    last,
    named,
    found,
    now: ports.clock.now(),
  };
  for (;;) {
    const verdict = judge(facts);
    switch (verdict.kind) {
      case "asks":
        facts = { ...facts, ...(await findOut(ports, asked, facts, verdict.about)), now: ports.clock.now() };
        continue;
      case "later":
        throw busy(new Error("A permit that was broadcast for this leg lives for some seconds yet"), 6);
      default:
        return { state, live, payment, found, due, verdict };
    }
  }
}

async function findOut(
  ports: PaymentPorts,
  { leg, presented, first }: Asked,
  { payment, isRetry, last }: Facts,
  about: Extract<Verdict, { kind: "asks" }>["about"],
): Promise<Partial<Facts>> {
  switch (about) {
    case "stale":
      return { stale: (await unfitNow(ports, first, leg, presented)) ?? null };
    case "bound":
      return { bound: await bindingOf(ports, payment) };
    case "transfers": {
      const before = isRetry ? last?.signed : signedBefore(last, presented);
      // A block from before it was presented first, `undefined` for what is presented now.
      const since = before === undefined || before === "otherwise" ? undefined : before.block;
      return { transfers: await settlementsOf(ports, payment, since) };
    }
  }
}

/** What the chain says of a payment, and for the fee whether the press's owner could be paid the rest. */
export async function lookAtChain(
  ports: PaymentPorts,
  leg: Leg,
  state: State,
  payment: Payment,
): Promise<Inspection> {
  const { priceUnits, publisher } = state.agent;
  const rest = { amount: legAmount("publisher", BigInt(priceUnits)), expected: toAddress(publisher) };
  return inspect(ports, state, payment, leg === "fee" ? rest : undefined);
}

/** Whether the leg's record is no longer as it was seen. */
async function hasChanged(ports: PaymentPorts, { key, legs }: State, leg: Leg): Promise<boolean> {
  const [now] = await readLegs(ports, [{ wallet: key.wallet, pressId: key.pressId, leg }]);
  return now?.claim !== legs[leg]?.claim || now?.state !== legs[leg]?.state;
}

/**
 * A permit that was broadcast, reverted, and can still be settled by anybody who saw it. It is tried again in place of a
 * newly signed one: two living permits for one leg could both be charged (invariant 1).
 */
function stillAlive(
  { settings }: PaymentPorts,
  { legs }: State,
  leg: Leg,
  live: readonly SignedItem[],
): Payment | undefined {
  const last = legs[leg];
  if (last === undefined || !failedOnChain(last)) return undefined;
  if (!live.some((signed) => isSameNonce(signed, last.signed))) return undefined;
  return {
    authorization: authorizationOf(last),
    signature: signatureIn(last.signed),
    identifier: undefined,
    ticket: undefined,
    accepted: {
      scheme: "exact",
      network: network(settings),
      amount: last.signed.amount,
      asset: last.signed.token,
      payTo: last.signed.payTo,
    },
  };
}

/** Times that the transfer of a spent permit is looked for, and milliseconds between them: nodes show logs late. */
const mostSearches = 4;

const searchInterval = 300;

/**
 * The transfers by which somebody else has settled a permit whose nonce is spent, none where it was spent otherwise.
 * Throws `upstream` `settlement_pending` when the chain cannot tell.
 */
async function settlementsOf(
  ports: PaymentPorts,
  { authorization }: Payment,
  since: number | undefined,
): Promise<readonly Proof[]> {
  for (let left = mostSearches; left > 0; left -= 1) {
    const from = since === undefined ? undefined : BigInt(since);
    const found = await searchSettlement(ports, authorization, from);
    if (found.kind === "paid") return found.proofs;
    if (found.kind === "unpaid") {
      await rememberUnpaid(ports, authorization);
      return [];
    }
    if (left > 1) await ports.clock.sleep(searchInterval);
  }
  throw pending(undefined);
}
