import { AppError } from "../error.ts";
import type { Clock } from "../port/clock.ts";
import { findDay } from "../quota/index.ts";
import type { GasItem } from "../record/relayer.ts";
import type { Table } from "../table.ts";
import type { Action, WriteEntities } from "../transact.ts";
import {
  computeCost,
  computePlainGas,
  findGasLimit,
  findReadCost,
  type GasRate,
  type RatePorts,
  type RateSettings,
  readGasLimits,
  readRateNow,
  readRecentRate,
} from "./price.ts";

/**
 * For the gas of a payee's reads, the platform spends at most the fees of these reads and a small daily allowance (invariant 8). If the fee
 * of a read pays for the gas of the read, no gas account is charged. Gas that a read's fee does not cover, and the gas of a press's
 * verdict, are charged to the gas account of the press's publisher. All amounts are USDG base units.
 */

/** The subject (owner) and the UTC day of a gas account. */
export type Account = { readonly payee: string; readonly day: string };

export function makeAccount(payee: string, now: number): Account {
  return { payee, day: findDay(now).name };
}

type Cooldown = { readonly cooldownUntil?: number };

/** The write that adds amounts to the gas account of one subject (owner) for one day. */
function makeEntry(
  { gas }: Pick<WriteEntities, "gas">,
  key: GasKey,
  amounts: { readonly spent: number; readonly kept?: number },
  now: number,
  cooldown: Cooldown = {},
) {
  return gas
    .update(key)
    .add(amounts)
    .set({ expiresAt: findDay(now).expiresAt, ...cooldown });
}

/** Adds an amount, which may be negative, to a gas account as part of a table transaction. */
export function makeBookWrite(
  entities: Pick<WriteEntities, "gas">,
  { payee, day }: Account,
  amount: number,
  now: number,
): Action {
  return makeEntry(entities, makeGasKey("payee", payee, day), { spent: amount }, now).commit();
}

/** Adds an amount to a gas account in a separate write, outside a transaction. */
export async function bookAmount(ports: LedgerPorts, { payee, day }: Account, amount: number): Promise<void> {
  if (amount !== 0) await addToAccount(ports, makeGasKey("payee", payee, day), amount);
}

type LedgerPorts = { readonly table: Table; readonly clock: Pick<Clock, "now"> };

async function addToAccount(
  { table, clock }: LedgerPorts,
  key: GasKey,
  spent: number,
  cooldown: Cooldown = {},
): Promise<void> {
  const { expiresAt } = findDay(clock.now());
  await table.entities.gas
    .update(key)
    .add({ spent })
    .set({ expiresAt, ...cooldown })
    .go();
}

/**
 * Reserves the part of a read's gas cost that the read's fee does not cover, in the same transaction as the claim of the payment. The
 * reservation is refused if the gas account has less left than the amount to reserve.
 */
export function makeReserveWrite(
  entities: Pick<WriteEntities, "gas">,
  settings: RateSettings,
  { payee, day }: Account,
  beyondFee: number,
  now: number,
): Action {
  const { allowance } = readGasLimits(settings);
  return makeHold(entities, makeGasKey("payee", payee, day), beyondFee, allowance, now);
}

function makeHold(
  entities: Pick<WriteEntities, "gas">,
  key: GasKey,
  amount: number,
  maxAmount: number,
  now: number,
): Action {
  return makeEntry(entities, key, { spent: amount }, now)
    .where(({ spent }, { notExists, lte }) => {
      const hasRoom = lte(spent, maxAmount - amount);
      return amount <= maxAmount ? `${notExists(spent)} OR ${hasRoom}` : hasRoom;
    })
    .commit();
}

/**
 * Reserves the ETH for a vote, in the same transaction as the errand's claim. The ETH is charged to the service's own gas account for the
 * votes of a day. The wallet's fees pay for the vote's ETH. The only purpose of this gas account is to limit how much the service can lose
 * through a mistake of its own. `at` is the `claimUntil` of the errand's record. The end of the errand is recorded with the same `at`, so
 * unused ETH is given back to the gas account of the same day.
 */
