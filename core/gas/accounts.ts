import { AppError } from "../error.ts";
import type { Clock } from "../port/clock.ts";
import { dayOf } from "../quota/index.ts";
import type { GasItem } from "../record/relayer.ts";
import type { Table } from "../table.ts";
import type { Action, WriteEntities } from "../transact.ts";
import {
  costOf,
  costOfRead,
  type GasRate,
  gasLimitsOf,
  plainLeg,
  type RatePorts,
  type RateSettings,
  rateNow,
  recentRate,
} from "./price.ts";

/**
 * The platform spends on gas for a payee at most what its fees bring and a small allowance of the day (invariant 8). A read
 * that carries its gas is on nobody's account. What another one costs beyond its fee, and a press's verdict, are on the account
 * of the press's publisher. All amounts are USDG base units.
 */

/** Whose account, and of which UTC day. */
export type Account = { readonly payee: string; readonly day: string };

export function accountOf(payee: string, now: number): Account {
  return { payee, day: dayOf(now).name };
}

type Amounts = { readonly spent: number; readonly kept?: number };
type Also = { readonly cooldownUntil?: number };

/** One entry on a subject's account of a day. */
function entry(
  { gas }: Pick<WriteEntities, "gas">,
  key: GasKey,
  amounts: Amounts,
  now: number,
  also: Also = {},
) {
  return gas
    .update(key)
    .add(amounts)
    .set({ expiresAt: dayOf(now).expiresAt, ...also });
}

/** Books an amount, which may be negative, as a part of a transaction. */
export function bookWrite(
  entities: Pick<WriteEntities, "gas">,
  { payee, day }: Account,
  amount: number,
  now: number,
): Action {
  return entry(entities, keyOf("payee", payee, day), { spent: amount }, now).commit();
}

/** The same by itself. */
export async function book(ports: LedgerPorts, { payee, day }: Account, amount: number): Promise<void> {
  if (amount !== 0) await add(ports, keyOf("payee", payee, day), amount);
}

type LedgerPorts = { readonly table: Table; readonly clock: Pick<Clock, "now"> };

async function add(
  { table, clock }: LedgerPorts,
  key: GasKey,
  spent: number,
  also: Also = {},
): Promise<void> {
  const { expiresAt } = dayOf(clock.now());
  await table.entities.gas
    .update(key)
    .add({ spent })
    .set({ expiresAt, ...also })
    .go();
}

/** Reserves what a read costs beyond its fee, as a part of its claim. Refused where the account has no room for it. */
export function reserveWrite(
  entities: Pick<WriteEntities, "gas">,
  settings: RateSettings,
  { payee, day }: Account,
  beyondFee: number,
  now: number,
): Action {
  const { allowance } = gasLimitsOf(settings);
  return entry(entities, keyOf("payee", payee, day), { spent: beyondFee }, now)
    .where(({ spent }, { notExists, lte }) => {
      const hasRoom = lte(spent, allowance - beyondFee);
      return beyondFee <= allowance ? `${notExists(spent)} OR ${hasRoom}` : hasRoom;
    })
    .commit();
}

/**
 * Whether a new read of a payee's press has its gas paid for, before anybody signs for it: by its fee, or by what is left on the
 * payee's account. Throws `upstream` `price_below_gas`.
 */
export async function requireCarried(
  ports: RatePorts & LedgerPorts,
  payee: string,
  fee: bigint,
): Promise<void> {
  const { rate, isNew } = await recentRate(ports);
  if (costOfRead(rate) <= Number(fee)) return;
  const key = keyOf("payee", payee, dayOf(ports.clock.now()).name);
  const { data } = await ports.table.entities.gas.get(key).go({ consistent: true });
  const room = gasLimitsOf(ports.settings).allowance - (data?.spent ?? 0);
  const isCarried = (now: GasRate) => costOfRead(now) - Number(fee) <= Math.max(0, room);
  if (isCarried(rate)) return;
  // Nobody is refused by what gas cost a moment ago.
  if (isNew || !isCarried(await rateNow(ports))) throw priceBelowGas(ports.clock.now());
}

/** Nothing was charged. */
export function priceBelowGas(now: number): AppError {
  return new AppError(
    "upstream",
    "price_below_gas",
    "The fee of this press does not pay for the gas of a payment now, and what its publisher has besides is used up for today (UTC). Nothing was charged: come back tomorrow, or when gas is cheaper. Who has paid the fee already goes on to the second payment; its wallet's terms come with ?payer=<wallet>.",
    { retryAfter: dayOf(now).left },
  );
}

/**
 * Who pays for the gas of a read (invariant 8). Its fee does, as far as that goes; what is missing is on the account of the press's
 * publisher, and what a contract wallet takes above a plain account on the wallet's own. A fee's leg reserves for both legs. All
 * amounts are USDG base units.
 */
