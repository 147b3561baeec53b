import { transact } from "../transact.ts";
import type { SettlementItem } from "./entity.ts";
import type { PaymentPorts } from "./ports.ts";
import type { Signed } from "./sign.ts";

type RecordPorts = Pick<PaymentPorts, "table" | "clock">;

/** A settlement whose transaction was stored for broadcast. */
export type SentSettlement = SettlementItem & { readonly txHash: string; readonly rawTx: string };

export function isSent(item: SettlementItem): item is SentSettlement {
  return item.state === "sent" && item.txHash !== undefined && item.rawTx !== undefined;
}

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
        entities.authorization
          .patch({ wallet, method: from.signed.method, nonce: from.signed.nonce })
          .set({ broadcast: true })
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
