import { type Hex, toAddress } from "../chain/hex.ts";
import type { Permit } from "../chain/permit2.ts";
import type { AgentItem } from "../press/entity.ts";
import { type FreeRelayer, leaseTime } from "../relayer/index.ts";
import { newSession } from "../session/index.ts";
import { refused, transact } from "../transact.ts";
import type { SettlementItem } from "./entity.ts";
import type { Identifier } from "./header.ts";
import type { PaymentPorts } from "./ports.ts";
import type { SentSettlement } from "./resolve.ts";
import type { Leg } from "./schema.ts";

type RecordPorts = Pick<PaymentPorts, "table" | "clock" | "ids">;

/** How a claim ended. Only `claimed` gives the right to sign. */
export type Claim =
  | { readonly kind: "claimed"; readonly settlement: SettlementItem }
  /** Another request took the relayer first. */
  | { readonly kind: "relayer_taken" }
  /** Another request owns this (wallet, press, leg) now. */
  | { readonly kind: "contended" }
  /** The permit's nonce was first presented for another press or leg. */
  | { readonly kind: "permit_bound" };

export type NewClaim = {
  readonly agent: AgentItem;
  readonly leg: Leg;
  readonly permit: Permit;
  readonly signature: Hex;
  /** The payer's name for the attempt, which must not have named another payload. */
  readonly identifier: Identifier | undefined;
  readonly relayer: FreeRelayer;
  /** The leg's record when the order was judged: a newer one may have left a permit that still lives. */
  readonly last: SettlementItem | undefined;
};

/** Seconds for which a payer's name for an attempt is remembered. */
const identifierLifetime = 7 * 24 * 60 * 60;

/**
 * Binds the permit's nonce to this (press, leg), takes the settlement and leases the relayer, all or nothing
 * (invariant 1). A failed settlement may be claimed again, and so may a claim that lapsed without anything stored for
 * broadcast.
 */
