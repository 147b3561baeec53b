import { Account } from "../relayer/index.ts";

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
  readonly rate: Account.GasRate;
};

/** How a read is carried that begins now. */
export function carryOf({ payee, day, fee, gas, hasCode, rate }: Read): Carry {
  const plain = Account.plainLeg(rate);
  const leg = Account.costOf(hasCode && gas > plain ? plain : gas, rate);
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
