import * as z from "zod";
import { HexInput } from "../../../../core/chain/hex.ts";
import { AppError } from "../../../../core/error.ts";
import { makePaymentName } from "../../../../core/record/payment.ts";
import { findCalls, findSettlement, purse } from "./chain.ts";
import { type ProcessEnd, relayer, signedByUs, TableDownError } from "./program.ts";
import type { Process, World } from "./world.ts";

/**
 * An error that gives the number of the broken invariant in docs/payments.md. The invariant number 0 means that a stored record contradicts
 * itself.
 */
export class InvariantError extends Error {
  override readonly name = "Broken";
}

export function expectInvariant(holds: boolean, invariant: number, violation: string): asserts holds {
  if (!holds) throw new InvariantError(`Invariant ${invariant}: ${violation}`);
}

const Leg = z.object({ wallet: z.string(), pressId: z.number(), leg: z.enum(["fee", "publisher"]) });
const Entity = z.discriminatedUnion("__edb_e__", [
  Leg.extend({
    __edb_e__: z.literal("settlement"),
    state: z.enum(["queued", "submitted", "settled", "failed"]),
    claim: z.string(),
    pending: z.string().optional(),
    transaction: z.string().optional(),
    txHash: z.string().optional(),
    answeredAt: z.string().optional(),
    signed: z.object({ nonce: z.string(), method: z.string() }),
  }),
  z.object({
    __edb_e__: z.literal("transaction"),
    id: z.string(),
    state: z.string(),
    rawTx: HexInput,
    intents: z.array(z.string()),
  }),
  Leg.extend({ __edb_e__: z.literal("transfer"), txHash: z.string(), logIndex: z.number() }),
  z.object({
    __edb_e__: z.literal("relayer"),
    lease: z.string().optional(),
    leaseUntil: z.number().optional(),
    inFlight: z.string().optional(),
    nextNonce: z.number(),
  }),
  z.object({ __edb_e__: z.literal("press"), reads: z.number(), earnedUnits: z.number().optional() }),
]);
type Entity = z.infer<typeof Entity>;

/** Each item is parsed once, because the same text appears in many states. */
const read = new Map<string, Entity | undefined>();
function parseEntity(text: string): Entity | undefined {
  if (!read.has(text)) read.set(text, Entity.safeParse(JSON.parse(text)).data);
  return read.get(text);
}

export function listRecords({ items }: Pick<World, "items">) {
  const all = [...items.values()].flatMap((text) => parseEntity(text) ?? []);
  const listByName = <Name extends Entity["__edb_e__"]>(name: Name) =>
    all.filter((item): item is Extract<Entity, { __edb_e__: Name }> => item.__edb_e__ === name);
  return {
    settlements: listByName("settlement"),
    transactions: listByName("transaction"),
    transfers: listByName("transfer"),
    relayers: listByName("relayer"),
    presses: listByName("press"),
  };
}

const isPublisherLegBegun = ({ leg, state }: { readonly leg: string; readonly state: string }) =>
  leg === "publisher" && state !== "failed";

type WalletLeg = { readonly wallet: string; readonly leg: string };
/** Finds the signed payments for one of the two legs. The name of each payment begins with the leg's name. */
export function findSignedPayments({ wallet, leg }: WalletLeg) {
  return [...purse.values()].filter((one) => one.wallet === wallet && one.name.startsWith(leg));
}
const isSameLeg = (one: z.infer<typeof Leg>, other: z.infer<typeof Leg>) =>
  one.wallet === other.wallet && one.pressId === other.pressId && one.leg === other.leg;

