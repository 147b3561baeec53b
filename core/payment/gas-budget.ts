import { keccak256 } from "viem/utils";
import type { Address, Hex } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import { dayOf } from "../quota/index.ts";
import { feeCap, gasLimit, gasLimitsOf } from "../relayer/index.ts";
import type { WriteEntities } from "../transact.ts";
import type { GasItem, SettlementItem } from "./entity.ts";
import type { Payment } from "./header.ts";
import type { Inspection } from "./inspect.ts";
import type { Reason } from "./offer.ts";
import type { PaymentPorts } from "./ports.ts";
import { rehearseAndTrace } from "./rehearse.ts";
import type { Leg } from "./schema.ts";

/**
 * A wallet with code decides on the chain how much of our gas its payment burns, whatever it has shown in a simulation.
 * What failed payments burn is therefore counted for the wallet, its code, what that leads to, and the whole service,
 * and each has a budget for a UTC day (invariant 8). Plain accounts run no code of their own, so nothing here holds
 * them up.
 */

/** Gas units that failures may burn in a day. A wallet's payments under way count as failed until they have ended. */
const walletBudget = 2_000_000;
const codeBudget = 10_000_000;

/** Milliseconds without a payment after a failure. Other wallets that share the code have done nothing wrong. */
const walletCooldownMs = 8_000;
const codeCooldownMs = 2_000;

/** Seconds after which some of a wallet's payments under way have ended. */
const underWay = 2;

/** Whose gas it is: of contract wallets that have never paid here, and of those that have. */
const service = { fresh: "service:fresh", paid: "service:paid" } as const;

/** What is kept for one payment of a wallet with code, until it ends. */
export type GasHold = NonNullable<SettlementItem["gas"]>;

/** Whether a payment of a wallet with code may go on the chain at our cost. */
export type Admission =
  | { readonly kind: "admitted"; readonly hold: GasHold }
  /** It would fail there. */
  | { readonly kind: "refused"; readonly reason: Reason };

/**
 * Rehearses the payment of a wallet with code, and asks the budgets for room. Throws `limit` `wallet_gas_limit` where
 * the wallet, or its code, has burned gas a moment ago or too much today, or has too much under way, and `upstream`
 * `payments_unavailable` where the whole service has burned too much.
 */
export async function admit(
  ports: Pick<PaymentPorts, "chain" | "table" | "clock" | "settings">,
  leg: Leg,
  payment: Payment,
  found: Inspection,
): Promise<Admission> {
  if (found.simulation.kind !== "ok") throw new TypeError("A payment that reverts asks for gas");
  const { gas } = found.simulation;
  const { gasPrice, block, code } = found;
  const { address: relayer, balance } = found.relayer;
  // A relayer without gas does not send it: whoever does rehearses it then.
  const lacksGas = balance < feeCap({ gas, gasPrice, maxPrice: gasLimitsOf(ports.settings).maxPrice });
  const sending = lacksGas ? undefined : { relayer, gas, gasPrice, block };
  const { refusal, targets } = await rehearseAndTrace(ports, payment, code, sending);
  if (refusal !== undefined) return { kind: "refused", reason: refusal };
  const subjects = [
    subjectOf("code", keccak256(code)),
    ...targets.map((target) => subjectOf("target", target)),
  ];
  const hold = { day: dayOf(ports.clock.now()).name, limit: Number(gasLimit(gas)), subjects };
  await requireRoom(ports, { leg, wallet: payment.authorization.from, hold });
  return { kind: "admitted", hold };
}

/** A payment of a wallet with code, and what is to be kept for it. */
type ContractPayment = { readonly wallet: Address; readonly leg: Leg; readonly hold: GasHold };

/**
 * Asks the budgets for room, and throws as `admit` does. Asked again by a payment that has waited for a relayer: of all
 * that were let in at once only those under way may still pass the budgets.
 */
export async function requireRoom(
  ports: Pick<PaymentPorts, "table" | "clock" | "settings">,
  { wallet, leg, hold }: ContractPayment,
): Promise<void> {
  const { day, subjects } = hold;
  const now = ports.clock.now();
  const { left } = dayOf(now);
  const own = subjectOf("wallet", wallet);
  const { data } = await ports.table.entities.gas
    .get([own, ...subjects, service.fresh, service.paid].map((subject) => ({ subject, day })))
    .go({ consistent: true });
  const of = (subject: string) => data.find((item) => item.subject === subject);
  const spent = (subject: string, budget: number) => (of(subject)?.used ?? 0) + hold.limit > budget;

  const { used = 0, held = 0 } = of(own) ?? {};
  if (used - held + hold.limit > walletBudget) throw walletLimit(left);
  if (cooldown(of(own), now) > 0) throw walletLimit(cooldown(of(own), now));
  if (spent(own, walletBudget)) throw othersCameFirst();
  const { failuresPerDay } = gasLimitsOf(ports.settings);
  const cooling = Math.max(...subjects.map((subject) => cooldown(of(subject), now)));
  const codeSpent = subjects.some((subject) => spent(subject, codeBudget));
  const closed = { fresh: spent(service.fresh, failuresPerDay), paid: spent(service.paid, failuresPerDay) };
  if (!closed.fresh && !closed.paid && !codeSpent && cooling === 0) return;

  if (await hasPaid(ports, wallet, leg)) {
    if (closed.paid) throw serviceLimit("Payments of contract wallets", left);
    return;
  }
  if (closed.fresh) throw serviceLimit("Payments of contract wallets that have not paid here before", left);
  if (codeSpent) throw walletLimit(left);
  if (cooling > 0) throw walletLimit(cooling);
}