export function reserveVoteGas(
  entities: Pick<WriteEntities, "gas">,
  settings: RateSettings,
  amount: number,
  at: number,
): Action {
  return makeHold(entities, makeVoteGasKey(at), amount, readGasLimits(settings).failuresPerDay, at);
}

/** Changes the amount of reserved ETH, in the same transaction that ends the errand. */
export function bookVoteGas(entities: Pick<WriteEntities, "gas">, amount: number, at: number): Action {
  return makeEntry(entities, makeVoteGasKey(at), { spent: amount }, at).commit();
}

function makeVoteGasKey(at: number): GasKey {
  return { subject: service.votes, day: findDay(at).name };
}

/** The refusal to send ETH for a vote, because too little is left of the ETH that the service gives for votes in a day. */
export function makeVoteGasError(now: number): AppError {
  const message =
    "We have already sent the maximum amount of ETH for votes of one day (UTC). Nothing was sent: send the wallet a little ETH, or come back tomorrow.";
  return new AppError("limit", "vote_gas_limit", message, { retryAfter: findDay(now).left });
}

/**
 * This function runs before anybody signs a payment. Checks that the gas of a new read is paid either by the fee or by the rest of the
 * payee's gas allowance. Throws `price_below_gas` (`upstream`).
 */
export async function requireGasPayer(
  ports: RatePorts & LedgerPorts,
  payee: string,
  fee: bigint,
): Promise<void> {
  const { rate, isNew } = await readRecentRate(ports);
  if (findReadCost(rate) <= Number(fee)) return;
  const key = makeGasKey("payee", payee, findDay(ports.clock.now()).name);
  const { data } = await ports.table.entities.gas.get(key).go({ consistent: true });
  const room = readGasLimits(ports.settings).allowance - (data?.spent ?? 0);
  const isCarried = (now: GasRate) => findReadCost(now) - Number(fee) <= Math.max(0, room);
  if (isCarried(rate)) return;
  // Before a read is refused, the gas price is fetched again, because it may have fallen since it was last fetched.
  if (isNew || !isCarried(await readRateNow(ports))) throw makePriceBelowGasError(ports.clock.now());
}

/** The refusal of a read whose gas is paid neither by the fee nor by the payee's allowance. When a read is refused, nothing is charged. */
export function makePriceBelowGasError(now: number): AppError {
  return new AppError(
    "upstream",
    "price_below_gas",
    "The fee of this article does not pay for the gas of a payment now, and what is left today (UTC) of its author's own gas allowance does not pay for the rest. Nothing was charged: come back tomorrow, or when gas is cheaper. A wallet that has already paid the fee can continue with the second payment; ?payer=<wallet> gives the terms for the wallet.",
    { retryAfter: findDay(now).left },
  );
}

/**
 * Who pays for the gas of a read (invariant 8). The fee of a read pays for the gas of the read until the fee is used up. The publisher's
 * gas account pays the gas that the fee does not cover, and a contract wallet's own gas account pays the gas that a plain account would not
 * use. The payment of the fee reserves gas for both payments of the read. All amounts are USDG base units.
 */
export type GasSplit = {
  /** The publisher's gas account of a UTC day. */
  readonly payee: string;
  readonly day: string;
  /** The price of one ETH in USDG base units at the time when the read was checked. */
  readonly ethPrice: number;
  /** The part of the fee that is left for gas. Until the payment of the fee has ended, the whole fee counts as unspent. */
  readonly fee: number;
  /** The expected gas cost of the payment to the publisher. */
  readonly rest: number;
  /** The amount that is charged to the publisher's gas account for this read. */
  readonly booked: number;
  /** The gas cost that the payment would have if it came from a plain account; set only for a wallet with code. */
  readonly share?: number | undefined;
  /**
   * The gas units that are reserved with the fee for the payment to the publisher, without the gas units for L1; set only for a wallet with
   * code. 0 if no gas was reserved.
   */
  readonly gas?: number | undefined;
  /**
   * The amount that is reserved on the wallet's own gas account for the payment to the publisher; set only for a wallet with code. Until
   * the payment of the fee has ended, this amount is the maximum gas cost of the payment to the publisher.
   */
  readonly kept?: number | undefined;
  /**
   * Whether a failed payment to the publisher has used up the gas that was reserved when the wallet paid the fee. If the gas reserved with
   * the fee is used up, the gas of the next attempt is charged to the wallet's gas account.
   */
  readonly burned?: boolean | undefined;
};

