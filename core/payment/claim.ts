import type { Hex } from "../chain/hex.ts";
import type { AgentItem } from "../press/entity.ts";
import { type FreeRelayer, leaseTime } from "../relayer/index.ts";
import { refused, transact } from "../transact.ts";
import type { SettlementItem } from "./entity.ts";
import { type GasHold, keepGas } from "./gas-budget.ts";
import type { Identifier } from "./header.ts";
import type { Authorization } from "./method.ts";
import type { PaymentPorts } from "./ports.ts";
import type { Leg } from "./schema.ts";
import { allSigned, isSameNonce, type SignedItem, signedItem } from "./standing.ts";

/** How a claim ended. Only `claimed` gives the right to sign. */
export type Claim =
  | { readonly kind: "claimed"; readonly settlement: SettlementItem }
  /** Another request took the relayer first. */
  | { readonly kind: "relayer_taken" }
  /** Another request owns this (wallet, press, leg) now. */
  | { readonly kind: "contended" }
  /** The permit's nonce was first presented for another press or leg. */
  | { readonly kind: "permit_bound" }
  /** The payer, a wallet with code, has no gas left to burn, or has just burned some. */
  | { readonly kind: "gas_refused" };

export type NewClaim = {
  readonly agent: AgentItem;
  readonly leg: Leg;
  readonly authorization: Authorization;
  readonly signature: Hex;
  /** The payer's name for the attempt, which must not have named another payload. */
  readonly identifier: Identifier | undefined;
  /** Hash of the ticket that the payer echoed. */
  readonly ticket: Hex | undefined;
  readonly relayer: FreeRelayer;
  /** What is kept for a wallet with code. */
  readonly gas: GasHold | undefined;
  /** The leg's record when the order was judged: a newer one may have left a permit that still lives. */
  readonly last: SettlementItem | undefined;
  /** What the payer signed for the leg before and others may still charge. Nothing of it was ever broadcast. */
  readonly earlier: readonly SignedItem[];
  /** The newest block when the permit was looked at. */
  readonly block: bigint;
};

/** Blocks before it from which on the permit is looked for: the nonce may have been asked of a node a minute late. */
const margin = 600;

/** Seconds for which a payer's name for an attempt is remembered. */
const identifierLifetime = 7 * 24 * 60 * 60;

/**
 * Binds the permit's nonce to this (press, leg), takes the settlement and leases the relayer, all or nothing
 * (invariant 1). A failed settlement may be claimed again, and so may a claim that lapsed without anything stored for
 * broadcast.
 */
export async function claim(
  ports: Pick<PaymentPorts, "table" | "clock" | "ids">,
  order: NewClaim,
): Promise<Claim> {
  const { agent, leg, authorization, relayer, identifier, last, gas } = order;
  const now = ports.clock.now();
  const key = { wallet: authorization.from, pressId: agent.pressId, leg };
  const again = (last === undefined ? [] : allSigned(last)).find((signed) =>
    isSameNonce(signed, authorization),
  );
  const earlier = order.earlier.filter((signed) => !isSameNonce(signed, authorization));
  const claimed = last !== undefined && isSameNonce(last.signed, authorization) ? last : undefined;
  // Presented again, it may have been settled since it was presented first.
  const block = again?.block ?? Math.max(0, Number(order.block) - margin);
  const name = identifier?.id ?? claimed?.identifier;
  const ticket = order.ticket ?? claimed?.ticket;
  const settlement: SettlementItem = {
    ...key,
    state: "claimed",
    claim: ports.ids.uuid(),
    claimUntil: now + leaseTime,
    signed: signedItem(authorization, order.signature, block),
    ...(earlier.length > 0 && { earlier }),
    relayer: relayer.address,
    id: agent.id,
    slug: agent.slug,
    headline: agent.headline,
    stock: agent.stock,
    priceUnits: agent.priceUnits,
    changedAt: now,
    pending: "pending",
    // Who shows nothing of its own takes nothing from the payer who claimed this permit first.
    ...(name !== undefined && { identifier: name }),
    ...(ticket !== undefined && { ticket }),
    ...(gas !== undefined && { gas: { ...gas, subjects: [...gas.subjects] } }),
    // That this permit was broadcast before is not forgotten when the claim comes to nothing.
    ...(claimed?.txHash !== undefined && { txHash: claimed.txHash }),
  };
  const outcome = await transact(ports.clock, () =>
    ports.table.transaction
      .write((entities) => [
        entities.relayer
          .put({
            address: relayer.address,
            nextNonce: relayer.nextNonce,
            lease: settlement.claim,
            leaseUntil: settlement.claimUntil,
          })
          .where(
            (item, { notExists, eq, lt }) =>
              `${notExists(item.address)} OR (${eq(item.nextNonce, relayer.nextNonce)} AND (${notExists(item.lease)} OR (${lt(item.leaseUntil, now)} AND ${notExists(item.inFlight)})))`,
          )
          .commit(),
        // What is known of it already stays: that it was broadcast.
        entities.authorization
          .upsert({ ...key, method: authorization.method, nonce: String(authorization.nonce) })
          .where(
            (item, { notExists, eq }) =>
              `${notExists(item.nonce)} OR (${eq(item.pressId, key.pressId)} AND ${eq(item.leg, leg)})`,
          )
          .commit(),
        entities.settlement
          .put(settlement)
          .where((item, { notExists, eq, lt }) =>
            last === undefined
              ? notExists(item.state)
              : `${eq(item.claim, last.claim)} AND ${eq(item.state, last.state)} AND (${eq(item.state, "failed")} OR (${eq(item.state, "claimed")} AND ${lt(item.claimUntil, now)}))`,
          )
          .commit(),
        ...(gas === undefined ? [] : [keepGas(entities, authorization.from, gas, now)]),
        ...(identifier === undefined
          ? []
          : [
              entities.identifier
                .put({
                  ...key,
                  identifier: identifier.id,
                  digest: identifier.digest,
                  expiresAt: Math.floor(now / 1000) + identifierLifetime,
                })
                .where(
                  (item, { notExists, eq }) =>
                    `${notExists(item.digest)} OR ${eq(item.digest, identifier.digest)}`,
                )
                .commit(),
            ]),
      ])
      .go(),
  );
  if (!outcome.canceled) return { kind: "claimed", settlement };
  if (refused(outcome, 1)) return { kind: "permit_bound" };
  if (refused(outcome, 0)) return { kind: "relayer_taken" };
  if (gas !== undefined && refused(outcome, 3)) return { kind: "gas_refused" };
  return { kind: "contended" };
}
