import type { Hex } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import * as Gas from "../gas/index.ts";
import type { AllPorts } from "../ports.ts";
import type { VerdictItem } from "../record/press.ts";
import type { TransactionItem } from "../record/relayer.ts";
import { makeEndWrites } from "../relayer/index.ts";
import { type Action, commit, type WriteEntities } from "../transact.ts";

type Ports = Pick<AllPorts, "table" | "clock">;

/** A verdict on the chain. */
export type PostedVerdict = { readonly status: "posted"; readonly txHash: Hex };

/** The final state of a verdict. A refused verdict can be sent again. */
export type VerdictEnd = PostedVerdict | { readonly status: "refused"; readonly reason: string };

/** The states of the auditor's verdict on a press: first none, then sent, then posted or refused. A refused verdict can be sent again. */
export type VerdictState =
  /** The verdict is in a stored transaction, which may or may not have reached the chain. `file` is the feedback file's text. */
  | { readonly state: "sent"; readonly auditor: string; readonly file: string; readonly transaction: string }
  | { readonly state: "posted" }
  | { readonly state: "refused" };

/** A verdict in progress, and its press. */
export type SentVerdict = Extract<VerdictState, { state: "sent" }> & { readonly id: number };

/** The current verdict on a press; `undefined` if the press has no verdict yet. */
export async function readVerdict({ table }: Ports, id: number): Promise<VerdictState | undefined> {
  const { data } = await table.entities.verdict.get({ id }).go({ consistent: true });
  return data === null ? undefined : parseVerdict(data);
}

function parseVerdict({ id, state, auditor, file, transaction }: VerdictItem): VerdictState {
  if (state !== "sent") return { state };
  if (file === undefined || transaction === undefined) {
    throw new Error(
      `The auditor ${auditor} is sending the verdict on press ${id}, but the outbox has no transaction for this verdict`,
    );
  }
  return { state, auditor, file, transaction };
}

/** The auditor's key. This run has leased the key, and the key has no pending transaction. */
export type PostingKey = { readonly claim: string; readonly claimUntil: number; readonly relayer: string };

/** Releases a key that has sent nothing. If another run has leased the key, that lease is not changed. */
export async function releaseKey(ports: Ports, { claim: id, relayer }: PostingKey): Promise<boolean> {
  return (await commit(ports, (entities) => makeEndWrites(entities, { id, relayer }, undefined))).done;
}

/**
 * Changes the verdict's state from none or refused to sent, in the same table transaction that stores the chain transaction to broadcast.
 * The write is refused if another run has sent the verdict.
 */
export function makeSendWrites(
  ports: Pick<Ports, "clock">,
  entities: WriteEntities,
  about: Omit<SentVerdict, "state">,
): { readonly sent: SentVerdict; readonly writes: readonly Action[] } {
  const sent = { ...about, state: "sent" } as const;
  const write = entities.verdict
    .put({ ...sent, changedAt: formatCurrentTime(ports) })
    .where((item, { notExists, eq }) => `${notExists(item.state)} OR ${eq(item.state, "refused")}`)
    .commit();
  return { sent, writes: [write] };
}

/**
 * How a verdict ended: by a transaction, or without a transaction. `landed`: the hash under which the transaction was mined. `key`: the
 * auditor's key, if there is no transaction. `booked`: the gas account that is charged, and the cost of the gas.
 */
type EndCause = (
  | { readonly transaction: TransactionItem; readonly landed: string | undefined }
  | { readonly key: PostingKey }
) & {
  /** `cost` is in USDG base units. */
  readonly booked?: { readonly account: Gas.Account; readonly cost: number };
};

/**
 * Changes the verdict's state from sent or none to posted or refused. One table transaction writes the record of the verdict, sets the
 * press's `auditTx` if the verdict was posted, and releases the key. Returns `undefined` if another run has ended the verdict meanwhile.
 */
export async function endVerdict(
  ports: Ports,
  verdict: { readonly id: number; readonly auditor: string; readonly file: string },
  posting: VerdictEnd,
  endCause: EndCause,
): Promise<VerdictEnd | undefined> {
  const { id, auditor, file } = verdict;
  const about = { id, auditor, changedAt: formatCurrentTime(ports) };
  const item: VerdictItem =
    posting.status === "posted"
      ? { ...about, state: "posted", txHash: posting.txHash, file }
      : { ...about, state: "refused", reason: posting.reason };
  const makeWrites = (entities: WriteEntities) => ({
    ...("key" in endCause
      ? makeEndWrites(entities, { id: endCause.key.claim, relayer: endCause.key.relayer }, undefined)
      : makeEndWrites(entities, endCause.transaction, endCause.landed)),
    account:
      endCause.booked === undefined
        ? undefined
        : Gas.makeBookWrite(entities, endCause.booked.account, endCause.booked.cost, ports.clock.now()),
    verdict: entities.verdict
      .put(item)
      .where((stored, { notExists, eq }) =>
        "key" in endCause
          ? `${notExists(stored.state)} OR NOT (${eq(stored.state, "sent")})`
          : `${eq(stored.state, "sent")} AND ${eq(stored.transaction, endCause.transaction.id)}`,
      )
      .commit(),
  });
  const whole = await commit(ports, (entities) => ({
    ...makeWrites(entities),
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
  // If the press already has an `auditTx`, this `auditTx` is not replaced, and only the transaction's other writes are made.
  if (!whole.refused.has("press")) return undefined;
  return (await commit(ports, makeWrites)).done ? posting : undefined;
}

function formatCurrentTime({ clock }: Pick<Ports, "clock">): string {
  return new Date(clock.now()).toISOString();
}

export function makeBusyError(cause: unknown): AppError {
  return new AppError("upstream", "auditor_busy", "The auditor's key is busy right now.", { cause });
}
