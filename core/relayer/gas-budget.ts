import { keccak256, numberToHex } from "viem/utils";
import { result, unavailable } from "../chain/call.ts";
import { type Address, AddressInput, type Hex, HexInput, lower } from "../chain/hex.ts";
import type { Call } from "../chain/order.ts";
import { AppError } from "../error.ts";
import type { RpcCall, RpcOutcome } from "../port/chain.ts";
import type { Clock } from "../port/clock.ts";
import { dayOf } from "../quota/index.ts";
import type { GasItem } from "../record/relayer.ts";
import type { Table } from "../table.ts";
import type { Action, WriteEntities } from "../transact.ts";
import { feeCap, feeLimits, gasLimitsOf } from "./gas.ts";
import type { OutboxPorts } from "./intent.ts";
import type { Relayer } from "./key.ts";

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
  ports: Pick<OutboxPorts, "table" | "clock" | "settings">,
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
export function burnedKey(wallet: string, now: number): { readonly subject: string; readonly day: string } {
  return { subject: subjectOf("wallet", wallet), day: dayOf(now).name };
}

/** Throws `limit` `wallet_gas_limit` where a plain account has burned its allowance of the day. `burned` is what is written there. */
export function requirePlainRoom(
  { clock, settings }: Pick<OutboxPorts, "clock" | "settings">,
  burned: GasItem | undefined,
): void {
  const now = clock.now();
  const { spent = 0, kept = 0 } = burned ?? {};
  if (spent - kept < gasLimitsOf(settings).allowance) return;
  throw new AppError(
    "limit",
    "wallet_gas_limit",
    "Too many payments of this wallet have failed on the chain today, at our cost. Nothing was charged: pay from another wallet, or tomorrow (UTC).",
    { retryAfter: dayOf(now).left },
  );
}

/**
 * Whether permits of plain accounts may share a transaction. An account that takes on code after it was signed (EIP-7702) burns
 * the gas of all behind it, so that permits go alone for the rest of the hour once so much was burned of those who had no part in
 * it. What is signed for the token itself runs no code of its payer, and goes on sharing.
 */