type PaidRead = {
  readonly payee: string;
  readonly day: string;
  readonly fee: bigint;
  /** The payment's estimated gas units. `undefined` if another party has sent the payment; then a plain account's gas is assumed. */
  readonly gas: bigint | undefined;
  readonly hasCode: boolean;
  readonly rate: GasRate & UsualL1Gas;
};

/** Calculates how the gas cost of a new read is shared between the fee, the publisher's gas account and the wallet's gas account. */
export function makeGasSplit({ payee, day, fee, gas, hasCode, rate }: PaidRead): GasSplit {
  const plain = computePlainGas({ l1Gas: capL1Gas(rate) });
  const leg = computeCost(gas === undefined || (hasCode && gas > plain) ? plain : gas, rate);
  return {
    payee,
    day,
    ethPrice: rate.ethPrice,
    fee: Number(fee),
    rest: leg,
    booked: Math.max(0, 2 * leg - Number(fee)),
    ...(hasCode && { share: leg, gas: gas === undefined ? 0 : Number(gas - rate.l1Gas + ownerGas) }),
  };
}

/**
 * The gas units that the payment to the publisher can use in addition to the gas units of the fee's payment. To store the first balance of
 * an address costs 17,100 gas units more than to change a balance (EIP-2929), and the treasury already has a balance.
 */
const ownerGas = 20_000n;

/** The maximum gas cost of the payment to the publisher. `gas`: the gas units of the fee's payment. */
export function computeRestCost(gas: bigint, rate: GasRate): number {
  return computeCost(findGasLimit(gas + ownerGas), rate);
}

/**
 * Calculates how the gas cost of the payment to the publisher is shared. `recorded`: how the gas cost was shared after the read's last
 * payment; missing if a repair has found the fee on the chain. The wallet may have got code after it paid the fee (EIP-7702). No gas is
 * reserved for code that a wallet gets after it has paid the fee, and the publisher's gas account never pays for the gas of this code.
 */
export function makeRestGasSplit(recorded: GasSplit | undefined, read: PaidRead): GasSplit {
  if (recorded === undefined) {
    const { fee, ...split } = makeGasSplit({ ...read, gas: undefined });
    return { ...split, fee: Math.max(0, fee - split.rest), booked: 0 };
  }
  return read.gas !== undefined && read.hasCode ? limitToPlainGas(recorded) : recorded;
}

/**
 * How a read's gas cost is shared if the wallet may have got code after it paid the fee. An errand may already have used the part of the
 * fee that exceeds the expected gas. Therefore, the fee and the publisher's gas account pay for no more gas than a plain account is
 * expected to use.
 */
export function limitToPlainGas(split: GasSplit): GasSplit {
  const { fee, rest, share } = split;
  return share === undefined ? { ...split, fee: Math.min(fee, rest), share: rest, gas: 0 } : split;
}

/**
 * Whether the fee's payment has reserved enough gas for the payment to the publisher, and no failed payment has burned this gas. `gas`: the
 * estimated gas units of the payment to the publisher.
 */
export function isGasReserved(
  { burned, gas: reserved }: GasSplit,
  gas: bigint,
  rate: Pick<GasRate, "l1Gas"> & UsualL1Gas,
): boolean {
  // A higher gas price on L1 does not use up the reserve, because the wallet has not caused the higher price.
  return burned !== true && (reserved === undefined || gas - capL1Gas(rate) <= BigInt(reserved));
}

/**
 * `usualL1Gas`: the L1 gas units of a transaction of the usual length (the fee's payment or a typical transaction), if the payment may be
 * longer because of a contract's signature; 0 on a chain without Nitro.
 */
type UsualL1Gas = { readonly usualL1Gas?: bigint | undefined };