export type Carry = {
  /** The publisher's account, by its UTC day. */
  readonly payee: string;
  readonly day: string;
  /** An ETH, when the read was judged. */
  readonly ethPrice: number;
  /** What of the fee is left for gas: all of it, until the fee's leg has ended. */
  readonly fee: number;
  /** What the publisher's leg is expected to cost. */
  readonly rest: number;
  /** What is on the publisher's account for this read. */
  readonly booked: number;
  /** What a plain account's leg would cost; only of a wallet with code. */
  readonly share?: number | undefined;
  /** What of the wallet's own account is kept for the publisher's leg; only of a wallet with code. */
  readonly kept?: number | undefined;
  /** Whether the publisher's leg has burned what the fee reserved for it: then it is on the wallet's account like any other. */
  readonly burned?: boolean | undefined;
};

type Read = {
  readonly payee: string;
  readonly day: string;
  readonly fee: bigint;
  /** Gas units that the fee's leg is estimated to take. */
  readonly gas: bigint;
  readonly hasCode: boolean;
  readonly rate: GasRate;
};

/** How a read is carried that begins now. */
export function carryOf({ payee, day, fee, gas, hasCode, rate }: Read): Carry {
  const plain = plainLeg(rate);
  const leg = costOf(hasCode && gas > plain ? plain : gas, rate);
  return {
    payee,
    day,
    ethPrice: rate.ethPrice,
    fee: Number(fee),
    rest: leg,
    booked: Math.max(0, 2 * leg - Number(fee)),
    ...(hasCode && { share: leg }),
  };
}

/** What of the fee is left for the gas that a wallet with code takes above a plain account. */
export function surplusOf({ fee, rest, share = 0 }: Carry): number {
  return Math.max(0, fee - share - rest);
}

/** A leg that has ended: how the read is carried from then on, and by how much that changes the two accounts. */
export type Carried = {
  readonly carry: Carry;
  /** What the publisher's account has more, or less. */
  readonly booked: number;
  /** What the wallet's own account has to pay. */
  readonly own: number;
};

/** The fee's leg is settled, and its gas has cost so much. */
export function feeSettled(carry: Carry, cost: number): Carried {
  return settled(carry, cost, carry.rest);
}

/** The publisher's leg is settled, and with it the read. */
export function restSettled(carry: Carry, cost: number): Carried {
  const done = settled(carry, cost, 0);
  return { ...done, carry: { ...done.carry, rest: 0, kept: 0 } };
}

function settled(carry: Carry, cost: number, ahead: number): Carried {
  const plain = Math.min(cost, carry.share ?? cost);
  const above = cost - plain;
  const byFee = Math.min(above, Math.max(0, carry.fee - plain - ahead));
  const fee = carry.fee - plain - byFee;
  const booked = Math.max(0, ahead - fee);
  return { carry: { ...carry, fee, booked }, booked: booked - carry.booked, own: above - byFee };
}

/**
 * A wallet with code decides on the chain how much of our gas its payment takes, whatever it has shown in a simulation.
 * What its payments burn by failing, and what they take above a plain account's by succeeding, is therefore on the wallet's
 * own account; what failures burn is also counted for its code, for what that leads to, and for the whole service (invariant 8).
 * Plain accounts run no code of their own. One can only take its money away right before it is charged, which honest ones
 * hardly ever do, so each has an account and none waits for another's. All amounts are USDG base units of a UTC day.
 */

/** What code may burn, in wallets' allowances. */
const walletsOfCode = 5;

/** The part of the service's budget of a day that those who share transactions may lose in an hour by the doing of one of them. */
const sharedPart = 8;

/** Milliseconds without a payment after a failure. Other wallets that share the code have done nothing wrong. */
const walletCooldownMs = 8_000;

const codeCooldownMs = 2_000;

/** Seconds after which some of a wallet's payments under way have ended. */
const underWay = 2;

/**
 * Whose gas it is: of contract wallets that have never paid here, and of those that have; and that of payments which failed by the
 * doing of others in their transaction.
 */
const service = { fresh: "service:fresh", paid: "service:paid", shared: "service:shared" } as const;

/** What is kept on the account of a wallet with code for its payment, until that ends. */
export type GasHold = {
  readonly day: string;
  readonly limit: number;
  /** So much of it has been kept since the fee's leg. */
  readonly ahead?: number | undefined;
  /** Whether the wallet's fee has reserved it: then it has room whatever else the wallet, its code or the service has burned. */
  readonly reserved?: boolean | undefined;
  readonly subjects: readonly string[];
};

function keptNow({ limit, ahead = 0 }: GasHold): number {
  return limit - ahead;
}