/**
 * Whether payments of plain accounts may share a transaction. One that takes on code after it was signed (EIP-7702) burns the gas
 * of all, so that nobody shares once the service has burned its budget for the day.
 */
export async function mayShare({
  table,
  clock,
  settings,
}: Pick<PaymentPorts, "table" | "clock" | "settings">): Promise<boolean> {
  const day = dayOf(clock.now()).name;
  const { data } = await table.entities.gas.get({ subject: service.fresh, day }).go({ consistent: true });
  return (data?.used ?? 0) < gasLimitsOf(settings).failuresPerDay;
}

/** Seconds for which an item's next payment still waits. */
function cooldown(item: GasItem | undefined, now: number): number {
  return Math.max(0, Math.ceil(((item?.cooldownUntil ?? 0) - now) / 1000));
}

function subjectOf(kind: "wallet" | "code" | "target", name: Hex): string {
  return `${kind}:${name}`;
}

/** Whether a leg of the wallet has ever been settled. A publisher leg waits for its fee, so that one has been paid. */
async function hasPaid({ table }: Pick<PaymentPorts, "table">, wallet: string, leg: Leg): Promise<boolean> {
  if (leg === "publisher") return true;
  const { data } = await table.entities.settlement.query.unlocks({ unlockedBy: wallet }).go({ limit: 1 });
  return data.length > 0;
}

/** Keeps gas for a payment, as a part of its claim. Refused when the wallet's budget or cooldown leaves no room for it. */
export function keepGas({ gas }: WriteEntities, wallet: Address, hold: GasHold, now: number) {
  return gas
    .update({ subject: subjectOf("wallet", wallet), day: hold.day })
    .add({ used: hold.limit, held: hold.limit })
    .set({ expiresAt: dayOf(now).expiresAt })
    .where(
      (item, { notExists, lte }) =>
        `(${notExists(item.used)} OR ${lte(item.used, walletBudget - hold.limit)}) AND (${notExists(item.cooldownUntil)} OR ${lte(item.cooldownUntil, now)})`,
    )
    .commit();
}

/** Gives back what was kept for a payment and not burned, as a part of its end. After a failure the wallet cools down. */
export function returnGas(
  { gas }: WriteEntities,
  wallet: string,
  hold: GasHold,
  burned: number,
  now: number,
) {
  const update = gas
    .update({ subject: `wallet:${wallet}`, day: hold.day })
    .add({ used: burned - hold.limit, held: -hold.limit })
    .set({ expiresAt: dayOf(now).expiresAt, ...(burned > 0 && { cooldownUntil: now + walletCooldownMs }) });
  return update.commit();
}

/**
 * Counts what a failed payment has burned. Apart from the transaction that ends the payment: all failures meet at these
 * items, and none may hold another up. A process that dies in between leaves one failure uncounted for all but its
 * wallet.
 */
export async function countBurned(
  { table, clock, meter }: Pick<PaymentPorts, "table" | "clock" | "meter">,
  { wallet, leg, gas: hold }: Pick<SettlementItem, "wallet" | "leg" | "gas">,
  burned: number,
): Promise<void> {
  meter.count({ name: "GasBurned", wallet: hold === undefined ? "plain" : "contract" }, burned);
  const now = clock.now();
  const today = dayOf(now);
  const add = (subject: string, day: string, cooldownUntil?: number) =>
    table.entities.gas
      .update({ subject, day })
      .add({ used: burned })
      .set({ expiresAt: today.expiresAt, ...(cooldownUntil !== undefined && { cooldownUntil }) })
      .go();
  const paid = hold !== undefined && (await hasPaid({ table }, wallet, leg));
  await Promise.all([
    add(paid ? service.paid : service.fresh, hold?.day ?? today.name),
    ...(hold?.subjects ?? []).map((subject) => add(subject, hold?.day ?? today.name, now + codeCooldownMs)),
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