/**
 * The L1 gas units of a payment that are not charged to the wallet's own gas account. A wallet's code can accept a signature of many
 * kilobytes, and the wallet pays for the additional bytes. A sixteenth is added, because L1 compresses signatures of the same length to
 * different sizes.
 */
export function capL1Gas({ l1Gas, usualL1Gas = 0n }: Pick<GasRate, "l1Gas"> & UsualL1Gas): bigint {
  const most = usualL1Gas + usualL1Gas / 16n;
  return l1Gas < most || most === 0n ? l1Gas : most;
}

/**
 * The reserve for the payment to the publisher, minus the part that the fee covers. `share`: the gas cost of the fee's payment if that
 * payment wastes no gas; 0 once the fee is paid.
 */
export function computeKept({ fee, rest, share = 0, kept = 0 }: GasSplit): number {
  return Math.max(0, kept - Math.max(0, fee - share - rest));
}

/** The result of an ended payment: how the read's gas cost is now shared, and the amount by which each gas account changes. */
export type GasSplitResult = {
  readonly carry: GasSplit;
  /** The amount, in USDG base units, by which the balance of the publisher's gas account changes. */
  readonly booked: number;
  /** The part of the gas cost, in USDG base units, that the wallet's own gas account pays. */
  readonly own: number;
};

/**
 * Calculates how a read's gas cost is shared once the fee is settled. The calculation uses the actual gas cost of this settlement. What is
 * left of the fee after this settlement can reduce the reserve for the payment to the publisher.
 */
export function settleFeeGasSplit(carry: GasSplit, cost: number): GasSplitResult {
  const done = settleGasSplit(carry, cost, carry.rest);
  if (carry.kept === undefined) return done;
  return { ...done, carry: { ...done.carry, kept: computeKept({ ...done.carry, share: 0 }) } };
}

/** Calculates how the gas cost of a read is shared after the publisher was paid. The payment to the publisher completes the purchase. */
export function settleRestGasSplit(carry: GasSplit, cost: number): GasSplitResult {
  const done = settleGasSplit(carry, cost, 0);
  return { ...done, carry: { ...done.carry, rest: 0, kept: 0 } };
}

function settleGasSplit(carry: GasSplit, cost: number, costAhead: number): GasSplitResult {
  const plain = Math.min(cost, carry.share ?? cost);
  const above = cost - plain;
  const byFee = Math.min(above, Math.max(0, carry.fee - plain - costAhead));
  const fee = carry.fee - plain - byFee;
  const booked = Math.max(0, costAhead - fee);
  return { carry: { ...carry, fee, booked }, booked: booked - carry.booked, own: above - byFee };
}

/**
 * On the chain, the code of a wallet decides how much of the service's gas the wallet's payment uses, even if a simulation has shown
 * another amount. A wallet with code therefore has its own gas account, which is charged for the gas of its failed payments. If a
 * successful payment uses more gas than a plain account's payment would, only the excess gas is charged to the wallet's gas account. The
 * gas of failed payments is also charged to the gas accounts of the wallet's code, of the code that the wallet delegates to, and of the
 * whole service (invariant 8). A plain account runs no code. A plain account can make a payment fail only by moving its money away right
 * before the charge, and honest payers hardly ever do this. Each plain wallet therefore has a separate gas account, and no plain wallet
 * waits for other wallets. All amounts are in USDG base units and count for one UTC day.
 */

/** The daily budget of all wallets with the same code, as a multiple of one wallet's allowance. */
const walletsOfCode = 5;

/**
 * The divisor that gives the hourly part of the service's daily gas budget. One payer's code can make other payments in a shared
 * transaction fail. In an hour, the service can lose at most this part of the budget through payments that fail because of other payments.
 */
const sharedPart = 8;

/**
 * The milliseconds that a wallet must wait after a failed payment before its next payment. If a wallet's payment fails, other wallets with
 * the same code are not blocked.
 */
const walletCooldownMs = 8_000;

const codeCooldownMs = 2_000;

/** The number of seconds within which some of a wallet's pending payments will probably end. */
const underWay = 2;

