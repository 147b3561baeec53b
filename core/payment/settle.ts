import type { Address } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import { broadcast, feeCap, gasLimitsOf } from "../relayer/index.ts";
import type { Answering } from "./answer.ts";
import { recordFirst } from "./credit.ts";
import { fail } from "./end.ts";
import type { GasHold } from "./gas-budget.ts";
import type { Payment } from "./header.ts";
import type { Inspection } from "./inspect.ts";
import type { Asked } from "./known.ts";
import { type Leased, lease, type NotLeased, relayerNow } from "./lease.ts";
import { methodOf, type Proof } from "./method.ts";
import type { PaymentPorts } from "./ports.ts";
import { rehearse } from "./rehearse.ts";
import { conclude, type Ending } from "./resolve.ts";
import { type SentSettlement, storeSigned } from "./sent.ts";
import { type Signed, signSettlement } from "./sign.ts";
import type { SignedItem } from "./standing.ts";
import { busy, type State } from "./state.ts";

export type Order = {
  readonly asked: Asked;
  readonly payment: Payment;
  readonly found: Inspection;
  /** Transfers by which somebody else has settled this very permit. */
  readonly proofs: readonly Proof[];
  /** What the payer signed for the leg before and others may still charge. */
  readonly live: readonly SignedItem[];
  /** What this request answers with the text, where it is owed that. */
  readonly answer: Answering | undefined;
  /** What is kept for a wallet with code, whose payment the relayer in `found` has rehearsed. */
  readonly gas: GasHold | undefined;
};

/** How a request's own settlement went. */
export type Settled = Ending | NotLeased;

/**
 * The machine of design §4 from claim to finish: claim and lease, sign, store, broadcast, finish. Throws `upstream`
 * `payments_unavailable` when no relayer with gas comes free, with nothing broadcast.
 */
export async function settle(ports: PaymentPorts, state: State, order: Order): Promise<Settled> {
  const dry = new Set<Address>();
  const judged = state.legs[order.asked.leg]?.claim;
  for (;;) {
    const leased = await lease(ports, state, { ...claimOf(order), judged }, dry);
    if (leased.kind !== "claimed") return leased;
    if (order.proofs.length > 0) return credit(ports, leased, order);
    const sent = await signAndStore(ports, leased, order);
    if (sent !== "dry") return send(ports, sent, order);
    dry.add(leased.relayer.address);
  }
}

function claimOf({ asked, payment, found, live, gas }: Order) {
  const { authorization, signature } = payment;
  return {
    asked,
    leg: asked.leg,
    authorization,
    signature,
    identifier: asked.identifier,
    ticket: asked.ticket,
    preferred: found.relayer.address,
    block: found.block,
    live,
    gas,
  };
}

/** Somebody else has settled the permit: the claim ends in the transfer that did (invariant 1). */
async function credit(
  ports: PaymentPorts,
  { settlement }: Leased,
  { payment, proofs, answer }: Order,
): Promise<Settled> {
  const credited = await recordFirst(ports, settlement, proofs, answer);
  if (credited !== undefined) {
    return { kind: "settled", settlement: credited, answered: answer !== undefined };
  }
  await fail(ports, settlement, { code: methodOf(payment.authorization).codes.nonce, over: true });
  return { kind: "permit_bound" };
}

/** Signs and stores the transaction of a claim. Whatever goes wrong before it is stored gives the claim back. */
async function signAndStore(
  ports: PaymentPorts,
  { settlement, relayer }: Leased,
  { payment, found, gas: hold }: Order,
): Promise<SentSettlement | "dry"> {
  const signed = await sign().catch(async (cause: unknown) => {
    await fail(ports, settlement, { code: "released", over: false });
    throw busy(cause);
  });
  if (signed === "dry") {
    await fail(ports, settlement, { code: "released", over: false });
    return "dry";
  }
  const sent = await storeSigned(ports, settlement, signed);
  if (sent === undefined) throw busy(new Error("The claim has lapsed before anything was sent"));
  return { ...sent, ...signed };

  async function sign(): Promise<Signed | "dry"> {
    if (found.simulation.kind !== "ok") throw new TypeError("A payment that reverts reached signing");
    const { gas } = found.simulation;
    const { gasPrice, block } = found;
    const { address, nonce, balance } = await relayerNow(ports, relayer, found.relayer);
    if (balance < feeCap({ gas, gasPrice, maxPrice: gasLimitsOf(ports.settings).maxPrice })) return "dry";
    // A contract may know its sender, too.
    const foreign = hold !== undefined && address !== found.relayer.address;
    const refusal = foreign
      ? await rehearse(ports, payment, { relayer: address, gas, gasPrice, block })
      : undefined;
    if (refusal !== undefined) throw new Error(`Refused from another relayer: ${refusal.error}`);
    return signSettlement(ports, payment, {
      relayer: address,
      // A node may lag behind what we know, and we may not know of what was sent elsewhere: the higher one is right.
      nonce: Math.max(relayer.nextNonce, nonce),
      gas,
      gasPrice,
    });
  }
}

async function send(ports: PaymentPorts, sent: SentSettlement, { answer }: Order): Promise<Ending> {
  const pending = { kind: "pending", txHash: sent.txHash } as const;
  const receipt = await broadcast(ports, sent);
  if (receipt === undefined) return pending;
  try {
    return await conclude(ports, sent, receipt, answer);
  } catch (error) {
    // After a broadcast a node's trouble only means that the outcome is not known yet (invariant 2).
    if (error instanceof AppError && error.kind === "upstream") return pending;
    throw error;
  }
}