/** Checks the invariants that must hold in every state. Throws InvariantError. */
export function checkState(world: World): void {
  const { chain } = world;
  const { settlements, transactions, transfers, relayers, presses } = listRecords(world);
  for (const one of settlements) {
    const name = `${one.leg} of ${one.wallet}`;
    const charges = chain.mined.filter(({ settled }) =>
      findSignedPayments(one).some((signed) => settled.includes(signed.name)),
    );
    // In this model, strangers settle only payments that we have broadcast, so a stranger's charge is checked like a charge by us.
    expectInvariant(charges.length <= 1, 1, `${name} is charged once, not ${charges.length} times`);
    const own = transfers.filter((transfer) => isSameLeg(transfer, one));
    expectInvariant(own.length <= 1, 1, `one transfer pays for the ${name}`);
    if (one.state === "settled") {
      const [charge] = charges;
      expectInvariant(
        charge !== undefined && charge.hash === one.txHash,
        1,
        `the ${name} is settled by its own charge`,
      );
      const [transfer] = own;
      const log = charge.logs[transfer?.logIndex ?? -1];
      const from = findSignedPayments(one).some(({ wallet }) =>
        log?.topics[1]?.toString().endsWith(wallet.slice(2)),
      );
      expectInvariant(transfer?.txHash === charge.hash && from, 9, `the ${name} names its own transfer`);
    } else
      expectInvariant(own.length === 0, 3, `a transfer is taken only by a settled leg, not by the ${name}`);
    if (one.state === "submitted") {
      const transaction = transactions.find(({ id }) => id === one.transaction);
      expectInvariant(transaction !== undefined, 2, `the ${name} is in a stored transaction`);
      expectInvariant(
        transaction.intents.includes(makePaymentName(one)),
        2,
        `its transaction names the ${name}`,
      );
      const carried = findCalls(signedByUs.get(transaction.rawTx)?.data ?? "0x");
      const { nonce } = one.signed;
      expectInvariant(
        carried.some((signed) => signed.wallet === one.wallet && String(signed.nonce) === nonce),
        2,
        `its transaction carries what was signed for the ${name}`,
      );
      const wallets = carried.map(({ wallet }) => wallet);
      expectInvariant(new Set(wallets).size === wallets.length, 9, "a wallet has one leg in a transaction");
    }
    expectInvariant(
      (one.state === "submitted") === (one.transaction !== undefined),
      0,
      `the ${name} makes sense`,
    );
    const underWay = one.state === "queued" || one.state === "submitted";
    expectInvariant(!underWay || one.pending !== undefined, 3, `the reconciler can find the ${name}`);
  }
  for (const { wallet, pressId } of settlements.filter(isPublisherLegBegun)) {
    const fee = settlements.find((one) => isSameLeg(one, { wallet, pressId, leg: "fee" }));
    expectInvariant(fee?.state === "settled", 7, `the rest of ${wallet} is begun only where its fee is paid`);
  }
  for (const { inFlight, lease } of relayers) {
    const known = transactions.some(({ id, state }) => id === inFlight && state === "stored");
    expectInvariant(
      inFlight === undefined || (known && lease === inFlight),
      2,
      "a key's transaction is stored",
    );
  }
  // If two transactions had the key's next nonce, only one of them could be mined.
  const inFlight = transactions.filter(({ state }) => state === "stored");
  expectInvariant(inFlight.length <= 1, 2, "the one key has one transaction in flight");
  for (const { reads } of presses) {
    const unlocks = settlements.filter(({ leg, state }) => leg === "publisher" && state === "settled");
    const uncounted = unlocks.filter(({ pending }) => pending === "uncounted").length;
    expectInvariant(
      reads + uncounted === unlocks.length,
      3,
      `${reads} reads and ${uncounted} to count of ${unlocks.length}`,
    );
  }
  checkFees(world);
  checkGas(world, transactions);
  const sent = chain.mined.filter(({ from }) => from === relayer);
  for (const { settled } of sent) {
    for (const name of settled)
      expectInvariant(world.shown.includes(name), 2, `${name} was broadcast before it was mined`);
  }
}

/** Checks that no fee is sent if the reader could not pay the publisher after the fee. */
function checkFees({ chain, shown }: World): void {
  for (const { name, wallet } of purse.values()) {
    const hopeless = name.startsWith("fee") && (chain.frozen || chain.short.includes(wallet));
    expectInvariant(
      !hopeless || !shown.includes(name),
      7,
      `${name} is not taken where the rest could not be paid`,
    );
  }
}

/** The default maximum of the gas price in wei per gas unit, and the maximum amount of gas that a plain account's payment may use. */
const highestPrice = 10_000_000_000n;
const mostForLeg = 1_875_000n;