type BudgetPorts = LedgerPorts & { readonly settings: RateSettings };

/** A payment of a wallet with code, and what is to be kept for it. */
type ContractPayment = {
  readonly wallet: string;
  readonly hold: GasHold;
  /** What it may burn by itself; the hold may be for another one as well. */
  readonly most: number;
  /** Whether the wallet has ever paid here. */
  hasPaid(): Promise<boolean>;
};

/**
 * Asks the budgets for room, and throws `limit` `wallet_gas_limit` where the wallet, or its code, has burned gas a moment ago or too
 * much today, or has too much under way, and `upstream` `payments_unavailable` where the service has burned too much. Asked again by a payment that has waited for a relayer: of all
 * that were let in at once only those under way may still pass the budgets.
 */
export async function requireRoom(
  ports: BudgetPorts,
  { wallet, hold, most, hasPaid }: ContractPayment,
): Promise<void> {
  const { day, subjects } = hold;
  const now = ports.clock.now();
  const { left } = dayOf(now);
  const own = subjectOf("wallet", wallet);
  const { data } = await ports.table.entities.gas
    .get([own, ...subjects, service.fresh, service.paid].map((subject) => ({ subject, day })))
    .go({ consistent: true });
  const of = (subject: string) => data.find((item) => item.subject === subject);
  const { failuresPerDay, allowance } = gasLimitsOf(ports.settings);
  const isSpent = (subject: string, budget: number) => (of(subject)?.spent ?? 0) + most > budget;

  const { spent = 0, kept = 0, cooldownUntil } = of(own) ?? {};
  const needed = keptNow(hold);
  if (cooldown(of(own), now) > 0) throw walletLimit(cooldown(of(own), now));
  // Who has paid the fee is not refused the rest for gas.
  if (hold.reserved === true) return;
  if (spent - kept + needed > allowance) throw accountSpent(left);
  if (spent + needed > allowance) throw othersCameFirst();
  const cooling = Math.max(...subjects.map((subject) => cooldown(of(subject), now)));
  const codeSpent = subjects.some((subject) => isSpent(subject, walletsOfCode * allowance));
  const closed = {
    fresh: isSpent(service.fresh, failuresPerDay),
    paid: isSpent(service.paid, failuresPerDay),
  };
  if (!closed.fresh && !closed.paid && !codeSpent && cooling === 0) return;

  if (await hasPaid()) {
    // Who has burned nothing today has no part in what others have: its own account is its share.
    const hasBurned = cooldownUntil !== undefined;
    if (closed.paid && hasBurned) throw serviceLimit("Payments of contract wallets that failed today", left);
    return;
  }
  if (closed.fresh) throw serviceLimit("Payments of contract wallets that have not paid here before", left);
  if (codeSpent) throw walletLimit(left);
  if (cooling > 0) throw walletLimit(cooling);
}

/** Where it is written what a wallet has burned today. */
export function burnedKey(wallet: string, now: number): GasKey {
  return keyOf("wallet", wallet, dayOf(now).name);
}

/** Throws `limit` `wallet_gas_limit` where a plain account has burned its allowance of the day. `burned` is what is written there. */
export function requirePlainRoom(
  { clock, settings }: Omit<BudgetPorts, "table">,
  burned: GasItem | undefined,
): void {
  const now = clock.now();
  const { spent = 0, kept = 0 } = burned ?? {};
  if (spent - kept < gasLimitsOf(settings).allowance) return;
  throw walletLimit(
    dayOf(now).left,
    "Too many payments of this wallet have failed on the chain today, at our cost. Nothing was charged: pay from another wallet, or tomorrow (UTC).",
  );
}

/**
 * Whether permits of plain accounts may share a transaction. An account that takes on code after it was signed (EIP-7702) burns
 * the gas of all behind it, so that permits go alone for the rest of the hour once so much was burned of those who had no part in
 * it. What is signed for the token itself runs no code of its payer, and goes on sharing.
 */
export async function mayShare({ table, clock, settings }: BudgetPorts): Promise<boolean> {
  const day = hourOf(clock.now());
  const { data } = await table.entities.gas.get({ subject: service.shared, day }).go({ consistent: true });
  return (data?.spent ?? 0) < gasLimitsOf(settings).failuresPerDay / sharedPart;
}

/** `YYYY-MM-DDTHH`, in the place of a day. */
function hourOf(now: number): string {
  return new Date(now).toISOString().slice(0, 13);
}

/** Seconds for which an item's next payment still waits. */
function cooldown(item: GasItem | undefined, now: number): number {
  return Math.max(0, Math.ceil(((item?.cooldownUntil ?? 0) - now) / 1000));
}