export async function mayShare({
  table,
  clock,
  settings,
}: Pick<OutboxPorts, "table" | "clock" | "settings">): Promise<boolean> {
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

function subjectOf(kind: "wallet" | "code" | "target", name: string): string {
  return `${kind}:${name}`;
}

/** Keeps gas for a payment, as a part of its claim. Refused when the wallet's account or cooldown leaves no room for it. */
export function keepGas(
  { gas }: WriteEntities,
  settings: Pick<OutboxPorts["settings"], "gas">,
  wallet: string,
  hold: GasHold,
  now: number,
): Action {
  const needed = keptNow(hold);
  const room = gasLimitsOf(settings).allowance - needed;
  return gas
    .update({ subject: subjectOf("wallet", wallet), day: hold.day })
    .add({ spent: needed, kept: needed })
    .set({ expiresAt: dayOf(now).expiresAt })
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
  { gas }: WriteEntities,
  wallet: string,
  hold: GasHold,
  { spent, stays, failed }: GasEnd,
  now: number,
): Action {
  const given = hold.limit - stays;
  const update = gas
    .update({ subject: subjectOf("wallet", wallet), day: hold.day })
    .add({ spent: spent - given, kept: -given })
    .set({ expiresAt: dayOf(now).expiresAt, ...(failed && { cooldownUntil: now + walletCooldownMs }) });
  return update.commit();
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
  { table, clock }: { readonly table: Table; readonly clock: Clock },
  { wallet, hold, how, hasPaid }: Uncarried,
  cost: number,
): Promise<void> {
  const now = clock.now();
  const today = dayOf(now);
  const add = (subject: string, day: string, cooldownUntil?: number) =>
    table.entities.gas
      .update({ subject, day })
      .add({ spent: cost })
      .set({ expiresAt: today.expiresAt, ...(cooldownUntil !== undefined && { cooldownUntil }) })
      .go();
  if (hold === undefined) {
    await (how === "by_others"
      ? add(service.shared, hourOf(now))
      : add(subjectOf("wallet", wallet), today.name));
    return;
  }
  const { day, subjects } = hold;
  await Promise.all([
    add((await hasPaid()) ? service.paid : service.fresh, day),
    // Whose payments succeed has done nothing to others with its code.
    ...(how === "settled" ? [] : subjects.map((subject) => add(subject, day, now + codeCooldownMs))),
  ]);
}

/** For a wallet whose payments under way may burn all that it has left. */
export function othersCameFirst(): AppError {
  return new AppError(
    "limit",
    "wallet_gas_limit",
    `Too many payments of this contract wallet are under way. Nothing was charged for this one: try again in ${underWay} s.`,
    { retryAfter: underWay },
  );
}

function accountSpent(retryAfter: number): AppError {
  return new AppError(
    "limit",
    "wallet_gas_limit",
    "The payments of this contract wallet have taken more gas today than their fees bring and we add to that. Nothing was charged: pay from a plain account, or tomorrow (UTC). Who has paid a fee already can pay the rest.",
    { retryAfter },
  );
}

function walletLimit(retryAfter: number): AppError {
  return new AppError(
    "limit",
    "wallet_gas_limit",
    `A payment of this wallet, or of another one with the same code, failed on the chain at our cost. Nothing was charged: try again in ${retryAfter} s, or pay from a plain account.`,
    { retryAfter },
  );
}

function serviceLimit(whose: string, retryAfter: number): AppError {
  return new AppError(
    "upstream",
    "payments_unavailable",
    `${whose} are not taken before tomorrow (UTC). Nothing was charged: pay from a plain account, or later.`,
    { retryAfter },
  );
}

type Ports = Pick<OutboxPorts, "chain" | "clock" | "settings">;

/** A call as it would be sent: the relayer, the estimate in gas units, wei a gas unit, the newest block. */
export type Sending = {
  readonly relayer: Address;
  readonly gas: bigint;
  readonly gasPrice: bigint;
  readonly block: bigint;
};

/**
 * Simulates the settlement of a wallet with code as close to its inclusion as a node allows: by the relayer that sends
 * it, with its gas limit and its fee, in the next block. A contract that knows an estimate by its gas price of 0, by
 * its gas or by its block is found out here. Answers how it would revert, `undefined` when it would not. Throws
 * `upstream` when the node cannot say.
 */
export async function rehearse(ports: Ports, call: Call, sending: Sending): Promise<Revert | undefined> {
  return revertIn(await ports.chain.batch(rehearsals(ports, call, sending)));
}

/** The data of a revert, where it had any. */
export type Revert = { readonly data: Hex | undefined };

/** A contract wallet, and the call that settles its payment. */
export type ContractCall = { readonly wallet: Address; readonly code: Hex; readonly call: Call };

/**
 * `rehearse`, and in the same round trip what the wallet's code leads to, where it is a proxy. A relayer without gas
 * rehearses nothing: whoever sends it does that then. `subjects`: what else counts a failure.
 */
export async function rehearseAndTrace(
  ports: Ports,
  { wallet, code, call }: ContractCall,
  { relayer, ...needs }: Omit<Sending, "relayer"> & { readonly relayer: Relayer },
): Promise<{ readonly revert: Revert | undefined; readonly subjects: readonly string[] }> {
  const lacksGas = relayer.balance < feeCap({ ...needs, maxPrice: gasLimitsOf(ports.settings).maxPrice });
  const sending = lacksGas ? undefined : { ...needs, relayer: relayer.address };
  const [implementation, beacon, ...simulated] = await ports.chain.batch([
    ...slots.map((slot) => ({
      method: "eth_getStorageAt",
      params: [wallet, slot, "latest"],
    })),
    ...(sending === undefined ? [] : rehearsals(ports, call, sending)),
  ]);
  const written = proxyForms.flatMap((form) => form.exec(code)?.[1] ?? []);
  const stored = [implementation, beacon].map((outcome) => result(outcome, HexInput).slice(-40));
  const targets = [...written, ...stored].flatMap(
    (digits) => AddressInput.safeParse(`0x${digits}`).data ?? [],
  );
  const subjects = [
    subjectOf("code", keccak256(code)),
    ...targets
      .map(lower)
      .filter((target) => !/^0x0+$/.test(target))
      .map((target) => subjectOf("target", target)),
  ];
  return { revert: sending === undefined ? undefined : revertIn(simulated), subjects };
}

/** EIP-1967's slots of a proxy's implementation and of its beacon. */
const slots = [
  "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc",
  "0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50",
] as const;

/** EIP-1167's minimal proxy, and EIP-7702's delegation of a key's account. */
const proxyForms = [
  /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3/,
  /^0xef0100([0-9a-f]{40})$/,
];

/** The same simulation on a pending block and on the newest one made to look like the next: nodes differ in what they offer. */
function rehearsals({ clock, settings }: Ports, call: Call, sending: Sending): readonly RpcCall[] {
  const { gas, maxFeePerGas, maxPriorityFeePerGas } = feeLimits({
    ...sending,
    maxPrice: gasLimitsOf(settings).maxPrice,
  });
  const transaction = {
    from: sending.relayer,
    ...call,
    gas: numberToHex(gas),
    maxFeePerGas: numberToHex(maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas),
  };
  const next = {
    number: numberToHex(sending.block + 1n),
    time: numberToHex(Math.floor(clock.now() / 1000) + 1),
  };
  return [
    { method: "eth_call", params: [transaction, "pending"] },
    { method: "eth_call", params: [transaction, "latest", {}, next] },
  ];
}

function revertIn(outcomes: readonly RpcOutcome[]): Revert | undefined {
  const revert = outcomes.find(({ status }) => status === "reverted");
  if (revert?.status === "reverted") return { data: revert.data };
  // A node that does not offer one of the two ways says so; one of them it has to offer.
  if (outcomes.some(({ status }) => status === "ok")) return undefined;
  throw unavailable("a node that simulates nothing with a fee", new Error(JSON.stringify(outcomes)));
}
