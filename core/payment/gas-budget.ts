import { keccak256 } from "viem/utils";
import type { Address, Hex } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import { dayOf } from "../quota/index.ts";
import { feeCap, gasLimit, gasLimitsOf } from "../relayer/index.ts";
import type { GasItem, SettlementItem } from "./entity.ts";
import type { Payment } from "./header.ts";
import type { Inspection } from "./inspect.ts";
import type { PaymentPorts } from "./ports.ts";
import { rehearseAndTrace } from "./rehearse.ts";
import type { Leg } from "./schema.ts";
import type { Reason } from "./terms.ts";

/**
 * A wallet with code decides on the chain how much of our gas its payment burns, whatever it has shown in a simulation.
 * What failed payments burn is therefore counted for the wallet, its code, what that leads to, and the whole service,
 * and each has a budget for a UTC day (invariant 8). Plain accounts run no code of their own, so nothing here holds
 * them up.
 */

/**
 * Gas units that a payment of a wallet with code may take. Settling takes about 100,000; the most elaborate signatures
 * that honest wallets check, P-256 in plain Solidity, about 350,000 more.
 */
export const contractGas = 600_000n;

/** Gas units that failures may burn in a day. A wallet's payments under way count as failed until they have ended. */
const walletBudget = 2_000_000;
const codeBudget = 10_000_000;

/** Milliseconds without a payment after a failure. Other wallets that share the code have done nothing wrong. */
const walletRest = 8_000;
const codeRest = 2_000;

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
 * the wallet, or its code, has burned gas a moment ago or too much today, and `upstream` `payments_unavailable` where
 * the whole service has.
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
  const dry = balance < feeCap({ gas, gasPrice, maxPrice: gasLimitsOf(ports.settings).maxPrice });
  const sending = dry ? undefined : { relayer, gas, gasPrice, block };
  const { refusal, targets } = await rehearseAndTrace(ports, payment, code, sending);
  if (refusal !== undefined) return { kind: "refused", reason: refusal };
  const wallet = payment.permit.from;
  return {
    kind: "admitted",
    hold: await roomFor(ports, { wallet, leg, code, targets, limit: gasLimit(gas) }),
  };
}

type ContractPayment = {
  readonly wallet: Address;
  readonly leg: Leg;
  readonly code: Hex;
  /** What the code leads to, if it is a proxy. */
  readonly targets: readonly Address[];
  /** Gas units that its transaction may use. */
  readonly limit: bigint;
};

async function roomFor(
  ports: Pick<PaymentPorts, "table" | "clock" | "settings">,
  { wallet, leg, code, targets, limit }: ContractPayment,
): Promise<GasHold> {
  const now = ports.clock.now();
  const { name: day, left } = dayOf(now);
  const own = subjectOf("wallet", wallet);
  const subjects = [
    subjectOf("code", keccak256(code)),
    ...targets.map((target) => subjectOf("target", target)),
  ];
  const { data } = await ports.table.entities.gas
    .get([own, ...subjects, service.fresh, service.paid].map((subject) => ({ subject, day })))
    .go({ consistent: true });
  const of = (subject: string) => data.find((item) => item.subject === subject);
  const hold = { day, limit: Number(limit), subjects };
  const spent = (subject: string, budget: number) => (of(subject)?.used ?? 0) + hold.limit > budget;

  if (spent(own, walletBudget)) throw walletLimit(left);
  if (rests(of(own), now) > 0) throw walletLimit(rests(of(own), now));
  const { failuresPerDay } = gasLimitsOf(ports.settings);
  const tired = Math.max(...subjects.map((subject) => rests(of(subject), now)));
  const worn = subjects.some((subject) => spent(subject, codeBudget));
  const closed = { fresh: spent(service.fresh, failuresPerDay), paid: spent(service.paid, failuresPerDay) };
  if (!closed.fresh && !closed.paid && !worn && tired === 0) return hold;

  if (await hasPaid(ports, wallet, leg)) {
    if (closed.paid) throw serviceLimit("Payments of contract wallets", left);
    return hold;
  }
  if (closed.fresh) throw serviceLimit("Payments of contract wallets that have not paid here before", left);
  if (worn) throw walletLimit(left);
  if (tired > 0) throw walletLimit(tired);
  return hold;
}

/** Seconds for which an item's next payment still waits. */
function rests(item: GasItem | undefined, now: number): number {
  return Math.max(0, Math.ceil(((item?.restsUntil ?? 0) - now) / 1000));
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

type WriteEntities = Parameters<Parameters<PaymentPorts["table"]["transaction"]["write"]>[0]>[0];

/** Keeps gas for a payment, as a part of its claim. Refused when the wallet's budget or rest leave no room for it. */
export function keepGas({ gas }: WriteEntities, wallet: Address, hold: GasHold, now: number) {
  return gas
    .update({ subject: subjectOf("wallet", wallet), day: hold.day })
    .add({ used: hold.limit })
    .set({ expiresAt: dayOf(now).expiresAt })
    .where(
      (item, { notExists, lte }) =>
        `(${notExists(item.used)} OR ${lte(item.used, walletBudget - hold.limit)}) AND (${notExists(item.restsUntil)} OR ${lte(item.restsUntil, now)})`,
    )
    .commit();
}

/** Gives back what was kept for a payment and not burned, as a part of its end. After a failure the wallet rests. */
export function returnGas(
  { gas }: WriteEntities,
  wallet: string,
  hold: GasHold,
  burned: number,
  now: number,
) {
  const update = gas
    .update({ subject: `wallet:${wallet}`, day: hold.day })
    .add({ used: burned - hold.limit })
    .set({ expiresAt: dayOf(now).expiresAt, ...(burned > 0 && { restsUntil: now + walletRest }) });
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
  const add = (subject: string, day: string, restsUntil?: number) =>
    table.entities.gas
      .update({ subject, day })
      .add({ used: burned })
      .set({ expiresAt: today.expiresAt, ...(restsUntil !== undefined && { restsUntil }) })
      .go();
  const paid = hold !== undefined && (await hasPaid({ table }, wallet, leg));
  await Promise.all([
    add(paid ? service.paid : service.fresh, hold?.day ?? today.name),
    ...(hold?.subjects ?? []).map((subject) => add(subject, hold?.day ?? today.name, now + codeRest)),
  ]);
}

/** For a wallet whose payments have failed since it was looked at. */
export function walletRests(): AppError {
  return walletLimit(walletRest / 1000);
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
