import { toAddress } from "../chain/hex.ts";
import { newSession, type Opening, openingBy } from "../session/index.ts";
import { type Action, commit, type WriteEntities } from "../transact.ts";
import type { SettlementItem } from "./entity.ts";
import type { Payment } from "./header.ts";
import type { PaymentPorts } from "./ports.ts";
import { busy, type State } from "./state.ts";

/** What an answer with the text does beside giving it. It is recorded before it is given. */
export type Answering = {
  /** The session whose cookie it sets, if any. */
  readonly opens: Opening | undefined;
};

/** The answer that a request for the text would be given. */
export function answering(
  ports: Pick<PaymentPorts, "clock" | "ids">,
  { key, session }: Pick<State, "key" | "session">,
): Answering {
  return { opens: openingBy(ports, key.wallet, session) };
}

/**
 * Whether a payment shows what only the client knows that made this record: the payment-identifier with its payload, or
 * the ticket. A permit and its signature show nothing, for they stand on the chain (invariant 5).
 */
export function isRepeat(record: SettlementItem, state: State, payment: Payment): boolean {
  return (
    isNamed(record, state, payment) || (payment.ticket !== undefined && record.ticket === payment.ticket)
  );
}

/** Whether the record answers the very attempt that the payer names, with the payload that was named. */
export function isNamed(
  record: SettlementItem,
  { identifier: named }: State,
  { identifier }: Pick<Payment, "identifier">,
): boolean {
  return (
    identifier !== undefined && record.identifier === identifier.id && named?.digest === identifier.digest
  );
}

/** The writes that open an answer's session, as parts of a transaction. */
export function sessionWrites(
  { session }: Pick<WriteEntities, "session">,
  { clock }: Pick<PaymentPorts, "clock">,
  wallet: string,
  { opens }: Answering,
): { readonly session?: Action; readonly oldSession?: Action | undefined } {
  if (opens === undefined) return {};
  return {
    session: session.put(newSession(clock, opens.token, toAddress(wallet), "payment")).commit(),
    oldSession: opens.instead === undefined ? undefined : session.delete(opens.instead).commit(),
  };
}

/**
 * Records that the text of a settled leg is answered now, with the session that the answer opens. Answers whether it is
 * the first time: of two that race, one is.
 */
export async function recordAnswer(
  ports: Pick<PaymentPorts, "table" | "clock">,
  { wallet, pressId, leg }: SettlementItem,
  answer: Answering,
): Promise<boolean> {
  const answeredAt = new Date(ports.clock.now()).toISOString();
  const outcome = await commit(ports, (entities) => ({
    settlement: entities.settlement
      .patch({ wallet, pressId, leg })
      .set({ answeredAt })
      .where((item, { eq, notExists }) => `${eq(item.state, "settled")} AND ${notExists(item.answeredAt)}`)
      .commit(),
    ...sessionWrites(entities, ports, wallet, answer),
  }));
  if (!outcome.done && !outcome.refused.has("settlement")) throw busy();
  return outcome.done;
}

/** Opens the session of an answer that is given once more. */
export async function openSession(
  ports: Pick<PaymentPorts, "table" | "clock">,
  { wallet }: SettlementItem,
  answer: Answering,
): Promise<void> {
  if (answer.opens === undefined) return;
  const outcome = await commit(ports, (entities) => ({
    ...sessionWrites(entities, ports, wallet, answer),
  }));
  if (!outcome.done) throw busy();
}
