import { AppError } from "../error.ts";
import { creditOthers } from "./credit.ts";
import type { SettlementItem } from "./entity.ts";
import type { Identifier } from "./header.ts";
import type { PaymentPorts } from "./ports.ts";
import { rebroadcast } from "./rebroadcast.ts";
import { type Released, release } from "./release.ts";
import { type Ending, resolve } from "./resolve.ts";
import type { Leg } from "./schema.ts";
import { isSent } from "./sent.ts";
import type { SignedItem } from "./standing.ts";
import { busy, readState, type State } from "./state.ts";

/** What the records say of a wallet that asks to pay a leg. */
export type Known =
  /** It is paid. `before`: it was so when the request came, and nothing is left to deliver but the receipt. */
  | {
      readonly kind: "settled";
      readonly settlement: SettlementItem;
      readonly before: boolean;
      readonly sessionStored: boolean;
    }
  /** It may be paid now; `state` is the newest. Others can still charge what is `live` of its payer's signatures for it. */
  | { readonly kind: "open"; readonly state: State; readonly live: readonly SignedItem[] };

/** What a request asks for, beside whose it is: the leg, the attempt's name, the token of the session that it opens. */
export type Asked = {
  readonly leg: Leg;
  readonly identifier: Identifier | undefined;
  readonly token: string | undefined;
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
 * and 6). Throws `conflict` `already_unlocked`, `fee_first` and `payment_identifier_conflict`, `upstream` `settlement_pending` and
 * `payments_unavailable`.
 */
export async function known(
  ports: PaymentPorts,
  newest: State,
  { leg, identifier, token, first }: Asked,
): Promise<Known> {
  let state = newest;
  refuseOtherPayload(state, leg, identifier);
  const until = ports.clock.now() + patience;
  for (let look = 0; ; look += 1) {
    const own = state.legs[leg];
    if (own?.state === "settled") return settled(own, state === first && !names(own, identifier));
    const current = underWay(state, leg);
    if (current === undefined) {
      const left = failed(state, leg);
      if (left === undefined) return open(state, leg, []);
      const credit = await creditOthers(ports, left, left === own ? token : undefined);
      if (credit.kind === "unpaid") return open(state, leg, left === own ? credit.live : []);
      if (credit.kind === "settled" && left === own) return { ...credit, before: false };
      if (credit.kind === "unclear") {
        if (look >= unclearLooks) throw pending(left.txHash);
        await ports.clock.sleep(2 * pause);
      }
      state = await readState(ports, state.key);
      continue;
    }
    const ending = await advance(ports, current, current === own ? token : undefined, look === 0);
    if (ending.kind === "settled" && current === own) {
      return { ...ending, before: false };
    }
    if (ending.kind === "held" || ending.kind === "pending") {
      if (look === looks || ports.clock.now() > until)
        throw ending.kind === "held" ? busy() : pending(ending.txHash);
      await ports.clock.sleep(pause);
    }
    state = await readState(ports, state.key);
  }
}

/** Whether the settlement answers the very attempt that the payer names: then its reply is given again. */
function names(own: SettlementItem, identifier: Identifier | undefined): boolean {
  return identifier !== undefined && own.identifier === identifier.id;
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

/** Specification §4.4: a second purchase is refused and charges nothing; a second fee is simply paid. */
function settled(settlement: SettlementItem, before: boolean): Known {
  if (before && settlement.leg === "publisher") {
    throw alreadyUnlocked();
  }
  return { kind: "settled", settlement, before, sessionStored: false };
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
  return waitsFor.find((item) => item?.state === "sent" || item?.state === "claimed");
}

/** The leg of which we have charged nothing, and whose payer's signatures others may have charged since. */
function failed({ legs }: State, leg: Leg): SettlementItem | undefined {
  const waitsFor = leg === "publisher" ? [legs.publisher, legs.fee] : [legs.fee];
  return waitsFor.find((item) => item?.state === "failed" && item.pending === "watched");
}

/** One step towards the end of a settlement; `held` while another request has only claimed it. */
async function advance(
  ports: PaymentPorts,
  item: SettlementItem,
  token: string | undefined,
  firstLook: boolean,
): Promise<Ending | Released | { readonly kind: "held" }> {
  if (item.state === "claimed" && item.claimUntil < ports.clock.now()) return release(ports, item, token);
  if (!isSent(item)) return { kind: "held" };
  try {
    const ending = await resolve(ports, item, token);
    if (ending.kind === "pending" && firstLook) await rebroadcast(ports, item);
    return ending;
  } catch (error) {
    // A node's trouble says nothing about a transaction that was sent: it is pending, not refused.
    if (error instanceof AppError && error.kind === "upstream") {
      return { kind: "pending", txHash: item.txHash };
    }
    throw error;
  }
}

export function alreadyUnlocked(): AppError {
  return new AppError("conflict", "already_unlocked", "You've already unlocked this press.");
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
