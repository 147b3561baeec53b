import { AppError } from "../error.ts";
import { isNamed } from "./answer.ts";
import type { SettlementItem } from "./entity.ts";
import type { Identifier, Payment } from "./header.ts";
import type { PaymentPorts } from "./ports.ts";
import { creditOthers, type Ending, type Released, release, resolve, sendAgain } from "./resolve.ts";
import type { Leg } from "./schema.ts";
import { isSubmitted } from "./settlement.ts";
import type { SignedItem } from "./standing.ts";
import { busy, readState, type State } from "./state.ts";

/** What the records say of a wallet that asks to pay a leg. */
export type Known =
  /** It is paid, by another request. `before`: it was so when this one came; `state` is the newest. */
  | {
      readonly kind: "paid";
      readonly settlement: SettlementItem;
      readonly before: boolean;
      readonly state: State;
    }
  /** It may be paid now; `state` is the newest. Others can still charge what is `live` of its payer's signatures for it. */
  | { readonly kind: "open"; readonly state: State; readonly live: readonly SignedItem[] };

/** What a request asks for, beside whose it is: the leg, and what names the attempt and never goes on the chain. */
export type Asked = Pick<Payment, "identifier" | "ticket"> & {
  readonly leg: Leg;
  /** What was known when the request came. */
  readonly first: State;
};

/** Milliseconds between looks at a settlement that is under way; how many one request spends, and how long at most. */
const pause = 150;
const looks = 40;
const patience = 10_000;

/** Looks for the transfer that has spent a permit: nodes show logs a moment later than state. */
const unclearLooks = 3;

/**
 * Brings whatever is under way for this wallet and press to its end before anything new may start (invariants 2, 3
 * and 6). Throws `conflict` `fee_first` and `payment_identifier_conflict`, `upstream` `settlement_pending` and
 * `payments_unavailable`.
 */
export async function known(ports: PaymentPorts, newest: State, asked: Asked): Promise<Known> {
  const { leg, identifier, first } = asked;
  let state = newest;
  refuseOtherPayload(state, leg, identifier);
  const until = ports.clock.now() + patience;
  for (let look = 0; ; look += 1) {
    const own = state.legs[leg];
    if (own?.state === "settled") {
      return { kind: "paid", settlement: own, before: state === first && !isNamed(own, state, asked), state };
    }
    const current = underWay(state, leg);
    if (current === undefined) {
      const left = failed(state, leg);
      if (left === undefined) return open(state, leg, []);
      const credit = await creditOthers(ports, left);
      if (credit.kind === "unpaid") return open(state, leg, left === own ? credit.live : []);
      if (credit.kind === "settled" && left === own) {
        return { kind: "paid", settlement: credit.settlement, before: false, state };
      }
      if (credit.kind === "unclear") {
        if (look >= unclearLooks) throw pending(left.txHash);
        await ports.clock.sleep(2 * pause);
      }
      state = await readState(ports, state.key);
      continue;
    }
    const ending = await advance(ports, current, look === 0);
    if (ending.kind === "settled" && current === own) {
      return { kind: "paid", settlement: ending.settlement, before: false, state };
    }
    if (ending.kind === "held" || ending.kind === "pending") {
      if (look === looks || ports.clock.now() > until)
        throw ending.kind === "held" ? busy() : pending(ending.txHash);
      await ports.clock.sleep(pause);
    }
    state = await readState(ports, state.key);
  }
}

/** x402 extension payment-identifier: one name, one payload. */
function refuseOtherPayload(
  { identifier: named, key }: State,
  leg: Leg,
  identifier: Identifier | undefined,
): void {
  if (named === undefined || identifier === undefined) return;
  if (named.digest === identifier.digest && named.pressId === key.pressId && named.leg === leg) return;
  throw new AppError(
    "conflict",
    "payment_identifier_conflict",
    "This payment identifier was used for another payment. Nothing was charged: choose a new one.",
  );
}

function open(state: State, leg: Leg, live: readonly SignedItem[]): Known {
  if (leg === "publisher" && state.legs.fee?.state !== "settled") {
    throw new AppError("conflict", "fee_first", "Pay the platform fee first.");
  }
  return { kind: "open", state, live };
}

/** The leg that must end before this one may go on: itself, or the fee that the publisher's leg waits for. */
function underWay({ legs }: State, leg: Leg): SettlementItem | undefined {
  const waitsFor = leg === "publisher" ? [legs.publisher, legs.fee] : [legs.fee];
  return waitsFor.find((item) => item?.state === "submitted" || item?.state === "queued");
}

/** The leg of which we have charged nothing, and whose payer's signatures others may have charged since. */
function failed({ legs }: State, leg: Leg): SettlementItem | undefined {
  const waitsFor = leg === "publisher" ? [legs.publisher, legs.fee] : [legs.fee];
  return waitsFor.find((item) => item?.state === "failed" && item.pending === "watched");
}

/** One step towards the end of a settlement; `held` while another request has it in the line, or is about to sign. */
async function advance(
  ports: PaymentPorts,
  item: SettlementItem,
  firstLook: boolean,
): Promise<Ending | Released | { readonly kind: "held" }> {
  if (item.state === "queued" && item.claimUntil < ports.clock.now()) return release(ports, item);
  if (!isSubmitted(item)) return { kind: "held" };
  try {
    const ending = await resolve(ports, item);
    if (ending.kind === "pending" && firstLook) await sendAgain(ports, item);
    return ending;
  } catch (error) {
    // A node's trouble says nothing about a transaction that was sent: it is pending, not refused.
    if (error instanceof AppError && error.kind === "upstream") {
      return { kind: "pending", txHash: item.txHash };
    }
    throw error;
  }
}

/** Specification §4.4: a second purchase is refused and charges nothing. */
export function alreadyUnlocked(): AppError {
  return new AppError("conflict", "already_unlocked", "You've already unlocked this press.");
}

/** The same to a request that anybody could have sent who reads the chain (invariant 5). */
export function unlockedForPayer(): AppError {
  return new AppError(
    "conflict",
    "already_unlocked",
    "You've already unlocked this press. Nothing was charged now: sign in with the wallet that paid to read the text.",
  );
}

/** `txHash`: what we have broadcast; without it somebody else has spent the permit, and the chain does not show how. */
export function pending(txHash: string | undefined): AppError {
  if (txHash === undefined) {
    return new AppError(
      "upstream",
      "settlement_pending",
      "This payment was used, and the chain does not show yet by whom. Repeat this request: it charges nothing more.",
      { retryAfter: 5 },
    );
  }
  return new AppError(
    "upstream",
    "settlement_pending",
    "The payment was sent and waits for the chain. Repeat this request: you will not be charged again.",
    { retryAfter: 1, details: { transaction: txHash } },
  );
}
