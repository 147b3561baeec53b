import * as z from "zod";
import type { Address, Hex } from "../chain/hex.ts";
import { AppError, type ErrorKind, tableBusy } from "../error.ts";
import { type Clock, poll } from "../port/clock.ts";
import type { Table } from "../table.ts";
import { refused, transact } from "../transact.ts";
import type { MintOrder } from "./schema.ts";

/** A publisher's word that a transaction minted a press. By press and transaction, so that nobody blocks another's. */
export type Claim = { readonly id: number; readonly txHash: Hex; readonly wallet: Address };

/** What became of a claim. */
type Outcome = { readonly state: "refused"; readonly code: RefusalCode } | { readonly state: "done" };

/** So many claims of a press may be under way: another wallet's mistake and one of one's own leave room for the right one. */
const slots = [0, 1, 2] as const;

/** Milliseconds after which a message that has not been heard of counts as lost. */
const grace = 60_000;

/** Seconds for which claims are kept. */
const lifetime = 24 * 60 * 60;

/** How often a slot is tried because other claims took theirs meanwhile. */
const maxAttempts = 6;

type Ports = { readonly table: Table; readonly clock: Clock };

/**
 * Takes a claim on, unless it is under way already: then there is nothing to send. A refused claim may be made again, for
 * what was wrong may have changed. Throws `limit` `too_many_mints` when a press has three others under way, and
 * `upstream` `table_busy`.
 */
export async function take(ports: Ports, claim: Claim): Promise<MintOrder | undefined> {
  const { table, clock } = ports;
  const { id, txHash } = claim;
  const taken = await poll(
    clock,
    { tries: maxAttempts },
    async (): Promise<MintOrder | "under way" | undefined> => {
      const now = clock.now();
      const { data: known } = await table.entities.mintSlot.query.byPress({ id }).go({ consistent: true });
      const living = known.filter(({ dueAt }) => dueAt > now);
      if (living.some((one) => one.txHash === txHash)) return "under way";
      const slot =
        known.find((one) => one.txHash === txHash)?.slot ??
        slots.find((number) => !known.some((one) => one.slot === number)) ??
        slots.find((number) => !living.some((one) => one.slot === number));
      if (slot === undefined) throw tooMany(Math.min(...living.map(({ dueAt }) => dueAt)) - now);
      const before = known.find((one) => one.slot === slot);
      const outcome = await transact(clock, () =>
        table.transaction
          .write(({ mint, mintSlot }) => [
            mintSlot
              .put({ id, slot, txHash, since: now, dueAt: now + grace, expiresAt: expiryFrom(now) })
              .where((stored, { eq, notExists }) =>
                before === undefined
                  ? notExists(stored.txHash)
                  : `${eq(stored.txHash, before.txHash)} AND ${eq(stored.dueAt, before.dueAt)}`,
              )
              .commit(),
            mint.put({ ...claim, state: "pending", expiresAt: expiryFrom(now) }).commit(),
          ])
          .go(),
      );
      if (!outcome.canceled) return { ...claim, attempt: 0, slot, since: now, seen: false };
      if (!refused(outcome, 0)) throw tableBusy(outcome);
      return undefined;
    },
  );
  if (taken === undefined) throw tableBusy(new Error("Other claims kept taking the slots"));
  return taken === "under way" ? undefined : taken;
}

/**
 * Keeps the claim's slot until a while after its message comes again. `false`: the message came so late that it counted
 * as lost, and the slot was given away. Then this message must end, or a press would have more than three under way.
 */
export async function keepSlot(
  { table, clock }: Ports,
  { id, slot, txHash, since }: MintOrder,
  comesAt: number,
): Promise<boolean> {
  if (slot === undefined || since === undefined) return true;
  const outcome = await transact(clock, () =>
    table.transaction
      .write(({ mintSlot }) => [
        mintSlot
          .patch({ id, slot })
          .set({ dueAt: comesAt + grace })
          .where((stored, { eq }) => `${eq(stored.txHash, `${txHash}`)} AND ${eq(stored.since, since)}`)
          .commit(),
      ])
      .go(),
  );
  if (outcome.canceled && !refused(outcome, 0)) throw tableBusy(outcome);
  return !outcome.canceled;
}

/** Nothing of the claim is under way any more. */
export async function freeSlot(
  { table, clock }: Ports,
  { id, slot, txHash, since }: MintOrder,
): Promise<void> {
  if (slot === undefined || since === undefined) return;
  const outcome = await transact(clock, () =>
    table.transaction
      .write(({ mintSlot }) => [
        mintSlot
          .delete({ id, slot })
          .where((stored, { eq }) => `${eq(stored.txHash, `${txHash}`)} AND ${eq(stored.since, since)}`)
          .commit(),
      ])
      .go(),
  );
  if (outcome.canceled && !refused(outcome, 0)) throw tableBusy(outcome);
}

/** Writes down what became of a claim, and makes room for another. */
export async function end(ports: Ports, order: MintOrder, outcome: Outcome): Promise<void> {
  const { id, txHash, wallet } = order;
  const expiresAt = expiryFrom(ports.clock.now());
  await ports.table.entities.mint.put({ id, txHash, wallet, ...outcome, expiresAt }).go();
  await freeSlot(ports, order);
}

function expiryFrom(now: number): number {
  return Math.floor(now / 1000) + lifetime;
}

function tooMany(milliseconds: number): AppError {
  return new AppError(
    "limit",
    "too_many_mints",
    `${slots.length} other transactions of this press are being looked for. Nothing was changed. Confirm this one again when one of them is done.`,
    { retryAfter: Math.max(1, Math.ceil(milliseconds / 1000)) },
  );
}

/** Why a mint does not make a press live: stable codes. */
export const RefusalCode = z.literal([
  "not_approved",
  "transaction_failed",
  "wrong_sender",
  "no_identity_minted",
  "wrong_identity_uri",
  "transaction_already_used",
  "transaction_not_found",
  "confirmation_timed_out",
]);
export type RefusalCode = z.infer<typeof RefusalCode>;

/** What the publisher is told. */
const messages: Readonly<Record<RefusalCode, string>> = {
  not_approved: "This press is not approved: audit it first, and confirm the mint once it is.",
  transaction_failed: "The transaction failed on the chain, so it minted nothing.",
  wrong_sender: "The transaction was not sent by the wallet that you are signed in with.",
  no_identity_minted: "The transaction minted no identity to your wallet in the identity registry.",
  wrong_identity_uri: "The identity does not point to this press's metaUrl.",
  transaction_already_used: "This transaction has already made another press live; each press needs its own.",
  transaction_not_found:
    "The chain has not seen this transaction for two minutes. If you did send it, confirm it again; otherwise mint anew.",
  confirmation_timed_out: "The mint could not be checked for half an hour. Confirm it again.",
};

const kinds: Partial<Readonly<Record<RefusalCode, ErrorKind>>> = {
  not_approved: "conflict",
  confirmation_timed_out: "upstream",
};

/** The refusal as the publisher hears it: the input's fault, unless the press's state or our side is to blame. */
export function refusal(code: RefusalCode): AppError {
  return new AppError(kinds[code] ?? "input", code, messages[code]);
}