export async function claim(ports: RecordPorts, order: NewClaim): Promise<Claim> {
  const { agent, leg, permit, relayer, identifier, last } = order;
  const now = ports.clock.now();
  const key = { wallet: permit.from, pressId: agent.pressId, leg };
  const settlement: SettlementItem = {
    ...key,
    state: "claimed",
    claim: ports.ids.uuid(),
    claimUntil: now + leaseTime,
    permitNonce: String(permit.nonce),
    amount: String(permit.amount),
    payTo: permit.to,
    deadline: String(permit.deadline),
    validAfter: String(permit.validAfter),
    signature: order.signature,
    relayer: relayer.address,
    id: agent.id,
    slug: agent.slug,
    headline: agent.headline,
    stock: agent.stock,
    priceUnits: agent.priceUnits,
    changedAt: now,
    pending: "pending",
    ...(identifier !== undefined && { identifier: identifier.id }),
    // That this permit was broadcast before is not forgotten when the claim comes to nothing.
    ...(last?.permitNonce === String(permit.nonce) && last.txHash !== undefined && { txHash: last.txHash }),
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
        entities.permit
          .put({ ...key, nonce: settlement.permitNonce })
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
  return { kind: "contended" };
}

/** A transaction ready to broadcast. */
export type Signed = { readonly txHash: Hex; readonly rawTx: Hex; readonly relayerNonce: number };

/**
 * Stores what will be broadcast, before it is (invariant 2). `undefined` when the claim has lapsed and is no longer
 * ours: then nothing may be broadcast.
 */
export async function storeSigned(
  ports: RecordPorts,
  from: SettlementItem,
  signed: Signed,
): Promise<SettlementItem | undefined> {
  const { wallet, pressId, leg } = from;
  const sent: SettlementItem = { ...from, ...signed, state: "sent", changedAt: ports.clock.now() };
  const outcome = await transact(ports.clock, () =>
    ports.table.transaction
      .write((entities) => [
        entities.settlement
          .put(sent)
          .where((item, { eq }) => `${eq(item.state, "claimed")} AND ${eq(item.claim, from.claim)}`)
          .commit(),
        entities.relayer
          .patch({ address: from.relayer })
          .set({ inFlight: { wallet, pressId, leg }, nextNonce: signed.relayerNonce })
          .where((item, { eq }) => eq(item.lease, from.claim))
          .commit(),
      ])
      .go(),
  );
  return outcome.canceled ? undefined : sent;
}

/**
 * Stores a transaction that takes the place of one that cannot land, before it is sent. Answers whether it did: not
 * when the settlement has ended or somebody else has replaced it.
 */
export async function replaceSigned(
  ports: RecordPorts,
  from: SentSettlement,
  signed: Signed,
): Promise<boolean> {
  const next: SettlementItem = {
    ...from,
    ...signed,
    replaced: [...(from.replaced ?? []), from.txHash],
    changedAt: ports.clock.now(),
  };
  const outcome = await transact(ports.clock, () =>
    ports.table.transaction
      .write((entities) => [
        entities.settlement
          .put(next)
          .where(
            (item, { eq }) =>
              `${eq(item.state, "sent")} AND ${eq(item.claim, from.claim)} AND ${eq(item.txHash, from.txHash)}`,
          )
          .commit(),
        entities.relayer
          .patch({ address: from.relayer })
          .set({ nextNonce: signed.relayerNonce })
          .where((item, { eq }) => eq(item.lease, from.claim))
          .commit(),
      ])
      .go(),
  );
  return !outcome.canceled;
}

/** The transfer that paid a settlement, and the session that its answer opens. */
export type Proof = {
  readonly txHash: string;
  readonly logIndex: number;
  readonly token?: string | undefined;
};

/**
 * The end of a settlement that the chain has confirmed, in one transaction: the record (for a publisher leg it is the
 * unlock), the transfer that paid it, the press's count of reads, the relayer given back and, where a token is given,
 * the payer's session (invariant 3). `undefined` when somebody else has ended it meanwhile, or when the transfer has
 * paid for something else.
 */
export async function finish(
  ports: RecordPorts,
  from: SettlementItem,
  { txHash, logIndex, token }: Proof,
): Promise<SettlementItem | undefined> {
  const { wallet, pressId, leg } = from;
  const now = ports.clock.now();
  const settledAt = new Date(now).toISOString();
  const settled: SettlementItem = {
    ...ended(from),
    state: "settled",
    txHash,
    changedAt: now,
    settledAt,
    ...(leg === "publisher" && { unlockedBy: wallet, unlockedAt: settledAt, unlockedPress: pressId }),
  };
  return conclude(ports, from, settled, txHash, (entities) => [
    entities.transfer.create({ txHash, logIndex, wallet, pressId, leg }).commit(),
    ...(leg === "publisher" ? [entities.press.patch({ id: from.id }).add({ reads: 1 }).commit()] : []),
    ...(token === undefined
      ? []
      : [entities.session.put(newSession(ports.clock, token, toAddress(wallet), "payment")).commit()]),
  ]);
}

/**
 * The end of a settlement that moved no money and no longer can: the claim is given back (invariant 4). `failure` is
 * the protocol's code, `landed` its transaction that the chain took and reverted. `undefined` when somebody else has
 * ended it meanwhile.
 */
export async function fail(
  ports: RecordPorts,
  from: SettlementItem,
  failure: string,
  landed?: string,
): Promise<SettlementItem | undefined> {
  const failed: SettlementItem = { ...ended(from), state: "failed", failure, changedAt: ports.clock.now() };
  return conclude(ports, from, failed, landed, () => []);
}

type WriteEntities = Parameters<Parameters<PaymentPorts["table"]["transaction"]["write"]>[0]>[0];
type Action = ReturnType<Parameters<PaymentPorts["table"]["transaction"]["write"]>[0]>[number];

async function conclude(
  ports: RecordPorts,
  from: SettlementItem,
  to: SettlementItem,
  landed: string | undefined,
  also: (entities: WriteEntities) => readonly Action[],
): Promise<SettlementItem | undefined> {
  // The lease may have passed to another settlement; then there is no relayer left to give back.
  for (const holdsRelayer of [true, false]) {
    const outcome = await transact(ports.clock, () =>
      ports.table.transaction
        .write((entities) => [
          entities.settlement
            .put(to)
            .where((item, { eq }) => `${eq(item.state, from.state)} AND ${eq(item.claim, from.claim)}`)
            .commit(),
          ...(holdsRelayer
            ? [
                entities.relayer
                  .patch({ address: from.relayer })
                  .remove(["lease", "leaseUntil", "inFlight"])
                  // Counting a nonce that the chain has not seen would leave a gap that every later one waits behind.
                  .add({ nextNonce: landed !== undefined && landed === from.txHash ? 1 : 0 })
                  .where((item, { eq }) => eq(item.lease, from.claim))
                  .commit(),
              ]
            : []),
          ...also(entities),
        ])
        .go(),
    );
    if (!outcome.canceled) return to;
    if (!(holdsRelayer && refused(outcome, 1) && !refused(outcome, 0))) return undefined;
  }
  return undefined;
}

/** What is left of a record when nothing is under way any more. */
function ended(from: SettlementItem): SettlementItem {
  const { pending: _pending, rawTx: _rawTx, replaced: _replaced, ...kept } = from;
  return kept;
}