/**
 * The service's four gas budgets. `fresh` applies to contract wallets that have never paid through this service, and `paid` applies to all
 * other contract wallets. The budget `shared` is for payments that failed because of other payments in their transaction, and `votes` is
 * for the ETH of votes.
 */
const service = {
  fresh: "service:fresh",
  paid: "service:paid",
  shared: "service:shared",
  votes: "service:votes",
} as const;

/** The amount that is reserved for a payment on a contract wallet's gas account until the payment ends. */
export type GasHold = {
  readonly day: string;
  readonly limit: number;
  /** The part of the amount that was already reserved when the wallet paid the fee. */
  readonly ahead?: number | undefined;
  /**
   * Whether the gas of this payment was already reserved when the wallet paid the fee. If the gas was reserved with the fee, the payment
   * cannot be refused because of a gas budget of the wallet, of its code or of the service.
   */
  readonly reserved?: boolean | undefined;
  readonly subjects: readonly string[];
};

function computeReserve({ limit, ahead = 0 }: GasHold): number {
  return limit - ahead;
}

type BudgetPorts = LedgerPorts & { readonly settings: RateSettings };

/** A payment of a wallet with code, and the gas cost that must be reserved for this payment. */
type ContractPayment = {
  readonly wallet: string;
  readonly hold: GasHold;
  /** The maximum gas cost of this payment alone; the reserve may also cover the other payment of the read. */
  readonly most: number;
  /** Whether the wallet has ever paid through this service. */
  hasPaid(): Promise<boolean>;
};

/**
 * Checks that enough of the gas budgets is left. Throws `wallet_gas_limit` (`limit`) if the wallet or its code has burned gas very recently
 * or too much gas today, or if the wallet's pending payments have reserved too much gas. Throws `payments_unavailable` (`upstream`) if the
 * service has burned too much gas today. A payment that has waited for a relayer is checked again, because many payments may have passed
 * the first check at the same time.
 */
export async function requireBudget(
  ports: BudgetPorts,
  { wallet, hold, most, hasPaid }: ContractPayment,
): Promise<void> {
  const { day, subjects } = hold;
  const now = ports.clock.now();
  const { left } = findDay(now);
  const own = formatBudgetName("wallet", wallet);
  const { data } = await ports.table.entities.gas
    .get([own, ...subjects, service.fresh, service.paid].map((subject) => ({ subject, day })))
    .go({ consistent: true });
  const findAccount = (subject: string) => data.find((item) => item.subject === subject);
  const { failuresPerDay, allowance } = readGasLimits(ports.settings);
  const isSpent = (subject: string, budget: number) => (findAccount(subject)?.spent ?? 0) + most > budget;

  const { spent = 0, kept = 0, cooldownUntil } = findAccount(own) ?? {};
  const needed = computeReserve(hold);
  if (countCooldown(findAccount(own), now) > 0) throw makeWalletError(countCooldown(findAccount(own), now));
  // If gas was reserved with the fee, a used-up gas budget does not block the wallet's payment to the publisher.
  if (hold.reserved === true) return;
  if (needed > allowance) throw makeGasTooDearError();
  if (spent - kept + needed > allowance) throw makeGasUsedUpError(left);
  if (spent + needed > allowance) throw makePendingLimitError();
  const cooling = Math.max(...subjects.map((subject) => countCooldown(findAccount(subject), now)));
  const codeSpent = subjects.some((subject) => isSpent(subject, walletsOfCode * allowance));
  const closed = {
    fresh: isSpent(service.fresh, failuresPerDay),
    paid: isSpent(service.paid, failuresPerDay),
  };
  if (!closed.fresh && !closed.paid && !codeSpent && cooling === 0) return;

  if (await hasPaid()) {
    // A wallet that has burned no gas today is limited only by its own gas account, and not by the gas that other wallets have burned.
    const hasBurned = cooldownUntil !== undefined;
    if (closed.paid && hasBurned)
      throw makeServiceError("Payments of contract wallets with a failed payment today", left);
    return;
  }
  if (closed.fresh)
    throw makeServiceError("Payments of contract wallets that have not paid here before", left);
  if (codeSpent) throw makeWalletError(left);
  if (cooling > 0) throw makeWalletError(cooling);
}

