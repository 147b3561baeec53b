import { Quantity, result } from "../chain/call.ts";
import type { Address } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import { type FreeRelayer, free, lapsed } from "../relayer/index.ts";
import { broadcast, signSettlement } from "./broadcast.ts";
import type { SettlementItem } from "./entity.ts";
import type { Payment } from "./header.ts";
import type { Inspection } from "./inspect.ts";
import { type Known, known } from "./known.ts";
import type { PaymentPorts } from "./ports.ts";
import { claim, fail, finish, type Proof, storeSigned } from "./record.ts";
import { conclude, type Ending, resolve } from "./resolve.ts";
import type { Leg } from "./schema.ts";
import { busy, readState, type State } from "./state.ts";

export type Order = {
  readonly leg: Leg;
  readonly payment: Payment;
  readonly found: Inspection;
  /** Transfers by which somebody else has settled this very permit. */
  readonly proofs: readonly Proof[];
  /** Token of the session that the answer opens. */
  readonly token: string | undefined;
};

type Claimed = {
  readonly kind: "claimed";
  readonly settlement: SettlementItem;
  readonly relayer: FreeRelayer;
};

/** How a request's own settlement went. */
export type Settled = Ending | Extract<Known, { kind: "settled" }> | { readonly kind: "permit_bound" };

/** Milliseconds between tries for a relayer, and how many tries one request makes. */
const pause = 100;
const tries = 60;

/**
 * The machine of design §4 from claim to finish: claim and lease, sign, store, broadcast, finish. Throws `upstream`
 * `payments_unavailable` when no relayer comes free, with nothing broadcast.
 */
export async function settle(ports: PaymentPorts, state: State, order: Order): Promise<Settled> {
  const claimed = await claimWithRelayer(ports, state, order);
  if (claimed.kind !== "claimed") return claimed;
  const { settlement } = claimed;
  for (const proof of order.proofs) {
    const credited = await finish(ports, settlement, { ...proof, token: order.token });
    if (credited !== undefined) {
      return { kind: "settled", settlement: credited, sessionStored: order.token !== undefined };
    }
  }
  if (order.proofs.length > 0) {
    await fail(ports, settlement, "permit2_invalid_nonce");
    return { kind: "permit_bound" };
  }
  const sent = await signAndStore(ports, claimed, order);
  const receipt = await broadcast(ports, sent);
  if (receipt === undefined) return { kind: "pending", txHash: sent.txHash };
  return conclude(ports, sent, receipt, order.token).catch((error: unknown): Ending => {
    if (error instanceof AppError && error.kind === "upstream")
      return { kind: "pending", txHash: sent.txHash };
    throw error;
  });
}

async function claimWithRelayer(
  ports: PaymentPorts,
  first: State,
  { leg, payment, token }: Order,
): Promise<Claimed | Exclude<Settled, Ending> | Extract<Known, { kind: "settled" }>> {
  const addresses = await ports.relayers.addresses();
  let state = first;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const relayer = pick(ports, free(addresses, state.relayers, ports.clock.now()));
    if (relayer === undefined) {
      await freeLapsed(ports, state);
    } else {
      const { permit, signature } = payment;
      const outcome = await claim(ports, { agent: state.agent, leg, permit, signature, relayer });
      if (outcome.kind === "claimed") return { ...outcome, relayer };
      if (outcome.kind === "permit_bound") return outcome;
    }
    const now = await known(
      ports,
      await readState(ports, state.agent.pressId, payment.permit.from),
      leg,
      token,
    );
    if (now.kind === "settled") return now;
    state = now.state;
  }
  throw busy();
}

/** The relayer that a request tries first; which one it is hardly matters, as long as requests differ. */
export function pick(
  { ids }: Pick<PaymentPorts, "ids">,
  choices: readonly FreeRelayer[],
): FreeRelayer | undefined {
  return choices.length === 0 ? undefined : choices[ids.pick(choices.length)];
}

/** All are held: end what an abandoned one has in flight, or wait a moment for one to come back. */
async function freeLapsed(ports: PaymentPorts, { relayers }: State): Promise<void> {
  const [stale] = lapsed(relayers, ports.clock.now());
  if (stale !== undefined) {
    const { data } = await ports.table.entities.settlement.get(stale).go({ consistent: true });
    if (data?.state === "sent" && data.txHash !== undefined && data.rawTx !== undefined) {
      await resolve(ports, { ...data, txHash: data.txHash, rawTx: data.rawTx });
    }
  }
  await ports.clock.sleep(pause);
}

/** Signs and stores the transaction of a claim. Whatever goes wrong before it is stored gives the claim back. */
async function signAndStore(
  ports: PaymentPorts,
  { settlement, relayer }: Claimed,
  { payment, found }: Order,
): Promise<SettlementItem & { readonly txHash: string; readonly rawTx: string }> {
  if (found.simulation.kind !== "ok") throw new TypeError("A payment that reverts reached signing");
  const { gas } = found.simulation;
  const signed = await signWith(ports, relayer, payment, { gas, found }).catch(async (cause: unknown) => {
    await fail(ports, settlement, "released");
    throw busy(cause);
  });
  const sent = await storeSigned(ports, settlement, signed);
  if (sent === undefined) throw busy();
  return { ...sent, ...signed };
}

async function signWith(
  ports: PaymentPorts,
  relayer: FreeRelayer,
  payment: Payment,
  { gas, found }: { readonly gas: bigint; readonly found: Inspection },
) {
  const counted =
    found.relayer === relayer.address ? found.relayerNonce : await countOf(ports, relayer.address);
  // A node may lag behind what we know, and we may not know of what was sent elsewhere: the higher one is right.
  const nonce = Math.max(relayer.nextNonce, counted);
  return signSettlement(ports, payment, { relayer: relayer.address, nonce, gas, gasPrice: found.gasPrice });
}

async function countOf({ chain }: Pick<PaymentPorts, "chain">, address: Address): Promise<number> {
  const [count] = await chain.batch([{ method: "eth_getTransactionCount", params: [address, "latest"] }]);
  return Number(result(count, Quantity));
}