/** Checks that our use of gas is bounded, and that gas is wasted only by faults that we could not foresee. */
function checkGas(
  { chain, shown, given, left }: World,
  transactions: readonly { readonly rawTx: string }[],
): void {
  for (const { rawTx } of transactions) {
    const { gas = 0n, maxFeePerGas = 0n, data = "0x" } = signedByUs.get(rawTx) ?? {};
    expectInvariant(maxFeePerGas <= highestPrice, 8, "what is signed pays no more than the ceiling");
    expectInvariant(
      gas <= mostForLeg * BigInt(findCalls(data).length),
      8,
      "what is signed has a bounded gas limit",
    );
  }
  expectInvariant(
    !chain.dear || shown.length === 0,
    8,
    "nothing is sent while gas costs more than the ceiling",
  );
  const burned = chain.mined.filter(({ from, settled }) => from === relayer && settled.length === 0);
  const blows = blowing.reduce((sum, what) => sum + given[what] - left[what], 0);
  expectInvariant(
    burned.length <= blows,
    8,
    `${burned.length} transactions have settled nothing, after ${blows} blows`,
  );
}

/**
 * Each of these faults can make one of our transactions settle nothing, because the fault happens between our last check and the
 * transaction's block.
 */
const blowing = ["strangers", "failures", "burns", "lags", "pauses", "losses"] as const;

const refusals = new Set([
  "already_unlocked",
  "settlement_pending",
  "payments_unavailable",
  "chain_unavailable",
  "fee_first",
]);

/**
 * Tells whether a request is allowed to end with this error. The table's error may be the cause of ElectroDB's error, or one of the errors
 * in an AggregateError.
 */
function isAllowedEnd(error: unknown): boolean {
  if (error instanceof AppError) return refusals.has(error.code);
  if (error instanceof AggregateError) return error.errors.every(isAllowedEnd);
  return error instanceof Error && (error instanceof TableDownError || isAllowedEnd(error.cause));
}

const Outcome = z.union([
  z.object({ kind: z.literal("paid"), unlocked: z.object({ body: z.string() }).optional() }),
  z.object({ kind: z.literal("terms"), terms: z.object({ code: z.string() }) }),
]);

/** Checks the invariants that hold when a request is answered. Throws InvariantError. */
export function checkEnd(world: World, { name, request, unpaid, misled }: Process, end: ProcessEnd): void {
  if ("error" in end) {
    const { error } = end;
    expectInvariant(
      isAllowedEnd(error),
      4,
      `${name} ends in ${error instanceof Error ? error.stack : error}`,
    );
    // This refusal says that nothing was charged, so the request must not have stored a transaction that contains the request's payment.
    const isRefused = error instanceof AppError && error.code === "payments_unavailable";
    const stored = listRecords(world).settlements.find(
      ({ state, claim }) => (state === "submitted" || state === "settled") && claim.startsWith(`${name} at `),
    );
    expectInvariant(
      !isRefused || stored === undefined,
      2,
      `${name} is told that nothing was charged, and its payment is ${stored?.state}`,
    );
    return;
  }
  if (request === undefined) return;
  const outcome = Outcome.parse(end.value);
  const all = findSignedPayments({ wallet: request.signed.wallet, leg: request.leg });
  const charged = all.some((one) => findSettlement(world.chain, one) !== undefined);
  if (outcome.kind === "paid") {
    expectInvariant(charged, 1, `${name} is told that it has paid, and has`);
    expectInvariant(!request.copied || outcome.unlocked === undefined, 5, `a copy is not given the text`);
    return;
  }
  // If only lagging nodes answer, no service can know of the charge. When the payer pays next, the service finds the charge and counts it
  // (invariant 1).
  expectInvariant(
    unpaid || misled,
    2,
    `${name}, which has paid or may have, is not told to pay: ${outcome.terms.code}`,
  );
}

/** Tells whether a leg of a purchase is neither charged nor part of a transaction that may still be mined. */
export function isUnpaid({ chain }: Pick<World, "chain">, request: Process["request"]): boolean {
  if (request === undefined) return true;
  const all = findSignedPayments({ wallet: request.signed.wallet, leg: request.leg });
  if (all.some((one) => findSettlement(chain, one) !== undefined)) return false;
  const held = chain.pool.flatMap((raw) => findCalls(signedByUs.get(raw)?.data ?? "0x"));
  return !held.some(({ name }) => all.some((one) => one.name === name));
}
