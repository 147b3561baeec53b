import type { Hex } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import type { Clock, Ids } from "../port/clock.ts";
import type { VerdictItem } from "../record/feedback.ts";
import type { TransactionItem } from "../record/relayer.ts";
import {
  type Account,
  bookWrite,
  endWrites,
  type FreeRelayer,
  freeKey,
  leaseKey,
  leaseTime,
  type Signed,
  storedTransaction,
  storeWrites,
} from "../relayer/index.ts";
import type { Table } from "../table.ts";
import { commit, type WriteEntities } from "../transact.ts";

type Ports = { readonly table: Table; readonly clock: Clock };

/** A verdict that stands on the chain. */
export type Posted = { readonly status: "posted"; readonly txHash: Hex };

/** How a verdict stands for good; a refused one may be tried again. */
export type Posting = Posted | { readonly status: "refused"; readonly reason: string };

/** The auditor's word on a press, on its way to the chain or there: none → sent → posted | refused, and from refused to sent again. */
export type Verdict =
  /** In a stored transaction, which may or may not have reached the chain yet. `file`: the feedback file's text. */
  | { readonly state: "sent"; readonly auditor: string; readonly file: string; readonly transaction: string }
  | { readonly state: "posted" }
  | { readonly state: "refused" };

/** A verdict under way, and the press that it is on. */
export type SentVerdict = Extract<Verdict, { state: "sent" }> & { readonly id: number };

/** The verdict on a press as it is now; `undefined` before the first. */
export async function readVerdict({ table }: Ports, id: number): Promise<Verdict | undefined> {
  const { data } = await table.entities.verdict.get({ id }).go({ consistent: true });
  return data === null ? undefined : verdictIn(data);
}

function verdictIn({ id, state, auditor, file, transaction }: VerdictItem): Verdict {
  if (state !== "sent") return { state };
  if (file === undefined || transaction === undefined) {
    throw new Error(
      `The verdict on press ${id} is under way from ${auditor}, without a transaction in the outbox`,
    );
  }
  return { state, auditor, file, transaction };
}

/** The auditor's key, held by us. */
export type Key = FreeRelayer & { readonly lease: string };

/** Takes the auditor's key; `undefined` when somebody else was first. */
export async function takeKey(
  ports: Ports & { readonly ids: Ids },
  key: FreeRelayer,
): Promise<Key | undefined> {
  const now = ports.clock.now();
  const lease = ports.ids.uuid();
  const until = now + leaseTime;
  const { done } = await commit(ports, (entities) => ({
    key: leaseKey(entities, key, { lease, until, now }),
  }));
  return done ? { ...key, lease } : undefined;
}

/** Gives a key back that has sent nothing. One that has passed to somebody else stays theirs. */
export async function releaseKey(ports: Ports, { address, lease }: Key): Promise<void> {
  await commit(ports, (entities) => ({ key: freeKey(entities, { address, lease, used: false }) }));
}

/**
 * none | refused → sent: stores what will be broadcast, before it is. Throws `upstream` `auditor_busy` when the key is no
 * longer ours, or somebody else has sent the verdict: then nothing may be broadcast.
 */
export async function storeSent(
  ports: Ports,
  { address, lease }: Key,
  { id, file }: { readonly id: number; readonly file: string },
  signed: Signed,
): Promise<{ readonly sent: SentVerdict; readonly transaction: TransactionItem }> {
  const transaction = storedTransaction(
    ports,
    { id: lease, relayer: address, legs: [], verdict: id },
    signed,
  );
  const sent = { id, state: "sent", auditor: address, file, transaction: lease } as const;
  const outcome = await commit(ports, (entities) => ({
    ...storeWrites(entities, ports, transaction),
    verdict: entities.verdict
      .put({ ...sent, changedAt: changedAt(ports) })
      .where((item, { notExists, eq }) => `${notExists(item.state)} OR ${eq(item.state, "refused")}`)
      .commit(),
  }));
  if (!outcome.done) throw busy(outcome);
  return { sent, transaction };
}

/**
 * What a verdict ends with: the transaction that was sent, which of its hashes has landed and on whose account its gas is, or the key
 * that has sent nothing.
 */
type EndsWith = (
  | { readonly transaction: TransactionItem; readonly landed: string | undefined }
  | { readonly key: Key }
) & {
  /** USDG base units. */
  readonly booked?: { readonly account: Account; readonly cost: number };
};

/**
 * sent | none → posted | refused, in one transaction: the record, the press's `auditTx` if it was posted, and the key is free.
 * Answers `undefined` when somebody else has ended it meanwhile.
 */
export async function end(
  ports: Ports,
  verdict: { readonly id: number; readonly auditor: string; readonly file: string },
  posting: Posting,
  along: EndsWith,
): Promise<Posting | undefined> {
  const { id, auditor, file } = verdict;
  const about = { id, auditor, changedAt: changedAt(ports) };
  const item: VerdictItem =
    posting.status === "posted"
      ? { ...about, state: "posted", txHash: posting.txHash, file }
      : { ...about, state: "refused", reason: posting.reason };
  const writes = (entities: WriteEntities) => ({
    ...("key" in along
      ? { key: freeKey(entities, { address: along.key.address, lease: along.key.lease, used: false }) }
      : endWrites(entities, along.transaction, along.landed)),
    account:
      along.booked === undefined
        ? undefined
        : bookWrite(entities, along.booked.account, along.booked.cost, ports.clock.now()),
    verdict: entities.verdict
      .put(item)
      .where((stored, { notExists, eq }) =>
        "key" in along
          ? `${notExists(stored.state)} OR NOT (${eq(stored.state, "sent")})`
          : `${eq(stored.state, "sent")} AND ${eq(stored.transaction, along.transaction.id)}`,
      )
      .commit(),
  });
  const whole = await commit(ports, (entities) => ({
    ...writes(entities),
    press:
      posting.status === "refused"
        ? undefined
        : entities.press
            .patch({ id })
            .set({ auditTx: posting.txHash })
            .where(({ auditTx }, { notExists }) => notExists(auditTx))
            .commit(),
  }));
  if (whole.done) return posting;
  // The press names a verdict already: that one stays.
  if (!whole.refused.has("press")) return undefined;
  return (await commit(ports, writes)).done ? posting : undefined;
}

function changedAt({ clock }: Pick<Ports, "clock">): string {
  return new Date(clock.now()).toISOString();
}

export function busy(cause: unknown): AppError {
  return new AppError("upstream", "auditor_busy", "The auditor's key is busy right now.", { cause });
}