type GasKey = Pick<GasItem, "subject" | "day">;

/** Whose account of a day. */
function keyOf(kind: "payee" | "wallet", name: string, day: string): GasKey {
  return { subject: subjectOf(kind, name), day };
}

export function subjectOf(kind: "payee" | "wallet" | "code" | "target", name: string): string {
  return `${kind}:${name}`;
}

/** Keeps gas for a payment, as a part of its claim. Refused when the wallet's account or cooldown leaves no room for it. */
export function keepGas(
  entities: Pick<WriteEntities, "gas">,
  settings: RateSettings,
  wallet: string,
  hold: GasHold,
  now: number,
): Action {
  const needed = keptNow(hold);
  const room = gasLimitsOf(settings).allowance - needed;
  return entry(entities, keyOf("wallet", wallet, hold.day), { spent: needed, kept: needed }, now)
    .where(({ spent, cooldownUntil }, { notExists, lte }) => {
      const isCool = `(${notExists(cooldownUntil)} OR ${lte(cooldownUntil, now)})`;
      if (hold.reserved === true) return isCool;
      const hasRoom = room < 0 ? lte(spent, room) : `(${notExists(spent)} OR ${lte(spent, room)})`;
      return `${hasRoom} AND ${isCool}`;
    })
    .commit();
}

/** How a payment of a wallet with code ended, for its account. */
export type GasEnd = {
  /** What it has cost that no fee carries. */
  readonly spent: number;
  /** What stays kept: for the other leg. */
  readonly stays: number;
  /** Whether it has failed on the chain: then the wallet cools down. */
  readonly failed: boolean;
};

/** Gives back what was kept for a payment and is not needed, as a part of its end. */
export function returnGas(
  entities: Pick<WriteEntities, "gas">,
  wallet: string,
  hold: GasHold,
  { spent, stays, failed }: GasEnd,
  now: number,
): Action {
  const given = hold.limit - stays;
  const wait = failed ? { cooldownUntil: now + walletCooldownMs } : {};
  const amounts = { spent: spent - given, kept: -given };
  return entry(entities, keyOf("wallet", wallet, hold.day), amounts, now, wait).commit();
}

/** A payment that has taken gas which no fee carries. */
type Uncarried = {
  readonly wallet: string;
  /** What was kept for a wallet with code. */
  readonly hold: GasHold | undefined;
  /** Whether it failed on the chain, and by whose doing: of others in its transaction, where it is `by_others`. */
  readonly how: "failed" | "by_others" | "settled";
  /** Whether the wallet has ever paid here. */
  hasPaid(): Promise<boolean>;
};

/**
 * Counts what no fee carries. Apart from the transaction that ends the payment: all of them meet at these items, and none may
 * hold another up. A process that dies in between leaves one uncounted for all but a wallet with code.
 */
export async function countUncarried(
  ports: LedgerPorts,
  { wallet, hold, how, hasPaid }: Uncarried,
  cost: number,
): Promise<void> {
  const now = ports.clock.now();
  if (hold === undefined) {
    const own = { subject: service.shared, day: hourOf(now) };
    await add(ports, how === "by_others" ? own : burnedKey(wallet, now), cost);
    return;
  }
  const { day, subjects } = hold;
  const cooldownUntil = now + codeCooldownMs;
  await Promise.all([
    add(ports, { subject: (await hasPaid()) ? service.paid : service.fresh, day }, cost),
    // Whose payments succeed has done nothing to others with its code.
    ...(how === "settled"
      ? []
      : subjects.map((subject) => add(ports, { subject, day }, cost, { cooldownUntil }))),
  ]);
}

/** For a wallet whose payments under way may burn all that it has left. */
export function othersCameFirst(): AppError {
  return walletLimit(
    underWay,
    `Too many payments of this contract wallet are under way. Nothing was charged for this one: try again in ${underWay} s.`,
  );
}

function accountSpent(retryAfter: number): AppError {
  return walletLimit(
    retryAfter,
    "The payments of this contract wallet have taken more gas today than their fees bring and we add to that. Nothing was charged: pay from a plain account, or tomorrow (UTC). Who has paid a fee already can pay the rest.",
  );
}

function walletLimit(
  retryAfter: number,
  message = `A payment of this wallet, or of another one with the same code, failed on the chain at our cost. Nothing was charged: try again in ${retryAfter} s, or pay from a plain account.`,
): AppError {
  return new AppError("limit", "wallet_gas_limit", message, { retryAfter });
}

function serviceLimit(whose: string, retryAfter: number): AppError {
  const message = `${whose} are not taken before tomorrow (UTC). Nothing was charged: pay from a plain account, or later.`;
  return new AppError("upstream", "payments_unavailable", message, { retryAfter });
}