/** The key of a wallet's gas account of today. */
export function makeBurnedKey(wallet: string, now: number): GasKey {
  return makeGasKey("wallet", wallet, findDay(now).name);
}

/**
 * Throws `wallet_gas_limit` (`limit`) if a plain account has burned its daily gas allowance. `burned`: the record of the wallet's gas
 * account.
 */
export function requirePlainBudget(
  { clock, settings }: Omit<BudgetPorts, "table">,
  burned: GasItem | undefined,
): void {
  const now = clock.now();
  const { spent = 0, kept = 0 } = burned ?? {};
  if (spent - kept < readGasLimits(settings).allowance) return;
  throw makeWalletError(
    findDay(now).left,
    "Too many payments of this wallet have failed on the chain today, at our cost. Nothing was charged: pay from another wallet, or tomorrow (UTC).",
  );
}

/**
 * Whether Permit2 payments of plain accounts may share a transaction. An account that gets code after the transaction was signed (EIP-7702)
 * can burn the gas of all later payments in the transaction. If failures in shared transactions have burned the hour's part of the budget,
 * each Permit2 payment is sent in a transaction of its own until the hour ends. An EIP-3009 authorization runs no code of its payer, so
 * EIP-3009 payments can still share a transaction with other payments.
 */
export async function mayShareTx({ table, clock, settings }: BudgetPorts): Promise<boolean> {
  const day = formatHour(clock.now());
  const { data } = await table.entities.gas.get({ subject: service.shared, day }).go({ consistent: true });
  return (data?.spent ?? 0) < readGasLimits(settings).failuresPerDay / sharedPart;
}

/** The name of an hour, `YYYY-MM-DDTHH`, for a gas account that covers an hour instead of a day. */
function formatHour(now: number): string {
  return new Date(now).toISOString().slice(0, 13);
}

/** The number of seconds until the gas account's wallet, or a wallet with the gas account's code, may make its next payment. */
function countCooldown(item: GasItem | undefined, now: number): number {
  return Math.max(0, Math.ceil(((item?.cooldownUntil ?? 0) - now) / 1000));
}

type GasKey = Pick<GasItem, "subject" | "day">;

/** The owner and the UTC day of a gas account. */
function makeGasKey(kind: "payee" | "wallet", name: string, day: string): GasKey {
  return { subject: formatBudgetName(kind, name), day };
}

export function formatBudgetName(kind: "payee" | "wallet" | "code" | "target", name: string): string {
  return `${kind}:${name}`;
}

/**
 * Reserves gas for a payment, in the same table transaction as the payment's claim. The reservation is refused if the wallet must still
 * wait after a failed payment, or if its gas account has too little left.
 */
export function reserveGas(
  entities: Pick<WriteEntities, "gas">,
  settings: RateSettings,
  wallet: string,
  hold: GasHold,
  now: number,
): Action {
  const needed = computeReserve(hold);
  const room = readGasLimits(settings).allowance - needed;
  return makeEntry(entities, makeGasKey("wallet", wallet, hold.day), { spent: needed, kept: needed }, now)
    .where(({ spent, cooldownUntil }, { notExists, lte }) => {
      const isCool = `(${notExists(cooldownUntil)} OR ${lte(cooldownUntil, now)})`;
      if (hold.reserved === true) return isCool;
      const hasRoom = room < 0 ? lte(spent, room) : `(${notExists(spent)} OR ${lte(spent, room)})`;
      return `${hasRoom} AND ${isCool}`;
    })
    .commit();
}

/** What the gas account of a wallet with code records when a payment of the wallet has ended. */
export type GasEnd = {
  /** The part of the gas cost that no fee pays for. */
  readonly spent: number;
  /** The amount that remains reserved for the other payment of the same read. */
  readonly stays: number;
  /** Whether the payment has failed on the chain. After a failed payment, the wallet must wait before its next payment. */
  readonly failed: boolean;
};

