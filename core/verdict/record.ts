import { type Hex, lower } from "../chain/hex.ts";
import { transact } from "../transact.ts";
import type { VerdictItem } from "./entity.ts";
import { busy, type Key } from "./key.ts";
import type { VerdictPorts } from "./ports.ts";

type Ports = Pick<VerdictPorts, "table" | "clock">;

/** How a verdict stands for good; a refused one may be tried again. */
export type Posting =
  | { readonly status: "posted"; readonly txHash: Hex }
  | { readonly status: "refused"; readonly reason: string };

/** A verdict whose transaction was stored for broadcast. */
export type SentVerdict = {
  readonly id: number;
  /** The feedback file's text. */
  readonly file: string;
  readonly txHash: Hex;
  readonly rawTx: Hex;
  readonly nonce: number;
  readonly replaced: readonly Hex[];
};

/** The verdict on a press that is under way, `undefined` when none is. */
export async function readSent(
  { table }: Ports,
  id: number,
): Promise<(SentVerdict & Pick<VerdictItem, "auditor">) | undefined> {
  const { data } = await table.entities.verdict.get({ id }).go({ consistent: true });
  if (data === null || data.state !== "sent") return undefined;
  const { txHash, rawTx, nonce, replaced = [], file, auditor } = data;
  if (txHash === undefined || rawTx === undefined || nonce === undefined || file === undefined) {
    throw new Error(`The verdict on press ${id} was sent without a transaction`);
  }
  return {
    id,
    auditor,
    nonce,
    txHash: hex(txHash),
    rawTx: hex(rawTx),
    file,
    replaced: replaced.map(hex),
  };
}

/**
 * Stores what will be broadcast, before it is: the key has it in flight from now on. Throws `upstream` `auditor_busy`
 * when the key is no longer ours; then nothing may be broadcast.
 */
export async function storeSent(ports: Ports, key: Key, sent: SentVerdict): Promise<void> {
  const { replaced, ...rest } = sent;
  const item = itemOf(ports, key, { ...rest, replaced: [...replaced], state: "sent" });
  const outcome = await transact(ports.clock, () =>
    ports.table.transaction
      .write(({ verdict, auditor }) => [
        verdict.put(item).commit(),
        auditor
          .patch({ address: key.address })
          .set({ inFlight: sent.id, nextNonce: sent.nonce })
          .where((stored, { eq }) => eq(stored.lease, key.lease))
          .commit(),
      ])
      .go(),
  );
  if (outcome.canceled) throw busy(outcome);
}

/** A verdict's end: what it was about, how it ended, and the nonce that its transaction has used, if it has. */
export type Ending = {
  readonly id: number;
  readonly file: string;
  readonly posting: Posting;
  readonly used: number | undefined;
};

/**
 * Ends a verdict in one transaction: the record, the press's `auditTx` if it was posted, and the key has nothing in
 * flight. Throws `upstream` `auditor_busy` when the key is no longer ours: whoever has it comes to the same end.
 */
export async function end(ports: Ports, key: Key, { id, file, posting, used }: Ending): Promise<Posting> {
  const item = itemOf(ports, key, {
    id,
    ...(posting.status === "posted"
      ? { state: "posted", txHash: posting.txHash, file }
      : { state: "refused", reason: posting.reason }),
  });
  const outcome = await transact(ports.clock, () =>
    ports.table.transaction
      .write(({ verdict, auditor, press }) => [
        verdict.put(item).commit(),
        auditor
          .patch({ address: key.address })
          .set({ nextNonce: used === undefined ? key.nextNonce : used + 1 })
          .remove(["inFlight"])
          .where((stored, { eq }) => eq(stored.lease, key.lease))
          .commit(),
        ...(posting.status === "posted"
          ? [
              press
                .patch({ id })
                .set({ auditTx: posting.txHash })
                .where(({ auditTx }, { notExists }) => notExists(auditTx))
                .commit(),
            ]
          : []),
      ])
      .go(),
  );
  if (outcome.canceled) throw busy(outcome);
  return posting;
}

function itemOf(
  { clock }: Ports,
  { address }: Key,
  item: Omit<VerdictItem, "auditor" | "changedAt">,
): VerdictItem {
  return { ...item, auditor: address, changedAt: new Date(clock.now()).toISOString() };
}

/** A hash or bytes as the table keeps them. */
export function hex(text: string): Hex {
  return lower(`0x${text.slice(2)}`);
}
