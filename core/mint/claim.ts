import * as z from "zod";
import type { Address, Hex } from "../chain/hex.ts";
import { AppError, type ErrorKind, makeBusyError } from "../error.ts";
import { poll } from "../port/clock.ts";
import type { AllPorts } from "../ports.ts";
import { commit } from "../transact.ts";
import type { MintOrder } from "./schema.ts";

/**
 * A publisher's claim that a transaction has minted a press. The key of a mint claim consists of the press and the transaction, so that a
 * wallet with a wrong claim cannot block the right claim.
 */
export type MintClaim = { readonly id: number; readonly txHash: Hex; readonly wallet: Address };

/** The outcome of a mint claim. A mint claim says that a transaction has minted a press. */
type ClaimOutcome = { readonly state: "refused"; readonly code: RefusalCode } | { readonly state: "done" };

/**
 * The maximum number of unfinished mint claims for a press. With this maximum, a slot stays free for the right claim even if a stranger and
 * the publisher have each made one wrong claim.
 */
const slots = [0, 1, 2] as const;

/**
 * If a claim's slot is not renewed within this number of milliseconds after the expected delivery of the claim's message, the message
 * counts as lost.
 */
const grace = 60_000;

/** Seconds for which a mint claim is stored. */
const lifetime = 24 * 60 * 60;

/** The maximum number of attempts to take a slot. An attempt fails if a concurrent claim takes the slot first. */
const maxAttempts = 6;

type Ports = Pick<AllPorts, "table" | "clock">;

/**
 * Accepts a mint claim, which says that a transaction has minted a press. If the same claim is already in progress, the claim needs no
 * further message and is not accepted again. A refused mint claim can be made again, because the cause of the refusal may be gone. Throws
 * `too_many_mints` (`limit`) if three other claims of the press are in progress, and `table_busy` (`upstream`) if the table is busy.
 */
export async function addClaim(ports: Ports, claim: MintClaim): Promise<MintOrder | undefined> {
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
      if (slot === undefined) throw makeTooManyError(Math.min(...living.map(({ dueAt }) => dueAt)) - now);
      const before = known.find((one) => one.slot === slot);
      const outcome = await commit(ports, ({ mint, mintSlot }) => ({
        slot: mintSlot
          .put({ id, slot, txHash, since: now, dueAt: now + grace, expiresAt: findExpiry(now) })
          .where((stored, { eq, notExists }) =>
            before === undefined
              ? notExists(stored.txHash)
              : `${eq(stored.txHash, before.txHash)} AND ${eq(stored.dueAt, before.dueAt)}`,
          )
          .commit(),
        mint: mint.put({ ...claim, state: "pending", expiresAt: findExpiry(now) }).commit(),
      }));
      if (outcome.done) return { ...claim, attempt: 0, slot, since: now, seen: false };
      if (outcome.refused.size === 0) throw makeBusyError(outcome);
      return undefined;
    },
  );
  if (taken === undefined) throw makeBusyError(new Error("Other claims kept taking the slots"));
  return taken === "under way" ? undefined : taken;
}

/**
 * Keeps the claim's slot reserved until some time after the next delivery of the claim's message. Returns `false` if the message came too
 * late and another claim has taken the slot. If the claim has lost its slot, its message must not be sent again. Otherwise more than three
 * mint confirmations of a press could be checked at once.
 */
export async function holdSlot(
  ports: Ports,
  { id, slot, txHash, since }: MintOrder,
  comesAt: number,
): Promise<boolean> {
  if (slot === undefined || since === undefined) return true;
  const outcome = await commit(ports, ({ mintSlot }) => ({
    slot: mintSlot
      .patch({ id, slot })
      .set({ dueAt: comesAt + grace })
      .where((stored, { eq }) => `${eq(stored.txHash, `${txHash}`)} AND ${eq(stored.since, since)}`)
      .commit(),
  }));
  if (!outcome.done && outcome.refused.size === 0) throw makeBusyError(outcome);
  return outcome.done;
}

/** Frees the slot of a mint claim. */
export async function freeSlot(ports: Ports, { id, slot, txHash, since }: MintOrder): Promise<void> {
  if (slot === undefined || since === undefined) return;
  const outcome = await commit(ports, ({ mintSlot }) => ({
    slot: mintSlot
      .delete({ id, slot })
      .where((stored, { eq }) => `${eq(stored.txHash, `${txHash}`)} AND ${eq(stored.since, since)}`)
      .commit(),
  }));
  if (!outcome.done && outcome.refused.size === 0) throw makeBusyError(outcome);
}

/** Stores the outcome of a mint claim and frees the claim's slot. */
export async function endClaim(ports: Ports, order: MintOrder, outcome: ClaimOutcome): Promise<void> {
  const { id, txHash, wallet } = order;
  const expiresAt = findExpiry(ports.clock.now());
  await ports.table.entities.mint.put({ id, txHash, wallet, ...outcome, expiresAt }).go();
  await freeSlot(ports, order);
}

function findExpiry(now: number): number {
  return Math.floor(now / 1000) + lifetime;
}

function makeTooManyError(milliseconds: number): AppError {
  return new AppError(
    "limit",
    "too_many_mints",
    `${slots.length} other transactions of this press are being checked. Nothing was changed. Confirm this one again when one of them is done.`,
    { retryAfter: Math.max(1, Math.ceil(milliseconds / 1000)) },
  );
}

/** The stable codes of the reasons why a mint does not make a press live. */
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

const messages: Readonly<Record<RefusalCode, string>> = {
  not_approved:
    "This article is not approved. Audit the article first, and confirm the mint after the approval.",
  transaction_failed: "The transaction failed on the chain, so it minted nothing.",
  wrong_sender: "The transaction was not sent by the wallet that you are signed in with.",
  no_identity_minted: "The transaction minted no identity to your wallet in the identity registry.",
  wrong_identity_uri: "The identity does not point to this article's metaUrl.",
  transaction_already_used:
    "This transaction has already made another article live; each article needs its own transaction.",
  transaction_not_found:
    "The chain has not seen this transaction for two minutes. If you sent the transaction, confirm the mint again; otherwise mint again.",
  confirmation_timed_out: "The mint could not be checked for half an hour. Confirm the mint again.",
};

const kinds: Partial<Readonly<Record<RefusalCode, ErrorKind>>> = {
  not_approved: "conflict",
  confirmation_timed_out: "upstream",
};

/**
 * The error that the publisher gets for a refused mint claim. The error's kind is `input`, unless the press's state or the service has
 * caused the refusal.
 */
export function makeRefusal(code: RefusalCode): AppError {
  return new AppError(kinds[code] ?? "input", code, messages[code]);
}