/** Releases the rest of a payment's reserve, in the same transaction as the payment's end. */
export function releaseGas(
  entities: Pick<WriteEntities, "gas">,
  wallet: string,
  hold: GasHold,
  { spent, stays, failed }: GasEnd,
  now: number,
): Action {
  const given = hold.limit - stays;
  const wait = failed ? { cooldownUntil: now + walletCooldownMs } : {};
  const amounts = { spent: spent - given, kept: -given };
  return makeEntry(entities, makeGasKey("wallet", wallet, hold.day), amounts, now, wait).commit();
}

/** A payment whose gas is not covered by a fee. */
type UnpaidGas = {
  readonly wallet: string;
  /** The gas reserve of a wallet with code. */
  readonly hold: GasHold | undefined;
  /** Whether the payment failed on the chain. `by_others`: another payment in the same transaction made the payment fail. */
  readonly how: "failed" | "by_others" | "settled";
  /** Whether the wallet has ever paid through this service. */
  hasPaid(): Promise<boolean>;
};

/**
 * Records the gas that no fee pays for. The gas is counted in a separate write, because all payments write to the same items, and a payment
 * must not delay another payment. If a process dies before it has counted the gas, the gas of one payment is counted only on the wallet's
 * own gas account, and only if the wallet has code.
 */
export async function countUnpaidGas(
  ports: LedgerPorts,
  { wallet, hold, how, hasPaid }: UnpaidGas,
  cost: number,
): Promise<void> {
  const now = ports.clock.now();
  if (hold === undefined) {
    const own = { subject: service.shared, day: formatHour(now) };
    await addToAccount(ports, how === "by_others" ? own : makeBurnedKey(wallet, now), cost);
    return;
  }
  const { day, subjects } = hold;
  const cooldownUntil = now + codeCooldownMs;
  await Promise.all([
    addToAccount(ports, { subject: (await hasPaid()) ? service.paid : service.fresh, day }, cost),
    // A successful payment does not use up the gas budget of other wallets with the same code.
    ...(how === "settled"
      ? []
      : subjects.map((subject) => addToAccount(ports, { subject, day }, cost, { cooldownUntil }))),
  ]);
}

/** The refusal of a new payment because the pending payments of the same wallet may burn the rest of the wallet's gas allowance. */
export function makePendingLimitError(): AppError {
  return makeWalletError(
    underWay,
    `Too many purchases of this contract wallet are not finished yet: while a fee is paid and the rest is not, gas stays reserved for the rest. Nothing was charged for this payment: pay the rest of the begun purchases, or try again in ${underWay} s if payments are under way.`,
  );
}

/** The seconds after which gas may have become so cheap that a wallet's whole daily allowance covers a payment. */
const retryIfCheaper = 600;

/** The refusal of a payment whose gas costs more than its fee and a whole daily allowance cover, even if the wallet has spent nothing today. */
function makeGasTooDearError(): AppError {
  return makeWalletError(
    retryIfCheaper,
    "The gas of this contract wallet's payments would now cost more than the article's fee and our daily allowance cover. Nothing was charged: pay from a plain account, or when gas is cheaper.",
  );
}

function makeGasUsedUpError(retryAfter: number): AppError {
  return makeWalletError(
    retryAfter,
    "The gas of this contract wallet's payments has cost more today than their fees and our daily allowance cover. Nothing was charged: pay from a plain account, or tomorrow (UTC). A wallet that has already paid a fee can still pay the rest, unless it has burned the gas for this payment, or the payment takes much more gas than the payment of the fee.",
  );
}

function makeWalletError(
  retryAfter: number,
  message = `A payment of this wallet, or of another wallet with the same code, failed on the chain at our cost. Nothing was charged: try again in ${retryAfter} s, or pay from a plain account.`,
): AppError {
  return new AppError("limit", "wallet_gas_limit", message, { retryAfter });
}

function makeServiceError(paymentKind: string, retryAfter: number): AppError {
  const message = `${paymentKind} are not taken before tomorrow (UTC). Nothing was charged: pay from a plain account, or later.`;
  return new AppError("upstream", "payments_unavailable", message, { retryAfter });
}
